/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "container-preparation.h"
#include "run-driver.h"

/* Prepares the container of `run`, see fh_container_prepare_async. If its options name a command
 * that sets it up (`init`), and that has not succeeded in this very container yet, runs the command
 * there as a shell program under the guards and limits of `run`. What it writes becomes standard
 * error of `run`, and what it tried is listed there. `run` is not started nor finished. */
void fh_container_init_async (FhContainerInstance *instance,
                              FhRun *run,
                              FhContainerPullFunc pulling,
                              gpointer pulling_data,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);

/* FALSE with a sentence when the container cannot be used or its command did not succeed. */
gboolean fh_container_init_finish (GAsyncResult *result, GError **error);
