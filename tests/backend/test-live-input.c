/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is sent to a program while it runs: when that is possible, and what becomes of it. */
#include <string.h>

#include "native-sandbox.h"
#include "run-driver.h"
#include "stand-in.h"

static FhRunRequest *
new_request (const char *given)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
  g_autoptr (GBytes) input = given != NULL ? g_bytes_new_static (given, strlen (given)) : NULL;

  return fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup ("python"),
          .source = source,
          .standard_input = input,
          .input_stays = TRUE,
          .limits = FH_RUN_LIMITS_DEFAULT,
      },
      NULL);
}

static gboolean
send (FhLiveInput *input, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return fh_live_input_send (input, bytes);
}

static void
assert_input (FhRunRequest *request, const char *expected)
{
  gsize size;
  const char *data = g_bytes_get_data (fh_run_request_get_parts (request)->standard_input, &size);

  g_assert_cmpmem (data, size, expected, strlen (expected));
}

static void
append_cb (FhLiveInput *input, GBytes *bytes, GString *trace)
{
  if (bytes != NULL)
    g_string_append_len (trace, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
  else
    g_string_append (trace, "END");
}

static void
finish (FhRun *run, FhRunStatus status)
{
  fh_run_finish (run, &(FhRunOutcome){ .status = status, .exit_code = -1, .signal = -1 });
}

static void
test_life (void)
{
  g_autoptr (FhRunRequest) request = new_request (NULL);
  g_autoptr (FhRun) run = fh_run_new (request, "native");
  FhLiveInput *input = fh_run_get_input (run);
  GString *trace = g_string_new (NULL);

  g_signal_connect (input, "sent", G_CALLBACK (append_cb), trace);
  g_assert_false (send (input, "too early"));
  fh_live_input_end (input);
  fh_live_input_set_waiting (input, TRUE);
  g_assert_false (fh_live_input_is_waiting (input));

  fh_run_started (run);
  g_assert_true (fh_live_input_is_open (input));
  fh_live_input_set_waiting (input, TRUE);
  g_assert_true (fh_live_input_is_waiting (input));
  while (fh_live_input_get_waited (input) == 0)
    g_usleep (1);
  g_assert_true (send (input, "one\n"));
  g_assert_true (send (input, ""));
  g_assert_true (send (input, "two"));
  fh_live_input_end (input);
  fh_live_input_end (input);
  g_assert_false (send (input, "too late"));
  g_assert_false (fh_live_input_is_waiting (input));
  g_assert_cmpstr (trace->str, ==, "one\ntwoEND");

  g_assert_true (fh_run_get_request (run) == request);
  finish (run, FH_RUN_STATUS_OK);
  assert_input (fh_run_get_request (run), "one\ntwo");
  g_assert_false (fh_run_request_takes_live_input (fh_run_get_request (run)));
  g_string_free (trace, TRUE);
}

static void
test_too_much (void)
{
  g_autoptr (FhRunRequest) request = new_request (NULL);
  g_autoptr (FhRun) run = fh_run_new (request, "native");
  g_autofree char *most = g_strnfill (FH_LIVE_INPUT_MAX, 'x');

  fh_run_started (run);
  g_assert_true (send (fh_run_get_input (run), most));
  g_assert_false (send (fh_run_get_input (run), "x"));
  g_assert_true (fh_live_input_is_open (fh_run_get_input (run)));
}

/* Nothing of it is made up. */
static void
test_nothing_sent (void)
{
  g_autoptr (FhRunRequest) request = new_request (NULL);
  g_autoptr (FhRun) run = fh_run_new (request, "native");

  fh_run_started (run);
  finish (run, FH_RUN_STATUS_OK);
  g_assert_true (fh_run_get_request (run) == request);
  g_assert_false (fh_live_input_is_open (fh_run_get_input (run)));
}

static void
test_out_of_time (void)
{
  for (guint waits = 0; waits < 2; waits++)
    {
      g_autoptr (FhRunRequest) request = new_request (NULL);
      g_autoptr (FhRun) run = fh_run_new (request, "native");
      const char *sentence;

      fh_run_started (run);
      fh_live_input_set_waiting (fh_run_get_input (run), waits == 1);
      finish (run, FH_RUN_STATUS_TIMED_OUT);
      sentence = fh_run_result_get_parts (fh_run_get_result (run))->sentence;
      g_assert_cmpint (g_str_has_suffix (sentence, " It was waiting for input."), ==, waits);
    }
}

static void
wait_for_end (FhRun *run)
{
  while (fh_run_get_state (run) != FH_RUN_FINISHED)
    g_main_context_iteration (NULL, TRUE);
}

static void
assert_output (FhRun *run, const char *expected)
{
  g_autofree char *text = fh_output_log_dup_text (fh_run_get_output (run), FH_STREAM_STDOUT);

  g_assert_cmpstr (text, ==, expected);
}

static void
answer_cb (FhLiveInput *input)
{
  if (!fh_live_input_is_waiting (input))
    return;
  g_assert_true (send (input, "answer\n"));
  fh_live_input_end (input);
}

static void
test_conversation (void)
{
  g_autoptr (FhSandbox) sandbox = fh_native_sandbox_new ();
  g_autoptr (FhRunRequest) request = new_request (NULL);
  g_autoptr (FhRun) run = NULL;

  stand_in_use ("repeats-input");
  run = fh_sandbox_run (sandbox, request);
  g_signal_connect (fh_run_get_input (run), "notify::waiting", G_CALLBACK (answer_cb), NULL);
  wait_for_end (run);
  assert_output (run, "stays=1 before=0\nanswer\n");
  assert_input (fh_run_get_request (run), "answer\n");
}

/* The same sandbox fits, and the input ends where it was said to. */
static void
test_given_input_ends (void)
{
  g_autoptr (FhSandbox) sandbox = fh_native_sandbox_new ();
  g_autoptr (FhRunRequest) request = new_request ("given");
  g_autoptr (FhRun) run = NULL;

  stand_in_use ("stdin");
  run = fh_sandbox_run (sandbox, request);
  g_assert_null (fh_run_get_input (run));
  wait_for_end (run);
  assert_output (run, "given");
  g_assert_true (fh_run_get_request (run) == request);
}

/* A runner that tells of a wait for what is complete is broken. */
static void
test_wait_for_nothing (void)
{
  g_autoptr (FhSandbox) sandbox = fh_native_sandbox_new ();
  g_autoptr (FhRunRequest) request = new_request ("given");
  g_autoptr (FhRun) run = NULL;

  stand_in_use ("repeats-input");
  run = fh_sandbox_run (sandbox, request);
  wait_for_end (run);
  g_assert_cmpint (fh_run_result_get_parts (fh_run_get_result (run))->outcome->status,
                   ==,
                   FH_RUN_STATUS_INTERNAL_ERROR);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  stand_in_begin ();
  g_test_add_func ("/live-input/life", test_life);
  g_test_add_func ("/live-input/too-much", test_too_much);
  g_test_add_func ("/live-input/nothing-sent", test_nothing_sent);
  g_test_add_func ("/live-input/out-of-time", test_out_of_time);
  g_test_add_func ("/live-input/conversation", test_conversation);
  g_test_add_func ("/live-input/given-input-ends", test_given_input_ends);
  g_test_add_func ("/live-input/wait-for-nothing", test_wait_for_nothing);
  status = g_test_run ();
  stand_in_end ();
  return status;
}
