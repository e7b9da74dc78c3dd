/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "run-guards.h"
#include "run-status.h"

G_BEGIN_DECLS

/* What came of trying one tier: the runner built all its guards around nothing, or could not. */
typedef struct
{
  FhTier tier;
  gboolean works;
  GPtrArray *guards; /* (element-type FhGuardState), never NULL */
  char *step;        /* nullable: what failed */
  int error;         /* errno, or 0 */
} FhTierProbe;

void fh_tier_probe_free (FhTierProbe *probe);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhTierProbe, fh_tier_probe_free)

/* Tries a tier by really doing it. An error only when even that could not be tried, for example
 * because the runner is missing. */
void fh_tier_probe_async (FhTier tier,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data);
FhTierProbe *fh_tier_probe_finish (GAsyncResult *result, GError **error);

/* Whether it failed for want of something that may be there again in a moment. */
gboolean fh_tier_probe_is_temporary (const FhTierProbe *probe);
/* What failed, and what to do about it: a borrowed outcome of a run, as if there had been one. */
FhRunOutcome fh_tier_probe_outcome (const FhTierProbe *probe);
/* A sentence for people, why it does not work; owned by the caller. */
char *fh_tier_probe_sentence (const FhTierProbe *probe);
/* Owned by the caller; nullable. */
char *fh_tier_probe_advice (const FhTierProbe *probe);

G_END_DECLS
