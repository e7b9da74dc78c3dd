/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "window/session-mode.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "json-member.h"
#include "output/output-sources.h"
#include "parts/calls.h"
#include "parts/run-labels.h"

#define BOTH (FH_STREAM_STDOUT | FH_STREAM_STDERR)

/* More than anyone runs by hand. */
#define MAX_WAITING 1000

/* Characters. */
#define MAX_HEADING 80

/* `current` and `section` are set while the code of a cell runs. */
struct _FhSessionMode
{
  GObject parent_instance;

  FhExecutor *executor;
  FhOptions *options;
  FhEditorCells *editor;
  FhOutputView *output;
  FhOldSeriesRecord *record; /* nullable */
  FhCells *cells;

  GQueue waiting; /* (element-type FhCellCode) */
  FhCell *current;
  guint line; /* of the current one */
  FhOutputSection *section;
  FhRun *run;       /* of the last one */
  guint n_cells;    /* as FhCells counts them */
  guint is_new : 1; /* nothing was shown yet */
  guint is_closed : 1;
};

enum
{
  SIGNAL_STARTED,
  SIGNAL_FINISHED,
  SIGNAL_FAILED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];
static GParamSpec *n_waiting_property;

G_DEFINE_FINAL_TYPE (FhSessionMode, fh_session_mode, G_TYPE_OBJECT)

static void
notify_waiting (FhSessionMode *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), n_waiting_property);
}

static void
tell_failure (FhSessionMode *self, const char *sentence)
{
  g_signal_emit (self, signals[SIGNAL_FAILED], 0, sentence);
}

/* With the options as they are now. */
static gboolean
push (FhSessionMode *self, FhCell *cell, GError **error)
{
  g_autoptr (FhRunOptions) values = NULL;
  g_autofree char *problem = NULL;

  g_object_get (self->options, "problem", &problem, NULL);
  if (problem != NULL)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, problem);
      return FALSE;
    }
  values = fh_options_dup_run_values (self->options);
  fh_cells_set_options (self->cells, values);
  return fh_cells_push (self->cells, cell, error);
}

static guint
drop_waiting (FhSessionMode *self)
{
  const guint n = g_queue_get_length (&self->waiting);

  g_queue_clear_full (&self->waiting, (GDestroyNotify) fh_cell_code_free);
  notify_waiting (self);
  return n;
}

/* Starts the next cell, unless one runs. */
static void
next (FhSessionMode *self)
{
  g_autoptr (FhCellCode) code = NULL;
  g_autoptr (FhCell) cell = NULL;
  g_autoptr (GError) error = NULL;

  if (self->current != NULL || g_queue_is_empty (&self->waiting))
    return;
  code = g_queue_pop_head (&self->waiting);
  cell = fh_cell_new_execute (code->code, &error);
  if (cell == NULL || !push (self, cell, &error))
    {
      drop_waiting (self);
      tell_failure (self, error->message);
      return;
    }
  self->current = g_steal_pointer (&cell);
  self->line = code->line;
  /* Only now: in between the session would seem to have nothing to do. */
  notify_waiting (self);
}

/* Its title, or its first line. */
static char *
dup_heading (const char *code, guint number)
{
  g_autofree char *first = NULL;
  const char *title;

  code += strspn (code, " \t\r\n");
  title = code + strspn (code, "# \t");
  if (g_str_has_prefix (title, "%%"))
    {
      title += strspn (title, "% \t");
      code = title + strspn (title, "\r\n");
      if (strcspn (title, "\r\n") > 0)
        code = title;
    }
  code += strspn (code, " \t\r\n");
  /* A line of any length, cut between characters. */
  first = g_utf8_substring (code, 0, MIN (g_utf8_strlen (code, -1), MAX_HEADING));
  first[strcspn (first, "\r\n")] = '\0';
  return g_strdup_printf ("[%u] %s", number, first);
}

static void
begin_section (FhSessionMode *self, FhRun *run)
{
  g_autofree char *heading = NULL;

  self->n_cells++;
  heading = dup_heading (fh_cell_get_source (self->current), self->n_cells);
  if (self->is_new)
    {
      g_autoptr (GPtrArray) sources = fh_output_sources_new ();

      fh_output_sources_add (sources, FH_TRACEBACK_CELL, 0);
      fh_output_view_begin_session (self->output, sources);
    }
  self->is_new = FALSE;
  self->section = fh_output_section_new (heading, run);
  fh_editor_cells_mark (self->editor, self->n_cells, self->line);
  fh_output_view_add_section (self->output, self->section);
}

static void
end_section (FhSessionMode *self, FhCellMark mark)
{
  fh_output_section_end (self->section);
  g_clear_object (&self->section);
  g_clear_object (&self->current);
  fh_editor_cells_set_mark (self->editor, self->n_cells, mark);
}

static void
started_cb (FhSessionMode *self, FhCell *cell, FhRun *run)
{
  if (cell != self->current)
    return;
  g_set_object (&self->run, run);
  begin_section (self, run);
  g_signal_emit (self, signals[SIGNAL_STARTED], 0, run);
}

/* Why there will be no later one. */
static void
say_dropped (FhSessionMode *self)
{
  const guint n = drop_waiting (self);
  g_autofree char *text = NULL;

  if (n == 0)
    return;
  text = g_strdup_printf (
      ngettext ("%u cell that waited does not run.", "%u cells that waited do not run.", n),
      n);
  fh_output_section_say (self->section, BOTH, FH_OUTPUT_TAG_ENDING, text);
}

static void
refused_cb (FhSessionMode *self, FhCell *cell, const char *message)
{
  if (cell == self->current)
    {
      begin_section (self, NULL);
      fh_output_section_say (self->section, BOTH, FH_OUTPUT_TAG_ENDING, message);
      say_dropped (self);
      end_section (self, FH_CELL_MARK_FAILED);
    }
  tell_failure (self, message);
}

static void
restarted_cb (FhSessionMode *self, FhCell *cell, const char *why)
{
  g_autofree char *text = g_strjoin (" ",
                                     _ ("The interpreter had ended. A new one was started: "
                                        "variables of earlier cells are gone."),
                                     why,
                                     NULL);

  if (cell == self->current)
    fh_output_section_say (self->section, BOTH, FH_OUTPUT_TAG_ENDING, text);
  else
    tell_failure (self, text);
}

/* All of it is the program's, and shown as text. */
static void
say_answer (FhSessionMode *self, JsonObject *answer)
{
  const char *text = NULL;
  guint64 length = 0;

  if (fh_json_get_string (answer, "value", &text, NULL))
    {
      fh_output_section_say (self->section, FH_STREAM_STDOUT, FH_OUTPUT_TAG_VALUE, text);
      fh_json_get_number (answer, "value_length", G_MAXINT64, &length, NULL);
      if ((gint64) length > g_utf8_strlen (text, -1))
        {
          g_autofree char *note = g_strdup_printf (
              /* Translators: of a value, which is longer than what is shown */
              _ ("[… %" PRIu64 " characters in all …]"),
              length);

          fh_output_section_say (self->section, FH_STREAM_STDOUT, FH_OUTPUT_TAG_ENDING, note);
        }
    }
  if (fh_json_get_string (answer, "exception", &text, NULL))
    fh_output_section_say (self->section, BOTH, FH_OUTPUT_TAG_STDERR, text);
}

/* Whether the variables are still there is what people want to know. */
static void
say_ending (FhSessionMode *self, FhRun *run)
{
  FhRunResult *result = fh_run_get_result (run);
  const FhRunOutcome *outcome = fh_run_result_get_outcome (result);
  g_autofree char *time = fh_run_label_elapsed (outcome->wall_us);
  /* Translators: how a cell ended, and how long it took */
  const char *sentence = fh_run_result_get_sentence (result);
  g_autofree char *ending = NULL;

  /* The exception stands above. */
  if (outcome->status == FH_RUN_STATUS_FAILED && fh_run_get_answer (run) != NULL)
    sentence = _ ("Failed.");
  /* Translators: how a cell ended, and how long it took */
  ending = g_strdup_printf (_ ("%s (%s)"), sentence, time);
  fh_output_section_say (self->section, BOTH, FH_OUTPUT_TAG_ENDING, ending);
  if (fh_run_get_answer (run) == NULL && fh_run_outcome_has_run (outcome))
    fh_output_section_say (self->section,
                           BOTH,
                           FH_OUTPUT_TAG_ENDING,
                           _ ("The session has ended: its variables are gone. The next cell "
                              "starts a new one."));
  else if (outcome->status != FH_RUN_STATUS_OK && outcome->status != FH_RUN_STATUS_FAILED &&
           fh_run_get_answer (run) != NULL)
    fh_output_section_say (self->section,
                           BOTH,
                           FH_OUTPUT_TAG_ENDING,
                           _ ("The session goes on: its variables are still there."));
}

static void
finished_cb (FhSessionMode *self, FhCell *cell, FhRun *run)
{
  g_autoptr (JsonObject) answer = run != NULL ? fh_cells_dup_answer (run) : NULL;
  gboolean is_good;

  if (cell != self->current)
    return;
  is_good = fh_run_result_get_status (fh_run_get_result (run)) == FH_RUN_STATUS_OK;
  if (answer != NULL)
    say_answer (self, answer);
  say_ending (self, run);
  if (!is_good)
    say_dropped (self);
  end_section (self, is_good ? FH_CELL_MARK_DONE : FH_CELL_MARK_FAILED);
  g_signal_emit (self, signals[SIGNAL_FINISHED], 0, run, answer);
  next (self);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!fh_old_series_record_save_finish (FH_OLD_SERIES_RECORD (source), result, &error))
    g_warning ("A session is not in the history: %s", error->message);
}

void
fh_session_mode_close (FhSessionMode *self)
{
  g_return_if_fail (FH_IS_SESSION_MODE (self));

  if (self->is_closed)
    return;
  self->is_closed = TRUE;
  g_queue_clear_full (&self->waiting, (GDestroyNotify) fh_cell_code_free);
  g_signal_handlers_disconnect_by_data (self->cells, self);
  fh_cells_clear (self->cells);
  if (self->current != NULL && self->section != NULL)
    end_section (self, FH_CELL_MARK_FAILED);
  fh_cells_close (g_steal_pointer (&self->cells), self->executor);
  if (self->record != NULL)
    fh_old_series_record_save_async (self->record, saved_cb, NULL);
  g_clear_object (&self->record);
}

static void
fh_session_mode_dispose (GObject *object)
{
  FhSessionMode *self = FH_SESSION_MODE (object);

  fh_session_mode_close (self);
  g_clear_object (&self->current);
  g_clear_object (&self->section);
  g_clear_object (&self->run);
  g_clear_object (&self->executor);
  g_clear_object (&self->options);
  g_clear_object (&self->editor);
  g_clear_object (&self->output);
  G_OBJECT_CLASS (fh_session_mode_parent_class)->dispose (object);
}

static void
fh_session_mode_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_uint (value, g_queue_get_length (&FH_SESSION_MODE (object)->waiting));
}

static void
fh_session_mode_class_init (FhSessionModeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = fh_session_mode_dispose;
  object_class->get_property = fh_session_mode_get_property;
  n_waiting_property = g_param_spec_uint ("n-waiting", NULL, NULL, 0, G_MAXUINT, 0, FH_PARAM_READ);
  g_object_class_install_property (object_class, 1, n_waiting_property);
  signals[SIGNAL_STARTED] = fh_signal_new ("started", type, 1, FH_TYPE_RUN);
  signals[SIGNAL_FINISHED] = fh_signal_new ("finished", type, 2, FH_TYPE_RUN, JSON_TYPE_OBJECT);
  signals[SIGNAL_FAILED] = fh_signal_new ("failed", type, 1, G_TYPE_STRING);
}

static void
fh_session_mode_init (FhSessionMode *self)
{
  self->is_new = TRUE;
}

FhSessionMode *
fh_session_mode_new (FhExecutor *executor,
                     FhOptions *options,
                     FhEditorCells *editor,
                     FhOutputView *output,
                     FhHistory *history)
{
  g_autoptr (FhRunOptions) values = NULL;
  FhSessionMode *self;

  g_return_val_if_fail (FH_IS_EXECUTOR (executor) && FH_IS_OPTIONS (options), NULL);
  g_return_val_if_fail (FH_IS_EDITOR_CELLS (editor) && FH_IS_OUTPUT_VIEW (output), NULL);

  self = g_object_new (FH_TYPE_SESSION_MODE, NULL);
  self->executor = g_object_ref (executor);
  self->options = g_object_ref (options);
  self->editor = g_object_ref (editor);
  self->output = g_object_ref (output);
  values = fh_options_dup_run_values (options);
  if (history != NULL)
    self->record = fh_old_series_record_new (history, values);
  self->cells = fh_cells_new (executor, self->record);
  fh_cells_set_options (self->cells, values);
  fh_connect (self->cells, "started", started_cb, self);
  fh_connect (self->cells, "finished", finished_cb, self);
  fh_connect (self->cells, "restarted", restarted_cb, self);
  fh_connect (self->cells, "refused", refused_cb, self);
  return self;
}

void
fh_session_mode_run (FhSessionMode *self, const FhCellCode *code)
{
  FhCellCode *copy;

  g_return_if_fail (FH_IS_SESSION_MODE (self));
  g_return_if_fail (code != NULL);

  if (g_queue_get_length (&self->waiting) >= MAX_WAITING)
    {
      tell_failure (self, _ ("Too many cells are waiting."));
      return;
    }
  copy = g_new (FhCellCode, 1);
  copy->code = g_strdup (code->code);
  copy->line = code->line;
  g_queue_push_tail (&self->waiting, copy);
  notify_waiting (self);
  next (self);
}

void
fh_session_mode_push (FhSessionMode *self, FhCell *cell)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (FH_IS_SESSION_MODE (self));
  g_return_if_fail (FH_IS_CELL (cell));

  if (!push (self, cell, &error))
    tell_failure (self, error->message);
}

void
fh_session_mode_stop (FhSessionMode *self)
{
  g_return_if_fail (FH_IS_SESSION_MODE (self));

  if (self->section != NULL)
    say_dropped (self);
  else
    drop_waiting (self);
  fh_cells_interrupt (self->cells);
}

void
fh_session_mode_reset (FhSessionMode *self)
{
  g_autoptr (FhCell) end = fh_cell_new_end ();
  g_autoptr (FhCell) cell = fh_cell_new_reset ();

  g_return_if_fail (FH_IS_SESSION_MODE (self));

  fh_session_mode_stop (self);
  fh_session_mode_push (self, end);
  fh_session_mode_push (self, cell);
}

FhCells *
fh_session_mode_get_cells (FhSessionMode *self)
{
  g_return_val_if_fail (FH_IS_SESSION_MODE (self), NULL);

  return self->cells;
}

FhRun *
fh_session_mode_get_run (FhSessionMode *self)
{
  g_return_val_if_fail (FH_IS_SESSION_MODE (self), NULL);

  return self->run;
}

gboolean
fh_session_mode_is_busy (FhSessionMode *self)
{
  g_return_val_if_fail (FH_IS_SESSION_MODE (self), FALSE);

  return self->current != NULL || !g_queue_is_empty (&self->waiting);
}
