/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <unistd.h>

#include "command-loop.h"
#include "command.h"
#include "json-guard.h"
#include "json-member.h"
#include "json-output.h"
#include "message.h"
#include "run-command-line.h"
#include "run-error.h"
#include "save-files.h"
#include "session-answer.h"
#include "session-lines.h"
#include "stop-signals.h"
#include "write-out.h"

typedef struct
{
  const FhRunCommandLine *line;
  GMainLoop *loop;
  FhExecutor *executor;
  FhRecorder *recorder;
  FhSeries *series;
  FhRun *run;            /* of the cell that runs; nullable */
  GHashTable *orders;    /* FhCell to its FhSessionOrder: those that run or wait */
  FhSessionOrder *order; /* of the cell that runs; nullable */
  int folder;            /* for the files of cells, or -1 */
  gboolean is_alive;     /* an interpreter has answered, and waits for its next cell */
  guint signals;         /* the source that hears them */
  guint n_signals;
  gboolean is_closing;
  gboolean is_unread; /* each further answer would wait for the reader again */
  int status;
} Command;

/* Takes the object. */
static void
tell (Command *self, JsonObject *object)
{
  if (!self->is_unread && !fh_print_json (object, FALSE))
    {
      self->is_unread = TRUE;
      self->status = FH_EXIT_UNREAD;
      g_main_loop_quit (self->loop);
    }
  json_object_unref (object);
}

static void
refuse (Command *self, const FhSessionOrder *order, const char *message)
{
  tell (self, fh_session_answer_new_error (order, message));
}

/* `message` is nullable: what came was not even an object. */
static void
refuse_message (Command *self, JsonObject *message, const char *why)
{
  JsonObject *object = fh_session_answer_new_error (NULL, why);

  if (message != NULL && json_object_has_member (message, "id"))
    json_object_set_member (object, "id", json_object_dup_member (message, "id"));
  tell (self, object);
}

static void
tell_done (Command *self, const FhSessionOrder *order, const char *type)
{
  JsonObject *object = fh_session_answer_new (type, order);

  json_object_set_boolean_member (object, "success", TRUE);
  tell (self, object);
}

static void
output_cb (FhRun *run, const FhOutputPiece *piece, Command *self)
{
  JsonObject *object = fh_session_answer_new ("output", self->order);
  g_autoptr (GBytes) bytes = g_bytes_new (piece->data, piece->size);

  json_object_set_string_member (object,
                                 "stream",
                                 piece->stream == FH_STREAM_STDERR ? "stderr" : "stdout");
  json_object_set_member (object, "data", fh_json_bytes_to_node (bytes));
  tell (self, object);
}

static void
attempts_cb (GListModel *attempts, guint position, guint removed, guint added, Command *self)
{
  for (guint i = position; i < position + added; i++)
    {
      FhAttempt *attempt = fh_attempt_log_get (FH_ATTEMPT_LOG (attempts), i);
      const FhAttemptFacts *facts = fh_attempt_get_facts (attempt);
      JsonObject *object = fh_session_answer_new ("attempt", self->order);

      json_object_set_string_member (object, "guard", fh_guard_to_string (facts->guard));
      json_object_set_string_member (object, "verdict", fh_verdict_to_string (facts->verdict));
      json_object_set_string_member (object, "operation", facts->operation);
      json_object_set_string_member (object, "object", facts->object);
      tell (self, object);
    }
}

static void
call_cb (FhSeries *series,
         FhStep *step,
         guint number,
         const char *name,
         JsonNode *arguments,
         Command *self)
{
  JsonObject *object = fh_session_answer_new ("call", self->order);

  json_object_set_int_member (object, "call", number);
  json_object_set_string_member (object, "name", name);
  json_object_set_member (object, "arguments", json_node_copy (arguments));
  tell (self, object);
}

static void
begin_step (Command *self, FhStep *step)
{
  FhRun *run = fh_step_get_run (step);

  g_set_object (&self->run, run);
  self->order = g_hash_table_lookup (self->orders, fh_step_get_cell (step));
  if (self->order->wants_output)
    g_signal_connect (run, "output", G_CALLBACK (output_cb), self);
  if (self->order->wants_attempts)
    g_signal_connect (fh_run_get_attempts (run), "items-changed", G_CALLBACK (attempts_cb), self);
}

static void
tell_restarted (Command *self, FhRun *run, const FhSessionOrder *order)
{
  g_autofree char *reason =
      g_strjoin (" ",
                 "The interpreter had ended. A new one was started: variables "
                 "of earlier cells are gone.",
                 fh_run_get_earlier_end (run),
                 NULL);
  JsonObject *object = fh_session_answer_new ("restarted", order);

  json_object_set_string_member (object, "reason", reason);
  tell (self, object);
}

/* The last cell is nobody's wish, but what it has to say must not get lost. */
static gboolean
says_something (FhCell *cell, FhRun *run)
{
  FhOutputLog *output = fh_run_result_get_parts (fh_run_get_result (run))->output;

  return fh_cell_get_kind (cell) != FH_CELL_END ||
         fh_output_log_get_total (output, FH_STREAM_STDOUT) > 0 ||
         fh_output_log_get_total (output, FH_STREAM_STDERR) > 0 ||
         g_list_model_get_n_items (G_LIST_MODEL (fh_run_get_files (run))) > 0 ||
         g_list_model_get_n_items (G_LIST_MODEL (fh_run_get_attempts (run))) > 0 ||
         fh_run_result_get_parts (fh_run_get_result (run))->outcome->status != FH_RUN_STATUS_OK;
}

static void
forget_run (Command *self)
{
  if (self->run != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->run, self);
      g_signal_handlers_disconnect_by_data (fh_run_get_attempts (self->run), self);
    }
  g_clear_object (&self->run);
  self->order = NULL;
}

static void
finish_run (Command *self, FhStep *step, const FhSessionOrder *order)
{
  FhRun *run = fh_step_get_run (step);
  FhCell *cell = fh_step_get_cell (step);
  const FhCellKind kind = fh_cell_get_kind (cell);

  self->is_alive = fh_step_get_answer (step) != NULL && kind != FH_CELL_END;
  if (fh_step_is_restarted (step))
    tell_restarted (self, run, order);
  if (self->folder >= 0 && (kind == FH_CELL_EXECUTE || kind == FH_CELL_END))
    fh_save_files (fh_run_get_files (run), self->folder);
  if (says_something (cell, run))
    tell (self, fh_session_answer_new_result (order, step, self->line->options->show_bytes));
  forget_run (self);
}

/* A step without a run was done in a call, is a reset, or the end of an interpreter that is not
 * there. */
static void
finish_step (Command *self, FhStep *step, const FhSessionOrder *order)
{
  if (fh_step_get_run (step) != NULL)
    {
      finish_run (self, step, order);
    }
  else if (fh_step_get_answer (step) != NULL)
    {
      tell (self, fh_session_answer_new_answer (order, fh_step_get_answer (step)));
    }
  else
    {
      self->is_alive = FALSE;
      if (fh_cell_get_kind (fh_step_get_cell (step)) != FH_CELL_END)
        tell_done (self, order, "done");
    }
}

static void close_if_idle (Command *self);

static void
step_cb (FhSeries *series, FhStep *step, Command *self)
{
  FhCell *cell = fh_step_get_cell (step);
  const FhSessionOrder *order = g_hash_table_lookup (self->orders, cell);
  const FhStepState state = fh_step_get_state (step);

  if (state == FH_STEP_RUNNING)
    {
      begin_step (self, step);
      return;
    }
  if (state == FH_STEP_FINISHED)
    finish_step (self, step, order);
  else if (state == FH_STEP_REFUSED)
    refuse (self, order, fh_step_get_note (step));
  else
    refuse (self, order, "The cell ended before this was done.");
  g_hash_table_remove (self->orders, cell);
  close_if_idle (self);
}

static void
reply (Command *self, const FhSessionOrder *order)
{
  g_autoptr (GError) error = NULL;

  if (!fh_series_reply (self->series, order->call, order->value, order->error, &error))
    refuse (self, order, error->message);
}

static void
interrupt (Command *self, const FhSessionOrder *order)
{
  if (fh_series_interrupt (self->series, NULL))
    tell_done (self, order, "done");
  else
    refuse (self, order, "Nothing is running.");
}

/* While a call waits for its reply, so does the cell: whoever answers the call and waits for
 * something that is done only after the cell would wait for ever. */
static void
push (Command *self, FhSessionOrder *order)
{
  g_autoptr (GError) error = NULL;
  FhCell *cell = order->cell;

  g_hash_table_insert (self->orders, cell, order);
  if (fh_series_has_call (self->series))
    fh_series_ask (self->series, cell, &error);
  else
    fh_series_push (self->series, cell, FALSE, &error);
  if (error == NULL)
    return;
  refuse (self, order, error->message);
  g_hash_table_remove (self->orders, cell);
}

static void
close_if_idle (Command *self)
{
  if (!self->is_closing || g_hash_table_size (self->orders) > 0)
    return;
  if (self->is_alive)
    push (self, fh_session_order_new_end ());
  self->is_alive = FALSE;
  if (g_hash_table_size (self->orders) == 0)
    g_main_loop_quit (self->loop);
}

/* After what was asked for before. */
static void
close_down (Command *self)
{
  self->is_closing = TRUE;
  fh_series_refuse_calls (self->series, "the session is being closed");
  close_if_idle (self);
}

static void
obey (Command *self, FhSessionOrder *taken)
{
  g_autoptr (FhSessionOrder) order = taken;

  if (order->kind == FH_SESSION_REPLY)
    reply (self, order);
  else if (order->kind == FH_SESSION_INTERRUPT)
    interrupt (self, order);
  else if (order->kind == FH_SESSION_CLOSE)
    close_down (self);
  else if (self->is_closing)
    refuse (self, order, "The session is being closed.");
  else
    {
      if (order->kind == FH_SESSION_CELL && fh_cell_get_kind (order->cell) == FH_CELL_RESET &&
          !fh_series_has_call (self->series))
        push (self, fh_session_order_new_end ());
      push (self, g_steal_pointer (&order));
    }
}

static void
line_cb (const char *line, gsize size, gpointer user_data)
{
  Command *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) message = NULL;
  g_autofree char *fault = NULL;
  FhSessionOrder *order = NULL;

  if ((line != NULL && size == 0) || self->is_unread)
    return;
  if (line == NULL)
    fh_run_error_refuse (&error,
                         "The line is longer than %u MiB.",
                         (guint) (FH_SESSION_LINE_MAX >> 20));
  else
    message = fh_json_guard_parse (line, size, FH_SESSION_LINE_MAX, &error);
  if (message != NULL)
    order = fh_session_order_new (message, &error);
  else if (line != NULL)
    message = fh_json_guard_parse_rest (line, size, FH_SESSION_LINE_MAX, &fault);
  if (order != NULL)
    obey (self, order);
  else
    refuse_message (self, message, fault != NULL ? fault : error->message);
}

static void
end_cb (gpointer user_data)
{
  close_down (user_data);
}

static gboolean
signal_cb (int fd, GIOCondition condition, gpointer user_data)
{
  Command *self = user_data;
  const int number = fh_stop_signals_take ();

  if (number == SIGINT && fh_series_interrupt (self->series, NULL))
    return G_SOURCE_CONTINUE;
  if (number == 0)
    return G_SOURCE_CONTINUE;
  self->status = 128 + number;
  self->n_signals++;
  g_main_loop_quit (self->loop);
  return G_SOURCE_CONTINUE;
}

static void
converse (Command *self)
{
  g_autoptr (FhSessionLines) lines = NULL;

  fh_stop_signals_catch_interrupts ();
  fh_write_out_watch_input ();
  self->signals = g_unix_fd_add (fh_stop_signals_get_fd (), G_IO_IN, signal_cb, self);
  lines = fh_session_lines_new (line_cb, end_cb, self);
  g_main_loop_run (self->loop);
  /* An answer that nobody read may have ended the loop before the signal could. */
  signal_cb (-1, 0, self);
}

static void
saved_cb (FhRecorder *recorder,
          FhSeries *series,
          FhStep *step,
          gint64 id,
          const char *problem,
          Command *self)
{
  if (problem != NULL)
    fh_message (_ ("This session is not in the history: %s"), problem);
}

static void
begin (Command *self, FhHistory *history)
{
  self->executor = fh_executor_new (NULL);
  self->series =
      fh_series_new_session (self->executor, self->line->options, FH_AFTER_FAILURE_GO_ON);
  self->recorder = fh_recorder_new (history);
  fh_recorder_follow (self->recorder, self->series, FH_RECORD_SESSION, NULL, NULL, NULL);
  g_signal_connect (self->recorder, "saved", G_CALLBACK (saved_cb), self);
  g_signal_connect (self->series, "step-changed", G_CALLBACK (step_cb), self);
  g_signal_connect (self->series, "call", G_CALLBACK (call_cb), self);
  fh_series_start (self->series);
}

/* The history may be busy. A second signal does not wait for it. */
static void
save (Command *self)
{
  /* If there is nothing to save, this is known at once. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  while (fh_recorder_get_busy (self->recorder) && self->n_signals < 2)
    g_main_context_iteration (NULL, TRUE);
  if (fh_recorder_get_busy (self->recorder))
    fh_message (_ ("This ended before the history had kept everything: runs or sessions may be "
                   "missing there."));
}

static void
finish (Command *self)
{
  g_signal_handlers_disconnect_by_data (self->series, self);
  forget_run (self);
  fh_command_loop_end (self->executor, self->series);
  save (self);
  g_source_remove (self->signals);
}

static void
clear (Command *self)
{
  g_object_unref (self->recorder);
  g_object_unref (self->series);
  g_hash_table_unref (self->orders);
  if (self->folder >= 0)
    close (self->folder);
  g_object_unref (self->executor);
  g_main_loop_unref (self->loop);
}

int
fh_command_session (int argc, char **argv)
{
  g_autoptr (FhRunCommandLine) line = NULL;
  g_autoptr (FhHistory) history = NULL;
  g_autoptr (GError) error = NULL;
  Command self = { .folder = -1 };

  line = fh_run_command_line_parse_session (argv, &error);
  if (line != NULL && line->save_files != NULL)
    self.folder = fh_save_files_open (line->save_files, &error);
  if (error != NULL)
    {
      fh_message_usage ("session", error);
      return FH_EXIT_NO_RUN;
    }
  self.line = line;
  self.loop = g_main_loop_new (NULL, FALSE);
  self.orders = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) fh_session_order_free);
  history = fh_history_new (NULL);
  begin (&self, history);
  converse (&self);
  finish (&self);
  clear (&self);
  return self.status;
}
