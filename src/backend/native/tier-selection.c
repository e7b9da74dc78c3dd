/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tier-selection.h"

#include <glib/gi18n-lib.h>

#include "flatpak-info.h"
#include "guard-probe.h"
#include "order.h"
#include "runner-locator.h"
#include "tier-cache.h"
#include "wire-translation.h"

/* `wanted` is AUTO, or the only tier to try; `tier` is being tried. */
typedef struct
{
  FhTierSelection *selection;
  FhTier wanted;
  FhTier tier;
} Selecting;

static void
tier_probe_free (gpointer data)
{
  FhTierProbe *probe = data;

  g_ptr_array_unref (probe->guards);
  g_free (probe->step);
  g_free (probe);
}

void
fh_tier_selection_free (FhTierSelection *selection)
{
  if (selection == NULL)
    return;
  g_ptr_array_unref (selection->probes);
  g_free (selection);
}

static void
selecting_free (gpointer data)
{
  Selecting *self = data;

  fh_tier_selection_free (self->selection);
  g_free (self);
}

static const FhTierProbe *
last_of (const FhTierSelection *selection)
{
  return g_ptr_array_index (selection->probes, selection->probes->len - 1);
}

FhTier
fh_tier_selection_get_tier (const FhTierSelection *selection)
{
  const FhTierProbe *last = last_of (selection);

  return last->works ? last->tier : FH_TIER_AUTO;
}

FhTier
fh_tier_selection_first (void)
{
  return fh_flatpak_is_inside () ? FH_TIER_PORTAL : FH_TIER_NAMESPACES;
}

FhTier
fh_tier_choose (FhRunRequest *request)
{
  FhTier tier = fh_run_request_get_guards (request)->tier;

  if (tier == FH_TIER_AUTO)
    tier = fh_tier_cache_read ();
  return tier != FH_TIER_AUTO ? tier : fh_tier_selection_first ();
}

FhRunOutcome
fh_tier_probe_outcome (const FhTierProbe *probe)
{
  FhRunOutcome outcome = fh_outcome_of_ours (FH_RUN_STATUS_GUARD_FAILED, probe->step, NULL);

  outcome.error = probe->error;
  return outcome;
}

static gboolean
is_temporary (const FhTierProbe *probe)
{
  const FhRunOutcome outcome = fh_tier_probe_outcome (probe);

  return !probe->works && fh_run_outcome_is_shortage (&outcome);
}

static void
finish (GTask *task)
{
  Selecting *self = g_task_get_task_data (task);

  if (self->wanted == FH_TIER_AUTO && !is_temporary (last_of (self->selection)))
    fh_tier_cache_write (fh_tier_selection_get_tier (self->selection));
  g_task_return_pointer (task,
                         g_steal_pointer (&self->selection),
                         (GDestroyNotify) fh_tier_selection_free);
}

static void try_tier (GTask *task, FhTier tier);

static void
answered_cb (FhRunner *runner,
             GPtrArray *guards,
             const FhRunOutcome *outcome,
             const GError *error,
             gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  Selecting *self = g_task_get_task_data (task);
  FhTierProbe *probe;

  if (error != NULL)
    {
      g_task_return_error (task, g_error_copy (error));
      return;
    }
  probe = g_new0 (FhTierProbe, 1);
  probe->tier = self->tier;
  probe->works = outcome->status == FH_RUN_STATUS_OK;
  probe->guards = g_ptr_array_ref (guards);
  probe->step = g_strdup (outcome->step);
  probe->error = outcome->error;
  g_ptr_array_add (self->selection->probes, probe);
  if (probe->works || self->wanted != FH_TIER_AUTO || is_temporary (probe) ||
      probe->tier == FH_TIER_LANDLOCK)
    finish (task);
  else
    try_tier (task, probe->tier == FH_TIER_NAMESPACES ? FH_TIER_BUBBLEWRAP : FH_TIER_LANDLOCK);
}

static void
try_tier (GTask *task, FhTier tier)
{
  Selecting *self = g_task_get_task_data (task);
  g_autofree char *guest = fh_runner_locate_guest_folder ();
  /* If that folder is missing, each run says so; the guards are not to blame. */
  const gboolean has_guest = fh_runner_check_guest_folder (guest, NULL);
  g_autoptr (FhOrder) order = NULL;
  FhRunner *runner;
  GError *error = NULL;

  if (g_task_return_error_if_cancelled (task))
    return;
  self->tier = tier;
  order = fh_order_new_probe (fh_policy_build_probe (tier, has_guest ? guest : NULL));
  runner = fh_order_start (order, &error);
  if (runner != NULL)
    fh_guard_probe (runner, 0, g_task_get_cancellable (task), answered_cb, g_object_ref (task));
  else
    g_task_return_error (task, error);
}

void
fh_tier_select_async (FhTier tier,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Selecting *self = g_new0 (Selecting, 1);

  g_task_set_source_tag (task, fh_tier_select_async);
  self->selection = g_new0 (FhTierSelection, 1);
  self->selection->probes = g_ptr_array_new_with_free_func (tier_probe_free);
  self->wanted = tier;
  g_task_set_task_data (task, self, selecting_free);
  try_tier (task, tier == FH_TIER_AUTO ? fh_tier_selection_first () : tier);
}

FhTierSelection *
fh_tier_select_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

char *
fh_tier_selection_explain (const FhTierSelection *selection)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < selection->probes->len; i++)
    {
      const FhTierProbe *probe = g_ptr_array_index (selection->probes, i);

      if (probe->works)
        continue;
      if (text->len > 0)
        g_string_append_c (text, ' ');
      /* Translators: a way to separate the program from the user’s things, "A sandbox of Fumehood’s
       * own namespaces"; the technical name of a step, "user-namespace"; the system's words for an
       * error */
      g_string_append_printf (text,
                              _ ("%s cannot be used here: the step “%s” failed (%s)."),
                              fh_tier_title (probe->tier),
                              probe->step != NULL ? probe->step : "start",
                              g_strerror (probe->error));
    }
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

char *
fh_tier_selection_advise (const FhTierSelection *selection)
{
  const FhTierProbe *first = g_ptr_array_index (selection->probes, 0);
  const FhRunOutcome outcome = fh_tier_probe_outcome (first);

  return first->works ? NULL : fh_run_outcome_advice (&outcome);
}
