/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-private.h"

/* The calls that block: for the command line and for tests. */

static gboolean
perform (FhHistory *self, FhHistoryJob *job, GError **error)
{
  gboolean ok = fh_history_perform (self, job, error);

  fh_history_announce (self, job);
  return ok;
}

gboolean
fh_history_open (FhHistory *self, char **notice, GError **error)
{
  g_auto (FhHistoryJob) job = { .kind = FH_HISTORY_JOB_OPEN };
  gboolean ok;

  g_return_val_if_fail (FH_IS_HISTORY (self), FALSE);

  ok = fh_history_perform (self, &job, error);
  if (notice)
    *notice = g_steal_pointer (&job.notice);
  fh_history_announce (self, &job);
  return ok;
}

gint64
fh_history_add (FhHistory *self, FhRunRequest *request, FhRunResult *result, GError **error)
{
  g_auto (FhHistoryJob) job = { .kind = FH_HISTORY_JOB_ADD };

  g_return_val_if_fail (FH_IS_HISTORY (self), -1);
  g_return_val_if_fail (FH_IS_RUN_REQUEST (request), -1);
  g_return_val_if_fail (FH_IS_RUN_RESULT (result), -1);

  job.request = g_object_ref (request);
  job.result = g_object_ref (result);
  return perform (self, &job, error) ? job.id : -1;
}

GPtrArray *
fh_history_list (FhHistory *self, const char *search, guint offset, guint limit, GError **error)
{
  g_auto (FhHistoryJob) job = { .kind = FH_HISTORY_JOB_LIST, .offset = offset, .limit = limit };

  g_return_val_if_fail (FH_IS_HISTORY (self), NULL);

  job.search = g_strdup (search);
  return perform (self, &job, error) ? g_steal_pointer (&job.entries) : NULL;
}

gboolean
fh_history_load (FhHistory *self,
                 gint64 id,
                 FhHistoryEntry **entry,
                 FhRunRequest **request,
                 FhRunResult **result,
                 GError **error)
{
  g_auto (FhHistoryJob) job = { .kind = FH_HISTORY_JOB_LOAD, .id = id };

  g_return_val_if_fail (FH_IS_HISTORY (self), FALSE);

  if (!perform (self, &job, error))
    return FALSE;
  if (entry)
    *entry = g_steal_pointer (&job.entry);
  if (request)
    *request = g_steal_pointer (&job.request);
  if (result)
    *result = g_steal_pointer (&job.result);
  return TRUE;
}

gboolean
fh_history_set_pinned (FhHistory *self, gint64 id, gboolean pinned, GError **error)
{
  g_auto (FhHistoryJob) job = {
    .kind = FH_HISTORY_JOB_SET_PINNED,
    .id = id,
    .pinned = pinned,
  };

  g_return_val_if_fail (FH_IS_HISTORY (self), FALSE);

  return perform (self, &job, error);
}

gboolean
fh_history_delete (FhHistory *self, gint64 id, GError **error)
{
  g_auto (FhHistoryJob) job = { .kind = FH_HISTORY_JOB_DELETE, .id = id };

  g_return_val_if_fail (FH_IS_HISTORY (self), FALSE);

  return perform (self, &job, error);
}

gboolean
fh_history_restore (FhHistory *self, gint64 id, GError **error)
{
  g_auto (FhHistoryJob) job = { .kind = FH_HISTORY_JOB_RESTORE, .id = id };

  g_return_val_if_fail (FH_IS_HISTORY (self), FALSE);

  return perform (self, &job, error);
}

gboolean
fh_history_purge (FhHistory *self, GError **error)
{
  g_auto (FhHistoryJob) job = { .kind = FH_HISTORY_JOB_PURGE };

  g_return_val_if_fail (FH_IS_HISTORY (self), FALSE);

  return perform (self, &job, error);
}

gboolean
fh_history_prune (FhHistory *self, guint keep, GError **error)
{
  g_auto (FhHistoryJob) job = { .kind = FH_HISTORY_JOB_PRUNE, .limit = keep };

  g_return_val_if_fail (FH_IS_HISTORY (self), FALSE);

  return perform (self, &job, error);
}

gboolean
fh_history_refresh (FhHistory *self, GError **error)
{
  g_auto (FhHistoryJob) job = { .kind = FH_HISTORY_JOB_REFRESH };

  g_return_val_if_fail (FH_IS_HISTORY (self), FALSE);

  return perform (self, &job, error);
}
