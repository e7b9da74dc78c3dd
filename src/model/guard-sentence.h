/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "guard-state.h"

G_BEGIN_DECLS

/* What a guard does at this level, translated, in plain words; `reason` may be NULL. Owned by the
 * caller. */
char *fh_guard_sentence (FhGuard guard, FhGuardLevel level, const char *reason);

G_END_DECLS
