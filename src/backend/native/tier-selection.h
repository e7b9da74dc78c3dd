/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "backend.h"

/* The result of trying one tier: the runner set up all guards and ran nothing. */
typedef struct
{
  FhTier tier;
  gboolean works;
  GPtrArray *guards;    /* (element-type FhGuardState), never NULL */
  char *step;           /* nullable: what failed */
  FhRunOutcome failure; /* the same as a run's outcome */
} FhTierProbe;

/* The tiers that were tried, best first, up to the one that works. Never includes running without
 * protection: there is no fallback to that. */
typedef struct
{
  GPtrArray *probes; /* (element-type FhTierProbe); only the last one can have worked */
  FhTier wanted;     /* AUTO, or the only tier to try */
  FhTier tier;       /* that is tried */
} FhTierSelection;

void fh_tier_selection_unref (FhTierSelection *selection);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhTierSelection, fh_tier_selection_unref)

/* What a run begins with: the tier it asks for, or the one that is known to work, or the first. */
FhTier fh_tier_choose (FhRunRequest *request);

/* Tries one tier after another, or only `tier` unless it is AUTO, and caches the result. Stops at a
 * temporary failure, such as a lack of memory: that is no reason to settle for a weaker tier. An
 * error only when even trying was impossible, for example because the runner is missing. */
void fh_tier_select_async (FhTier tier,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);
FhTierSelection *fh_tier_select_finish (GAsyncResult *result, GError **error);

/* The tier that works, or AUTO. */
FhTier fh_tier_selection_get_tier (const FhTierSelection *selection);
/* Why no better tier is used, in sentences for people; NULL when the best one works. (transfer
 * full)
 */
char *fh_tier_selection_explain (const FhTierSelection *selection);
/* What to do about it; nullable. (transfer full) */
char *fh_tier_selection_advise (const FhTierSelection *selection);

/* Sets up all guards and runs nothing. `tier`: the only one to try; AUTO: the best one that works
 * here. The task returns an FhBackendProbe. */
void fh_native_probe (FhTier tier, GTask *task);

/* The tier that was found to work here. Valid until the next boot, or until the kernel, the runner
 * or bubblewrap changes. Stored in a small file in the user's runtime or cache folder; a file that
 * differs from what we would write now, or that another user could have written, is ignored.
 *
 * It is only a hint: a run in a tier that does not work fails; it never runs without it. */

/* AUTO when unknown. Never UNPROTECTED. */
FhTier fh_tier_cache_read (void);
/* AUTO clears it. Write errors are ignored. */
void fh_tier_cache_write (FhTier tier);
