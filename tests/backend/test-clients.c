/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A call of a client ends, whatever the client does, and says what the client said. Nothing of it
 * is left. */
#include <string.h>
#include <unistd.h>

#include "clients.h"
#include "engine-room.h"

static FhEngine *engine;

static char *
call (guint timeout_ms, GError **error, const char *script, const char *more)
{
  const char *const arguments[] = { "say", script, more, NULL };

  return fh_engine_call (engine, arguments, timeout_ms, NULL, error);
}

static char *
good_call (const char *script, const char *more)
{
  g_autoptr (GError) error = NULL;
  char *answer = call (FH_ENGINE_CALL_TIMEOUT_MS, &error, script, more);

  g_assert_no_error (error);
  return answer;
}

static void
test_both_streams (void)
{
  g_autofree char *answer = good_call ("both", NULL);

  g_assert_cmpstr (answer, ==, "out\n");
}

/* No shell is in between. */
static void
test_arguments (void)
{
  const char *odd = "$(id); 'x' \"y\" * \\ --flag \xc3\xa4";
  g_autofree char *answer = good_call ("argv", odd);

  g_assert_cmpstr (answer, ==, odd);
}

static void
test_environment (void)
{
  g_autofree char *answer = NULL;

  g_setenv ("FAKE_MARK", "mine", TRUE);
  g_setenv ("LC_ALL", "de_DE.UTF-8", TRUE);
  answer = good_call ("environment", NULL);
  g_setenv ("LC_ALL", "C", TRUE);
  g_assert_cmpstr (answer, ==, "C false mine");
}

static void
test_no_input (void)
{
  g_autofree char *answer = good_call ("stdin", NULL);

  g_assert_cmpstr (answer, ==, "0 bytes");
}

/* What Ctrl+C in a terminal ends is us, not the client that cleans up. */
static void
test_own_session (void)
{
  g_autofree char *answer = good_call ("session", NULL);

  g_assert_cmpstr (answer, ==, "own");
}

static void
test_invalid_text (void)
{
  g_autofree char *answer = good_call ("invalid", NULL);

  g_assert_true (g_utf8_validate (answer, -1, NULL));
  g_assert_true (g_str_has_prefix (answer, "caf\xef\xbf\xbd"));
  g_assert_true (g_str_has_suffix (answer, " end"));
}

static void
test_flood (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (call (FH_ENGINE_CALL_TIMEOUT_MS, &error, "flood-error", NULL));
  g_assert_error (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_FAILED);
}

/* Also when the client has exited by itself before it was too much. */
static void
test_cut_off (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (call (FH_ENGINE_CALL_TIMEOUT_MS, &error, "flood-by-child", NULL));
  g_assert_error (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "too much"));
}

/* Saying something all the time buys no time. */
static void
test_drip (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (call (1000, &error, "drip", NULL));
  g_assert_error (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_TIMED_OUT);
  engine_room_assert_no_child ();
}

static void
test_failure (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (call (FH_ENGINE_CALL_TIMEOUT_MS,
                       &error,
                       "fail",
                       "Error response from daemon: No such container: x\n"));
  g_assert_error (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER);
  g_assert_nonnull (strstr (error->message, "“No such container: x”"));
}

/* It ignores the request to end and is killed: by itself it never would. */
static void
test_timeout (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (call (1000, &error, "sleep", NULL));
  g_assert_error (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (error->message, "docker say"));
  engine_room_assert_no_child ();
}

static void
assert_cancelled (const char *script)
{
  const char *const arguments[] = { "say", script, engine_room_path ("begun"), NULL };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  GThread *thread;

  thread = engine_room_cancel (cancellable);
  g_assert_null (fh_engine_call (engine, arguments, 0, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
  engine_room_assert_no_child ();
  engine_room_assert_gone ();
}

static void
test_cancelled (void)
{
  const char *const arguments[] = { "say", "sleep", NULL };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  engine_room_count_calls ();
  g_assert_null (fh_engine_call (engine, arguments, 0, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (engine_room_count_calls (), ==, 0);
  assert_cancelled ("sleep");
}

/* What the client has started and what holds its streams goes with it. */
static void
test_cancelled_child (void)
{
  assert_cancelled ("child");
}

/* A client that has nothing more to say can still be cancelled. */
static void
test_closed_streams (void)
{
  assert_cancelled ("close");
}

/* A child that outlives a good client, and its streams, does not keep the answer. */
static void
test_child (void)
{
  g_autofree char *answer = good_call ("leave", engine_room_path ("begun"));

  g_assert_cmpstr (answer, ==, "answered");
  engine_room_assert_no_child ();
  engine_room_kill_noted ();
}

static gboolean
enough_cb (FhClient *clients, gpointer user_data)
{
  (*(guint *) user_data)++;
  return clients[1].is_over;
}

/* The other one ignores the request to end. */
static void
test_enough (void)
{
  const char *const good[] = { "say", "both", NULL };
  const char *const bad[] = { "say", "sleep", NULL };
  FhClient clients[2] = { fh_engine_client (engine, bad), fh_engine_client (engine, good) };
  g_autoptr (GError) error = NULL;
  g_autofree char *answer = NULL;
  guint n_asked = 0;

  fh_clients_run (clients, 2, 0, NULL, enough_cb, &n_asked);
  answer = fh_client_take_answer (&clients[1], &error);
  g_assert_no_error (error);
  g_assert_cmpstr (answer, ==, "out\n");
  g_assert_null (fh_client_take_answer (&clients[0], &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  fh_client_clear (&clients[0]);
  fh_client_clear (&clients[1]);
  g_assert_cmpuint (n_asked, ==, 2);
  engine_room_assert_no_child ();
}

static void
line_cb (const char *line, gsize size, gpointer user_data)
{
  g_string_append_printf (user_data, "<%.*s>", (int) size, line);
}

/* Both streams, cut at their ends and where the cursor moves, but not where the color changes. */
static void
test_lines (void)
{
  const char *const arguments[] = { "say", "lines", NULL };
  g_autoptr (GString) heard = g_string_new (NULL);

  for (guint i = 0; i < 2; i++)
    {
      g_auto (FhClient) client = fh_engine_client (engine, arguments);

      client.line = line_cb;
      client.line_data = heard;
      client.is_drawing = i == 1;
      g_string_truncate (heard, 0);
      fh_clients_run (&client, 1, 0, NULL, NULL, NULL);
      g_assert_no_error (client.error);
      g_assert_cmpstr (heard->str, ==, "<one><two><a b><red>< more><error><last>");
    }
}

/* Only a client that draws is expected to say something all the time. */
static void
test_stalled (void)
{
  const char *const arguments[] = { "say", "sleep", NULL };
  g_auto (FhClient) client = fh_engine_client (engine, arguments);
  g_autoptr (GString) heard = g_string_new (NULL);

  client.line = line_cb;
  client.line_data = heard;
  client.is_drawing = TRUE;
  client.stall_ms = 100;
  fh_clients_run (&client, 1, 0, NULL, NULL, NULL);
  g_assert_error (client.error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_TIMED_OUT);
  engine_room_assert_no_child ();
}

static void
test_input (void)
{
  const char *const arguments[] = { "say", "stdin", NULL };
  g_auto (FhClient) client = fh_engine_client (engine, arguments);
  g_autofree char *answer = NULL;
  g_autoptr (GBytes) input = g_bytes_new_static ("12345", 5);

  client.input = input;
  fh_clients_run (&client, 1, 0, NULL, NULL, NULL);
  answer = fh_client_take_answer (&client, NULL);
  g_assert_cmpstr (answer, ==, "5 bytes");
}

static void
test_no_program (void)
{
  const FhEngineFacts facts = { .kind = FH_ENGINE_PODMAN, .program = "/nonexistent/podman" };
  g_autoptr (FhEngine) gone = fh_engine_new (&facts);
  const char *const arguments[] = { "info", NULL };
  g_autoptr (GError) error = NULL;

  g_assert_null (fh_engine_call (gone, arguments, 1000, NULL, &error));
  g_assert_error (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_INSTALLED);
  g_assert_nonnull (strstr (error->message, "/nonexistent/podman"));
}

int
main (int argc, char *argv[])
{
  FhEngineFacts facts = { .kind = FH_ENGINE_DOCKER };
  int status;

  g_test_init (&argc, &argv, NULL);
  engine_room_begin ();
  engine_room_set ("works", NULL);
  facts.program = engine_room_program (FH_ENGINE_DOCKER);
  engine = fh_engine_new (&facts);
  g_test_add_func ("/clients/both-streams", test_both_streams);
  g_test_add_func ("/clients/arguments", test_arguments);
  g_test_add_func ("/clients/environment", test_environment);
  g_test_add_func ("/clients/no-input", test_no_input);
  g_test_add_func ("/clients/own-session", test_own_session);
  g_test_add_func ("/clients/invalid-text", test_invalid_text);
  g_test_add_func ("/clients/flood", test_flood);
  g_test_add_func ("/clients/cut-off", test_cut_off);
  g_test_add_func ("/clients/drip", test_drip);
  g_test_add_func ("/clients/failure", test_failure);
  g_test_add_func ("/clients/timeout", test_timeout);
  g_test_add_func ("/clients/cancelled", test_cancelled);
  g_test_add_func ("/clients/cancelled-child", test_cancelled_child);
  g_test_add_func ("/clients/closed-streams", test_closed_streams);
  g_test_add_func ("/clients/child", test_child);
  g_test_add_func ("/clients/enough", test_enough);
  g_test_add_func ("/clients/lines", test_lines);
  g_test_add_func ("/clients/stalled", test_stalled);
  g_test_add_func ("/clients/input", test_input);
  g_test_add_func ("/clients/no-program", test_no_program);
  status = g_test_run ();
  g_object_unref (engine);
  engine_room_end ();
  return status;
}
