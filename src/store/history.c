/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-private.h"

#include "history-database.h"
#include "history-records.h"
#include "history-rescue.h"
#include "history-schema.h"
#include "history-search.h"
#include "work-queue.h"

/* How long a deleted run can be restored whatever else happens. */
#define UNDO_US G_TIME_SPAN_HOUR

/* The connection is made by the first call that needs it, and made again when the file is no
 * longer the one at `path`. Whoever uses it holds `mutex`: calls that block and calls from the
 * queue's thread may come at once.
 *
 * A damaged database is replaced as soon as that shows, be it at opening or in the middle of a
 * call, which is then done again on the new one. */
struct _FhHistory
{
  GObject parent_instance;

  char *path;
  FhWorkQueue *queue;

  GMutex mutex;
  FhHistoryDatabase *database;
  char *notice; /* not told to anybody yet */
  /* SQLite's count of what other connections changed; 0: not asked yet, -1: look again. */
  gint64 data_version;
};

G_DEFINE_FINAL_TYPE (FhHistory, fh_history, G_TYPE_OBJECT)
G_DEFINE_QUARK (fh - history - error - quark, fh_history_error)

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
}

void
fh_history_job_clear (FhHistoryJob *job)
{
  g_clear_pointer (&job->search, g_free);
  g_clear_object (&job->request);
  g_clear_object (&job->result);
  g_clear_object (&job->entry);
  g_clear_pointer (&job->entries, g_ptr_array_unref);
  g_clear_pointer (&job->notice, g_free);
}

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

/* What was deleted before this moment may go. */
static gint64
undo_limit (void)
{
  return g_get_real_time () - UNDO_US;
}

/* Opening by name is what the app does at its start: the time to clear away. */
static gboolean
perform_open (FhHistoryDatabase *database, FhHistoryJob *job)
{
  g_autoptr (GError) error = NULL;

  if (!fh_history_database_is_read_only (database) &&
      !fh_history_record_prune (database, undo_limit (), 0, &job->changed, &error))
    g_debug ("Could not clear away deleted runs: %s", error->message);
  return !fh_history_database_is_damaged (database);
}

static gboolean
perform_add (FhHistoryDatabase *database, FhHistoryJob *job, GError **error)
{
  job->id = fh_history_record_add (database, job->request, job->result, error);
  job->changed = job->id >= 0;
  return job->changed;
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
    case FH_HISTORY_JOB_LIST:
      return perform_list (database, job, error);
    case FH_HISTORY_JOB_LOAD:
      return fh_history_record_load (database,
                                     job->id,
                                     &job->entry,
                                     &job->request,
                                     &job->result,
                                     error);
    case FH_HISTORY_JOB_SET_PINNED:
      return job->changed = fh_history_record_set_pinned (database, job->id, job->pinned, error);
    case FH_HISTORY_JOB_DELETE:
      return job->changed = fh_history_record_hide (database, job->id, error);
    case FH_HISTORY_JOB_RESTORE:
      return job->changed = fh_history_record_show (database, job->id, error);
    case FH_HISTORY_JOB_PURGE:
      return fh_history_record_prune (database, G_MAXINT64, 0, &job->changed, error);
    case FH_HISTORY_JOB_PRUNE:
      return fh_history_record_prune (database, undo_limit (), job->limit, &job->changed, error);
    case FH_HISTORY_JOB_REFRESH:
    default:
      return perform_refresh (self, job, error);
    }
}

/* Another process set the database aside between our look at it and the end of the job: what was
 * added may have come too late to be copied over. Twice is better than not at all. */
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

gboolean
fh_history_perform (FhHistory *self, FhHistoryJob *job, GError **error)
{
  gboolean ok;

  g_mutex_lock (&self->mutex);
  ok = perform_locked (self, job, error);
  job->notice = g_steal_pointer (&self->notice);
  job->changed |= job->notice != NULL;
  g_mutex_unlock (&self->mutex);
  return ok;
}

void
fh_history_announce (FhHistory *self, const FhHistoryJob *job)
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

  if (fh_history_perform (g_task_get_source_object (task), job, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
task_completed_cb (GTask *task)
{
  fh_history_announce (g_task_get_source_object (task), g_task_get_task_data (task));
}

static void
job_free (gpointer data)
{
  FhHistoryJob *job = data;

  fh_history_job_clear (job);
  g_free (job);
}

void
fh_history_perform_async (FhHistory *self,
                          FhHistoryJob *job,
                          gpointer source_tag,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  GTask *task = g_task_new (self, cancellable, callback, user_data);
  FhHistoryJob *kept = g_new0 (FhHistoryJob, 1);

  *kept = *job;
  *job = (FhHistoryJob){ 0 };
  kept->cancellable = cancellable; /* the task keeps it alive */
  g_task_set_source_tag (task, source_tag);
  g_task_set_task_data (task, kept, job_free);
  /* Comes right after the callback, in its context. */
  g_signal_connect (task, "notify::completed", G_CALLBACK (task_completed_cb), NULL);
  fh_work_queue_push (self->queue, task, perform_in_thread);
}

FhHistoryJob *
fh_history_perform_finish (FhHistory *self,
                           GAsyncResult *result,
                           gpointer source_tag,
                           GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, source_tag), NULL);

  return g_task_propagate_boolean (G_TASK (result), error) ? g_task_get_task_data (G_TASK (result))
                                                           : NULL;
}

void
fh_history_flush (FhHistory *self)
{
  g_return_if_fail (FH_IS_HISTORY (self));

  fh_work_queue_flush (self->queue);
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
