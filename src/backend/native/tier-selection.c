/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tier-selection.h"

#include "flatpak-info.h"
#include "tier-cache.h"

/* `wanted` is AUTO, or the only tier to try. */
typedef struct
{
  FhTierSelection *selection;
  FhTier wanted;
} Selecting;

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

/* The next weaker one. */
static FhTier
tier_after (FhTier tier)
{
  return tier == FH_TIER_NAMESPACES ? FH_TIER_BUBBLEWRAP : FH_TIER_LANDLOCK;
}

static void
finish (GTask *task)
{
  Selecting *self = g_task_get_task_data (task);

  if (self->wanted == FH_TIER_AUTO && !fh_tier_probe_is_temporary (last_of (self->selection)))
    fh_tier_cache_write (fh_tier_selection_get_tier (self->selection));
  g_task_return_pointer (task,
                         g_steal_pointer (&self->selection),
                         (GDestroyNotify) fh_tier_selection_free);
}

static void
probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Selecting *self = g_task_get_task_data (task);
  GError *error = NULL;
  FhTierProbe *probe = fh_tier_probe_finish (result, &error);

  if (probe == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  g_ptr_array_add (self->selection->probes, probe);
  if (probe->works || self->wanted != FH_TIER_AUTO || fh_tier_probe_is_temporary (probe) ||
      probe->tier == FH_TIER_LANDLOCK)
    finish (task);
  else
    fh_tier_probe_async (tier_after (probe->tier),
                         g_task_get_cancellable (task),
                         probed_cb,
                         g_object_ref (task));
}

void
fh_tier_select_async (FhTier tier,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Selecting *self = g_new0 (Selecting, 1);

  g_task_set_source_tag (task, fh_tier_select_async);
  self->selection = g_new0 (FhTierSelection, 1);
  self->selection->probes = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_tier_probe_free);
  self->wanted = tier;
  g_task_set_task_data (task, self, selecting_free);
  fh_tier_probe_async (tier == FH_TIER_AUTO ? fh_tier_selection_first () : tier,
                       cancellable,
                       probed_cb,
                       task);
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
      g_autofree char *sentence = NULL;

      if (probe->works)
        continue;
      sentence = fh_tier_probe_sentence (probe);
      if (text->len > 0)
        g_string_append_c (text, ' ');
      g_string_append (text, sentence);
    }
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

char *
fh_tier_selection_advise (const FhTierSelection *selection)
{
  const FhTierProbe *first = g_ptr_array_index (selection->probes, 0);

  return first->works ? NULL : fh_tier_probe_advice (first);
}
