/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

G_BEGIN_DECLS

/* The client of a kind: $FH_DOCKER or $FH_PODMAN, else the one in PATH. NULL when there is none.
 * (transfer full) */
char *fh_engine_program (FhEngineKind kind);

G_END_DECLS
