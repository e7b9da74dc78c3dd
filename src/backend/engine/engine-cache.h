/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

G_BEGIN_DECLS

/* The engine that was chosen for AUTO or a kind, if nothing it depends on has changed and it was
 * less than ten minutes ago; else NULL. (transfer full) */
FhEngine *fh_engine_cache_read (FhEngineKind asked);

/* Remembers it; NULL clears. */
void fh_engine_cache_write (FhEngineKind asked, FhEngine *engine);

G_END_DECLS
