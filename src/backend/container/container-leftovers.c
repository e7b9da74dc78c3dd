/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-leftovers.h"

#include <stdlib.h>

#include "container-ops.h"
#include "engine-call.h"
#include "kept-folder.h"

#define REMOVE_AGAIN_MS 10000

/* From the name of a container to its engine; created on first use. */
static GHashTable *noted;

static void
remove_noted (void)
{
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
  g_return_if_fail (FH_IS_ENGINE (engine));
  g_return_if_fail (name != NULL);

  if (noted == NULL)
    {
      noted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
      atexit (remove_noted);
    }
  g_hash_table_replace (noted, g_strdup (name), g_object_ref (engine));
}

typedef struct
{
  FhEngine *engine;
  char *name;
  gboolean was_missing;
} Leftover;

static void
leftover_free (gpointer data)
{
  Leftover *leftover = data;

  g_object_unref (leftover->engine);
  g_free (leftover->name);
  g_free (leftover);
}

static void
forget (GTask *task)
{
  const Leftover *leftover = g_task_get_task_data (task);

  g_hash_table_remove (noted, leftover->name);
}

static void
removed_again_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);

  if (fh_container_remove_finish (result, NULL))
    forget (task);
}

static gboolean
remove_again_cb (gpointer user_data)
{
  GTask *task = G_TASK (user_data);
  const Leftover *leftover = g_task_get_task_data (task);

  fh_container_remove_async (leftover->engine,
                             leftover->name,
                             NULL,
                             removed_again_cb,
                             g_object_ref (task));
  return G_SOURCE_REMOVE;
}

/* The engine may still be creating the container of a client that was killed, so the note stays for
 * a while. */
static void
remove_again_later (GTask *task)
{
  g_autoptr (GSource) source = g_timeout_source_new (REMOVE_AGAIN_MS);

  g_source_set_callback (source, remove_again_cb, g_object_ref (task), g_object_unref);
  g_source_attach (source, g_task_get_context (task));
}

static void
removed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  const Leftover *leftover = g_task_get_task_data (task);
  GError *error = NULL;

  if (!fh_container_remove_finish (result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  if (leftover->was_missing)
    remove_again_later (task);
  else
    forget (task);
  g_task_return_boolean (task, TRUE);
}

static void
remove_with_care (GTask *task)
{
  const Leftover *leftover = g_task_get_task_data (task);

  fh_container_remove_async (leftover->engine,
                             leftover->name,
                             NULL,
                             removed_cb,
                             g_object_ref (task));
}

static void
tried_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  Leftover *leftover = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = fh_engine_call_finish (result, &error);

  if (answer != NULL)
    {
      forget (task);
      g_task_return_boolean (task, TRUE);
      return;
    }
  leftover->was_missing = g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER);
  remove_with_care (task);
}

/* One call is usually enough. */
void
fh_container_leftovers_remove_async (FhEngine *engine,
                                     const char *name,
                                     gboolean is_certain,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data)
{
  const char *const arguments[] = { "rm", "--force", "--volumes", "--", name, NULL };
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Leftover *leftover = g_new0 (Leftover, 1);

  leftover->engine = g_object_ref (engine);
  leftover->name = g_strdup (name);
  g_task_set_source_tag (task, fh_container_leftovers_remove_async);
  g_task_set_task_data (task, leftover, leftover_free);
  fh_container_leftovers_note (engine, name);
  if (is_certain)
    fh_engine_call_step (task, engine, arguments, FH_ENGINE_CALL_TIMEOUT_MS, tried_cb);
  else
    remove_with_care (task);
}

gboolean
fh_container_leftovers_remove_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
reaped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  int count = fh_container_reap_finish (result, &error);

  if (count < 0)
    g_debug ("Leftover containers could not be removed: %s", error->message);
  else if (count > 0)
    g_debug ("Removed %d leftover containers.", count);
}

void
fh_container_leftovers_reap_once (FhEngine *engine)
{
  static GHashTable *reaped;
  const FhEngineFacts *facts;
  g_autofree char *key = NULL;

  g_return_if_fail (FH_IS_ENGINE (engine));

  facts = fh_engine_get_facts (engine);
  key = g_strconcat (facts->program, " ", facts->endpoint, NULL);
  if (reaped == NULL)
    reaped = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (g_hash_table_add (reaped, g_steal_pointer (&key)))
    fh_container_reap_async (engine, NULL, reaped_cb, NULL);
}
