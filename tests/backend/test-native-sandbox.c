/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run always ends, with what was written kept and a sentence that says why, whatever its runner
 * does. The runner here is fake-runner.c. */
#include <errno.h>
#include <string.h>

#include "native-sandbox.h"
#include "stand-in.h"

static FhRunRequest *
new_request (const char *source, gssize size, GBytes *standard_input)
{
  g_autoptr (GBytes) bytes = g_bytes_new (source, size < 0 ? strlen (source) : (gsize) size);
  g_autoptr (GError) error = NULL;
  FhRunRequest *request;

  request = fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup ("python"),
          .source = bytes,
          .standard_input = standard_input,
          .limits = FH_RUN_LIMITS_DEFAULT,
      },
      &error);
  g_assert_no_error (error);
  return request;
}

static FhSandbox *
new_sandbox (void)
{
  return fh_native_sandbox_new ();
}

static void
wait_for_state (FhRun *run, FhRunState state)
{
  while (fh_run_get_state (run) < state)
    g_main_context_iteration (NULL, TRUE);
}

static void
wait_for_status (FhRun *run, FhRunStatus status)
{
  wait_for_state (run, FH_RUN_FINISHED);
  g_assert_cmpint (fh_run_result_get_parts (fh_run_get_result (run))->outcome->status, ==, status);
}

static FhRunResult *
run_with (const char *act, FhRunRequest *request)
{
  g_autoptr (FhSandbox) sandbox = new_sandbox ();
  g_autoptr (FhRunRequest) wanted = request != NULL ? request : new_request ("x", -1, NULL);
  g_autoptr (FhRun) run = NULL;

  stand_in_use (act);
  run = fh_sandbox_run (sandbox, wanted);
  g_assert_cmpint (fh_run_get_state (run), ==, FH_RUN_PREPARING);
  wait_for_state (run, FH_RUN_FINISHED);
  return g_object_ref (fh_run_get_result (run));
}

static char *
output_of (FhRunResult *result)
{
  return fh_output_log_dup_text (fh_run_result_get_parts (result)->output, FH_STREAM_STDOUT);
}

static void
test_request_arrives (void)
{
  g_autoptr (FhRunResult) result = run_with ("tells", new_request ("print(1)", -1, NULL));
  g_autofree char *output = output_of (result);

  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->status, ==, FH_RUN_STATUS_OK);
  /* The message is its size, its kind and the path of the program. */
  g_assert_cmpstr (output, ==, "main.py 8 1 wall=30000 guest=29\n");
  g_assert_cmpstr (fh_run_result_get_parts (result)->backend, ==, "native");
  g_assert_cmpstr (fh_run_result_get_parts (result)->tier, ==, "A");
  /* Two of the runner, and that of the interpreter. */
  g_assert_cmpuint (fh_run_result_get_parts (result)->guards->len, ==, 3);
  g_assert_cmpuint (fh_run_result_get_parts (result)->outcome->wall_us, ==, 12345);
}

static void
test_empty_and_large_sources (void)
{
  const gsize size = FH_RUN_REQUEST_MAX_SOURCE;
  g_autofree char *large = g_malloc0 (size);
  g_autoptr (FhRunResult) empty = run_with ("tells", new_request ("", 0, NULL));
  g_autoptr (FhRunResult) full = run_with ("tells", new_request (large, (gssize) size, NULL));
  g_autofree char *empty_output = output_of (empty);
  g_autofree char *full_output = output_of (full);

  g_assert_true (g_str_has_prefix (empty_output, "main.py 0 1 "));
  g_assert_true (g_str_has_prefix (full_output, "main.py 8388608 "));
}

static void
test_standard_input (void)
{
  const gsize size = (gsize) 3 << 20;
  g_autofree guint8 *data = g_malloc (size);
  g_autoptr (GBytes) input = NULL;
  g_autoptr (FhRunResult) result = NULL;

  memset (data, 'i', size);
  input = g_bytes_new (data, size);
  result = run_with ("stdin", new_request ("x", -1, input));
  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->status, ==, FH_RUN_STATUS_OK);
  g_assert_cmpuint (
      fh_output_log_get_total (fh_run_result_get_parts (result)->output, FH_STREAM_STDOUT),
      ==,
      size);
}

static void
test_attempts (void)
{
  g_autoptr (FhRunResult) result = run_with ("attempts", NULL);
  FhAttemptLog *attempts = fh_run_result_get_parts (result)->attempts;

  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->status, ==, FH_RUN_STATUS_FAILED);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (attempts)), ==, 2);
  g_assert_cmpuint (fh_attempt_log_get_n_stopped (attempts), ==, 1);
  g_assert_cmpuint (fh_attempt_log_get_n_dropped (attempts), ==, 3);
}

static void
test_files (void)
{
  g_autoptr (FhRunResult) result = run_with ("files", NULL);
  FhResultFiles *files = fh_run_result_get_parts (result)->files;

  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->status, ==, FH_RUN_STATUS_OK);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (files)), ==, 2);
  g_assert_cmpstr (fh_result_file_get_facts (fh_result_files_get (files, 0))->name, ==, "a.txt");
  g_assert_cmpuint (fh_result_files_get_facts (files)->n_left_out, ==, 2);
  g_assert_false (fh_result_files_get_facts (files)->is_incomplete);
}

/* What came before the runner died is there, and said to be not all. */
static void
test_files_survive (void)
{
  g_autoptr (FhRunResult) result = run_with ("dies-in-file", NULL);
  FhResultFiles *files = fh_run_result_get_parts (result)->files;

  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->status,
                   ==,
                   FH_RUN_STATUS_INTERNAL_ERROR);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (files)), ==, 2);
  g_assert_nonnull (fh_result_file_get_facts (fh_result_files_get (files, 0))->content);
  g_assert_null (fh_result_file_get_facts (fh_result_files_get (files, 1))->content);
  g_assert_true (fh_result_files_get_facts (files)->is_incomplete);
}

static void
test_no_standard_input (void)
{
  g_autoptr (FhRunResult) result = run_with ("stdin", NULL);

  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->status, ==, FH_RUN_STATUS_OK);
  g_assert_cmpuint (
      fh_output_log_get_total (fh_run_result_get_parts (result)->output, FH_STREAM_STDOUT),
      ==,
      0);
}

static void
test_surroundings (void)
{
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *output = NULL;

  g_setenv ("FH_SECRET", "hidden", TRUE);
  result = run_with ("surroundings", NULL);
  output = output_of (result);
  g_assert_true (g_str_has_prefix (output, "fd:0 fd:1 fd:2 fd:3 PATH="));
  g_assert_null (strstr (output, "FH_SECRET"));
  g_assert_null (strstr (output, " HOME="));
}

/* What painting is to a window: now and then something is due that must not wait for the reader. */
static gboolean
beat_cb (gpointer user_data)
{
  gint64 *worst = user_data;
  static gint64 last;
  gint64 now = g_get_monotonic_time ();

  if (last != 0)
    *worst = MAX (*worst, now - last);
  last = now;
  return G_SOURCE_CONTINUE;
}

static void
test_flood (void)
{
  gint64 worst = 0;
  guint source = g_timeout_add_full (G_PRIORITY_HIGH_IDLE + 20, 1, beat_cb, &worst, NULL);
  g_autoptr (FhRunResult) result = run_with ("flood", NULL);
  FhOutputLog *output = fh_run_result_get_parts (result)->output;

  g_source_remove (source);
  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->status,
                   ==,
                   FH_RUN_STATUS_OUTPUT_LIMIT);
  g_assert_cmpuint (fh_output_log_get_total (output, FH_STREAM_STDOUT), ==, 64 << 20);
  g_assert_cmpuint (fh_output_log_get_kept (output, FH_STREAM_STDOUT),
                    <=,
                    FH_OUTPUT_LOG_HEAD + FH_OUTPUT_LOG_TAIL);
  /* Reading it all in one go would take longer than the longest pause between two beats. */
  g_test_message ("longest pause: %" G_GINT64_FORMAT " µs", worst);
  g_assert_cmpint (worst, >, 0);
}

typedef struct
{
  const char *act;
  const char *says; /* a part of the sentence */
} Fault;

static void
test_fault (gconstpointer data)
{
  const Fault *fault = data;
  g_autoptr (FhRunResult) result = run_with (fault->act, NULL);
  g_autofree char *output = output_of (result);

  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->status,
                   ==,
                   FH_RUN_STATUS_INTERNAL_ERROR);
  g_assert_nonnull (strstr (fh_run_result_get_parts (result)->sentence, fault->says));
  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->exit_code, ==, -1);
  if (g_str_equal (fault->act, "killed") || g_str_equal (fault->act, "nonsense"))
    g_assert_cmpstr (output, ==, "partial");
}

static guint
count_descriptors (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint count = 0;

  while (g_dir_read_name (dir) != NULL)
    count++;
  return count;
}

static void
test_no_descriptor_is_left (void)
{
  const char *const acts[] = { "tells", "killed", "nonsense", "stdin", "not-there" };
  guint before;

  g_object_unref (run_with ("tells", NULL));
  before = count_descriptors ();
  for (guint i = 0; i < 20; i++)
    {
      g_autoptr (GBytes) input = g_bytes_new_static ("x", 1);

      g_object_unref (run_with (acts[i % G_N_ELEMENTS (acts)], new_request ("x", -1, input)));
    }
  /* What is still held is let go when the last runners are known to be dead. */
  while (count_descriptors () > before)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
}

static void
test_usage_survives (void)
{
  g_autoptr (FhRunResult) result = run_with ("killed", NULL);

  g_assert_cmpuint (fh_run_result_get_parts (result)->outcome->memory_peak, ==, 7 << 20);
  g_assert_cmpuint (fh_run_result_get_parts (result)->outcome->wall_us, >, 0);
}

static void
test_setup_fails (void)
{
  g_autoptr (FhRunResult) result = run_with ("setup-fails", NULL);

  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->status,
                   ==,
                   FH_RUN_STATUS_GUARD_FAILED);
  g_assert_cmpstr (fh_run_result_get_parts (result)->outcome->step, ==, "uid-map");
  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->error, ==, EPERM);
}

static void
test_finishes_once (void)
{
  g_autoptr (FhRunResult) result = run_with ("finishes-twice", NULL);
  g_autofree char *output = output_of (result);

  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->exit_code, ==, 3);
  g_assert_cmpstr (output, ==, "");
}

static void
check_not_started (const char *says)
{
  g_autoptr (FhSandbox) sandbox = new_sandbox ();
  g_autoptr (FhRunRequest) request = new_request ("x", -1, NULL);
  g_autoptr (FhRun) run = fh_sandbox_run (sandbox, request);
  FhRunResult *result;

  g_assert_null (fh_run_get_result (run));
  wait_for_state (run, FH_RUN_FINISHED);
  result = fh_run_get_result (run);
  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->status,
                   ==,
                   FH_RUN_STATUS_INTERNAL_ERROR);
  if (strstr (fh_run_result_get_parts (result)->sentence, says) == NULL)
    g_error ("“%s” is not in “%s”", says, fh_run_result_get_parts (result)->sentence);
}

static void
test_missing_runner (void)
{
  g_autofree char *path = g_build_filename (stand_in_folder (), "not-there", NULL);

  g_setenv ("FH_RUNNER", path, TRUE);
  check_not_started (path);
}

static void
test_runner_is_no_program (void)
{
  g_autofree char *path = g_build_filename (stand_in_folder (), "plain-file", NULL);

  g_assert_true (g_file_set_contents (path, "text", -1, NULL));
  g_setenv ("FH_RUNNER", path, TRUE);
  check_not_started (path);
}

static void
test_missing_guest_folder (void)
{
  stand_in_use ("tells");
  g_setenv ("FH_GUEST_DIR", stand_in_folder (), TRUE);
  check_not_started ("bootstrap.py");
  g_unsetenv ("FH_GUEST_DIR");
}

static void
test_missing_interpreter (void)
{
  g_autoptr (FhSandbox) sandbox = new_sandbox ();
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (FhRun) run = NULL;

  request = fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup ("python"),
          .source = source,
          .interpreter = "/nowhere/python3",
          .limits = FH_RUN_LIMITS_DEFAULT,
      },
      NULL);
  stand_in_use ("tells");
  run = fh_sandbox_run (sandbox, request);
  wait_for_status (run, FH_RUN_STATUS_NOT_STARTED);
  g_assert_nonnull (
      strstr (fh_run_result_get_parts (fh_run_get_result (run))->sentence, "/nowhere/python3"));
}

static void
test_busy (void)
{
  g_autoptr (FhSandbox) sandbox = new_sandbox ();
  g_autoptr (FhRunRequest) request = new_request ("x", -1, NULL);
  g_autoptr (FhRun) first = NULL;
  g_autoptr (FhRun) second = NULL;
  g_autoptr (FhRun) third = NULL;

  stand_in_use ("obeys");
  first = fh_sandbox_run (sandbox, request);
  second = fh_sandbox_run (sandbox, request);
  wait_for_status (second, FH_RUN_STATUS_INTERNAL_ERROR);
  g_assert_cmpint (fh_run_get_state (first), !=, FH_RUN_FINISHED);
  fh_run_stop (first);
  wait_for_status (first, FH_RUN_STATUS_STOPPED);

  stand_in_use ("tells");
  third = fh_sandbox_run (sandbox, request);
  wait_for_status (third, FH_RUN_STATUS_OK);
}

/* While it prepares, the runner says only after the second Stop that the program has started. The
 * end is not that of the time limit, which is 30 s. */
static void
test_stop_by_force (void)
{
  for (FhRunState state = FH_RUN_PREPARING; state <= FH_RUN_RUNNING; state++)
    {
      g_autoptr (FhSandbox) sandbox = new_sandbox ();
      g_autoptr (FhRunRequest) request = new_request ("x", -1, NULL);
      g_autoptr (FhRun) run = NULL;
      gint64 begun = g_get_monotonic_time ();

      stand_in_use ("stubborn");
      run = fh_sandbox_run (sandbox, request);
      wait_for_state (run, state);
      fh_run_stop (run);
      g_assert_cmpint (fh_run_get_state (run), ==, FH_RUN_STOPPING);
      fh_run_stop (run);
      wait_for_status (run, FH_RUN_STATUS_STOPPED);
      g_assert_cmpint (g_get_monotonic_time () - begun, <, 25 * G_USEC_PER_SEC);
    }
}

static void
test_dispose_ends_the_run (void)
{
  FhSandbox *sandbox = new_sandbox ();
  g_autoptr (FhRunRequest) request = new_request ("x", -1, NULL);
  g_autoptr (FhRun) run = NULL;

  stand_in_use ("obeys");
  run = fh_sandbox_run (sandbox, request);
  wait_for_state (run, FH_RUN_RUNNING);
  g_assert_finalize_object (sandbox);
  g_assert_cmpint (fh_run_get_state (run), ==, FH_RUN_FINISHED);
  g_assert_cmpint (fh_run_result_get_parts (fh_run_get_result (run))->outcome->status,
                   ==,
                   FH_RUN_STATUS_STOPPED);
}

/* A listener of the end may release everything. */
static void
drop_cb (FhRun *run, GParamSpec *pspec, FhSandbox **sandbox)
{
  if (fh_run_get_state (run) == FH_RUN_FINISHED)
    g_clear_object (sandbox);
}

static void
test_dispose_while_hearing (void)
{
  FhSandbox *sandbox = new_sandbox ();
  g_autoptr (FhRunRequest) request = new_request ("x", -1, NULL);
  g_autoptr (FhRun) run = NULL;

  stand_in_use ("tells");
  run = fh_sandbox_run (sandbox, request);
  g_signal_connect (run, "notify::state", G_CALLBACK (drop_cb), &sandbox);
  wait_for_state (run, FH_RUN_FINISHED);
  g_assert_null (sandbox);
}

int
main (int argc, char **argv)
{
  static const Fault faults[] = {
    { "dies", "status 7" },
    { "killed", "signal 9" },
    { "leaves-descriptor", "signal 9" },
    { "nonsense", "Invalid message" },
    { "broken-payload", "Invalid message" },
    { "unknown-kind", "Invalid message" },
    { "attempt-gap", "Invalid message" },
    { "too-much-file", "Invalid message" },
    { "hangs-up", "signal 9" },
    { "leaves-at-once", "status 0" },
  };
  int status;

  g_test_init (&argc, &argv, NULL);
  stand_in_begin ();
  g_test_add_func ("/native-sandbox/request-arrives", test_request_arrives);
  g_test_add_func ("/native-sandbox/empty-and-large-sources", test_empty_and_large_sources);
  g_test_add_func ("/native-sandbox/standard-input", test_standard_input);
  g_test_add_func ("/native-sandbox/attempts", test_attempts);
  g_test_add_func ("/native-sandbox/files", test_files);
  g_test_add_func ("/native-sandbox/files-survive", test_files_survive);
  g_test_add_func ("/native-sandbox/no-standard-input", test_no_standard_input);
  g_test_add_func ("/native-sandbox/surroundings", test_surroundings);
  g_test_add_func ("/native-sandbox/flood", test_flood);
  for (guint i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      g_autofree char *path = g_strconcat ("/native-sandbox/fault/", faults[i].act, NULL);

      g_test_add_data_func (path, &faults[i], test_fault);
    }
  g_test_add_func ("/native-sandbox/usage-survives", test_usage_survives);
  g_test_add_func ("/native-sandbox/no-descriptor-is-left", test_no_descriptor_is_left);
  g_test_add_func ("/native-sandbox/setup-fails", test_setup_fails);
  g_test_add_func ("/native-sandbox/finishes-once", test_finishes_once);
  g_test_add_func ("/native-sandbox/missing-runner", test_missing_runner);
  g_test_add_func ("/native-sandbox/runner-is-no-program", test_runner_is_no_program);
  g_test_add_func ("/native-sandbox/missing-guest-folder", test_missing_guest_folder);
  g_test_add_func ("/native-sandbox/missing-interpreter", test_missing_interpreter);
  g_test_add_func ("/native-sandbox/busy", test_busy);
  g_test_add_func ("/native-sandbox/stop-by-force", test_stop_by_force);
  g_test_add_func ("/native-sandbox/dispose-ends-the-run", test_dispose_ends_the_run);
  g_test_add_func ("/native-sandbox/dispose-while-hearing", test_dispose_while_hearing);
  status = g_test_run ();
  stand_in_end ();
  return status;
}
