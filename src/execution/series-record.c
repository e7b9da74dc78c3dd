/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "series-record.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "series-table.h"
#include "signals.h"

/* More cells and blocks are run, but not kept. */
#define MAX_CELLS      10000
#define MAX_CELL_BYTES ((gsize) 256 << 20)
/* The size of the source of all cells. */
#define MAX_SOURCE ((gsize) 1 << 20)
/* An answer or a session with more output is saved only as a whole, and of a program its beginning
 * and its end, because each save copies all of it. */
#define MAX_SO_FAR ((guint64) 4 << 20)
/* The history is written at most this often, so that many short cells share one write. */
#define PAUSE_MS 250
/* Most programs, blocks and cells end sooner, and are written once. */
#define BEGUN_MS 1000
/* A step that still runs is saved again after this time, and then after twice that, and so on: each
 * time all of it is written. */
#define AGAIN_MS     10000
#define MAX_AGAIN_MS 320000

typedef enum
{
  NOT_RESERVED,
  RESERVING,
  RESERVED,
} Reservation;

/* A cell or block that waits until the id of its entry is known. */
typedef struct
{
  FhRunRequest *request;
  FhRunResult *result;
} Part;

struct _FhSeriesRecord
{
  GObject parent_instance;

  FhSeries *series;   /* until all is saved */
  FhHistory *history; /* nullable */
  FhRecordForm form;
  FhRunOptions *options; /* as they were at the start */
  char *title;           /* nullable */
  guint n_saving;        /* calls of the history that go on */
  gboolean is_saving_whole;
  gboolean is_behind;   /* there is more than what was saved */
  guint pause_timer;    /* until it may be saved again */
  gboolean awaits_step; /* that timer is for a step which runs */
  guint step_ms;        /* how long the next timer for it is */
  gint64 saved_id;
  gint64 so_far_id; /* of the entry for what has run until now; -1: none */
  gboolean is_done; /* the series is */

  Reservation reservation;
  gint64 id; /* the reserved one; -1: not possible */
  GQueue parts;
  guint n_cells;
  gsize cell_bytes;
  const FhLanguage *language; /* that of the first block which has one; nullable */
  gboolean has_steps;         /* there was something to run */
  GString *source;
  FhOutputLog *table;
  GPtrArray *blocks;      /* (element-type FhBlockRun) */
  FhAttemptLog *attempts; /* of the blocks of an answer */
  FhAttemptPart part;     /* those of the block that runs */
  GDateTime *started_at;
  gint64 begin;
  FhRunResult *last; /* nullable: all were protected as this one was */

  FhRunRequest *request; /* nullable */
  FhRunResult *result;   /* nullable */
  FhStep *ended;         /* a program that waits for the id of its entry; nullable */
};

enum
{
  SIGNAL_FINISHED,
  SIGNAL_SAVED,
  SIGNAL_SAVED_SO_FAR,
  SIGNAL_COMPLETE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (FhSeriesRecord, fh_series_record, G_TYPE_OBJECT)

static void
part_free (Part *part)
{
  g_object_unref (part->request);
  g_object_unref (part->result);
  g_free (part);
}

static void
tell_saved (FhSeriesRecord *self, FhStep *step, gint64 id, const char *problem)
{
  if (id > 0)
    self->saved_id = id;
  g_signal_emit (self, signals[SIGNAL_SAVED], 0, step, id, problem);
}

static void
complete_if_saved (FhSeriesRecord *self)
{
  g_autoptr (FhSeries) series = NULL;

  if (!self->is_done || self->n_saving > 0 || self->series == NULL)
    return;
  series = g_steal_pointer (&self->series);
  g_signal_handlers_disconnect_by_data (series, self);
  g_signal_emit (self, signals[SIGNAL_COMPLETE], 0);
}

/* An entry on its way into the history. */
typedef struct
{
  FhSeriesRecord *record;
  FhStep *step; /* nullable */
} Saving;

static Saving *
begin_saving (FhSeriesRecord *self, FhStep *step)
{
  Saving *saving = g_new0 (Saving, 1);

  saving->record = g_object_ref (self);
  g_set_object (&saving->step, step);
  self->n_saving++;
  return saving;
}

static void
added_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Saving *saving = user_data;
  g_autoptr (FhSeriesRecord) self = saving->record;
  g_autoptr (FhStep) step = saving->step;
  g_autoptr (GError) error = NULL;
  const gint64 id = fh_history_add_finish (FH_HISTORY (source), result, &error);

  g_free (saving);
  tell_saved (self, step, id, error != NULL ? error->message : NULL);
  self->n_saving--;
  complete_if_saved (self);
}

static gboolean pause_cb (gpointer user_data);
static void reserve (FhSeriesRecord *self);
static void save_so_far (FhSeriesRecord *self);
static void save_begun (FhSeriesRecord *self);

/* Saves an entry, which replaces what was saved of it until now. The history does things in the
 * order in which they are asked for, so that all parts are there before the whole. `step`: NULL for
 * the whole. */
static void
save_entry (FhSeriesRecord *self, FhStep *step)
{
  fh_history_set_running (self->history, self->id, FALSE);
  fh_history_add_reserved_async (self->history,
                                 MAX (self->id, 0),
                                 self->request,
                                 self->result,
                                 NULL,
                                 added_cb,
                                 begin_saving (self, step));
}

static void
save_run (FhSeriesRecord *self, FhStep *step)
{
  save_entry (self, step);
  self->reservation = NOT_RESERVED;
  self->id = -1;
}

static void
keep_run (FhSeriesRecord *self, FhStep *step, FhRunRequest *request, FhRunResult *result)
{
  g_set_object (&self->request, request);
  g_set_object (&self->result, result);
  if (self->history == NULL)
    tell_saved (self, step, -1, NULL);
  else if (self->reservation == RESERVING)
    g_set_object (&self->ended, step);
  else
    save_run (self, step);
}

static const char *
name_backend (FhSeriesRecord *self)
{
  return self->options->in_container ? "container" : "native";
}

/* A program that a person refused is kept, too. */
static void
keep_refusal (FhSeriesRecord *self, FhStep *step)
{
  const FhRunOutcome outcome = fh_series_get_outcome (self->series);
  g_autoptr (FhOutputLog) output = fh_output_log_new ();
  g_autoptr (FhRunResult) result =
      fh_run_result_new (&(FhRunResultParts){ .outcome = &outcome,
                                              .output = output,
                                              .started_at = self->started_at,
                                              .backend = name_backend (self),
                                              .tier = "" });

  keep_run (self, step, fh_step_get_request (step), result);
}

static guint64
count_time (FhSeriesRecord *self)
{
  return (guint64) (g_get_monotonic_time () - self->begin);
}

/* Adds a block to the table and to `blocks`. `result`: NULL if the block did not run. */
static void
add_block (FhSeriesRecord *self,
           FhOutputLog *table,
           GPtrArray *blocks,
           FhStep *step,
           FhRunResult *result)
{
  g_ptr_array_add (blocks,
                   fh_series_table_add_block (table,
                                              count_time (self),
                                              step,
                                              result,
                                              fh_series_get_n_waiting (self->series)));
}

/* NULL: nothing runs that is recorded. */
static FhStep *
find_running (FhSeriesRecord *self)
{
  FhStep *step = self->series != NULL ? fh_series_get_step (self->series) : NULL;

  return step != NULL && !fh_step_is_silent (step) && fh_step_get_state (step) == FH_STEP_RUNNING
             ? step
             : NULL;
}

/* A step that runs for long is saved, because the process may be killed. */
static void
await_step (FhSeriesRecord *self)
{
  if (self->history == NULL || self->pause_timer != 0 || self->is_saving_whole ||
      self->reservation == RESERVING || find_running (self) == NULL)
    return;
  self->awaits_step = TRUE;
  self->pause_timer = g_timeout_add (self->step_ms, pause_cb, self);
}

static void
end_step (FhSeriesRecord *self)
{
  if (self->awaits_step)
    g_clear_handle_id (&self->pause_timer, g_source_remove);
  self->awaits_step = FALSE;
}

static gboolean
pause_cb (gpointer user_data)
{
  FhSeriesRecord *self = user_data;

  self->pause_timer = 0;
  if (self->awaits_step)
    {
      self->awaits_step = FALSE;
      self->is_behind = TRUE;
      self->step_ms =
          self->step_ms == BEGUN_MS ? AGAIN_MS : (guint) MIN (2 * self->step_ms, MAX_AGAIN_MS);
    }
  if (self->is_behind && self->reservation == NOT_RESERVED)
    reserve (self);
  else if (self->form == FH_RECORD_RUNS)
    save_begun (self);
  else
    save_so_far (self);
  await_step (self);
  return G_SOURCE_REMOVE;
}

static void
saved_so_far_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhSeriesRecord) self = user_data;
  const gint64 id = fh_history_add_finish (FH_HISTORY (source), result, NULL);

  self->is_saving_whole = FALSE;
  /* A program may have ended meanwhile, which is saved by now. */
  if (self->reservation == RESERVED)
    {
      self->so_far_id = id;
      /* It is another one if the history was cleared since: that one is replaced from now on. */
      if (id > 0)
        self->id = id;
      end_step (self);
      self->pause_timer = g_timeout_add (PAUSE_MS, pause_cb, self);
      g_signal_emit (self, signals[SIGNAL_SAVED_SO_FAR], 0);
    }
  self->n_saving--;
  complete_if_saved (self);
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
add_source (FhSeriesRecord *self, guint number, const char *text)
{
  if (self->source->len + strlen (text) >= MAX_SOURCE)
    return;
  if (!begins_cell (text))
    g_string_append_printf (self->source, "# %%%% %u\n", number);
  g_string_append_printf (self->source, "%s%s", text, g_str_has_suffix (text, "\n") ? "" : "\n");
}

/* (transfer full) NULL if the request shall choose one. */
static char *
dup_title (FhSeriesRecord *self, gboolean is_whole)
{
  const guint n = self->n_cells + (!is_whole && find_running (self) != NULL);
  g_autofree char *title = self->form == FH_RECORD_ANSWER ? g_strdup (self->title) : NULL;

  if (self->form == FH_RECORD_SESSION)
    /* Translators: %u is a number. */
    title = g_strdup_printf (
        g_dngettext (GETTEXT_PACKAGE, "Session of %u cell", "Session of %u cells", n),
        n);
  if (is_whole || title == NULL)
    return g_steal_pointer (&title);
  /* Translators: the title of what is not at its end. */
  return g_strdup_printf (_ ("%s, so far"), title);
}

static FhRunRequest *
new_request (FhSeriesRecord *self, gboolean is_whole, GError **error)
{
  g_autoptr (GBytes) source = NULL;
  g_autofree char *title = dup_title (self, is_whole);
  const gsize size = self->source->len;

  if (!is_whole && self->form == FH_RECORD_SESSION && find_running (self) != NULL)
    {
      FhRun *run = fh_step_get_run (find_running (self));
      g_autofree char *text = fh_run_request_dup_source_text (fh_run_get_request (run));

      add_source (self, self->n_cells + 1, text);
    }
  source = g_bytes_new (self->source->str, self->source->len);
  g_string_truncate (self->source, size);

  return fh_run_request_new (&(FhRunRequestInit){ .language = self->language != NULL
                                                                  ? self->language
                                                                  : fh_language_lookup ("python"),
                                                  .source = source,
                                                  .title = title,
                                                  .options = self->options },
                             error);
}

/* `is_whole`: else it is what has run until now, which has no files. `running`: of the step that
 * runs; nullable. */
static FhRunResult *
new_result (FhSeriesRecord *self,
            FhOutputLog *table,
            GPtrArray *blocks,
            FhAttemptLog *attempts,
            gboolean is_whole,
            FhRunResult *running)
{
  FhRunResultParts parts = { .backend = name_backend (self), .tier = "" };
  FhRunOutcome outcome = fh_series_get_outcome (self->series);
  g_autoptr (FhResultFiles) files = NULL;

  if (self->last != NULL || running != NULL)
    parts = *fh_run_result_get_parts (self->last != NULL ? self->last : running);
  /* An answer may have waited for a person meanwhile. */
  if (self->form == FH_RECORD_SESSION)
    outcome.wall_us = (guint64) (g_get_monotonic_time () - self->begin);
  else if (is_whole)
    files = fh_series_dup_files (self->series);
  parts.files = files;
  if (self->form == FH_RECORD_ANSWER && fh_series_get_changes (self->series) != NULL)
    parts.changes = fh_series_get_changes (self->series);
  /* A session of which all cells have ended may be at its end. */
  if (!is_whole && outcome.status == FH_RUN_STATUS_OK &&
      (self->form != FH_RECORD_SESSION || running != NULL))
    {
      outcome.status = FH_RUN_STATUS_STOPPED;
      outcome.cause = FH_RUN_CAUSE_UNFINISHED;
    }
  if (running != NULL && self->form == FH_RECORD_ANSWER)
    outcome.wall_us += fh_run_result_get_parts (running)->outcome->wall_us;
  fh_output_log_freeze (table);
  parts.outcome = &outcome;
  parts.output = table;
  parts.blocks = self->form == FH_RECORD_ANSWER ? blocks : NULL;
  parts.attempts = attempts;
  parts.started_at = self->started_at;
  return fh_run_result_new (&parts);
}

static void
send_so_far (FhSeriesRecord *self, FhRunRequest *request, FhRunResult *result)
{
  self->is_saving_whole = TRUE;
  self->n_saving++;
  fh_history_set_running (self->history, self->id, TRUE);
  fh_history_add_reserved_async (self->history,
                                 self->id,
                                 request,
                                 result,
                                 NULL,
                                 saved_so_far_cb,
                                 g_object_ref (self));
}

static void
add_piece (const FhOutputPiece *piece, gpointer table)
{
  if (piece->size > 0)
    fh_output_log_append (table, piece->stream, piece->time_us, piece->data, piece->size);
}

/* Adds what runs now. Returns what it comes to until now; NULL: nothing runs. */
static FhRunResult *
add_running (FhSeriesRecord *self, FhOutputLog *table, GPtrArray *blocks)
{
  FhStep *step = find_running (self);
  g_autoptr (FhRunResult) result = NULL;

  if (step == NULL)
    return NULL;
  result = fh_run_new_result_so_far (fh_step_get_run (step), MAX_SO_FAR);
  if (self->form == FH_RECORD_ANSWER)
    {
      add_block (self, table, blocks, step, result);
      return g_steal_pointer (&result);
    }
  fh_series_table_add_row (table,
                           count_time (self),
                           step,
                           NULL,
                           fh_run_result_get_parts (result)->sentence);
  fh_series_table_add_output (table,
                              count_time (self),
                              fh_run_result_get_parts (result)->output,
                              NULL);
  return g_steal_pointer (&result);
}

/* Saves what the series comes to until now, because the process may be killed. "saved" is emitted
 * for the whole only, which replaces this entry. */
static void
save_so_far (FhSeriesRecord *self)
{
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (FhRunResult) running = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autoptr (FhOutputLog) table = NULL;
  g_autoptr (GPtrArray) blocks = NULL;
  g_autoptr (FhAttemptLog) attempts = NULL;

  if (self->is_done || !self->is_behind || self->is_saving_whole || self->pause_timer != 0 ||
      self->reservation != RESERVED || self->id < 0 ||
      fh_output_log_get_kept (self->table, FH_STREAM_STDOUT) +
              fh_output_log_get_kept (self->table, FH_STREAM_STDERR) >
          MAX_SO_FAR)
    return;
  self->is_behind = FALSE;
  table = fh_output_log_new ();
  fh_output_log_foreach (self->table, add_piece, table);
  blocks = fh_block_runs_copy (self->blocks);
  attempts = fh_attempt_log_copy (self->attempts);
  request = new_request (self, FALSE, NULL);
  if (request == NULL)
    return;
  running = add_running (self, table, blocks);
  fh_series_table_add_waiting (blocks, fh_series_get_n_waiting (self->series));
  result = new_result (self, table, blocks, attempts, FALSE, running);
  send_so_far (self, request, result);
}

static void
write_parts (FhSeriesRecord *self)
{
  Part *part;

  while ((part = g_queue_pop_head (&self->parts)) != NULL)
    {
      const FhRunOutcome *outcome = fh_run_result_get_parts (part->result)->outcome;

      if (self->id >= 0)
        fh_history_add_sample_async (self->history,
                                     self->id,
                                     part->request,
                                     part->result,
                                     fh_run_status_to_string (outcome->status),
                                     NULL,
                                     NULL);
      part_free (part);
    }
  save_so_far (self);
}

static void
reserved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhSeriesRecord) self = user_data;

  self->id = fh_history_add_finish (FH_HISTORY (source), result, NULL);
  self->reservation = RESERVED;
  if (self->ended != NULL)
    {
      save_run (self, self->ended);
      g_clear_object (&self->ended);
    }
  else if (self->form == FH_RECORD_RUNS)
    save_begun (self);
  write_parts (self);
  if (self->form != FH_RECORD_RUNS && self->is_done && self->request != NULL)
    save_entry (self, NULL);
  self->n_saving--;
  await_step (self);
  complete_if_saved (self);
}

static void
reserve (FhSeriesRecord *self)
{
  self->reservation = RESERVING;
  self->n_saving++;
  fh_history_reserve_async (self->history, reserved_cb, g_object_ref (self));
}

/* Saves what a program comes to while it runs, because the process may be killed. */
static void
save_begun (FhSeriesRecord *self)
{
  FhStep *step = find_running (self);
  g_autoptr (FhRunResult) result = NULL;
  FhRun *run;

  if (step == NULL || !self->is_behind || self->reservation != RESERVED || self->id < 0)
    return;
  run = fh_step_get_run (step);
  self->is_behind = FALSE;
  result = fh_run_new_result_so_far (run, MAX_SO_FAR);
  send_so_far (self, fh_run_get_request (run), result);
}

static void
keep_part (FhSeriesRecord *self, FhRunRequest *request, FhRunResult *result)
{
  Part *part = g_new (Part, 1);

  part->request = g_object_ref (request);
  part->result = g_object_ref (result);
  g_queue_push_tail (&self->parts, part);
  if (self->reservation == RESERVED)
    write_parts (self);
  if (self->reservation == NOT_RESERVED)
    reserve (self);
}

static void
add_part (FhSeriesRecord *self, FhRunRequest *request, FhRunResult *result)
{
  FhOutputLog *output = fh_run_result_get_parts (result)->output;
  const gsize size = g_bytes_get_size (fh_run_request_get_parts (request)->source) +
                     fh_output_log_get_kept (output, FH_STREAM_STDOUT) +
                     fh_output_log_get_kept (output, FH_STREAM_STDERR);

  g_set_object (&self->last, result);
  if (self->history == NULL || self->n_cells > MAX_CELLS ||
      size > MAX_CELL_BYTES - self->cell_bytes)
    return;
  self->cell_bytes += size;
  /* After the last block comes the whole. */
  self->is_behind = self->form == FH_RECORD_SESSION || fh_series_get_n_waiting (self->series) > 0;
  keep_part (self, request, result);
}

static void
add_cell (FhSeriesRecord *self, FhStep *step)
{
  FhRun *run = fh_step_get_run (step);
  FhRunRequest *request = fh_run_get_request (run);
  FhRunResult *result = fh_run_get_result (run);
  g_autofree char *text = fh_run_request_dup_source_text (request);

  self->n_cells++;
  fh_series_table_add_row (self->table,
                           count_time (self),
                           step,
                           NULL,
                           fh_run_result_get_parts (result)->sentence);
  fh_series_table_add_output (self->table,
                              count_time (self),
                              fh_run_result_get_parts (result)->output,
                              NULL);
  if (fh_run_result_get_parts (result)->outcome->value != NULL)
    fh_series_table_add_line (self->table,
                              count_time (self),
                              fh_run_result_get_parts (result)->outcome->value);
  add_source (self, self->n_cells, text);
  add_part (self, request, result);
}

static void
follow_attempts (FhSeriesRecord *self)
{
  fh_attempt_log_follow (self->attempts,
                         fh_run_get_attempts (fh_step_get_run (fh_series_get_step (self->series))),
                         &self->part);
}

static void
begin_block (FhSeriesRecord *self, FhStep *step)
{
  FhRun *run = fh_step_get_run (step);

  self->part =
      (FhAttemptPart){ .position = g_list_model_get_n_items (G_LIST_MODEL (self->attempts)),
                       .n_dropped = fh_attempt_log_get_n_dropped (self->attempts),
                       .time_us = fh_series_get_outcome (self->series).wall_us,
                       .lines = fh_step_get_line (step),
                       .block = fh_step_get_number (step) };
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

static void
end_block (FhSeriesRecord *self, FhStep *step)
{
  FhRun *run = fh_step_get_run (step);
  FhRunResult *result = fh_run_get_result (run);

  follow_attempts (self);
  g_signal_handlers_disconnect_by_data (run, self);
  g_signal_handlers_disconnect_by_data (fh_run_get_attempts (run), self);
  self->n_cells++;
  add_block (self, self->table, self->blocks, step, result);
  add_part (self, fh_run_get_request (run), result);
}

static void
take_runs (FhSeriesRecord *self, FhStep *step)
{
  FhRun *run = fh_step_get_run (step);

  if (fh_step_get_state (step) == FH_STEP_FINISHED)
    keep_run (self, step, fh_run_get_request (run), fh_run_get_result (run));
  else if (fh_step_get_state (step) == FH_STEP_REFUSED && fh_step_get_request (step) != NULL)
    keep_refusal (self, step);
}

static void
take_block (FhSeriesRecord *self, FhStep *step)
{
  const FhStepState state = fh_step_get_state (step);

  /* An answer without a block has one step, which only says so. */
  if (fh_step_get_number (step) == 0)
    return;
  self->has_steps = TRUE;
  if (self->language == NULL)
    self->language = fh_step_get_language (step);
  if (state == FH_STEP_RUNNING)
    begin_block (self, step);
  else if (state == FH_STEP_FINISHED)
    end_block (self, step);
  else if (state == FH_STEP_SAVED || state == FH_STEP_REFUSED || state == FH_STEP_NOT_RUN)
    add_block (self, self->table, self->blocks, step, NULL);
}

static void
take_cell (FhSeriesRecord *self, FhStep *step)
{
  if (fh_step_get_state (step) != FH_STEP_FINISHED)
    return;
  self->has_steps = TRUE;
  add_cell (self, step);
}

static void
step_cb (FhSeriesRecord *self, FhStep *step)
{
  static void (*const takes[]) (FhSeriesRecord * self, FhStep * step) = {
    [FH_RECORD_RUNS] = take_runs,
    [FH_RECORD_ANSWER] = take_block,
    [FH_RECORD_SESSION] = take_cell,
  };

  if (fh_step_is_silent (step))
    return;
  end_step (self);
  self->step_ms = BEGUN_MS;
  takes[self->form](self, step);
  await_step (self);
}

static void
sum_up (FhSeriesRecord *self)
{
  g_autoptr (GError) error = NULL;

  if (self->form == FH_RECORD_RUNS || !self->has_steps)
    return;
  self->request = new_request (self, TRUE, &error);
  if (self->request != NULL)
    self->result = new_result (self, self->table, self->blocks, self->attempts, TRUE, NULL);
  else
    tell_saved (self, NULL, -1, error->message);
}

/* This listens to the state, which is told before anyone hears that the series is done. */
static void
state_cb (FhSeriesRecord *self)
{
  G_GNUC_UNUSED g_autoptr (FhSeriesRecord) alive = g_object_ref (self);

  if (fh_series_get_state (self->series) != FH_SERIES_DONE)
    return;
  /* Also if nothing more can be saved. */
  if (self->history != NULL)
    fh_history_set_running (self->history, self->id, FALSE);
  sum_up (self);
  g_signal_emit (self, signals[SIGNAL_FINISHED], 0);
  self->is_done = TRUE;
  if (self->form != FH_RECORD_RUNS && self->request != NULL && self->history == NULL)
    tell_saved (self, NULL, -1, NULL);
  else if (self->form != FH_RECORD_RUNS && self->request != NULL && self->reservation != RESERVING)
    save_entry (self, NULL);
  complete_if_saved (self);
}

FhAttemptLog *
fh_series_record_get_attempts (FhSeriesRecord *self)
{
  g_return_val_if_fail (FH_IS_SERIES_RECORD (self), NULL);

  return self->attempts;
}

FhRunRequest *
fh_series_record_get_request (FhSeriesRecord *self)
{
  g_return_val_if_fail (FH_IS_SERIES_RECORD (self), NULL);

  return self->request;
}

FhRunResult *
fh_series_record_get_result (FhSeriesRecord *self)
{
  g_return_val_if_fail (FH_IS_SERIES_RECORD (self), NULL);

  return self->result;
}

gint64
fh_series_record_get_id (FhSeriesRecord *self)
{
  g_return_val_if_fail (FH_IS_SERIES_RECORD (self), -1);

  return self->saved_id;
}

gint64
fh_series_record_get_id_so_far (FhSeriesRecord *self)
{
  g_return_val_if_fail (FH_IS_SERIES_RECORD (self), -1);

  return self->saved_id > 0 ? self->saved_id : self->so_far_id;
}

static void
fh_series_record_finalize (GObject *object)
{
  FhSeriesRecord *self = FH_SERIES_RECORD (object);

  g_clear_handle_id (&self->pause_timer, g_source_remove);
  g_clear_object (&self->series);
  g_clear_object (&self->history);
  fh_run_options_free (self->options);
  g_free (self->title);
  g_queue_clear_full (&self->parts, (GDestroyNotify) part_free);
  g_string_free (self->source, TRUE);
  g_object_unref (self->table);
  g_ptr_array_unref (self->blocks);
  g_object_unref (self->attempts);
  g_date_time_unref (self->started_at);
  g_clear_object (&self->last);
  g_clear_object (&self->ended);
  g_clear_object (&self->request);
  g_clear_object (&self->result);

  G_OBJECT_CLASS (fh_series_record_parent_class)->finalize (object);
}

static void
fh_series_record_class_init (FhSeriesRecordClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = fh_series_record_finalize;

  signals[SIGNAL_FINISHED] = fh_signal_new ("finished", type, 0);
  signals[SIGNAL_SAVED] =
      fh_signal_new ("saved", type, 3, FH_TYPE_STEP, G_TYPE_INT64, G_TYPE_STRING);
  signals[SIGNAL_SAVED_SO_FAR] = fh_signal_new ("saved-so-far", type, 0);
  signals[SIGNAL_COMPLETE] = fh_signal_new ("complete", type, 0);
}

static void
fh_series_record_init (FhSeriesRecord *self)
{
  self->id = -1;
  self->saved_id = -1;
  self->so_far_id = -1;
  self->source = g_string_new (NULL);
  self->table = fh_output_log_new ();
  self->blocks = fh_block_runs_new ();
  self->attempts = fh_attempt_log_new ();
  self->started_at = g_date_time_new_now_utc ();
  self->begin = g_get_monotonic_time ();
}

FhSeriesRecord *
fh_series_record_new (FhSeries *series,
                      FhHistory *history,
                      FhRecordForm form,
                      const char *title,
                      const char *text)
{
  FhSeriesRecord *self;

  g_return_val_if_fail (FH_IS_SERIES (series), NULL);
  g_return_val_if_fail (history == NULL || FH_IS_HISTORY (history), NULL);
  g_return_val_if_fail ((text != NULL) == (form == FH_RECORD_ANSWER), NULL);

  self = g_object_new (FH_TYPE_SERIES_RECORD, NULL);
  self->series = g_object_ref (series);
  g_set_object (&self->history, history);
  self->form = form;
  self->options = fh_run_options_copy (fh_series_get_options (series));
  self->title = g_strdup (title);
  if (text != NULL)
    g_string_assign (self->source, text);
  g_signal_connect_object (series, "step-changed", G_CALLBACK (step_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (series, "notify::state", G_CALLBACK (state_cb), self, G_CONNECT_SWAPPED);
  return self;
}
