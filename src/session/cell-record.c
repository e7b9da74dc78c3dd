/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cell-record.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* More cells are run, but not kept. */
#define MAX_CELLS      10000
#define MAX_CELL_BYTES ((gsize) 256 << 20)
/* Of the source of all. */
#define MAX_SOURCE ((gsize) 1 << 20)

typedef enum
{
  NOT_RESERVED,
  RESERVING,
  RESERVED,
} ReservationState;

/* A cell that waits for the reservation. */
typedef struct
{
  FhRunRequest *request;
  FhRunResult *result;
} Pending;

struct _FhCellRecord
{
  GObject parent_instance;

  FhHistory *history;
  ReservationState state;
  gint64 id; /* reserved; -1: not possible */
  GQueue pending;
  GTask *saving; /* nullable: waits for the reservation */

  guint n_cells;
  gsize cell_bytes;
  GString *source;
  FhRunOptions *options;
  FhOutputLog *table;
  GDateTime *started_at;
  gint64 begin;
  FhRunOutcome sums;
  FhRunResult *last; /* nullable: all cells were protected as it was */
};

G_DEFINE_FINAL_TYPE (FhCellRecord, fh_cell_record, G_TYPE_OBJECT)

static void
pending_free (Pending *pending)
{
  g_object_unref (pending->request);
  g_object_unref (pending->result);
  g_free (pending);
}

static void
add_line (FhCellRecord *self, const char *line)
{
  fh_output_log_append (self->table,
                        FH_STREAM_STDOUT,
                        (guint64) (g_get_monotonic_time () - self->begin),
                        line,
                        strlen (line));
}

static void
add_row (FhCellRecord *self, FhRunResult *result)
{
  const FhRunOutcome *outcome = fh_run_result_get_outcome (result);
  g_autofree char *sentence =
      g_strdelimit (g_strdup (fh_run_result_get_sentence (result)), "\t\n\r", ' ');
  g_autofree char *row =
      g_strdup_printf ("%u\t%.3f\t%.1f\t%u\t%s\n",
                       self->n_cells,
                       (double) outcome->wall_us / 1e6,
                       (double) outcome->memory_peak / (1 << 20),
                       fh_attempt_log_get_n_stopped (fh_run_result_get_attempts (result)),
                       sentence);

  add_line (self, row);
}

void
fh_cell_record_say (FhCellRecord *self, const char *line)
{
  g_autofree char *row = NULL;

  g_return_if_fail (FH_IS_CELL_RECORD (self));
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
write_pending (FhCellRecord *self)
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

static void save (FhCellRecord *self, GTask *task);

static void
reserved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhCellRecord) self = user_data;
  GTask *saving = g_steal_pointer (&self->saving);

  self->id = fh_history_add_finish (FH_HISTORY (source), result, NULL);
  self->state = RESERVED;
  write_pending (self);
  if (saving != NULL)
    save (self, saving);
}

static void
keep_cell (FhCellRecord *self, FhRunRequest *request, FhRunResult *result)
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

void
fh_cell_record_add (FhCellRecord *self, FhRunRequest *request, FhRunResult *result)
{
  const FhRunOutcome *outcome;
  g_autofree char *text = NULL;
  FhOutputLog *output;
  gsize size;

  g_return_if_fail (FH_IS_CELL_RECORD (self));
  g_return_if_fail (FH_IS_RUN_REQUEST (request) && FH_IS_RUN_RESULT (result));

  outcome = fh_run_result_get_outcome (result);
  text = fh_run_request_dup_source_text (request);
  output = fh_run_result_get_output (result);
  size = strlen (text) + fh_output_log_get_kept (output, FH_STREAM_STDOUT) +
         fh_output_log_get_kept (output, FH_STREAM_STDERR);
  self->n_cells++;
  add_row (self, result);
  if (self->source->len + strlen (text) < MAX_SOURCE)
    {
      if (!begins_cell (text))
        g_string_append_printf (self->source, "# %%%% %u\n", self->n_cells);
      g_string_append_printf (self->source,
                              "%s%s",
                              text,
                              g_str_has_suffix (text, "\n") ? "" : "\n");
    }
  self->sums.cpu_user_us += outcome->cpu_user_us;
  self->sums.cpu_system_us += outcome->cpu_system_us;
  self->sums.memory_peak = MAX (self->sums.memory_peak, outcome->memory_peak);
  g_set_object (&self->last, result);
  if (self->n_cells > MAX_CELLS || size > MAX_CELL_BYTES - self->cell_bytes)
    return;
  self->cell_bytes += size;
  keep_cell (self, request, result);
}

static FhRunRequest *
build_request (FhCellRecord *self, GError **error)
{
  g_autoptr (GBytes) source = g_bytes_new (self->source->str, self->source->len);
  /* Translators: %u is a number. */
  g_autofree char *title = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "Session of %u cell", "Session of %u cells", self->n_cells),
      self->n_cells);

  return fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup ("python"),
                                                  .source = source,
                                                  .title = title,
                                                  .options = self->options },
                             error);
}

static FhRunResult *
build_result (FhCellRecord *self)
{
  FhRunResultParts parts = fh_run_result_get_parts (self->last);

  self->sums.wall_us = (guint64) (g_get_monotonic_time () - self->begin);
  fh_output_log_freeze (self->table);
  parts.outcome = &self->sums;
  parts.output = self->table;
  parts.attempts = NULL;
  parts.files = NULL;
  parts.started_at = self->started_at;
  return fh_run_result_new (&parts);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (fh_history_add_finish (FH_HISTORY (source), result, &error) < 0)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

/* Takes the task. The history does things in the order in which they are asked for, so that all
 * cells are there by then. */
static void
save (FhCellRecord *self, GTask *task)
{
  g_autoptr (FhRunResult) result = build_result (self);
  GError *error = NULL;
  g_autoptr (FhRunRequest) request = build_request (self, &error);

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
fh_cell_record_save_async (FhCellRecord *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (FH_IS_CELL_RECORD (self));
  g_return_if_fail (self->saving == NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, fh_cell_record_save_async);
  if (self->last == NULL)
    g_task_return_boolean (task, TRUE);
  else if (self->state == RESERVING)
    self->saving = g_steal_pointer (&task);
  else
    save (self, g_steal_pointer (&task));
}

gboolean
fh_cell_record_save_finish (FhCellRecord *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
fh_cell_record_finalize (GObject *object)
{
  FhCellRecord *self = FH_CELL_RECORD (object);

  g_object_unref (self->history);
  g_queue_clear_full (&self->pending, (GDestroyNotify) pending_free);
  g_string_free (self->source, TRUE);
  fh_run_options_free (self->options);
  g_object_unref (self->table);
  g_date_time_unref (self->started_at);
  g_clear_object (&self->last);

  G_OBJECT_CLASS (fh_cell_record_parent_class)->finalize (object);
}

static void
fh_cell_record_class_init (FhCellRecordClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_cell_record_finalize;
}

static void
fh_cell_record_init (FhCellRecord *self)
{
  self->source = g_string_new (NULL);
  self->table = fh_output_log_new ();
  self->started_at = g_date_time_new_now_utc ();
  self->begin = g_get_monotonic_time ();
  self->sums.signal = -1;
}

FhCellRecord *
fh_cell_record_new (FhHistory *history, const FhRunOptions *options)
{
  FhCellRecord *self;

  g_return_val_if_fail (FH_IS_HISTORY (history), NULL);

  self = g_object_new (FH_TYPE_CELL_RECORD, NULL);
  self->history = g_object_ref (history);
  self->options = fh_run_options_copy (options);
  return self;
}
