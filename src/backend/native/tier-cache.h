/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-guards.h"

/* The tier that was found to work here. Valid until the next boot, or until the kernel, the runner
 * or bubblewrap changes. Stored in a small file in the user's runtime or cache folder; a file that
 * differs from what we would write now, or that another user could have written, is ignored.
 *
 * It is only a hint: a run in a tier that does not work fails; it never runs without it. */

/* AUTO when unknown. Never UNPROTECTED. */
FhTier fh_tier_cache_read (void);
/* AUTO clears it. Write errors are ignored. */
void fh_tier_cache_write (FhTier tier);
