/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "run-request.h"
#include "run-status.h"

/* The result of trying one tier: the runner set up all guards and ran nothing. */
typedef struct
{
  FhTier tier;
  gboolean works;
  GPtrArray *guards; /* (element-type FhGuardState), never NULL */
  char *step;        /* nullable: what failed */
  int error;         /* errno, or 0 */
} FhTierProbe;

/* The failure as a run's outcome; borrows from `probe`. */
FhRunOutcome fh_tier_probe_outcome (const FhTierProbe *probe);

/* The tiers that were tried, best first, up to the one that works. Never includes running without
 * protection: there is no fallback to that. */
typedef struct
{
  GPtrArray *probes; /* (element-type FhTierProbe); only the last one can have worked */
} FhTierSelection;

void fh_tier_selection_free (FhTierSelection *selection);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhTierSelection, fh_tier_selection_free)

/* The best tier that may work here: inside Flatpak no namespaces can be made, so only its portal
 * can. */
FhTier fh_tier_selection_first (void);

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
