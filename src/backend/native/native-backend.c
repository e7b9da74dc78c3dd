/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "native-backend.h"

#include "tier-selection.h"

static FhBackendProbe *
make_probe (const FhTierSelection *selection)
{
  FhBackendProbe *probe = g_new0 (FhBackendProbe, 1);
  const FhTierProbe *last = g_ptr_array_index (selection->probes, selection->probes->len - 1);
  const FhRunOutcome failure = fh_tier_probe_outcome (last);

  probe->may_run = last->works;
  probe->tier = g_strdup (last->works ? fh_tier_to_string (last->tier) : "");
  probe->guards = g_ptr_array_ref (last->guards);
  probe->reason = fh_tier_selection_explain (selection);
  probe->advice = fh_tier_selection_advise (selection);
  if (!last->works && selection->probes->len == 1)
    {
      g_free (probe->reason);
      probe->reason = fh_run_outcome_sentence (&failure);
    }
  if (probe->reason == NULL)
    fh_backend_probe_explain_weakness (probe);
  return probe;
}

static void
selected_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  g_autoptr (FhTierSelection) selection = NULL;
  GError *error = NULL;

  selection = fh_tier_select_finish (result, &error);
  if (selection == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, make_probe (selection), (GDestroyNotify) fh_backend_probe_free);
}

void
fh_native_probe (FhTier tier, GTask *task)
{
  fh_tier_select_async (tier, g_task_get_cancellable (task), selected_cb, g_object_ref (task));
}
