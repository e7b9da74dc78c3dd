/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "run-guards.h"
#include "run-status.h"

G_BEGIN_DECLS

/* The result of trying one tier: the runner set up all guards and ran nothing. */
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

/* Tries a tier by setting it up. An error only when even that was impossible, for example because
 * the runner is missing. */
void fh_tier_probe_async (FhTier tier,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data);
FhTierProbe *fh_tier_probe_finish (GAsyncResult *result, GError **error);

/* Whether it failed for a temporary shortage. */
gboolean fh_tier_probe_is_temporary (const FhTierProbe *probe);
/* The failure as a run's outcome; borrows from `probe`. */
FhRunOutcome fh_tier_probe_outcome (const FhTierProbe *probe);
/* A sentence for people why the tier does not work. (transfer full) */
char *fh_tier_probe_sentence (const FhTierProbe *probe);
/* What to do about it; nullable. (transfer full) */
char *fh_tier_probe_advice (const FhTierProbe *probe);

G_END_DECLS
