/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "backend.h"
#include "container-options.h"

/* Creates a container with these options, sets up all guards and runs nothing, reports the state of
 * each guard, and removes the container. It has a generated name and none of the user's folders. A
 * missing image is not pulled. A failing engine or a missing image is a result, not an error. The
 * task returns an FhBackendProbe. */
void fh_container_probe (const FhContainerOptions *options, GTask *task);
