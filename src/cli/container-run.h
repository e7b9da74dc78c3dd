/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "container-sandbox.h"

G_BEGIN_DECLS

/* What the command line does for a run in a container, beyond what it does for any other: while an
 * image is pulled, that is shown. Everything that is handed in must outlive it. */
typedef struct _FhContainerRun FhContainerRun;

FhContainerRun *
fh_container_run_new (FhContainerSandbox *sandbox, const FhContainerOptions *options);
void fh_container_run_free (FhContainerRun *run);

/* The container as it was in the end: engine, version, rootless, remote (null when none was found),
 * image, name (null before there was one), kept. (transfer full) */
JsonNode *fh_container_run_to_json (FhContainerRun *run);

/* Does what the options say about the time afterwards, and waits for it: then nothing is left that
 * should not be. Tells in one line when the engine could not do it. */
void fh_container_run_let_go (FhContainerRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhContainerRun, fh_container_run_free)

G_END_DECLS
