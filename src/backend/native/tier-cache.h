/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-guards.h"

G_BEGIN_DECLS

/* Which tier was found to work here. What was found holds until the computer is started anew, or
 * another kernel, runner or bubblewrap is there. It is kept in a file of a few lines in the user's
 * runtime folder, or the one for caches; a file that is not exactly what this program would have
 * written now, or that another user could have written, counts as none.
 *
 * Only a hint: a run in a tier that does not work here fails, it does not go on without it. */

/* AUTO when nothing is known. Never UNPROTECTED. */
FhTier fh_tier_cache_read (void);
/* AUTO: forgets what was known. A file that cannot be written is no error. */
void fh_tier_cache_write (FhTier tier);

G_END_DECLS
