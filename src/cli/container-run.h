/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "container-sandbox.h"

G_BEGIN_DECLS

/* What the command line does for a run in a container, beyond what it does for any other. */

/* The container as it was in the end: engine, version, rootless, remote (null when none was found),
 * image, name (null before there was one), kept. (transfer full) */
JsonNode *fh_container_run_to_json (FhContainerSandbox *sandbox, const FhContainerOptions *options);

/* Does what options->after says, and waits for it: afterwards nothing is left that should not be.
 * Tells in one line when the engine could not do it. */
void fh_container_run_let_go (FhContainerSandbox *sandbox, const FhContainerOptions *options);

G_END_DECLS
