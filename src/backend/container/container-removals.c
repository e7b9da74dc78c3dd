/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Removes containers that a crash left behind, and those of a process that exits. */
#include "container-removals.h"

#include <stdlib.h>
#include <unistd.h>

#include "clients.h"
#include "container-arguments.h"
#include "container-ours.h"
#include "kept-folder.h"

#define REMOVE_AGAIN_MS 10000

/* One line per container of ours: id, owner, and how long a kept one lives. */
#define LINE(label)        "{{.ID}} " label (FH_CONTAINER_LABEL_OWNER) " " label (FH_CONTAINER_LABEL_KEPT)
#define DOCKER_LABEL(name) "{{.Label \"" name "\"}}"
#define PODMAN_LABEL(name) "{{index .Labels \"" name "\"}}"

/* One container that is removed in a thread. */
typedef struct
{
  FhEngine *engine;
  char *id;
  GCancellable *cancellable;
  GThread *thread;
  gboolean is_gone;
} Reaped;

static gpointer
remove_reaped (gpointer data)
{
  Reaped *reaped = data;

  reaped->is_gone = fh_container_remove (reaped->engine, reaped->id, reaped->cancellable, NULL);
  return NULL;
}

/* The id is used because the name may belong to another container by now. */
static void
reap_one (FhEngine *engine, const char *line, GCancellable *cancellable, GPtrArray *all)
{
  g_auto (GStrv) fields = g_strsplit (line, " ", 3);
  Reaped *reaped;

  if (g_strv_length (fields) != 3 || !fh_container_owner_is_dead (fields[1]) ||
      (*fields[2] != '\0' && !g_str_equal (fields[2], FH_CONTAINER_KEPT_BY_OWNER)))
    return;
  reaped = g_new0 (Reaped, 1);
  *reaped = (Reaped){ .engine = engine, .id = g_strdup (fields[0]), .cancellable = cancellable };
  reaped->thread = fh_engine_thread_new (remove_reaped, reaped, NULL);
  g_ptr_array_add (all, reaped);
}

/* All in parallel, because we may exit soon. One that cannot be removed does not stop the others;
 * the next start tries again. */
int
fh_container_reap (FhEngine *engine, GCancellable *cancellable, GError **error)
{
  const char *const arguments[] = {
    "ps",
    "--all",
    "--no-trunc",
    "--filter=label=" FH_CONTAINER_LABEL "=1",
    fh_engine_get_facts (engine)->kind == FH_ENGINE_PODMAN ? "--format=" LINE (PODMAN_LABEL)
                                                           : "--format=" LINE (DOCKER_LABEL),
    NULL,
  };
  g_autofree char *answer =
      fh_engine_call (engine, arguments, FH_ENGINE_CALL_TIMEOUT_MS, cancellable, error);
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) lines = answer != NULL ? g_strsplit (answer, "\n", -1) : NULL;
  int n = 0;

  if (lines == NULL)
    return -1;
  for (guint i = 0; lines[i] != NULL; i++)
    reap_one (engine, lines[i], cancellable, all);
  for (guint i = 0; i < all->len; i++)
    {
      Reaped *reaped = g_ptr_array_index (all, i);

      if (reaped->thread != NULL)
        g_thread_join (reaped->thread);
      n += reaped->is_gone;
      g_free (reaped->id);
    }
  return g_cancellable_set_error_if_cancelled (cancellable, error) ? -1 : n;
}

/* A process group of its own, so that signals to ours do not reach it. */
static void
detach_cb (gpointer user_data)
{
  setsid ();
}

/* The daemon may still be creating the container when its client is dead, so look for it again. By
 * then another user may have a container of that name: later passes remove only what this process
 * has created. $1 is the client, $2 and $3 find the container. */
static const char removal_script[] =
    "remove () { [ -z \"$2\" ] || \"$1\" rm --force --volumes -- $2; }\n"
    "remove \"$1\" \"$(\"$1\" ps --all --quiet --no-trunc \"$2\" "
    "--filter=label=" FH_CONTAINER_LABEL "=1)\"\n"
    "for pause in 0.3 1 3; do\n"
    "  sleep $pause\n"
    "  remove \"$1\" \"$(\"$1\" ps --all --quiet --no-trunc \"$2\" \"$3\")\"\n"
    "done\n";

/* Names may contain dots, which the engine's filter takes for any character. */
static char *
name_filter (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, ".", -1);
  g_autofree char *pattern = g_strjoinv ("[.]", parts);

  return g_strdup_printf ("--filter=name=^/?%s$", pattern);
}

void
fh_container_remove_later (FhEngine *engine, const char *name)
{
  g_autofree char *by_name = NULL;
  g_autofree char *by_owner = NULL;
  g_autofree char *owner = NULL;
  g_auto (GStrv) environment = NULL;
  g_autoptr (GError) error = NULL;

  g_return_if_fail (FH_IS_ENGINE (engine) && name != NULL);

  owner = fh_container_owner ();
  by_name = name_filter (name);
  by_owner = g_strdup_printf ("--filter=label=%s=%s", FH_CONTAINER_LABEL_OWNER, owner);
  environment = fh_engine_environment ();
  {
    const char *const arguments[] = {
      "/bin/sh",
      "-c",
      removal_script,
      "fumehood-removal",
      fh_engine_get_facts (engine)->program,
      by_name,
      by_owner,
      NULL,
    };

    /* Nobody waits for it: GLib spawns it through an intermediate process, which reaps it. */
    if (!g_spawn_async ("/",
                        (char **) (gpointer) arguments,
                        environment,
                        G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                        detach_cb,
                        NULL,
                        NULL,
                        &error))
      g_warning ("The container %s is left behind: %s", name, error->message);
  }
}

/* This table leads from the name of a container to its engine. It is created on first use, and
 * under the lock like the engines that were looked through. */
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
  GError *of_others = NULL;

  fh_container_leftovers_note (engine, name);
  if ((!is_certain || !fh_container_remove_once (engine, name, NULL, &reason)) &&
      !fh_container_remove (engine, name, NULL, &of_others))
    {
      if (g_error_matches (of_others, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NAME_TAKEN))
        fh_container_leftovers_forget (name);
      g_propagate_error (error, of_others);
      return FALSE;
    }
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

FhContainerRemovals *
fh_container_removals_new (void)
{
  FhContainerRemovals *self = g_atomic_rc_box_new0 (FhContainerRemovals);

  g_mutex_init (&self->turn);
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  return self;
}

static void
clear (gpointer data)
{
  FhContainerRemovals *self = data;

  g_mutex_clear (&self->turn);
  g_ptr_array_unref (self->waiting);
  g_clear_error (&self->error);
}

void
fh_container_removals_unref (FhContainerRemovals *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

FhContainerRemovals *
fh_container_removals_ref (FhContainerRemovals *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
flush (FhContainerRemovals *self)
{
  g_autoptr (GPtrArray) waiting = NULL;

  if (self->count > 0)
    return;
  waiting = g_steal_pointer (&self->waiting);
  self->waiting = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < waiting->len; i++)
    {
      GTask *task = g_ptr_array_index (waiting, i);

      if (self->error != NULL)
        g_task_return_error (task, g_error_copy (self->error));
      else
        g_task_return_boolean (task, TRUE);
    }
  if (waiting->len > 0)
    g_clear_error (&self->error);
}

void
fh_container_removals_begin (FhContainerRemovals *self)
{
  self->count++;
  fh_container_removals_ref (self);
}

void
fh_container_removals_end (FhContainerRemovals *self)
{
  self->count--;
  flush (self);
  fh_container_removals_unref (self);
}

static void
reaped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  fh_container_removals_end (user_data);
}

void
fh_container_removals_reap_once (FhContainerRemovals *self, FhEngine *engine)
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
  if (!is_first)
    return;
  fh_container_removals_begin (self);
  fh_engine_start (&(FhEngineOrder){ engine }, reap_in_thread, NULL, reaped_cb, self);
}

static gpointer
remove_in_thread (const FhEngineOrder *order, GCancellable *cancellable, GError **error)
{
  fh_container_leftovers_remove (order->engine, order->name, order->number != 0, error);
  return NULL;
}

static void
removed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhContainerRemovals *self = user_data;

  g_clear_error (&self->error);
  g_task_propagate_boolean (G_TASK (result), &self->error);
  fh_container_removals_end (self);
}

void
fh_container_removals_add (FhContainerRemovals *self,
                           FhEngine *engine,
                           const char *name,
                           gboolean is_certain)
{
  fh_container_removals_begin (self);
  /* The process may exit before the thread begins. */
  fh_container_leftovers_note (engine, name);
  fh_engine_start (&(FhEngineOrder){ engine, name, is_certain },
                   remove_in_thread,
                   NULL,
                   removed_cb,
                   self);
}

void
fh_container_removals_wait (FhContainerRemovals *self, GTask *task)
{
  g_ptr_array_add (self->waiting, g_object_ref (task));
  flush (self);
}
