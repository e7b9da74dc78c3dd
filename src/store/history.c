/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-private.h"

#include "history-database.h"
#include "history-entry-private.h"
#include "history-prune.h"
#include "history-records.h"
#include "history-rescue.h"
#include "history-schema.h"
#include "history-search.h"
#include "work-queue.h"

/* A deleted run can be restored for at least this time. */
#define UNDO_US G_TIME_SPAN_HOUR

/* A transaction costs more than the samples in it. */
#define SAMPLES_MAX 64
#define SAMPLES_MS  100

/* The first call that needs the connection makes it, and makes it again if the file at `path` is
 * another one. `mutex` guards it, because blocking calls and the queue's thread can use it at the
 * same time.
 *
 * A damaged database is replaced as soon as damage is found, on opening or during a call, which is
 * then repeated with the new one. */
struct _FhHistory
{
  GObject parent_instance;

  char *path;
  FhWorkQueue *queue;
  GPtrArray *samples;  /* not in the queue yet, for SAMPLES_MS at the most; nullable */
  guint samples_timer; /* keeps the history alive */
  GHashTable *running; /* (element-type gint64) ids of entries whose runs go on */

  GMutex mutex;
  FhHistoryDatabase *database;
  char *notice; /* not emitted yet */
  /* SQLite's count of changes by other connections; 0: unknown, -1: must be read again. */
  gint64 data_version;
};

G_DEFINE_FINAL_TYPE (FhHistory, fh_history, G_TYPE_OBJECT)
enum
{
  SIGNAL_CHANGED,
  SIGNAL_NOTICE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
fh_history_finalize (GObject *object)
{
  FhHistory *self = FH_HISTORY (object);

  g_clear_pointer (&self->queue, fh_work_queue_free);
  g_clear_pointer (&self->database, fh_history_database_free);
  g_clear_pointer (&self->notice, g_free);
  g_clear_pointer (&self->path, g_free);
  g_hash_table_unref (self->running);
  g_mutex_clear (&self->mutex);

  G_OBJECT_CLASS (fh_history_parent_class)->finalize (object);
}

static void
fh_history_class_init (FhHistoryClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_history_finalize;

  signals[SIGNAL_CHANGED] = g_signal_new ("changed",
                                          FH_TYPE_HISTORY,
                                          G_SIGNAL_RUN_LAST,
                                          0,
                                          NULL,
                                          NULL,
                                          NULL,
                                          G_TYPE_NONE,
                                          0);
  signals[SIGNAL_NOTICE] = g_signal_new ("notice",
                                         FH_TYPE_HISTORY,
                                         G_SIGNAL_RUN_LAST,
                                         0,
                                         NULL,
                                         NULL,
                                         NULL,
                                         G_TYPE_NONE,
                                         1,
                                         G_TYPE_STRING);
}

static void
fh_history_init (FhHistory *self)
{
  g_mutex_init (&self->mutex);
  self->queue = fh_work_queue_new ();
  self->running = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

void
fh_history_set_running (FhHistory *self, gint64 id, gboolean is_running)
{
  g_return_if_fail (FH_IS_HISTORY (self));

  if (is_running)
    g_hash_table_add (self->running, g_memdup2 (&id, sizeof id));
  else
    g_hash_table_remove (self->running, &id);
}

gboolean
fh_history_is_running (FhHistory *self, gint64 id)
{
  g_return_val_if_fail (FH_IS_HISTORY (self), FALSE);

  return g_hash_table_contains (self->running, &id);
}

static void
job_clear (FhHistoryJob *job)
{
  g_clear_pointer (&job->search, g_free);
  g_clear_pointer (&job->verdict, g_free);
  g_clear_object (&job->request);
  g_clear_object (&job->result);
  g_clear_object (&job->entry);
  g_clear_pointer (&job->entries, g_ptr_array_unref);
  g_clear_pointer (&job->samples, g_ptr_array_unref);
  g_clear_pointer (&job->notice, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FhHistoryJob, job_clear)

static gboolean
rescue (FhHistory *self, GError **error)
{
  g_autofree char *notice = NULL;

  self->database =
      fh_history_rescue (self->path, g_steal_pointer (&self->database), &notice, error);
  if (notice)
    {
      g_free (self->notice);
      self->notice = g_steal_pointer (&notice);
    }
  return self->database != NULL;
}

static gboolean
read_data_version (FhHistory *self, gint64 *version, GError **error)
{
  return fh_history_database_read_int (self->database, "PRAGMA data_version", version, error);
}

static gboolean
ensure_database (FhHistory *self, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (self->database && fh_history_database_has_moved (self->database))
    {
      g_clear_pointer (&self->database, fh_history_database_free);
      self->data_version = -1;
    }
  if (self->database)
    return TRUE;
  self->database = fh_history_schema_open (self->path, FALSE, &local);
  if (self->database)
    return self->data_version != 0 || read_data_version (self, &self->data_version, error);
  if (g_error_matches (local, FH_HISTORY_ERROR, FH_HISTORY_ERROR_DAMAGED))
    return rescue (self, error);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* Runs deleted before this moment may be removed. */
static gint64
undo_limit (void)
{
  return g_get_real_time () - UNDO_US;
}

/* The app opens at its start, which is the time to clean up. */
static gboolean
perform_open (FhHistoryDatabase *database, FhHistoryJob *job)
{
  g_autoptr (GError) error = NULL;

  if (!fh_history_database_is_read_only (database) &&
      !fh_history_prune (database, undo_limit (), 0, &job->changed, &error))
    g_debug ("Could not clear away deleted runs: %s", error->message);
  return !fh_history_database_is_damaged (database);
}

static gboolean
perform_add (FhHistoryDatabase *database, FhHistoryJob *job, GError **error)
{
  job->id = fh_history_record_add (database,
                                   job->reserved,
                                   job->verdict,
                                   job->request,
                                   job->result,
                                   error);
  job->changed = job->id >= 0;
  return job->changed;
}

/* All or none. */
static gboolean
add_samples (FhHistoryDatabase *database, FhHistoryJob **samples, guint n, GError **error)
{
  gboolean ok = TRUE;

  if (!fh_history_database_begin (database, error))
    return FALSE;
  for (guint i = 0; ok && i < n; i++)
    ok = fh_history_record_insert_sample (database,
                                          samples[i]->reserved,
                                          samples[i]->verdict,
                                          samples[i]->request,
                                          samples[i]->result,
                                          error);
  return fh_history_database_end (database, ok, error);
}

/* Adding samples changes nothing that is listed. If the batch of one is gone, only that one is left
 * out; whatever else fails, such as waiting for another process, would fail for each of them. */
static gboolean
perform_add_samples (FhHistoryDatabase *database, FhHistoryJob *job, GError **error)
{
  FhHistoryJob **samples = (FhHistoryJob **) job->samples->pdata;
  const guint n = job->samples->len;
  g_autoptr (GError) local = NULL;

  if (add_samples (database, samples, n, &local))
    return TRUE;
  if (g_error_matches (local, FH_HISTORY_ERROR, FH_HISTORY_ERROR_NOT_FOUND))
    for (guint i = 0; n > 1 && i < n; i++)
      add_samples (database, &samples[i], 1, NULL);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static gboolean
perform_list (FhHistoryDatabase *database, FhHistoryJob *job, GError **error)
{
  fh_history_database_set_cancellable (database, job->cancellable);
  job->entries = fh_history_search_list (database, job->search, job->offset, job->limit, error);
  fh_history_database_set_cancellable (database, NULL);
  return job->entries != NULL;
}

static gboolean
perform_refresh (FhHistory *self, FhHistoryJob *job, GError **error)
{
  gint64 version;

  if (!read_data_version (self, &version, error))
    return FALSE;
  job->changed = version != self->data_version;
  self->data_version = version;
  return TRUE;
}

static gboolean
perform_once (FhHistory *self, FhHistoryJob *job, GError **error)
{
  FhHistoryDatabase *database = self->database;

  switch (job->kind)
    {
    case FH_HISTORY_JOB_OPEN:
      return perform_open (database, job);
    case FH_HISTORY_JOB_ADD:
      return perform_add (database, job, error);
    case FH_HISTORY_JOB_RESERVE:
      return (job->id = fh_history_record_reserve (database, error)) >= 0;
    case FH_HISTORY_JOB_ADD_SAMPLES:
      return perform_add_samples (database, job, error);
    case FH_HISTORY_JOB_LIST:
      return perform_list (database, job, error);
    case FH_HISTORY_JOB_LIST_SAMPLES:
      job->entries = fh_history_search_samples (database, job->id, error);
      return job->entries != NULL;
    case FH_HISTORY_JOB_LOAD:
      return fh_history_record_load (database,
                                     job->id,
                                     &job->entry,
                                     &job->request,
                                     &job->result,
                                     error);
    case FH_HISTORY_JOB_SET_PINNED:
      return job->changed = fh_history_record_set_pinned (database, job->id, job->value, error);
    case FH_HISTORY_JOB_SET_DELETED:
      return job->changed = job->value ? fh_history_record_hide (database, job->id, error)
                                       : fh_history_record_show (database, job->id, error);
    case FH_HISTORY_JOB_PURGE:
      return fh_history_prune (database, G_MAXINT64, 0, &job->changed, error);
    case FH_HISTORY_JOB_PRUNE:
      return fh_history_prune (database, undo_limit (), job->limit, &job->changed, error);
    case FH_HISTORY_JOB_REFRESH:
    default:
      return perform_refresh (self, job, error);
    }
}

/* Another process has replaced the database during the job, possibly before a run was added to it.
 * Adding it twice is better than losing it. */
static gboolean
is_in_vain (FhHistory *self, const FhHistoryJob *job)
{
  return job->kind == FH_HISTORY_JOB_ADD && fh_history_database_has_moved (self->database);
}

static gboolean
perform_locked (FhHistory *self, FhHistoryJob *job, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (!ensure_database (self, error))
    return FALSE;
  if (perform_once (self, job, &local) && !is_in_vain (self, job))
    return TRUE;
  if (fh_history_database_is_damaged (self->database))
    return rescue (self, error) && perform_once (self, job, error);
  if (fh_history_database_has_moved (self->database))
    return ensure_database (self, error) && perform_once (self, job, error);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* Performs the job in the calling thread, and emits nothing. */
static gboolean
perform_silently (FhHistory *self, FhHistoryJob *job, GError **error)
{
  gboolean ok;

  g_mutex_lock (&self->mutex);
  ok = perform_locked (self, job, error);
  job->notice = g_steal_pointer (&self->notice);
  job->changed |= job->notice != NULL;
  g_mutex_unlock (&self->mutex);
  return ok;
}

static void
emit_signals (FhHistory *self, const FhHistoryJob *job)
{
  if (job->notice)
    g_signal_emit (self, signals[SIGNAL_NOTICE], 0, job->notice);
  if (job->changed)
    g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
perform_in_thread (GTask *task)
{
  FhHistoryJob *job = g_task_get_task_data (task);
  GError *error = NULL;

  if (perform_silently (g_task_get_source_object (task), job, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
task_completed_cb (GTask *task)
{
  emit_signals (g_task_get_source_object (task), g_task_get_task_data (task));
}

static void
job_free (gpointer data)
{
  FhHistoryJob *job = data;

  job_clear (job);
  g_free (job);
}

GPtrArray *
fh_history_new_samples (void)
{
  return g_ptr_array_new_with_free_func (job_free);
}

void
fh_history_samples_add (GPtrArray *samples, const FhHistoryJob *sample)
{
  FhHistoryJob *kept = g_new (FhHistoryJob, 1);

  *kept = *sample;
  g_ptr_array_add (samples, kept);
}

static void
push_samples (FhHistory *self)
{
  FhHistoryJob job = { .kind = FH_HISTORY_JOB_ADD_SAMPLES };

  if (self->samples == NULL)
    return;
  job.samples = g_steal_pointer (&self->samples);
  g_clear_handle_id (&self->samples_timer, g_source_remove);
  fh_history_perform_async (self, &job, NULL, NULL, NULL);
}

static gboolean
samples_cb (gpointer user_data)
{
  FhHistory *self = user_data;

  self->samples_timer = 0;
  push_samples (self);
  return G_SOURCE_REMOVE;
}

void
fh_history_add_sample_soon (FhHistory *self, const FhHistoryJob *sample)
{
  g_return_if_fail (FH_IS_HISTORY (self));

  if (self->samples == NULL)
    {
      self->samples = fh_history_new_samples ();
      self->samples_timer = g_timeout_add_full (G_PRIORITY_DEFAULT,
                                                SAMPLES_MS,
                                                samples_cb,
                                                g_object_ref (self),
                                                g_object_unref);
    }
  fh_history_samples_add (self->samples, sample);
  if (self->samples->len == SAMPLES_MAX)
    push_samples (self);
}

void
fh_history_perform_async (FhHistory *self,
                          const FhHistoryJob *job,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  FhHistoryJob *kept;
  GTask *task;

  g_return_if_fail (FH_IS_HISTORY (self));

  push_samples (self);
  task = g_task_new (self, cancellable, callback, user_data);
  kept = g_new0 (FhHistoryJob, 1);
  *kept = *job;
  kept->cancellable = cancellable; /* the task keeps it alive */
  g_task_set_source_tag (task, fh_history_perform_async);
  g_task_set_task_data (task, kept, job_free);
  /* Emitted right after the callback, in its context. */
  g_signal_connect (task, "notify::completed", G_CALLBACK (task_completed_cb), NULL);
  fh_work_queue_push (self->queue, task, perform_in_thread);
}

FhHistoryJob *
fh_history_perform_finish (FhHistory *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, fh_history_perform_async), NULL);

  return g_task_propagate_boolean (G_TASK (result), error) ? g_task_get_task_data (G_TASK (result))
                                                           : NULL;
}

void
fh_history_flush (FhHistory *self)
{
  g_return_if_fail (FH_IS_HISTORY (self));

  push_samples (self);
  fh_work_queue_flush (self->queue);
  g_mutex_lock (&self->mutex);
  if (self->database != NULL && !fh_history_database_is_read_only (self->database))
    fh_history_database_checkpoint (self->database);
  g_mutex_unlock (&self->mutex);
}

char *
fh_history_default_path (void)
{
  return g_build_filename (g_get_user_state_dir (), "fumehood", "history.db", NULL);
}

FhHistory *
fh_history_new (const char *path)
{
  FhHistory *self = g_object_new (FH_TYPE_HISTORY, NULL);

  self->path = path ? g_strdup (path) : fh_history_default_path ();
  return self;
}

const char *
fh_history_get_path (FhHistory *self)
{
  return self->path;
}

/* The calls that block. */

static gboolean
perform (FhHistory *self, FhHistoryJob *job, GError **error)
{
  gboolean ok = perform_silently (self, job, error);

  emit_signals (self, job);
  return ok;
}

gint64
fh_history_add (FhHistory *self, FhRunRequest *request, FhRunResult *result, GError **error)
{
  return fh_history_add_reserved (self, 0, request, result, error);
}

gint64
fh_history_reserve (FhHistory *self, GError **error)
{
  g_auto (FhHistoryJob) job = { .kind = FH_HISTORY_JOB_RESERVE };

  g_return_val_if_fail (FH_IS_HISTORY (self), -1);

  return perform (self, &job, error) ? job.id : -1;
}

gint64
fh_history_add_reserved (FhHistory *self,
                         gint64 reserved,
                         FhRunRequest *request,
                         FhRunResult *result,
                         GError **error)
{
  return fh_history_add_scored (self, reserved, NULL, request, result, error);
}

gint64
fh_history_add_scored (FhHistory *self,
                       gint64 reserved,
                       const FhHistoryScore *score,
                       FhRunRequest *request,
                       FhRunResult *result,
                       GError **error)
{
  g_auto (FhHistoryJob) job = { .kind = FH_HISTORY_JOB_ADD, .reserved = reserved };

  g_return_val_if_fail (FH_IS_HISTORY (self), -1);
  g_return_val_if_fail (FH_IS_RUN_REQUEST (request), -1);
  g_return_val_if_fail (FH_IS_RUN_RESULT (result), -1);

  job.verdict = score != NULL ? fh_history_score_format (score) : NULL;
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
fh_history_purge (FhHistory *self, GError **error)
{
  g_auto (FhHistoryJob) job = { .kind = FH_HISTORY_JOB_PURGE };

  g_return_val_if_fail (FH_IS_HISTORY (self), FALSE);

  return perform (self, &job, error);
}
