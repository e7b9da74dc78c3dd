/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "guard-state.h"

/* A translated sentence that says in plain words what a guard does at this level; `reason` may be
 * NULL. Owned by the caller. */
char *fh_guard_sentence (FhGuard guard, FhGuardLevel level, const char *reason);
