/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Stops and restarts containers. First inspects the container, because those of others are never
 * touched.
 */
#include "container-ops.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "container-ours.h"
#include "engine-call.h"

/* Our containers stop at once; this is for those in which something hangs. */
#define RESTART_GRACE_S 2

typedef struct
{
  FhEngine *engine;
  char *name;
  guint grace_s;
} Operation;

static void
operation_free (gpointer data)
{
  Operation *operation = data;

  g_object_unref (operation->engine);
  g_free (operation->name);
  g_free (operation);
}

static GTask *
task_new (FhEngine *engine,
          const char *name,
          guint grace_s,
          gpointer tag,
          GCancellable *cancellable,
          GAsyncReadyCallback callback,
          gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  Operation *operation = g_new0 (Operation, 1);

  operation->engine = g_object_ref (engine);
  operation->name = g_strdup (name);
  operation->grace_s = grace_s;
  g_task_set_source_tag (task, tag);
  g_task_set_task_data (task, operation, operation_free);
  return task;
}

static void
find (GTask *task, GAsyncReadyCallback callback)
{
  Operation *operation = g_task_get_task_data (task);

  fh_container_find_async (operation->engine,
                           operation->name,
                           g_task_get_cancellable (task),
                           callback,
                           g_object_ref (task));
}

/* `stop` or `restart`, with a timeout that includes the grace. */
static void
call_with_grace (GTask *task, const char *verb, GAsyncReadyCallback callback)
{
  Operation *operation = g_task_get_task_data (task);
  g_autofree char *grace = g_strdup_printf ("%u", operation->grace_s);
  const char *const arguments[] = { verb, "-t", grace, "--", operation->name, NULL };

  fh_engine_call_step (task,
                       operation->engine,
                       arguments,
                       operation->grace_s * 1000 + FH_ENGINE_CALL_TIMEOUT_MS,
                       callback);
}

gboolean
fh_container_is_up (const FhContainer *container)
{
  return g_str_equal (container->state, "running") || g_str_equal (container->state, "paused") ||
         g_str_equal (container->state, "restarting") || g_str_equal (container->state, "stopping");
}

GError *
fh_container_foreign_error (const char *name)
{
  return g_error_new (FH_ENGINE_ERROR,
                      FH_ENGINE_ERROR_FAILED,
                      _ ("The container “%s” was not made by Fumehood, so it is left alone."),
                      name);
}

static void
stopped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autofree char *answer = fh_engine_call_finish (result, &error);

  if (answer != NULL || g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER))
    {
      g_clear_error (&error);
      g_task_return_boolean (task, TRUE);
    }
  else
    g_task_return_error (task, error);
}

/* A paused container receives no signal, and not every engine unpauses it. If this fails, the stop
 * fails too. */
static void
unpaused_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  g_free (fh_engine_call_finish (result, NULL));
  call_with_grace (task, "stop", stopped_cb);
}

static void
unpause (GTask *task)
{
  Operation *operation = g_task_get_task_data (task);
  const char *const arguments[] = { "unpause", "--", operation->name, NULL };

  fh_engine_call_step (task, operation->engine, arguments, FH_ENGINE_CALL_TIMEOUT_MS, unpaused_cb);
}

static void
found_for_stop_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Operation *operation = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (FhContainer) container = fh_container_find_finish (result, &error);

  if (g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER))
    {
      g_clear_error (&error);
      g_task_return_boolean (task, TRUE);
    }
  else if (error != NULL)
    g_task_return_error (task, error);
  else if (!container->is_ours)
    g_task_return_error (task, fh_container_foreign_error (operation->name));
  else if (!fh_container_is_up (container))
    g_task_return_boolean (task, TRUE);
  else if (g_str_equal (container->state, "paused"))
    unpause (task);
  else
    call_with_grace (task, "stop", stopped_cb);
}

void
fh_container_stop_async (FhEngine *engine,
                         const char *name,
                         guint grace_s,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (FH_IS_ENGINE (engine) && name != NULL);

  task = task_new (engine,
                   name,
                   MIN (grace_s, 3600),
                   fh_container_stop_async,
                   cancellable,
                   callback,
                   user_data);
  find (task, found_for_stop_cb);
}

gboolean
fh_container_stop_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, fh_container_stop_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static GError *
not_running_error (const FhContainer *container)
{
  if (*container->error != '\0')
    return g_error_new (FH_ENGINE_ERROR,
                        FH_ENGINE_ERROR_FAILED,
                        /* Translators: a name, and the engine's own words */
                        _ ("The container “%s” was started again, but does not run: %s"),
                        container->name,
                        container->error);
  return g_error_new (FH_ENGINE_ERROR,
                      FH_ENGINE_ERROR_FAILED,
                      /* Translators: a name, the engine's word such as "exited", a number */
                      _ ("The container “%s” was started again, but does not run: it is “%s” with "
                         "exit code %d."),
                      container->name,
                      container->state,
                      container->exit_code);
}

static void
found_after_restart_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autoptr (FhContainer) container = fh_container_find_finish (result, &error);

  if (container == NULL)
    g_task_return_error (task, error);
  else if (!g_str_equal (container->state, "running"))
    g_task_return_error (task, not_running_error (container));
  else
    g_task_return_boolean (task, TRUE);
}

static void
restarted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autofree char *answer = fh_engine_call_finish (result, &error);

  if (answer == NULL)
    g_task_return_error (task, error);
  else
    find (task, found_after_restart_cb);
}

static void
found_for_restart_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Operation *operation = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (FhContainer) container = fh_container_find_finish (result, &error);

  if (container == NULL)
    g_task_return_error (task, error);
  else if (!container->is_ours)
    g_task_return_error (task, fh_container_foreign_error (operation->name));
  else
    call_with_grace (task, "restart", restarted_cb);
}

void
fh_container_restart_async (FhEngine *engine,
                            const char *name,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (FH_IS_ENGINE (engine) && name != NULL);

  task = task_new (engine,
                   name,
                   RESTART_GRACE_S,
                   fh_container_restart_async,
                   cancellable,
                   callback,
                   user_data);
  find (task, found_for_restart_cb);
}

gboolean
fh_container_restart_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, fh_container_restart_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
