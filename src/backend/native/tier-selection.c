/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tier-selection.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "cache-file.h"
#include "flatpak-info.h"
#include "guard-probe.h"
#include "order.h"
#include "runner-locator.h"
#include "wire-translation.h"

#define NOTE       "tier"
#define BUBBLEWRAP "/usr/bin/bwrap"

/* Whether the system lets ordinary users make user namespaces. */
static const char *const settings[] = {
  "/proc/sys/user/max_user_namespaces",
  "/proc/sys/kernel/unprivileged_userns_clone",
  "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
};

static void
append_setting (GString *text, const char *path)
{
  g_autofree char *value = NULL;

  if (g_file_get_contents (path, &value, NULL, NULL))
    g_string_append_printf (text, "%s %s\n", path, g_strstrip (value));
}

/* Everything that the answer depends on; NULL when unknown. */
static char *
describe_here (void)
{
  g_autoptr (GString) text = g_string_new ("fumehood-tier 1\n");
  g_autofree char *runner = fh_runner_locate ();

  if (!fh_cache_file_append_boot (text))
    return NULL;
  fh_cache_file_append_file (text, "runner", runner);
  fh_cache_file_append_file (text, "bubblewrap", BUBBLEWRAP);
  fh_cache_file_append_file (text, "flatpak", "/.flatpak-info");
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    append_setting (text, settings[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

FhTier
fh_tier_cache_read (void)
{
  g_autofree char *path = fh_cache_file_path (NOTE);
  g_autofree char *here = describe_here ();
  g_autofree char *text = fh_cache_file_read (path);
  const char *found;
  FhTier tier;

  if (here == NULL || text == NULL || !g_str_has_prefix (text, here))
    return FH_TIER_AUTO;
  found = text + strlen (here);
  for (tier = FH_TIER_NAMESPACES; tier < FH_TIER_UNPROTECTED; tier++)
    {
      g_autofree char *line = g_strdup_printf ("tier %s\n", fh_tier_to_string (tier));

      if (g_str_equal (found, line))
        return tier;
    }
  return FH_TIER_AUTO;
}

void
fh_tier_cache_write (FhTier tier)
{
  g_autofree char *path = fh_cache_file_path (NOTE);
  g_autofree char *here = describe_here ();
  g_autofree char *text = NULL;

  if (tier == FH_TIER_AUTO || here == NULL)
    {
      g_unlink (path);
      return;
    }
  g_return_if_fail (tier != FH_TIER_UNPROTECTED);
  text = g_strdup_printf ("%stier %s\n", here, fh_tier_to_string (tier));
  fh_cache_file_write (path, text);
}

static void
tier_probe_free (gpointer data)
{
  FhTierProbe *probe = data;

  g_ptr_array_unref (probe->guards);
  g_free (probe->step);
  g_free (probe);
}

static void
selection_clear (gpointer data)
{
  g_ptr_array_unref (((FhTierSelection *) data)->probes);
}

void
fh_tier_selection_unref (FhTierSelection *selection)
{
  g_rc_box_release_full (selection, selection_clear);
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

/* The best tier that may work here: inside Flatpak no namespaces can be made, so only its portal
 * can. */
static FhTier
first_tier (void)
{
  return fh_flatpak_is_inside () ? FH_TIER_PORTAL : FH_TIER_NAMESPACES;
}

FhTier
fh_tier_choose (FhRunRequest *request)
{
  FhTier tier = fh_run_request_get_parts (request)->guards->tier;

  if (tier == FH_TIER_AUTO)
    tier = fh_tier_cache_read ();
  return tier != FH_TIER_AUTO ? tier : first_tier ();
}

static gboolean
is_temporary (const FhTierProbe *probe)
{
  return !probe->works && fh_run_outcome_is_shortage (&probe->failure);
}

static void
finish (GTask *task)
{
  FhTierSelection *self = g_task_get_task_data (task);

  if (self->wanted == FH_TIER_AUTO && !is_temporary (last_of (self)))
    fh_tier_cache_write (fh_tier_selection_get_tier (self));
  g_task_return_pointer (task, g_rc_box_acquire (self), (GDestroyNotify) fh_tier_selection_unref);
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
  FhTierSelection *self = g_task_get_task_data (task);
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
  probe->failure = fh_outcome_of_ours (FH_RUN_STATUS_GUARD_FAILED, probe->step, NULL);
  probe->failure.error = outcome->error;
  g_ptr_array_add (self->probes, probe);
  if (probe->works || self->wanted != FH_TIER_AUTO || is_temporary (probe) ||
      probe->tier == FH_TIER_LANDLOCK)
    finish (task);
  else
    try_tier (task, probe->tier == FH_TIER_NAMESPACES ? FH_TIER_BUBBLEWRAP : FH_TIER_LANDLOCK);
}

static void
try_tier (GTask *task, FhTier tier)
{
  FhTierSelection *self = g_task_get_task_data (task);
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
  FhTierSelection *self = g_rc_box_new0 (FhTierSelection);

  g_task_set_source_tag (task, fh_tier_select_async);
  self->probes = g_ptr_array_new_with_free_func (tier_probe_free);
  self->wanted = tier;
  g_task_set_task_data (task, self, (GDestroyNotify) fh_tier_selection_unref);
  try_tier (task, tier == FH_TIER_AUTO ? first_tier () : tier);
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
                              g_strerror (probe->failure.error));
    }
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

char *
fh_tier_selection_advise (const FhTierSelection *selection)
{
  const FhTierProbe *first = g_ptr_array_index (selection->probes, 0);

  return first->works ? NULL : fh_run_outcome_advice (&first->failure);
}

static FhBackendProbe *
make_probe (const FhTierSelection *selection)
{
  FhBackendProbe *probe = g_new0 (FhBackendProbe, 1);
  const FhTierProbe *last = last_of (selection);

  probe->may_run = last->works;
  probe->tier = g_strdup (last->works ? fh_tier_to_string (last->tier) : "");
  probe->guards = g_ptr_array_ref (last->guards);
  probe->reason = fh_tier_selection_explain (selection);
  probe->advice = fh_tier_selection_advise (selection);
  if (!last->works && selection->probes->len == 1)
    {
      g_free (probe->reason);
      probe->reason = fh_run_outcome_sentence (&last->failure);
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
