/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Removes containers. An engine may be busy with one, have lost its monitor, or be restarting: what
 * counts is not what `rm` reports but that the container is gone afterwards.
 */
#include "container-ops.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "container-ours.h"
#include "engine-call.h"
#include "kept-folder.h"

#define MAX_TRIES      5
#define FIRST_PAUSE_MS 100

typedef struct
{
  FhEngine *engine;
  char *name;    /* or id */
  char *folders; /* the container's name if it was found by its id; else NULL */
  guint tries;
  gboolean may_run;
  gboolean has_no_folders; /* it was of one run: folders of its name are another's */
  GError *last_error;      /* of the last try */
} Removal;

static void find_it (GTask *task);

static void
removal_free (gpointer data)
{
  Removal *removal = data;

  g_object_unref (removal->engine);
  g_free (removal->name);
  g_free (removal->folders);
  g_clear_error (&removal->last_error);
  g_free (removal);
}

static void
remove_folders (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Removal *removal = data;
  const char *name = removal->folders != NULL ? removal->folders : removal->name;
  g_autofree char *path = NULL;
  g_autofree char *shown = NULL;

  if (fh_kept_folder_remove (name))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  path = fh_kept_folder_dup_path (name);
  shown = g_filename_display_name (path);
  g_task_return_new_error (task,
                           FH_ENGINE_ERROR,
                           FH_ENGINE_ERROR_FAILED,
                           /* Translators: the name of a container, and the path of a folder */
                           _ ("The container “%s” was removed, but its folder “%s” could not be. "
                              "Delete that folder before you use the name again: what an earlier "
                              "program left there may run."),
                           name,
                           shown);
}

static void
call (GTask *task, const char *const *arguments, GAsyncReadyCallback callback)
{
  Removal *removal = g_task_get_task_data (task);

  fh_engine_call_step (task, removal->engine, arguments, FH_ENGINE_CALL_TIMEOUT_MS, callback);
}

/* Its error is reported only if the container is still there. */
static void
removed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Removal *removal = g_task_get_task_data (task);

  g_clear_error (&removal->last_error);
  g_free (fh_engine_call_finish (result, &removal->last_error));
  find_it (task);
}

static void
remove_it (GTask *task)
{
  Removal *removal = g_task_get_task_data (task);
  const char *const arguments[] = { "rm", "--force", "--volumes", "--", removal->name, NULL };

  call (task, arguments, removed_cb);
}

static void
killed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  g_free (fh_engine_call_finish (result, NULL));
  remove_it (task);
}

static void
kill_it (GTask *task)
{
  Removal *removal = g_task_get_task_data (task);
  const char *const arguments[] = { "kill", "--", removal->name, NULL };

  call (task, arguments, killed_cb);
}

static GError *
failed_error (Removal *removal)
{
  if (removal->last_error != NULL)
    return g_steal_pointer (&removal->last_error);
  return g_error_new (FH_ENGINE_ERROR,
                      FH_ENGINE_ERROR_FAILED,
                      _ ("The container “%s” is still there, although the engine removed it %u "
                         "times."),
                      removal->name,
                      removal->tries);
}

static void
try_now (GTask *task)
{
  Removal *removal = g_task_get_task_data (task);

  removal->tries++;
  if (removal->may_run)
    kill_it (task);
  else
    remove_it (task);
}

static gboolean
pause_over_cb (gpointer user_data)
{
  GTask *task = user_data;

  if (!g_task_return_error_if_cancelled (task))
    try_now (task);
  return G_SOURCE_REMOVE;
}

/* 100, 200, 400, 800 ms. */
static void
pause_before_next (GTask *task)
{
  Removal *removal = g_task_get_task_data (task);
  g_autoptr (GSource) source = g_timeout_source_new (FIRST_PAUSE_MS << (removal->tries - 1));

  g_source_set_callback (source, pause_over_cb, g_object_ref (task), g_object_unref);
  g_source_attach (source, g_task_get_context (task));
}

/* Tries even if the engine does not answer: it may be starting. */
static void
try_next (GTask *task)
{
  Removal *removal = g_task_get_task_data (task);

  if (removal->tries == 0)
    try_now (task);
  else
    pause_before_next (task);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Removal *removal = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autoptr (FhContainer) container = fh_container_find_finish (result, &error);

  removal->may_run = container == NULL || fh_container_is_up (container);
  if (container != NULL && !container->is_kept)
    removal->has_no_folders = TRUE;
  else if (container != NULL && removal->folders == NULL)
    removal->folders = g_strdup (container->name);
  if (g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER) &&
      removal->has_no_folders)
    g_task_return_boolean (task, TRUE);
  else if (g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER))
    g_task_run_in_thread (task, remove_folders);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_task_return_error (task, g_steal_pointer (&error));
  else if (container != NULL && !container->is_ours)
    g_task_return_error (task, fh_container_foreign_error (removal->name));
  else if (removal->tries < MAX_TRIES)
    try_next (task);
  else
    g_task_return_error (task, error != NULL ? g_steal_pointer (&error) : failed_error (removal));
}

static void
find_it (GTask *task)
{
  Removal *removal = g_task_get_task_data (task);

  fh_container_find_async (removal->engine,
                           removal->name,
                           g_task_get_cancellable (task),
                           found_cb,
                           g_object_ref (task));
}

void
fh_container_remove_async (FhEngine *engine,
                           const char *name,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Removal *removal;

  g_return_if_fail (FH_IS_ENGINE (engine) && name != NULL);

  removal = g_new0 (Removal, 1);
  removal->engine = g_object_ref (engine);
  removal->name = g_strdup (name);
  g_task_set_source_tag (task, fh_container_remove_async);
  g_task_set_task_data (task, removal, removal_free);
  find_it (task);
}

gboolean
fh_container_remove_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, fh_container_remove_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
