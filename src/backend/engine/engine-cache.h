/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "engine.h"

G_BEGIN_DECLS

/* The engine that was chosen for this question (AUTO or a kind), while everything is as it was
 * then and for ten minutes at most; NULL otherwise. (transfer full) */
FhEngine *fh_engine_cache_read (FhEngineKind asked);

/* Notes it; NULL removes the note. */
void fh_engine_cache_write (FhEngineKind asked, FhEngine *engine);

G_END_DECLS
