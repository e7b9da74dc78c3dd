/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-leftovers.h"

#include <stdlib.h>

#include "container-ours.h"
#include "kept-folder.h"

#define REMOVE_AGAIN_MS 10000

/* From the name of a container to its engine; created on first use, and under the lock like the
 * engines that were looked through. */
static GMutex lock;
static GHashTable *noted;
static GHashTable *reaped;

static void
remove_noted (void)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  GHashTableIter iter;
  gpointer name;
  gpointer engine;

  g_hash_table_iter_init (&iter, noted);
  while (g_hash_table_iter_next (&iter, &name, &engine))
    {
      fh_container_remove_later (FH_ENGINE (engine), name);
      /* A name chosen by the user may belong to a leftover of an earlier run. */
      if (g_str_has_prefix (name, FH_CONTAINER_NAME_PREFIX))
        fh_kept_folder_remove (name);
    }
}

void
fh_container_leftovers_note (FhEngine *engine, const char *name)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = NULL;

  g_return_if_fail (FH_IS_ENGINE (engine));
  g_return_if_fail (name != NULL);

  locker = g_mutex_locker_new (&lock);
  if (noted == NULL)
    {
      noted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
      atexit (remove_noted);
    }
  g_hash_table_replace (noted, g_strdup (name), g_object_ref (engine));
}

void
fh_container_leftovers_forget (const char *name)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);

  if (noted != NULL)
    g_hash_table_remove (noted, name);
}

static gpointer
remove_again_in_thread (const FhEngineOrder *order, GCancellable *cancellable, GError **error)
{
  fh_engine_pause (REMOVE_AGAIN_MS, NULL, NULL);
  if (fh_container_remove (order->engine, order->name, NULL, NULL))
    fh_container_leftovers_forget (order->name);
  return NULL;
}

/* One call is usually enough. */
gboolean
fh_container_leftovers_remove (FhEngine *engine,
                               const char *name,
                               gboolean is_certain,
                               GError **error)
{
  g_autoptr (GError) reason = NULL;

  fh_container_leftovers_note (engine, name);
  if ((!is_certain || !fh_container_remove_once (engine, name, &reason)) &&
      !fh_container_remove (engine, name, NULL, error))
    return FALSE;
  /* The engine may still be creating the container of a client that was killed, so the note stays
   * for a while. */
  if (g_error_matches (reason, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER))
    fh_engine_start (&(FhEngineOrder){ engine, name }, remove_again_in_thread, NULL, NULL, NULL);
  else
    fh_container_leftovers_forget (name);
  return TRUE;
}

static gpointer
reap_in_thread (const FhEngineOrder *order, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) reason = NULL;
  const int n = fh_container_reap (order->engine, NULL, &reason);

  if (n < 0)
    g_debug ("Leftover containers could not be removed: %s", reason->message);
  else if (n > 0)
    g_debug ("Removed %d leftover containers.", n);
  return NULL;
}

void
fh_container_leftovers_reap_once (FhEngine *engine)
{
  const FhEngineFacts *facts;
  g_autofree char *key = NULL;
  gboolean is_first;

  g_return_if_fail (FH_IS_ENGINE (engine));

  facts = fh_engine_get_facts (engine);
  key = g_strconcat (facts->program, " ", facts->endpoint, NULL);
  g_mutex_lock (&lock);
  if (reaped == NULL)
    reaped = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  is_first = g_hash_table_add (reaped, g_steal_pointer (&key));
  g_mutex_unlock (&lock);
  if (is_first)
    fh_engine_start (&(FhEngineOrder){ engine }, reap_in_thread, NULL, NULL, NULL);
}
