/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-private.h"

/* The calls that do not block. */

void
fh_history_open_async (FhHistory *self,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  FhHistoryJob job = { .kind = FH_HISTORY_JOB_OPEN };

  fh_history_perform_async (self, &job, cancellable, callback, user_data);
}

gboolean
fh_history_open_finish (FhHistory *self, GAsyncResult *result, char **notice, GError **error)
{
  FhHistoryJob *job = fh_history_perform_finish (self, result, error);

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
  fh_history_add_reserved_async (self, 0, request, result, cancellable, callback, user_data);
}

void
fh_history_reserve_async (FhHistory *self, GAsyncReadyCallback callback, gpointer user_data)
{
  FhHistoryJob job = { .kind = FH_HISTORY_JOB_RESERVE };

  fh_history_perform_async (self, &job, NULL, callback, user_data);
}

void
fh_history_add_reserved_async (FhHistory *self,
                               gint64 reserved,
                               FhRunRequest *request,
                               FhRunResult *result,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  FhHistoryJob job = { .kind = FH_HISTORY_JOB_ADD, .reserved = reserved };

  g_return_if_fail (FH_IS_RUN_REQUEST (request));
  g_return_if_fail (FH_IS_RUN_RESULT (result));

  job.request = g_object_ref (request);
  job.result = g_object_ref (result);
  fh_history_perform_async (self, &job, cancellable, callback, user_data);
}

gint64
fh_history_add_finish (FhHistory *self, GAsyncResult *result, GError **error)
{
  FhHistoryJob *job = fh_history_perform_finish (self, result, error);

  return job ? job->id : -1;
}

void
fh_history_add_sample_async (FhHistory *self,
                             gint64 batch,
                             FhRunRequest *request,
                             FhRunResult *result,
                             const char *verdict,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  FhHistoryJob sample = { .reserved = batch };
  FhHistoryJob job = { .kind = FH_HISTORY_JOB_ADD_SAMPLES };

  g_return_if_fail (FH_IS_RUN_REQUEST (request));
  g_return_if_fail (FH_IS_RUN_RESULT (result));

  sample.request = g_object_ref (request);
  sample.result = g_object_ref (result);
  sample.verdict = g_strdup (verdict);
  if (callback == NULL)
    {
      fh_history_add_sample_soon (self, &sample);
      return;
    }
  job.samples = fh_history_new_samples ();
  fh_history_samples_add (job.samples, &sample);
  fh_history_perform_async (self, &job, NULL, callback, user_data);
}

void
fh_history_list_samples_async (FhHistory *self,
                               gint64 batch,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  FhHistoryJob job = { .kind = FH_HISTORY_JOB_LIST_SAMPLES, .id = batch };

  fh_history_perform_async (self, &job, cancellable, callback, user_data);
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

  job.search = g_strdup (search);
  fh_history_perform_async (self, &job, cancellable, callback, user_data);
}

GPtrArray *
fh_history_list_finish (FhHistory *self, GAsyncResult *result, GError **error)
{
  FhHistoryJob *job = fh_history_perform_finish (self, result, error);

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

  fh_history_perform_async (self, &job, cancellable, callback, user_data);
}

gboolean
fh_history_load_finish (FhHistory *self,
                        GAsyncResult *result,
                        FhHistoryEntry **entry,
                        FhRunRequest **request,
                        FhRunResult **run_result,
                        GError **error)
{
  FhHistoryJob *job = fh_history_perform_finish (self, result, error);

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
  FhHistoryJob job = { .kind = FH_HISTORY_JOB_SET_PINNED, .id = id, .value = pinned };

  fh_history_perform_async (self, &job, cancellable, callback, user_data);
}

void
fh_history_set_deleted_async (FhHistory *self,
                              gint64 id,
                              gboolean deleted,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  FhHistoryJob job = { .kind = FH_HISTORY_JOB_SET_DELETED, .id = id, .value = deleted };

  fh_history_perform_async (self, &job, cancellable, callback, user_data);
}

void
fh_history_prune_async (FhHistory *self,
                        guint keep,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  FhHistoryJob job = { .kind = FH_HISTORY_JOB_PRUNE, .limit = keep };

  fh_history_perform_async (self, &job, cancellable, callback, user_data);
}

void
fh_history_refresh_async (FhHistory *self,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  FhHistoryJob job = { .kind = FH_HISTORY_JOB_REFRESH };

  fh_history_perform_async (self, &job, cancellable, callback, user_data);
}

gboolean
fh_history_change_finish (FhHistory *self, GAsyncResult *result, GError **error)
{
  return fh_history_perform_finish (self, result, error) != NULL;
}
