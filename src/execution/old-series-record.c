/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "old-series-record-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* More are run, but not kept. */
#define MAX_CELLS      10000
#define MAX_CELL_BYTES ((gsize) 256 << 20)
/* Of the source of all cells. */
#define MAX_SOURCE ((gsize) 1 << 20)

G_DEFINE_FINAL_TYPE (FhOldSeriesRecord, fh_old_series_record, G_TYPE_OBJECT)

static void
pending_free (Pending *pending)
{
  g_object_unref (pending->request);
  g_object_unref (pending->result);
  g_free (pending);
}

static void
add_line (FhOldSeriesRecord *self, const char *line)
{
  fh_output_log_append (self->table,
                        FH_STREAM_STDOUT,
                        (guint64) (g_get_monotonic_time () - self->begin),
                        line,
                        strlen (line));
}

/* `place`: nullable. */
static void
add_row (FhOldSeriesRecord *self, const char *place, FhRunResult *result)
{
  const FhRunOutcome *outcome = fh_run_result_get_outcome (result);
  g_autofree char *sentence = g_strconcat (place != NULL ? place : "",
                                           place != NULL ? ": " : "",
                                           fh_run_result_get_sentence (result),
                                           NULL);
  g_autofree char *row =
      g_strdup_printf ("%u\t%.3f\t%.1f\t%u\t%s\n",
                       self->n_cells,
                       (double) outcome->wall_us / 1e6,
                       (double) outcome->memory_peak / (1 << 20),
                       fh_attempt_log_get_n_stopped (fh_run_result_get_attempts (result)),
                       g_strdelimit (sentence, "\t\n\r", ' '));

  add_line (self, row);
}

typedef struct
{
  FhOldSeriesRecord *record;
  guint8 last;
} Copying;

static void
copy_piece (const FhOutputPiece *piece, gpointer user_data)
{
  Copying *copying = user_data;

  if (piece->size == 0)
    return;
  fh_output_log_append (copying->record->table,
                        piece->stream,
                        (guint64) (g_get_monotonic_time () - copying->record->begin),
                        piece->data,
                        piece->size);
  copying->last = piece->data[piece->size - 1];
}

static void
copy_output (FhOldSeriesRecord *self, FhOutputLog *output)
{
  Copying copying = { .record = self, .last = '\n' };

  fh_output_log_foreach (output, copy_piece, &copying);
  if (copying.last != '\n')
    add_line (self, "\n");
}

void
fh_old_series_record_say (FhOldSeriesRecord *self, const char *line)
{
  g_autofree char *row = NULL;

  g_return_if_fail (FH_IS_OLD_SERIES_RECORD (self));
  g_return_if_fail (line != NULL);

  row = g_strdup_printf ("\t%s\n", line);
  g_strdelimit (row + 1, "\t\r", ' ');
  add_line (self, row);
}

/* Cells begin with a line that says so; those of an editor have one already. */
static gboolean
begins_cell (const char *text)
{
  if (*text++ != '#')
    return FALSE;
  return g_str_has_prefix (text + strspn (text, " \t"), "%%");
}

static void
write_pending (FhOldSeriesRecord *self)
{
  Pending *pending;

  while ((pending = g_queue_pop_head (&self->pending)) != NULL)
    {
      const FhRunOutcome *outcome = fh_run_result_get_outcome (pending->result);

      if (self->id >= 0)
        fh_history_add_sample_async (self->history,
                                     self->id,
                                     pending->request,
                                     pending->result,
                                     fh_run_status_to_string (outcome->status),
                                     NULL,
                                     NULL);
      pending_free (pending);
    }
}

static void save (FhOldSeriesRecord *self, GTask *task);

static void
reserved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhOldSeriesRecord) self = user_data;
  GTask *saving = g_steal_pointer (&self->saving);

  self->id = fh_history_add_finish (FH_HISTORY (source), result, NULL);
  self->state = RESERVED;
  write_pending (self);
  if (saving != NULL)
    save (self, saving);
}

static void
keep_cell (FhOldSeriesRecord *self, FhRunRequest *request, FhRunResult *result)
{
  Pending *pending = g_new (Pending, 1);

  pending->request = g_object_ref (request);
  pending->result = g_object_ref (result);
  g_queue_push_tail (&self->pending, pending);
  if (self->state == RESERVED)
    write_pending (self);
  if (self->state != NOT_RESERVED)
    return;
  self->state = RESERVING;
  fh_history_reserve_async (self->history, reserved_cb, g_object_ref (self));
}

static void
add_source (FhOldSeriesRecord *self, const char *text)
{
  if (self->source->len + strlen (text) >= MAX_SOURCE)
    return;
  if (!begins_cell (text))
    g_string_append_printf (self->source, "# %%%% %u\n", self->n_cells);
  g_string_append_printf (self->source, "%s%s", text, g_str_has_suffix (text, "\n") ? "" : "\n");
}

static void
add (FhOldSeriesRecord *self, FhRunRequest *request, FhRunResult *result)
{
  const FhRunOutcome *outcome = fh_run_result_get_outcome (result);
  FhOutputLog *output = fh_run_result_get_output (result);
  const gsize size = g_bytes_get_size (fh_run_request_get_source (request)) +
                     fh_output_log_get_kept (output, FH_STREAM_STDOUT) +
                     fh_output_log_get_kept (output, FH_STREAM_STDERR);

  self->sums.wall_us += outcome->wall_us;
  self->sums.cpu_user_us += outcome->cpu_user_us;
  self->sums.cpu_system_us += outcome->cpu_system_us;
  self->sums.memory_peak = MAX (self->sums.memory_peak, outcome->memory_peak);
  g_set_object (&self->last, result);
  if (outcome->status != FH_RUN_STATUS_OK)
    g_set_object (&self->failed, result);
  if (self->history == NULL || self->n_cells > MAX_CELLS ||
      size > MAX_CELL_BYTES - self->cell_bytes)
    return;
  self->cell_bytes += size;
  keep_cell (self, request, result);
}

void
fh_old_series_record_add (FhOldSeriesRecord *self, FhRunRequest *request, FhRunResult *result)
{
  g_autofree char *text = NULL;

  g_return_if_fail (FH_IS_OLD_SERIES_RECORD (self) && !self->is_answer);
  g_return_if_fail (FH_IS_RUN_REQUEST (request) && FH_IS_RUN_RESULT (result));

  self->n_cells++;
  text = fh_run_request_dup_source_text (request);
  add_row (self, NULL, result);
  add_source (self, text);
  add (self, request, result);
}

static void
follow_attempts (FhOldSeriesRecord *self)
{
  fh_attempt_log_follow (self->attempts, fh_run_get_attempts (self->run), &self->part);
}

void
fh_old_series_record_begin_block (FhOldSeriesRecord *self, guint number, guint line, FhRun *run)
{
  g_return_if_fail (FH_IS_OLD_SERIES_RECORD (self) && self->is_answer);
  g_return_if_fail (number > 0 && line > 0 && FH_IS_RUN (run) && self->run == NULL);

  self->run = g_object_ref (run);
  self->part =
      (FhAttemptPart){ .position = g_list_model_get_n_items (G_LIST_MODEL (self->attempts)),
                       .n_dropped = fh_attempt_log_get_n_dropped (self->attempts),
                       .time_us = self->sums.wall_us,
                       .lines = line - 1,
                       .block = number };
  g_signal_connect_object (fh_run_get_attempts (run),
                           "items-changed",
                           G_CALLBACK (follow_attempts),
                           self,
                           G_CONNECT_SWAPPED);
  /* Attempts that are made again change no items; measurements are made all the time. */
  g_signal_connect_object (run,
                           "notify::usage-serial",
                           G_CALLBACK (follow_attempts),
                           self,
                           G_CONNECT_SWAPPED);
}

void
fh_old_series_record_end_block (FhOldSeriesRecord *self, const char *place)
{
  g_autoptr (FhRun) run = NULL;
  FhRunResult *result;

  g_return_if_fail (FH_IS_OLD_SERIES_RECORD (self) && self->run != NULL);

  follow_attempts (self);
  run = g_steal_pointer (&self->run);
  g_signal_handlers_disconnect_by_data (run, self);
  g_signal_handlers_disconnect_by_data (fh_run_get_attempts (run), self);
  result = fh_run_get_result (run);
  self->n_cells++;
  add_row (self, place, result);
  copy_output (self, fh_run_result_get_output (result));
  add (self, fh_run_get_request (run), result);
}

FhAttemptLog *
fh_old_series_record_get_attempts (FhOldSeriesRecord *self)
{
  g_return_val_if_fail (FH_IS_OLD_SERIES_RECORD (self), NULL);

  return self->attempts;
}

void
fh_old_series_record_set_files (FhOldSeriesRecord *self,
                                FhResultFiles *files,
                                FhFolderChanges *changes)
{
  g_return_if_fail (FH_IS_OLD_SERIES_RECORD (self));

  g_set_object (&self->files, files);
  g_set_object (&self->changes, changes);
}

void
fh_old_series_record_refuse (FhOldSeriesRecord *self, const char *message)
{
  g_return_if_fail (FH_IS_OLD_SERIES_RECORD (self));

  if (message == NULL)
    {
      self->sums.status = FH_RUN_STATUS_STOPPED;
      self->sums.exit_code = -1;
      return;
    }
  g_free (self->refusal);
  self->refusal = g_strdup (message);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  FhOldSeriesRecord *self = g_task_get_source_object (task);
  GError *error = NULL;

  self->saved_id = fh_history_add_finish (FH_HISTORY (source), result, &error);
  if (self->saved_id < 0)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

/* Takes the task. The history does things in the order in which they are asked for, so that all
 * cells are there by then. */
static void
save (FhOldSeriesRecord *self, GTask *task)
{
  g_autoptr (FhRunResult) result = fh_old_series_record_dup_result (self);
  GError *error = NULL;
  g_autoptr (FhRunRequest) request = fh_old_series_record_dup_request (self, &error);

  if (request == NULL)
    {
      g_task_return_error (task, error);
      g_object_unref (task);
      return;
    }
  fh_history_add_reserved_async (self->history,
                                 MAX (self->id, 0),
                                 request,
                                 result,
                                 NULL,
                                 saved_cb,
                                 task);
}

void
fh_old_series_record_save_async (FhOldSeriesRecord *self,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (FH_IS_OLD_SERIES_RECORD (self));
  g_return_if_fail (self->saving == NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, fh_old_series_record_save_async);
  if (self->history == NULL || (self->last == NULL && self->refusal == NULL && !self->is_answer))
    g_task_return_boolean (task, TRUE);
  else if (self->state == RESERVING)
    self->saving = g_steal_pointer (&task);
  else
    save (self, g_steal_pointer (&task));
}

gboolean
fh_old_series_record_save_finish (FhOldSeriesRecord *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
fh_old_series_record_finalize (GObject *object)
{
  FhOldSeriesRecord *self = FH_OLD_SERIES_RECORD (object);

  g_clear_object (&self->history);
  g_clear_object (&self->run);
  g_queue_clear_full (&self->pending, (GDestroyNotify) pending_free);
  g_string_free (self->source, TRUE);
  fh_run_options_free (self->options);
  g_object_unref (self->table);
  g_object_unref (self->attempts);
  g_date_time_unref (self->started_at);
  g_clear_object (&self->last);
  g_clear_object (&self->failed);
  g_clear_object (&self->files);
  g_clear_object (&self->changes);
  g_free (self->refusal);
  g_free (self->title);

  G_OBJECT_CLASS (fh_old_series_record_parent_class)->finalize (object);
}

static void
fh_old_series_record_class_init (FhOldSeriesRecordClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_old_series_record_finalize;
}

static void
fh_old_series_record_init (FhOldSeriesRecord *self)
{
  self->source = g_string_new (NULL);
  self->table = fh_output_log_new ();
  self->attempts = fh_attempt_log_new ();
  self->started_at = g_date_time_new_now_utc ();
  self->begin = g_get_monotonic_time ();
  self->sums.signal = -1;
}

FhOldSeriesRecord *
fh_old_series_record_new (FhHistory *history, const FhRunOptions *options)
{
  FhOldSeriesRecord *self;

  g_return_val_if_fail (history == NULL || FH_IS_HISTORY (history), NULL);

  self = g_object_new (FH_TYPE_OLD_SERIES_RECORD, NULL);
  g_set_object (&self->history, history);
  self->options = fh_run_options_copy (options);
  self->language = fh_language_lookup ("python");
  return self;
}

FhOldSeriesRecord *
fh_old_series_record_new_answer (FhHistory *history,
                                 const FhRunOptions *options,
                                 const FhLanguage *language,
                                 const char *title,
                                 const char *text)
{
  FhOldSeriesRecord *self = fh_old_series_record_new (history, options);

  g_return_val_if_fail (language != NULL && text != NULL, self);

  self->is_answer = TRUE;
  self->language = language;
  self->title = g_strdup (title);
  g_string_assign (self->source, text);
  return self;
}

gint64
fh_old_series_record_get_id (FhOldSeriesRecord *self)
{
  g_return_val_if_fail (FH_IS_OLD_SERIES_RECORD (self), -1);

  return self->saved_id;
}
