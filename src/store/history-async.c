/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-private.h"

/* The calls that do not block: for the app. */

void
fh_history_open_async (FhHistory *self,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  FhHistoryJob job = { .kind = FH_HISTORY_JOB_OPEN };

  g_return_if_fail (FH_IS_HISTORY (self));

  fh_history_perform_async (self, &job, fh_history_open_async, cancellable, callback, user_data);
}

gboolean
fh_history_open_finish (FhHistory *self, GAsyncResult *result, char **notice, GError **error)
{
  FhHistoryJob *job = fh_history_perform_finish (self, result, fh_history_open_async, error);

  if (notice)
    *notice = job ? g_steal_pointer (&job->notice) : NULL;
  return job != NULL;
}

void
fh_history_add_async (FhHistory *self,
                      FhRunRequest *request,
                      FhRunResult *result,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  FhHistoryJob job = { .kind = FH_HISTORY_JOB_ADD };

  g_return_if_fail (FH_IS_HISTORY (self));
  g_return_if_fail (FH_IS_RUN_REQUEST (request));
  g_return_if_fail (FH_IS_RUN_RESULT (result));

  job.request = g_object_ref (request);
  job.result = g_object_ref (result);
  fh_history_perform_async (self, &job, fh_history_add_async, cancellable, callback, user_data);
}

gint64
fh_history_add_finish (FhHistory *self, GAsyncResult *result, GError **error)
{
  FhHistoryJob *job = fh_history_perform_finish (self, result, fh_history_add_async, error);

  return job ? job->id : -1;
}

void
fh_history_list_async (FhHistory *self,
                       const char *search,
                       guint offset,
                       guint limit,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  FhHistoryJob job = { .kind = FH_HISTORY_JOB_LIST, .offset = offset, .limit = limit };

  g_return_if_fail (FH_IS_HISTORY (self));

  job.search = g_strdup (search);
  fh_history_perform_async (self, &job, fh_history_list_async, cancellable, callback, user_data);
}

GPtrArray *
fh_history_list_finish (FhHistory *self, GAsyncResult *result, GError **error)
{
  FhHistoryJob *job = fh_history_perform_finish (self, result, fh_history_list_async, error);

  return job ? g_steal_pointer (&job->entries) : NULL;
}

void
fh_history_load_async (FhHistory *self,
                       gint64 id,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  FhHistoryJob job = { .kind = FH_HISTORY_JOB_LOAD, .id = id };

  g_return_if_fail (FH_IS_HISTORY (self));

  fh_history_perform_async (self, &job, fh_history_load_async, cancellable, callback, user_data);
}

gboolean
fh_history_load_finish (FhHistory *self,
                        GAsyncResult *result,
                        FhHistoryEntry **entry,
                        FhRunRequest **request,
                        FhRunResult **run_result,
                        GError **error)
{
  FhHistoryJob *job = fh_history_perform_finish (self, result, fh_history_load_async, error);

  if (job == NULL)
    return FALSE;
  if (entry)
    *entry = g_steal_pointer (&job->entry);
  if (request)
    *request = g_steal_pointer (&job->request);
  if (run_result)
    *run_result = g_steal_pointer (&job->result);
  return TRUE;
}

void
fh_history_set_pinned_async (FhHistory *self,
                             gint64 id,
                             gboolean pinned,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  FhHistoryJob job = { .kind = FH_HISTORY_JOB_SET_PINNED, .id = id, .pinned = pinned };

  g_return_if_fail (FH_IS_HISTORY (self));

  fh_history_perform_async (self,
                            &job,
                            fh_history_set_pinned_async,
                            cancellable,
                            callback,
                            user_data);
}

gboolean
fh_history_set_pinned_finish (FhHistory *self, GAsyncResult *result, GError **error)
{
  return fh_history_perform_finish (self, result, fh_history_set_pinned_async, error) != NULL;
}

void
fh_history_delete_async (FhHistory *self,
                         gint64 id,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  FhHistoryJob job = { .kind = FH_HISTORY_JOB_DELETE, .id = id };

  g_return_if_fail (FH_IS_HISTORY (self));

  fh_history_perform_async (self, &job, fh_history_delete_async, cancellable, callback, user_data);
}

gboolean
fh_history_delete_finish (FhHistory *self, GAsyncResult *result, GError **error)
{
  return fh_history_perform_finish (self, result, fh_history_delete_async, error) != NULL;
}

void
fh_history_restore_async (FhHistory *self,
                          gint64 id,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  FhHistoryJob job = { .kind = FH_HISTORY_JOB_RESTORE, .id = id };

  g_return_if_fail (FH_IS_HISTORY (self));

  fh_history_perform_async (self, &job, fh_history_restore_async, cancellable, callback, user_data);
}

gboolean
fh_history_restore_finish (FhHistory *self, GAsyncResult *result, GError **error)
{
  return fh_history_perform_finish (self, result, fh_history_restore_async, error) != NULL;
}

void
fh_history_prune_async (FhHistory *self,
                        guint keep,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  FhHistoryJob job = { .kind = FH_HISTORY_JOB_PRUNE, .limit = keep };

  g_return_if_fail (FH_IS_HISTORY (self));

  fh_history_perform_async (self, &job, fh_history_prune_async, cancellable, callback, user_data);
}

gboolean
fh_history_prune_finish (FhHistory *self, GAsyncResult *result, GError **error)
{
  return fh_history_perform_finish (self, result, fh_history_prune_async, error) != NULL;
}

void
fh_history_refresh_async (FhHistory *self,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  FhHistoryJob job = { .kind = FH_HISTORY_JOB_REFRESH };

  g_return_if_fail (FH_IS_HISTORY (self));

  fh_history_perform_async (self, &job, fh_history_refresh_async, cancellable, callback, user_data);
}

gboolean
fh_history_refresh_finish (FhHistory *self, GAsyncResult *result, GError **error)
{
  return fh_history_perform_finish (self, result, fh_history_refresh_async, error) != NULL;
}
