/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-request.h"

G_BEGIN_DECLS

/* Where a run happens, for people: “In a container: python:3-slim (Docker)”. `engine` is the one
 * that was taken, where that is known, else FH_ENGINE_AUTO. NULL for a run on this computer.
 * (transfer full) */
char *fh_run_place_format (const FhContainerOptions *container, FhEngineKind engine);

G_END_DECLS
