/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "tier-ladder.h"

#include "tier-cache.h"

/* Under way: what was tried is in the ladder; `wanted` is AUTO, or the only one to try. */
typedef struct
{
  FhTierLadder *ladder;
  FhTier wanted;
} Climbing;

void
fh_tier_ladder_free (FhTierLadder *ladder)
{
  if (ladder == NULL)
    return;
  g_ptr_array_unref (ladder->probes);
  g_free (ladder);
}

static void
climbing_free (gpointer data)
{
  Climbing *climbing = data;

  fh_tier_ladder_free (climbing->ladder);
  g_free (climbing);
}

static const FhTierProbe *
last_of (const FhTierLadder *ladder)
{
  return g_ptr_array_index (ladder->probes, ladder->probes->len - 1);
}

FhTier
fh_tier_ladder_get_tier (const FhTierLadder *ladder)
{
  const FhTierProbe *last = last_of (ladder);

  return last->works ? last->tier : FH_TIER_AUTO;
}

static void
arrive (GTask *task)
{
  Climbing *climbing = g_task_get_task_data (task);

  if (climbing->wanted == FH_TIER_AUTO && !fh_tier_probe_is_temporary (last_of (climbing->ladder)))
    fh_tier_cache_write (fh_tier_ladder_get_tier (climbing->ladder));
  g_task_return_pointer (task,
                         g_steal_pointer (&climbing->ladder),
                         (GDestroyNotify) fh_tier_ladder_free);
}

static void
probed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Climbing *climbing = g_task_get_task_data (task);
  GError *error = NULL;
  FhTierProbe *probe = fh_tier_probe_finish (result, &error);

  if (probe == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  g_ptr_array_add (climbing->ladder->probes, probe);
  if (probe->works || climbing->wanted != FH_TIER_AUTO || fh_tier_probe_is_temporary (probe) ||
      probe->tier == FH_TIER_LANDLOCK)
    arrive (task);
  else
    fh_tier_probe_async (probe->tier + 1,
                         g_task_get_cancellable (task),
                         probed_cb,
                         g_object_ref (task));
}

void
fh_tier_ladder_climb_async (FhTier tier,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Climbing *climbing = g_new0 (Climbing, 1);

  g_task_set_source_tag (task, fh_tier_ladder_climb_async);
  climbing->ladder = g_new0 (FhTierLadder, 1);
  climbing->ladder->probes = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_tier_probe_free);
  climbing->wanted = tier;
  g_task_set_task_data (task, climbing, climbing_free);
  fh_tier_probe_async (tier == FH_TIER_AUTO ? FH_TIER_NAMESPACES : tier,
                       cancellable,
                       probed_cb,
                       task);
}

FhTierLadder *
fh_tier_ladder_climb_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

char *
fh_tier_ladder_explain (const FhTierLadder *ladder)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < ladder->probes->len; i++)
    {
      const FhTierProbe *probe = g_ptr_array_index (ladder->probes, i);
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
fh_tier_ladder_advise (const FhTierLadder *ladder)
{
  const FhTierProbe *first = g_ptr_array_index (ladder->probes, 0);

  return first->works ? NULL : fh_tier_probe_advice (first);
}
