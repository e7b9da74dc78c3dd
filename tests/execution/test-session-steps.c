/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of a session, around a backend that answers what the test says. */
#include <string.h>

#include "json-guard.h"
#include "run-driver.h"
#include "series-private.h"
#include "series-room.h"

static void
set_up (SeriesRoom *room, gconstpointer data)
{
  series_room_set_up (room, data);
  series_room_new_session (room, FH_AFTER_FAILURE_GO_ON);
  series_room_start (room);
  g_assert_cmpuint (fh_series_get_state (room->series), ==, FH_SERIES_READY);
}

static char *
dup_text (GBytes *bytes)
{
  return bytes != NULL ? g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes))
                       : g_strdup ("");
}

static char *
dup_order (SeriesRoom *room)
{
  return dup_text (
      fh_run_request_get_parts (fh_run_get_request (fake_backend_get_run (room->backend)))->cell);
}

static char *
dup_setup (SeriesRoom *room)
{
  return dup_text (
      fh_run_request_get_parts (fh_run_get_request (fake_backend_get_run (room->backend)))->setup);
}

static void
test_one_after_the_other (SeriesRoom *room, gconstpointer data)
{
  g_autofree char *first = NULL, *second = NULL;

  series_room_execute (room, "x = 1");
  series_room_execute (room, "x");
  g_assert_cmpuint (fh_series_get_state (room->series), ==, FH_SERIES_RUNNING);
  series_room_await (room, "1s");
  g_assert_cmpuint (fh_series_get_n_waiting (room->series), ==, 1);
  g_assert_cmpuint (fake_backend_get_n_runs (room->backend), ==, 1);
  first = dup_order (room);
  g_assert_nonnull (strstr (first, "<cell 1>"));
  series_room_succeed (room, 1);
  series_room_await (room, "1s1f2s");
  second = dup_order (room);
  g_assert_nonnull (strstr (second, "<cell 2>"));
  series_room_succeed (room, 2);
  series_room_await (room, "1s1f2s2f");
  g_assert_cmpint (json_object_get_int_member (fh_step_get_answer (room->step), "cell"), ==, 2);
  g_assert_false (fh_step_has_failed (room->step));
  g_assert_cmpstr (room->states->str, ==, "RY");
}

static void
test_kept (SeriesRoom *room, gconstpointer data)
{
  g_autoptr (JsonNode) one = json_node_init_string (json_node_alloc (), "first");
  g_autoptr (JsonNode) other = json_node_init_string (json_node_alloc (), "second");
  g_autofree char *before = NULL, *after = NULL;

  series_room_push (room, fh_cell_new_set (FH_CELL_CONTEXT, one, TRUE, NULL));
  series_room_await (room, "s");
  before = dup_setup (room);
  g_assert_cmpstr (before, ==, "");
  series_room_succeed (room, 1);
  series_room_push (room, fh_cell_new_set (FH_CELL_CONTEXT, other, TRUE, NULL));
  series_room_await (room, "sfs");
  series_room_succeed (room, 2);
  series_room_push (room, fh_cell_new_set ("passing", other, FALSE, NULL));
  series_room_await (room, "sfsfs");
  series_room_succeed (room, 3);
  series_room_push (room, fh_cell_new_set ("failed", other, TRUE, NULL));
  series_room_await (room, "sfsfsfs");
  series_room_answer (room, "{\"success\": false, \"cell\": 4}");
  series_room_push (room, fh_cell_new_reset ());
  series_room_push (room, fh_cell_new_list (FALSE));
  series_room_await (room, "sfsfsfsffs");
  after = dup_setup (room);
  g_assert_nonnull (strstr (after, "second"));
  g_assert_null (strstr (after, "first"));
  g_assert_null (strstr (after, "passing"));
  g_assert_null (strstr (after, "failed"));
  series_room_succeed (room, 1);
  series_room_await (room, "sfsfsfsffsf");
  /* It was asked for, so that it is not told. */
  g_assert_false (fh_step_is_restarted (room->step));
  /* All of these are silent. */
  g_assert_cmpstr (room->states->str, ==, "");
  g_assert_null (fh_series_get_step (room->series));
}

static void
test_restarted (SeriesRoom *room, gconstpointer data)
{
  series_room_execute (room, "x = 1");
  series_room_await (room, "1s");
  series_room_succeed (room, 1);
  g_assert_false (fh_step_is_restarted (room->step));
  series_room_execute (room, "x");
  series_room_await (room, "1s1f2s");
  series_room_succeed (room, 1);
  series_room_await (room, "1s1f2s2f");
  g_assert_true (fh_step_is_restarted (room->step));
  /* The interpreter ends: that the next one is new is no surprise any more. */
  series_room_execute (room, "exit ()");
  series_room_await (room, "1s1f2s2f3s");
  series_room_answer (room, NULL);
  g_assert_null (fh_step_get_answer (room->step));
  series_room_execute (room, "x");
  series_room_await (room, "1s1f2s2f3s3f4s");
  series_room_succeed (room, 1);
  g_assert_false (fh_step_is_restarted (room->step));
}

/* What was sent to the cell that runs. */
typedef struct
{
  guint n_refused; /* calls that are none */
  JsonObject *reply;
} Sent;

static void
reply_cb (FhRun *run, guint number, GBytes *json, Sent *sent)
{
  sent->n_refused += number == 0;
  g_assert_true (number == 0 || number == 7);
  g_clear_pointer (&sent->reply, json_object_unref);
  sent->reply =
      fh_json_guard_parse (g_bytes_get_data (json, NULL), g_bytes_get_size (json), 1000, NULL);
}

static void
listen (SeriesRoom *room, Sent *sent)
{
  g_signal_connect (fake_backend_get_run (room->backend), "reply", G_CALLBACK (reply_cb), sent);
}

static void
call (SeriesRoom *room, const char *json)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (json, strlen (json));

  fh_run_call (fake_backend_get_run (room->backend), bytes);
}

static const char good_call[] = "{\"call\": 7, \"name\": \"ask\", \"arguments\": {}}";

static void
test_calls (SeriesRoom *room, gconstpointer data)
{
  static const char *const bad[] = {
    "",
    "[]",
    "{\"call\": 0, \"name\": \"ask\", \"arguments\": {}}",
    "{\"call\": -1, \"name\": \"ask\", \"arguments\": {}}",
    "{\"call\": 7, \"name\": 1, \"arguments\": {}}",
    "{\"call\": 7, \"name\": \"ask\"}",
  };
  g_autoptr (JsonNode) value = json_node_init_int (json_node_alloc (), 42);
  g_autoptr (GError) error = NULL;
  Sent sent = { 0 };

  series_room_push (room, fh_cell_new_declare ("ask", "question", NULL, NULL, NULL));
  series_room_await (room, "s");
  listen (room, &sent);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    call (room, bad[i]);
  /* Its time would not count while a call waits. */
  g_assert_cmpuint (sent.n_refused, ==, G_N_ELEMENTS (bad));
  g_assert_cmpstr (room->told->str, ==, "s");
  g_assert_false (fh_series_reply (room->series, 7, value, NULL, &error));
  g_assert_nonnull (error);
  call (room, good_call);
  g_assert_false (fh_series_reply (room->series, 8, value, NULL, NULL));
  g_assert_true (fh_series_reply (room->series, 7, value, NULL, NULL));
  g_assert_cmpint (json_object_get_int_member (sent.reply, "value"), ==, 42);
  /* Once. */
  g_assert_false (fh_series_reply (room->series, 7, value, NULL, NULL));
  call (room, good_call);
  fh_series_refuse_calls (room->series, "closed");
  g_assert_cmpstr (json_object_get_string_member (sent.reply, "error"), ==, "closed");
  g_clear_pointer (&sent.reply, json_object_unref);
  call (room, good_call);
  g_assert_cmpstr (json_object_get_string_member (sent.reply, "error"), ==, "closed");
  series_room_succeed (room, 1);
  series_room_await (room, "sccf");
  g_clear_pointer (&sent.reply, json_object_unref);
}

static void
declare (SeriesRoom *room)
{
  g_autoptr (FhCell) cell = fh_cell_new_declare ("ask", "question", NULL, NULL, NULL);

  fh_series_note_function (room->series, cell);
}

/* A program can call what nobody has declared. */
static void
test_unanswered_call (SeriesRoom *room, gconstpointer data)
{
  Sent sent = { 0 };

  series_room_execute (room, "ask ()");
  series_room_await (room, "1s");
  listen (room, &sent);
  for (guint i = 0; i < 2; i++)
    {
      call (room, good_call);
      g_assert_false (fh_series_has_call (room->series));
      g_assert_nonnull (sent.reply);
      g_assert_cmpstr (json_object_get_string_member (sent.reply, "error"),
                       ==,
                       "nobody answers this function");
      g_clear_pointer (&sent.reply, json_object_unref);
      /* Nor is there an answer where it was declared, but nobody listens. */
      declare (room);
      g_signal_handlers_disconnect_matched (room->series,
                                            G_SIGNAL_MATCH_ID | G_SIGNAL_MATCH_DATA,
                                            g_signal_lookup ("call", FH_TYPE_SERIES),
                                            0,
                                            NULL,
                                            NULL,
                                            room);
    }
  series_room_succeed (room, 1);
  series_room_await (room, "1s1f");
}

static FhStep *
ask (SeriesRoom *room, FhCell *taken)
{
  g_autoptr (FhCell) cell = taken;
  g_autoptr (GError) error = NULL;
  FhStep *step = fh_series_ask (room->series, cell, &error);

  g_assert_true ((step == NULL) == (error != NULL));
  return step;
}

static gboolean
was_sent (const Sent *sent, const char *member)
{
  return sent->reply != NULL && json_object_has_member (sent->reply, member);
}

static const char answered[] = "{\"call\": 7, \"answer\": {\"success\": true}}";

static void
test_asked_in_a_call (SeriesRoom *room, gconstpointer data)
{
  static const char other[] = "{\"call\": 6, \"answer\": {\"success\": true}}";
  g_autoptr (JsonNode) value = json_node_init_int (json_node_alloc (), 42);
  Sent sent = { 0 };
  FhStep *step;

  declare (room);
  series_room_execute (room, "ask ()");
  series_room_await (room, "1s");
  listen (room, &sent);
  g_assert_false (fh_series_has_call (room->series));
  call (room, answered);
  g_assert_cmpuint (sent.n_refused, ==, 1);
  call (room, good_call);
  g_assert_true (fh_series_has_call (room->series));
  g_assert_null (ask (room, fh_cell_new_execute ("1", NULL)));
  g_assert_null (ask (room, fh_cell_new_reset ()));
  step = ask (room, fh_cell_new_get ("x", 0, 10, NULL));
  g_assert_cmpuint (fh_step_get_state (step), ==, FH_STEP_RUNNING);
  g_assert_true (was_sent (&sent, "order"));
  g_assert_nonnull (ask (room, fh_cell_new_list (FALSE)));
  /* The reply waits until both are done. */
  g_assert_true (fh_series_reply (room->series, 7, value, NULL, NULL));
  g_assert_false (fh_series_has_call (room->series));
  g_assert_false (was_sent (&sent, "value"));
  call (room, other);
  g_assert_cmpuint (sent.n_refused, ==, 2);
  call (room, answered);
  g_assert_cmpstr (room->told->str, ==, "1scf");
  g_assert_cmpint (fh_cell_get_kind (fh_step_get_cell (room->step)), ==, FH_CELL_GET);
  g_assert_true (json_object_get_boolean_member (fh_step_get_answer (room->step), "success"));
  g_assert_true (was_sent (&sent, "order"));
  call (room, answered);
  g_assert_true (was_sent (&sent, "value"));
  call (room, answered);
  g_assert_cmpuint (sent.n_refused, ==, 3);
  /* Another call, and then the end, come before what was asked is done. */
  call (room, good_call);
  g_assert_nonnull (ask (room, fh_cell_new_list (FALSE)));
  call (room, good_call);
  g_assert_nonnull (ask (room, fh_cell_new_list (FALSE)));
  g_assert_true (fh_series_reply (room->series, 7, value, NULL, NULL));
  series_room_answer (room, NULL);
  series_room_await (room, "1scffc-c-1f");
  g_assert_cmpstr (room->states->str, ==, "RY");
  g_clear_pointer (&sent.reply, json_object_unref);
}

/* What is kept is kept also if it was asked for in a call. */
static void
test_kept_in_a_call (SeriesRoom *room, gconstpointer data)
{
  g_autoptr (JsonNode) value = json_node_init_string (json_node_alloc (), "something");
  g_autofree char *setup = NULL;

  declare (room);
  series_room_execute (room, "ask ()");
  series_room_await (room, "1s");
  call (room, good_call);
  g_assert_nonnull (ask (room, fh_cell_new_set ("x", value, TRUE, NULL)));
  call (room, answered);
  series_room_succeed (room, 1);
  series_room_execute (room, "x");
  series_room_await (room, "1scf1f2s");
  setup = dup_setup (room);
  g_assert_nonnull (strstr (setup, "something"));
}

/* A listener of the call ends the session. */
static void
close_cb (FhSeries *series, FhStep *step, guint number)
{
  fh_series_close (series);
}

static void
test_closed_in_a_call (SeriesRoom *room, gconstpointer data)
{
  declare (room);
  series_room_execute (room, "ask ()");
  series_room_await (room, "1s");
  g_signal_connect (room->series, "call", G_CALLBACK (close_cb), NULL);
  call (room, good_call);
  series_room_await (room, "1sc1f.");
  g_assert_false (fh_series_has_call (room->series));
}

static void
test_queue (SeriesRoom *room, gconstpointer data)
{
  g_autoptr (FhCell) cell = fh_cell_new_execute ("x", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (fh_series_interrupt (room->series, NULL));
  series_room_execute (room, "x = 1");
  series_room_await (room, "1s");
  while (fh_series_push (room->series, cell, FALSE, &error) != NULL)
    g_assert_cmpuint (fh_series_get_n_waiting (room->series), <=, 1000);
  g_assert_cmpuint (fh_series_get_n_waiting (room->series), ==, 1000);
  g_assert_cmpstr (error->message, ==, "Too many cells are waiting.");
  g_assert_true (fh_series_interrupt (room->series, NULL));
  g_assert_cmpuint (fake_backend_get_n_stops (room->backend), ==, 1);
  g_assert_cmpuint (fh_series_get_n_waiting (room->series), ==, 1000);
  fh_series_stop (room->series);
  g_assert_cmpuint (fh_series_get_n_waiting (room->series), ==, 0);
  /* It was asked twice, and is dead. */
  g_assert_cmpuint (fake_backend_get_n_stops (room->backend), ==, 2);
  g_assert_cmpstr (room->states->str, ==, "RSY");
}

/* A cell that cannot even be asked for. It is counted, because people see it. */
static void
test_refused (SeriesRoom *room, gconstpointer data)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  g_autoptr (FhCell) cell = fh_cell_new_execute ("x", NULL);

  options->limits.wall_ms = G_MAXUINT64;
  fh_series_set_options (room->series, options);
  g_assert_nonnull (fh_series_push (room->series, cell, FALSE, NULL));
  series_room_await (room, "1x");
  g_assert_nonnull (fh_step_get_note (room->step));
  fh_cell_set_wall_ms (cell, 1000);
  g_assert_nonnull (fh_series_push (room->series, cell, FALSE, NULL));
  series_room_await (room, "1x2s");
  series_room_succeed (room, 1);
  series_room_await (room, "1x2s2f");
}

/* Options that come while a cell waits are those that it is run with. */
static void
test_options (SeriesRoom *room, gconstpointer data)
{
  series_room_execute (room, "1");
  series_room_execute (room, "2");
  series_room_await (room, "1s");
  room->options->limits.wall_ms = 1234;
  fh_series_set_options (room->series, room->options);
  series_room_succeed (room, 1);
  series_room_await (room, "1s1f2s");
  g_assert_cmpuint (
      fh_run_request_get_parts (fh_run_get_request (fh_step_get_run (room->step)))->limits.wall_ms,
      ==,
      1234);
}

static void
test_names (SeriesRoom *room, gconstpointer data)
{
  static const char *const bad[] = { "", "1", "a b", "a.b", "a\n", "f()" };
  g_autoptr (JsonNode) value = json_node_init_int (json_node_alloc (), 42);
  g_autoptr (FhCell) cell = fh_cell_new_get ("größe_1", 0, 10, NULL);
  g_autofree char *source = g_strnfill (((gsize) 8 << 20) + 1, 'x');

  g_assert_nonnull (cell);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (fh_cell_new_set (bad[i], value, FALSE, &error));
      g_assert_nonnull (error);
    }
  g_assert_null (fh_cell_new_execute (source, NULL));
}

/* The interpreter runs what was registered with atexit, and only then the series is done. */
static void
test_closed_idle (SeriesRoom *room, gconstpointer data)
{
  g_autofree char *order = NULL;

  series_room_execute (room, "x = 1");
  series_room_await (room, "1s");
  series_room_succeed (room, 1);
  series_room_await (room, "1s1f");
  fh_series_close (room->series);
  g_assert_cmpuint (fh_series_get_state (room->series), ==, FH_SERIES_STOPPING);
  series_room_await_runs (room, 2);
  order = dup_order (room);
  g_assert_nonnull (strstr (order, "\"end\""));
  series_room_answer (room, NULL);
  series_room_await (room, "1s1fsf.");
  g_assert_null (fh_executor_get_run (room->executor));
}

/* A cell that runs is not waited for, nor is one that has begun to wait. */
static void
test_closed_running (SeriesRoom *room, gconstpointer data)
{
  series_room_execute (room, "x = 1");
  series_room_execute (room, "x = 2");
  series_room_await (room, "1s");
  fh_series_close (room->series);
  series_room_await (room, "1s1f-.");
  series_room_turn ();
  g_assert_cmpuint (fake_backend_get_n_runs (room->backend), ==, 1);
}

/* What the executor does since then is not ended with the session. */
static void
test_closed_replaced (SeriesRoom *room, gconstpointer data)
{
  g_autoptr (FhRunRequest) request = series_room_new_request ();
  g_autoptr (FhRun) run = NULL;

  series_room_execute (room, "x = 1");
  series_room_await (room, "1s");
  series_room_succeed (room, 1);
  series_room_await (room, "1s1f");
  fh_series_close (room->series);
  series_room_await_runs (room, 2);
  run = fh_executor_run (room->executor, request);
  series_room_await (room, "1s1fsf.");
  g_assert_true (fh_executor_get_run (room->executor) == run);
  g_assert_cmpint (fh_run_get_state (run), ==, FH_RUN_RUNNING);
}

FH_FIXTURE_TESTS (SeriesRoom,
                  set_up,
                  series_room_tear_down,
                  { "/session-steps/one-after-the-other", test_one_after_the_other },
                  { "/session-steps/kept", test_kept },
                  { "/session-steps/restarted", test_restarted },
                  { "/session-steps/calls", test_calls },
                  { "/session-steps/unanswered-call", test_unanswered_call },
                  { "/session-steps/asked-in-a-call", test_asked_in_a_call },
                  { "/session-steps/kept-in-a-call", test_kept_in_a_call },
                  { "/session-steps/closed-in-a-call", test_closed_in_a_call },
                  { "/session-steps/closed-idle", test_closed_idle },
                  { "/session-steps/closed-running", test_closed_running },
                  { "/session-steps/closed-replaced", test_closed_replaced },
                  { "/session-steps/queue", test_queue },
                  { "/session-steps/refused", test_refused },
                  { "/session-steps/options", test_options },
                  { "/session-steps/names", test_names });
