/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>

#include "command.h"
#include "json-guard.h"
#include "json-member.h"
#include "json-output.h"
#include "json-text.h"
#include "message.h"
#include "run-error.h"
#include "session-answer.h"
#include "session-command-line.h"
#include "session-lines.h"
#include "session-record.h"
#include "session.h"
#include "stop-signals.h"

/* Orders that wait. A caller that sends more without reading answers gets an error for each. */
#define MAX_QUEUE 1000

/* `run` and `order` are set while a cell runs. */
typedef struct
{
  const FhSessionCommandLine *line;
  GMainLoop *loop;
  FhSession *session;
  FhSessionRecord *record; /* nullable */
  GQueue orders;
  FhSessionOrder *order;
  FhRun *run;
  guint call;        /* that waits for its reply; 0: none */
  JsonArray *setup;  /* what a new interpreter does first */
  guint n_cells;     /* executed, for their names */
  gboolean was_used; /* the interpreter has run a cell */
  gboolean is_closing;
  int status;
} Command;

/* Takes the object. */
static void
tell (Command *self, JsonObject *object)
{
  if (!fh_print_json (object, FALSE))
    {
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

static GBytes *
to_bytes (JsonNode *node)
{
  char *text = fh_json_to_text (node, FALSE);

  return g_bytes_new_take (text, strlen (text));
}

static FhRunRequest *
new_request (Command *self, const FhSessionOrder *order, GError **error)
{
  const FhRunOptions *options = self->line->options;
  g_autoptr (JsonNode) cell_node = json_node_init_object (json_node_alloc (), order->cell);
  g_autoptr (JsonNode) setup_node = json_node_init_array (json_node_alloc (), self->setup);
  g_autoptr (GBytes) cell = to_bytes (cell_node);
  g_autoptr (GBytes) setup = to_bytes (setup_node);
  g_autoptr (GBytes) source = g_bytes_new (order->source, strlen (order->source));
  FhRunRequestInit init = {
    .language = fh_language_lookup ("python"),
    .source = source,
    .interpreter = options->interpreter,
    .limits = options->limits,
    .guards = &options->guards,
    .cell = cell,
    .setup = json_array_get_length (self->setup) > 0 ? setup : NULL,
  };

  if (order->wall_ms > 0)
    init.limits.wall_ms = order->wall_ms;
  return fh_run_request_new (&init, error);
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

/* The session is being closed, so no reply can come: the call fails. */
static void
refuse_call (Command *self)
{
  static const char text[] = "{\"error\": \"the session is being closed\"}";
  g_autoptr (GBytes) json = g_bytes_new_static (text, sizeof text - 1);
  const guint call = self->call;

  self->call = 0;
  if (self->run != NULL && call != 0)
    fh_run_reply (self->run, call, json);
}

/* The program calls a function that was declared. What it says is checked here, and not believed.
 */
static void
call_cb (FhRun *run, GBytes *json, Command *self)
{
  g_autoptr (JsonObject) call = fh_json_guard_parse (g_bytes_get_data (json, NULL),
                                                     g_bytes_get_size (json),
                                                     FH_RUN_MAX_ANSWER,
                                                     NULL);
  const char *name;
  guint64 number;
  JsonObject *object;

  if (call == NULL || !fh_json_get_string (call, "name", &name, NULL) ||
      !fh_json_get_number (call, "call", G_MAXUINT, &number, NULL) || number == 0 ||
      !json_object_has_member (call, "arguments"))
    return;
  self->call = (guint) number;
  object = fh_session_answer_new ("call", self->order);
  json_object_set_int_member (object, "call", (gint64) number);
  json_object_set_string_member (object, "name", name);
  json_object_set_member (object, "arguments", json_object_dup_member (call, "arguments"));
  tell (self, object);
  if (self->is_closing)
    refuse_call (self);
}

static void next (Command *self);

static void
keep_for_new_ones (Command *self, const FhSessionOrder *order)
{
  if (order->is_kept)
    json_array_add_object_element (self->setup, json_object_ref (order->cell));
}

/* A cell of a new interpreter, although there was one before: its variables are gone. */
static void
tell_if_restarted (Command *self, FhRun *run)
{
  const gboolean has_answered = fh_run_get_answer (run) != NULL;

  if (has_answered && self->was_used && fh_session_answer_get_number (run) == 1)
    {
      JsonObject *object = fh_session_answer_new ("restarted", self->order);

      json_object_set_string_member (object,
                                     "reason",
                                     _ ("The interpreter had ended. A new one was started: "
                                        "variables of earlier cells are gone."));
      tell (self, object);
    }
  self->was_used = has_answered;
}

static void
finished_cb (FhRun *run, GParamSpec *pspec, Command *self)
{
  g_autoptr (FhSessionOrder) order = NULL;
  FhRunResult *result = fh_run_get_result (run);

  if (result == NULL)
    return;
  tell_if_restarted (self, run);
  order = g_steal_pointer (&self->order);
  if (order->kind == FH_SESSION_EXECUTE && self->record != NULL)
    fh_session_record_add (self->record, fh_run_get_request (run), result);
  if (fh_run_result_get_status (result) == FH_RUN_STATUS_OK)
    keep_for_new_ones (self, order);
  tell (self, fh_session_answer_new_result (order, run, self->line->options->show_bytes));
  g_signal_handlers_disconnect_by_data (run, self);
  g_signal_handlers_disconnect_by_data (fh_run_get_attempts (run), self);
  g_clear_object (&self->run);
  self->call = 0;
  next (self);
}

static void
start (Command *self, FhSessionOrder *order)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhRunRequest) request = new_request (self, order, &error);

  if (request == NULL)
    {
      refuse (self, order, error->message);
      fh_session_order_free (order);
      next (self);
      return;
    }
  self->order = order;
  self->run = fh_session_run (self->session, request, NULL, FALSE);
  if (order->wants_output)
    g_signal_connect (self->run, "output", G_CALLBACK (output_cb), self);
  if (order->wants_attempts)
    g_signal_connect (fh_run_get_attempts (self->run),
                      "items-changed",
                      G_CALLBACK (attempts_cb),
                      self);
  g_signal_connect (self->run, "call", G_CALLBACK (call_cb), self);
  g_signal_connect (self->run, "notify::result", G_CALLBACK (finished_cb), self);
}

static void
set_name (Command *self, const FhSessionOrder *order)
{
  g_autofree char *name = g_strdup_printf ("<cell %u>", ++self->n_cells);

  json_object_set_string_member (order->cell, "name", name);
}

/* In a later turn of the main loop: the session has not yet seen the end of the last run. */
static gboolean
next_cb (gpointer user_data)
{
  Command *self = user_data;
  FhSessionOrder *order;

  if (self->order != NULL)
    return G_SOURCE_REMOVE;
  order = g_queue_pop_head (&self->orders);
  if (order == NULL)
    {
      if (self->is_closing)
        g_main_loop_quit (self->loop);
      return G_SOURCE_REMOVE;
    }
  if (order->cell != NULL)
    {
      if (order->kind == FH_SESSION_EXECUTE)
        set_name (self, order);
      start (self, order);
      return G_SOURCE_REMOVE;
    }
  fh_session_reset_cells (self->session);
  self->was_used = FALSE;
  tell_done (self, order, "done");
  fh_session_order_free (order);
  next (self);
  return G_SOURCE_REMOVE;
}

static void
next (Command *self)
{
  g_idle_add (next_cb, self);
}

static void
reply (Command *self, const FhSessionOrder *order)
{
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GBytes) json = NULL;

  if (self->run == NULL || self->call == 0 || order->call != self->call)
    {
      refuse (self, order, _ ("No call of this number waits for a reply."));
      return;
    }
  node = json_node_init_object (json_node_alloc (), order->reply);
  json = to_bytes (node);
  if (g_bytes_get_size (json) > FH_RUN_MAX_ANSWER)
    {
      refuse (self, order, _ ("The reply is too long."));
      return;
    }
  self->call = 0;
  fh_run_reply (self->run, order->call, json);
}

static void
interrupt (Command *self, const FhSessionOrder *order)
{
  if (self->run == NULL)
    {
      refuse (self, order, _ ("Nothing is running."));
      return;
    }
  fh_run_stop (self->run);
  tell_done (self, order, "done");
}

static void
close_down (Command *self)
{
  self->is_closing = TRUE;
  refuse_call (self);
  next (self);
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
  else if (g_queue_get_length (&self->orders) >= MAX_QUEUE)
    refuse (self, order, _ ("Too many orders are waiting."));
  else
    {
      g_queue_push_tail (&self->orders, g_steal_pointer (&order));
      next (self);
    }
}

static void
line_cb (const char *line, gsize size, gpointer user_data)
{
  Command *self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) message = NULL;
  FhSessionOrder *order = NULL;

  if (line != NULL && size == 0)
    return;
  if (line == NULL)
    fh_run_error_refuse (&error,
                         _ ("The line is longer than %u MiB."),
                         (guint) (FH_SESSION_LINE_MAX >> 20));
  else
    message = fh_json_guard_parse (line, size, FH_SESSION_LINE_MAX, &error);
  if (message != NULL)
    order = fh_session_order_new (message, &error);
  if (order != NULL)
    obey (self, order);
  else
    refuse_message (self, message, error->message);
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

  if (number == SIGINT && self->run != NULL)
    fh_run_stop (self->run);
  else if (number != 0)
    {
      self->status = 128 + number;
      g_main_loop_quit (self->loop);
    }
  return G_SOURCE_CONTINUE;
}

static void
converse (Command *self)
{
  g_autoptr (FhSessionLines) lines = NULL;
  guint source;

  fh_stop_signals_catch ();
  source = g_unix_fd_add (fh_stop_signals_get_fd (), G_IO_IN, signal_cb, self);
  lines = fh_session_lines_new (line_cb, end_cb, self);
  g_main_loop_run (self->loop);
  g_source_remove (source);
}

static void
clear (Command *self)
{
  if (self->run != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->run, self);
      g_signal_handlers_disconnect_by_data (fh_run_get_attempts (self->run), self);
    }
  g_clear_object (&self->run);
  fh_session_close (self->session);
  g_queue_clear_full (&self->orders, (GDestroyNotify) fh_session_order_free);
  g_clear_pointer (&self->order, fh_session_order_free);
  g_clear_pointer (&self->record, fh_session_record_free);
  json_array_unref (self->setup);
  g_object_unref (self->session);
  g_main_loop_unref (self->loop);
}

int
fh_command_session (int argc, char **argv)
{
  g_autoptr (FhSessionCommandLine) line = NULL;
  g_autoptr (GError) error = NULL;
  Command self = { .orders = G_QUEUE_INIT };

  line = fh_session_command_line_parse (argc, argv, &error);
  if (line == NULL)
    {
      fh_message_usage ("session", error);
      return FH_EXIT_NO_RUN;
    }
  self.line = line;
  self.loop = g_main_loop_new (NULL, FALSE);
  self.session = fh_session_new (NULL, NULL);
  self.setup = json_array_new ();
  if (!line->options->no_history)
    self.record = fh_session_record_new (line->options);
  converse (&self);
  if (self.record != NULL)
    fh_session_record_save (self.record);
  clear (&self);
  return self.status;
}
