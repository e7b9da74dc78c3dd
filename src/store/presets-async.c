/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "presets.h"

typedef struct
{
  char *name;
  FhRunOptions *options; /* to save, or what was deleted; nullable */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->name);
  if (job->options != NULL)
    fh_run_options_free (job->options);
  g_free (job);
}

static void
start (const char *name,
       const FhRunOptions *options,
       GTaskThreadFunc func,
       GCancellable *cancellable,
       GAsyncReadyCallback callback,
       gpointer data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, data);
  Job *job = g_new0 (Job, 1);

  job->name = g_strdup (name);
  job->options = options != NULL ? fh_run_options_copy (options) : NULL;
  g_task_set_task_data (task, job, job_free);
  g_task_set_source_tag (task, (gpointer) func);
  g_task_run_in_thread (task, func);
}

static void
list_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_return_pointer (task, fh_preset_list (), (GDestroyNotify) g_strfreev);
}

void
fh_preset_list_async (GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  start (NULL, NULL, list_in_thread, cancellable, callback, data);
}

GStrv
fh_preset_list_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
load_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  GError *error = NULL;
  FhRunOptions *options = fh_preset_load (job->name, &error);

  if (options != NULL)
    g_task_return_pointer (task, options, (GDestroyNotify) fh_run_options_free);
  else
    g_task_return_error (task, error);
}

void
fh_preset_load_async (const char *name,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer data)
{
  g_return_if_fail (name != NULL);

  start (name, NULL, load_in_thread, cancellable, callback, data);
}

FhRunOptions *
fh_preset_load_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
save_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  GError *error = NULL;

  if (fh_preset_save (job->name, job->options, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
fh_preset_save_async (const char *name,
                      const FhRunOptions *options,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer data)
{
  g_return_if_fail (name != NULL && options != NULL);

  start (name, options, save_in_thread, cancellable, callback, data);
}

gboolean
fh_preset_save_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
delete_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;
  GError *error = NULL;

  if (fh_preset_delete (job->name, &job->options, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
fh_preset_delete_async (const char *name,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer data)
{
  g_return_if_fail (name != NULL);

  start (name, NULL, delete_in_thread, cancellable, callback, data);
}

gboolean
fh_preset_delete_finish (GAsyncResult *result, FhRunOptions **was, GError **error)
{
  Job *job = g_task_get_task_data (G_TASK (result));

  *was = NULL;
  if (!g_task_propagate_boolean (G_TASK (result), error))
    return FALSE;
  *was = g_steal_pointer (&job->options);
  return TRUE;
}
