/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "tier-probe.h"

G_BEGIN_DECLS

/* The tiers that were tried, the best first, until one worked. Running without protection is not
 * among them: nothing ever falls down to that. */
typedef struct
{
  GPtrArray *probes; /* (element-type FhTierProbe); only the last one can have worked */
} FhTierLadder;

void fh_tier_ladder_free (FhTierLadder *ladder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhTierLadder, fh_tier_ladder_free)

/* Tries one tier after the other, or only `tier` when that is not AUTO, and notes what was found
 * for the runs to come. What fails for want of memory or the like ends it: that is no reason to be
 * content with less. */
void fh_tier_ladder_climb_async (FhTier tier,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
FhTierLadder *fh_tier_ladder_climb_finish (GAsyncResult *result, GError **error);

/* The one that works, or AUTO. */
FhTier fh_tier_ladder_get_tier (const FhTierLadder *ladder);
/* Why nothing better is used, in sentences for people; NULL when the best works. Owned by the
 * caller. */
char *fh_tier_ladder_explain (const FhTierLadder *ladder);
/* What to do about it; nullable. Owned by the caller. */
char *fh_tier_ladder_advise (const FhTierLadder *ladder);

G_END_DECLS
