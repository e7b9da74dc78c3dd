/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A call of a client ends, whatever the client does, and says what the client said. */
#include <string.h>

#include "engine-call.h"
#include "engine-room.h"

static FhEngine *engine;

static void
keep_result_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static char *
call (guint timeout_ms, GError **error, const char *script, const char *more)
{
  const char *arguments[] = { "say", script, more, NULL };
  g_autoptr (GAsyncResult) result = NULL;

  fh_engine_call_async (engine, arguments, timeout_ms, NULL, keep_result_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return fh_engine_call_finish (result, error);
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
}

static gboolean
cancel_cb (gpointer user_data)
{
  g_cancellable_cancel (user_data);
  return G_SOURCE_REMOVE;
}

static void
assert_cancelled (guint after_ms)
{
  const char *const arguments[] = { "say", "sleep", NULL };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (after_ms == 0)
    g_cancellable_cancel (cancellable);
  else
    g_timeout_add (after_ms, cancel_cb, cancellable);
  fh_engine_call_async (engine, arguments, 0, cancellable, keep_result_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (fh_engine_call_finish (result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
test_cancelled (void)
{
  engine_room_count_calls ();
  assert_cancelled (0);
  g_assert_cmpuint (engine_room_count_calls (), ==, 0);
  assert_cancelled (300);
}

static void
test_no_program (void)
{
  const FhEngineFacts facts = { .kind = FH_ENGINE_PODMAN, .program = "/nonexistent/podman" };
  g_autoptr (FhEngine) gone = fh_engine_new (&facts);
  const char *const arguments[] = { "info", NULL };
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  fh_engine_call_async (gone, arguments, 1000, NULL, keep_result_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (fh_engine_call_finish (result, &error));
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
  g_test_add_func ("/engine-call/both-streams", test_both_streams);
  g_test_add_func ("/engine-call/arguments", test_arguments);
  g_test_add_func ("/engine-call/environment", test_environment);
  g_test_add_func ("/engine-call/no-input", test_no_input);
  g_test_add_func ("/engine-call/own-session", test_own_session);
  g_test_add_func ("/engine-call/invalid-text", test_invalid_text);
  g_test_add_func ("/engine-call/flood", test_flood);
  g_test_add_func ("/engine-call/failure", test_failure);
  g_test_add_func ("/engine-call/timeout", test_timeout);
  g_test_add_func ("/engine-call/cancelled", test_cancelled);
  g_test_add_func ("/engine-call/no-program", test_no_program);
  status = g_test_run ();
  g_object_unref (engine);
  engine_room_end ();
  return status;
}
