/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run in a container always ends, with what was written kept and the truth about its end,
 * whatever the engine does. The engine here is fake-run-engine.py, the runner fake-runner.c. */
#include <glib/gstdio.h>
#include <string.h>

#include "container-backend.h"
#include "container-life.h"
#include "container-sandbox.h"
#include "stand-in.h"

static void
remember_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_set_object ((GAsyncResult **) user_data, result);
}

static void
await (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

static char *
path_in_room (const char *name)
{
  return g_build_filename (stand_in_folder (), name, NULL);
}

static gboolean
exists (const char *name)
{
  g_autofree char *path = path_in_room (name);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* How many calls of the client began with these words. */
static guint
count_calls (const char *words)
{
  g_autofree char *path = path_in_room ("calls");
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  guint count = 0;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  lines = g_strsplit (text, "\n", -1);
  for (gsize i = 0; lines[i] != NULL; i++)
    count += g_str_has_prefix (lines[i], words);
  return count;
}

/* A new room for each test: acts of the engine and of the runner. */
static void
begin (const char *acts, const char *runner)
{
  static const char *const files[] = { "calls",
                                       "pulled",
                                       "down",
                                       "container-lab",
                                       "container-given" };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = path_in_room (files[i]);

      g_unlink (path);
    }
  g_setenv ("FAKE_ACTS", acts, TRUE);
  stand_in_use (runner);
}

static FhSandbox *
new_sandbox (const FhContainerOptions *options)
{
  g_autoptr (FhContainerBackend) backend = fh_container_backend_new (options);

  g_assert_cmpstr (fh_backend_get_id (FH_BACKEND (backend)), ==, "container");
  return fh_backend_prepare (FH_BACKEND (backend), &FH_RUN_LIMITS_DEFAULT);
}

static FhRunRequest *
new_request (const FhRunRequestInit *changes)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);
  g_autoptr (GError) error = NULL;
  FhRunRequestInit init = *changes;
  FhRunRequest *request;

  init.language = fh_language_lookup ("python");
  init.source = source;
  if (init.limits.wall_ms == 0)
    init.limits = FH_RUN_LIMITS_DEFAULT;
  request = fh_run_request_new (&init, &error);
  g_assert_no_error (error);
  return request;
}

static void
wait_for_state (FhRun *run, FhRunState state)
{
  while (fh_run_get_state (run) < state)
    g_main_context_iteration (NULL, TRUE);
}

static FhRunResult *
run_in (FhSandbox *sandbox, const FhRunRequestInit *changes)
{
  g_autoptr (FhRunRequest) request = new_request (changes);
  g_autoptr (FhRun) run = fh_sandbox_run (sandbox, request);

  g_assert_cmpint (fh_run_get_state (run), ==, FH_RUN_PREPARING);
  wait_for_state (run, FH_RUN_FINISHED);
  return g_object_ref (fh_run_get_result (run));
}

static gboolean
stop (FhSandbox *sandbox, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  fh_container_sandbox_stop_async (FH_CONTAINER_SANDBOX (sandbox), NULL, remember_cb, &result);
  await (&result);
  return fh_container_sandbox_stop_finish (FH_CONTAINER_SANDBOX (sandbox), result, error);
}

/* One run with these acts; afterwards nothing is left. */
static FhRunResult *
run_once (const char *acts, const char *runner)
{
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (GError) error = NULL;
  FhRunResult *result;

  begin (acts, runner);
  sandbox = new_sandbox (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER });
  result = run_in (sandbox, &(FhRunRequestInit){ 0 });
  g_assert_cmpstr (fh_run_result_get_backend (result), ==, "container");
  if (strstr (acts, "down") == NULL)
    {
      g_autofree char *left =
          g_strconcat ("container-",
                       fh_container_sandbox_get_name (FH_CONTAINER_SANDBOX (sandbox)),
                       NULL);

      g_assert_true (stop (sandbox, &error));
      g_assert_no_error (error);
      g_assert_false (exists (left));
    }
  return result;
}

static void
assert_output (FhRunResult *result, const char *expected)
{
  g_autofree char *output =
      fh_output_log_dup_text (fh_run_result_get_output (result), FH_STREAM_STDOUT);

  g_assert_cmpstr (output, ==, expected);
}

static void
assert_end (FhRunResult *result, FhRunStatus status, const char *words)
{
  const char *sentence = fh_run_result_get_sentence (result);

  g_test_message ("%s", sentence);
  g_assert_cmpint (fh_run_result_get_status (result), ==, status);
  if (words != NULL && strstr (sentence, words) == NULL)
    g_error ("“%s” says nothing of “%s”", sentence, words);
}

static void
test_told (void)
{
  g_autoptr (FhRunResult) result = run_once ("", "tells");
  GPtrArray *guards = fh_run_result_get_guards (result);
  FhGuardState *network = g_ptr_array_index (guards, 0);

  assert_end (result, FH_RUN_STATUS_OK, NULL);
  assert_output (result, "main.py 1 1 wall=30000 guest=23\n");
  g_assert_cmpstr (fh_run_result_get_tier (result), ==, "D");
  /* What both name is named once. */
  g_assert_cmpint (fh_guard_state_get_guard (network), ==, FH_GUARD_NETWORK);
  g_assert_cmpstr (fh_guard_state_get_layers (network), ==, "network namespace, loopback only");
  /* On the way to the result nothing was asked that need not be. */
  g_assert_cmpuint (count_calls ("run "), ==, 1);
  g_assert_cmpuint (count_calls ("inspect "), ==, 0);
  g_assert_cmpuint (count_calls ("rm "), ==, 1);
}

static void
test_policy (void)
{
  static const char *const wishes[] = { "MARK=1", "PATH=/mine", NULL };
  const gsize size = 600 * 1024;
  g_autofree guint8 *data = g_malloc0 (size);
  g_autoptr (GBytes) input = g_bytes_new (data, size);
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *output = NULL;

  begin ("", "container");
  sandbox = new_sandbox (&(FhContainerOptions){
      .engine = FH_ENGINE_DOCKER,
      .environment = wishes,
  });
  result = run_in (sandbox, &(FhRunRequestInit){ .standard_input = input });
  output = fh_output_log_dup_text (fh_run_result_get_output (result), FH_STREAM_STDOUT);
  g_assert_true (
      g_str_has_prefix (output, "tier=4 shared=0 input=614400 binds=0 argv=python3 file=7 env="));
  g_assert_nonnull (strstr (output, "PATH=/mine "));
  g_assert_nonnull (strstr (output, "HOME=/workspace "));
  g_assert_nonnull (strstr (output, "MARK=1 "));
  g_assert_true (stop (sandbox, NULL));
}

static void
test_missing_program (void)
{
  g_autoptr (FhRunResult) result = run_once ("", "no-program");

  assert_end (result, FH_RUN_STATUS_NOT_STARTED, "“python:3-slim” has no program “python3”");
}

static void
test_missing_image (void)
{
  g_autoptr (FhRunResult) pulled = run_once ("no-image", "tells");
  g_autoptr (FhRunResult) refused = NULL;
  g_autoptr (FhRunResult) unwanted = NULL;
  g_autoptr (FhSandbox) sandbox = NULL;

  assert_end (pulled, FH_RUN_STATUS_OK, NULL);
  g_assert_cmpuint (count_calls ("pull "), ==, 1);
  begin ("no-image no-pull", "tells");
  sandbox = new_sandbox (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER });
  refused = run_in (sandbox, &(FhRunRequestInit){ 0 });
  assert_end (refused, FH_RUN_STATUS_NOT_STARTED, "Could not start. ");
  g_clear_object (&sandbox);
  begin ("no-image", "tells");
  sandbox = new_sandbox (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER, .no_pull = TRUE });
  unwanted = run_in (sandbox, &(FhRunRequestInit){ 0 });
  assert_end (unwanted, FH_RUN_STATUS_NOT_STARTED, "not to pull it");
  g_assert_cmpuint (count_calls ("pull "), ==, 0);
}

static void
test_other_machine (void)
{
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (FhRunResult) result = NULL;

  begin ("arm", "tells");
  sandbox = new_sandbox (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER });
  result = run_in (sandbox, &(FhRunRequestInit){ 0 });
  assert_end (result, FH_RUN_STATUS_NOT_STARTED, "another kind of computer (arm64)");
  g_assert_cmpuint (count_calls ("run "), ==, 0);
}

static void
test_engine_refuses (void)
{
  g_autoptr (FhRunResult) refused = run_once ("refused", "tells");
  g_autoptr (FhRunResult) unexplained = NULL;

  assert_end (refused, FH_RUN_STATUS_NOT_STARTED, "exec format error");
  /* 137 alone is no lack of memory. */
  unexplained = run_once ("unexplained", "tells");
  assert_end (unexplained, FH_RUN_STATUS_NOT_STARTED, "status 137");
}

static void
test_lost (void)
{
  g_autoptr (FhRunResult) died = run_once ("", "dies");
  g_autoptr (FhRunResult) memory = run_once ("out-of-memory", "killed");
  g_autoptr (FhRunResult) removed = run_once ("removed", "killed");
  g_autoptr (FhRunResult) down = run_once ("down", "killed");
  g_autoptr (FhRunResult) nonsense = run_once ("", "nonsense");

  assert_end (died, FH_RUN_STATUS_INTERNAL_ERROR, "ended with status 7 before");
  assert_output (died, "partial");
  g_assert_cmpuint (fh_run_result_get_outcome (died)->memory_peak, ==, 7 << 20);
  assert_end (memory, FH_RUN_STATUS_MEMORY_EXCEEDED, NULL);
  g_assert_cmpint (fh_run_result_get_outcome (memory)->cause, ==, FH_RUN_CAUSE_CERTAIN);
  assert_output (memory, "partial");
  assert_end (removed, FH_RUN_STATUS_INTERNAL_ERROR, "The container was removed while");
  assert_output (removed, "partial");
  assert_end (down, FH_RUN_STATUS_INTERNAL_ERROR, "Docker");
  assert_output (down, "partial");
  assert_output (nonsense, "partial");
}

/* Time is measured inside; who does not answer long after it was over is ended from outside. */
static void
test_silent (void)
{
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (FhRunResult) result = NULL;
  FhRunLimits limits = FH_RUN_LIMITS_DEFAULT;

  begin ("", "stubborn");
  limits.wall_ms = 100;
  sandbox = new_sandbox (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER });
  result = run_in (sandbox, &(FhRunRequestInit){ .limits = limits });
  assert_end (result, FH_RUN_STATUS_TIMED_OUT, NULL);
  g_assert_cmpint (fh_run_result_get_outcome (result)->cause, ==, FH_RUN_CAUSE_WALL);
  g_assert_true (stop (sandbox, NULL));
  g_assert_cmpuint (count_calls ("rm "), ==, 1);
}

static void
test_stop (void)
{
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (FhRunRequest) request = new_request (&(FhRunRequestInit){ 0 });
  g_autoptr (FhRun) obeying = NULL;
  g_autoptr (FhRun) stubborn = NULL;
  g_autoptr (FhRun) preparing = NULL;

  begin ("", "obeys");
  sandbox = new_sandbox (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER });
  obeying = fh_sandbox_run (sandbox, request);
  wait_for_state (obeying, FH_RUN_RUNNING);
  fh_run_stop (obeying);
  wait_for_state (obeying, FH_RUN_FINISHED);
  assert_end (fh_run_get_result (obeying), FH_RUN_STATUS_STOPPED, NULL);

  stand_in_use ("stubborn");
  stubborn = fh_sandbox_run (sandbox, request);
  wait_for_state (stubborn, FH_RUN_RUNNING);
  fh_run_stop (stubborn);
  fh_run_stop (stubborn);
  wait_for_state (stubborn, FH_RUN_FINISHED);
  assert_end (fh_run_get_result (stubborn), FH_RUN_STATUS_STOPPED, NULL);
  g_assert_true (stop (sandbox, NULL));
  g_clear_object (&sandbox);

  /* The engine has not even said whether it has the image. */
  begin ("slow-image", "tells");
  sandbox = new_sandbox (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER });
  preparing = fh_sandbox_run (sandbox, request);
  while (count_calls ("image inspect") == 0)
    g_main_context_iteration (NULL, FALSE);
  fh_run_stop (preparing);
  wait_for_state (preparing, FH_RUN_FINISHED);
  assert_end (fh_run_get_result (preparing), FH_RUN_STATUS_STOPPED, NULL);
  g_assert_true (stop (sandbox, NULL));
  g_assert_cmpuint (count_calls ("run "), ==, 0);
}

static void
test_busy (void)
{
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (FhRunRequest) request = new_request (&(FhRunRequestInit){ 0 });
  g_autoptr (FhRun) first = NULL;
  g_autoptr (FhRunResult) second = NULL;

  begin ("", "obeys");
  sandbox = new_sandbox (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER });
  first = fh_sandbox_run (sandbox, request);
  wait_for_state (first, FH_RUN_RUNNING);
  second = run_in (sandbox, &(FhRunRequestInit){ 0 });
  assert_end (second, FH_RUN_STATUS_INTERNAL_ERROR, "still running");
  /* Whoever lets go of it ends what runs in it. */
  g_clear_object (&sandbox);
  g_assert_cmpint (fh_run_get_state (first), ==, FH_RUN_FINISHED);
  assert_end (fh_run_get_result (first), FH_RUN_STATUS_STOPPED, NULL);
  while (count_calls ("rm ") == 0)
    g_main_context_iteration (NULL, FALSE);
}

static void
put_container (const char *name, const char *labels)
{
  g_autofree char *file = g_strconcat ("container-", name, NULL);
  g_autofree char *path = path_in_room (file);
  g_autofree char *text =
      g_strdup_printf ("{\"Id\": \"77\", \"Name\": \"%s\", \"Config\": {\"Labels\": {%s}}, "
                       "\"State\": {\"Status\": \"running\", \"OOMKilled\": true}}",
                       name,
                       labels);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
assert_refused (const FhContainerOptions *options, const char *words)
{
  g_autoptr (FhSandbox) sandbox = new_sandbox (options);
  g_autoptr (FhRunResult) result = run_in (sandbox, &(FhRunRequestInit){ 0 });

  assert_end (result, FH_RUN_STATUS_NOT_STARTED, words);
  g_assert_true (stop (sandbox, NULL));
  g_assert_cmpuint (count_calls ("rm "), ==, 0);
  g_assert_cmpuint (count_calls ("kill "), ==, 0);
  g_assert_cmpuint (count_calls ("stop "), ==, 0);
}

/* Somebody else's container is not touched, whenever it turns out that the name is his. */
static void
test_name_taken (void)
{
  const FhContainerOptions given = { .engine = FH_ENGINE_DOCKER, .name = "given" };
  const FhContainerOptions lab = { .engine = FH_ENGINE_DOCKER, .name = "lab", .is_kept = TRUE };

  begin ("", "tells");
  put_container ("given", "");
  assert_refused (&given, "not Fumehood’s");
  put_container ("given", "\"io.github.fumehood\": \"1\"");
  assert_refused (&given, "There is a container “given” already");
  put_container ("lab", "");
  assert_refused (&lab, "not Fumehood’s");
  put_container ("lab",
                 "\"io.github.fumehood\": \"1\", \"io.github.fumehood.kept\": \"1\", "
                 "\"io.github.fumehood.options\": \"other\"");
  assert_refused (&lab, "made with another image");
  g_assert_true (exists ("container-given"));
  g_assert_true (exists ("container-lab"));
  begin ("taken", "tells");
  assert_refused (&given, "given");
  begin ("taken", "tells");
  assert_refused (&lab, "lab");
}

static void
test_kept (void)
{
  const FhContainerOptions options = {
    .engine = FH_ENGINE_DOCKER,
    .name = "lab",
    .is_kept = TRUE,
    .after = FH_CONTAINER_STOP,
  };
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (FhRunResult) first = NULL;
  g_autoptr (FhRunResult) second = NULL;
  g_autoptr (FhRunResult) third = NULL;
  g_autoptr (FhRunResult) fourth = NULL;
  g_autofree char *path = path_in_room ("container-lab");

  begin ("", "tells");
  sandbox = new_sandbox (&options);
  first = run_in (sandbox, &(FhRunRequestInit){ 0 });
  second = run_in (sandbox, &(FhRunRequestInit){ 0 });
  assert_end (first, FH_RUN_STATUS_OK, "Finished normally.");
  assert_end (second, FH_RUN_STATUS_OK, "Finished normally.");
  g_assert_cmpuint (count_calls ("create "), ==, 1);
  g_assert_cmpuint (count_calls ("exec "), ==, 2);
  g_assert_cmpuint (count_calls ("image inspect"), ==, 1);

  /* Removed behind our back: said, and made anew. */
  g_unlink (path);
  third = run_in (sandbox, &(FhRunRequestInit){ 0 });
  assert_end (third, FH_RUN_STATUS_OK, "was made anew");
  g_assert_cmpuint (count_calls ("create "), ==, 2);

  /* Stopped: started again. Twice is once. */
  g_assert_true (stop (sandbox, NULL));
  g_assert_true (stop (sandbox, NULL));
  g_assert_true (exists ("container-lab"));
  fourth = run_in (sandbox, &(FhRunRequestInit){ 0 });
  assert_end (fourth, FH_RUN_STATUS_OK, "Finished normally.");
  g_assert_cmpuint (count_calls ("create "), ==, 2);
  g_assert_cmpuint (count_calls ("start "), ==, 3);
}

static void
test_kept_and_lost (void)
{
  const FhContainerOptions options = {
    .engine = FH_ENGINE_DOCKER,
    .name = "lab",
    .is_kept = TRUE,
  };
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (FhRunResult) stopped = NULL;
  g_autoptr (FhRunResult) next = NULL;

  begin ("stopped", "killed");
  sandbox = new_sandbox (&options);
  stopped = run_in (sandbox, &(FhRunRequestInit){ 0 });
  assert_end (stopped, FH_RUN_STATUS_INTERNAL_ERROR, "The container was stopped while");
  assert_output (stopped, "partial");
  /* The container was made with the first runner, and is used with no other. */
  g_setenv ("FAKE_ACTS", "", TRUE);
  stand_in_use ("tells");
  g_setenv ("FAKE_SPEAKER", g_getenv ("FH_RUNNER"), TRUE);
  stand_in_use ("killed");
  next = run_in (sandbox, &(FhRunRequestInit){ 0 });
  assert_end (next, FH_RUN_STATUS_OK, NULL);
  /* FH_CONTAINER_REMOVE */
  g_assert_true (stop (sandbox, NULL));
  g_assert_false (exists ("container-lab"));
  g_assert_true (stop (sandbox, NULL));
  g_unsetenv ("FAKE_SPEAKER");
}

/* One that was begun and does not start is not left half-made. */
static void
test_kept_and_half (void)
{
  const FhContainerOptions options = {
    .engine = FH_ENGINE_DOCKER,
    .name = "lab",
    .is_kept = TRUE,
    .after = FH_CONTAINER_LEAVE,
  };
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (FhRunResult) result = NULL;

  begin ("refused", "tells");
  sandbox = new_sandbox (&options);
  result = run_in (sandbox, &(FhRunRequestInit){ 0 });
  assert_end (result, FH_RUN_STATUS_NOT_STARTED, "exec format error");
  g_assert_true (stop (sandbox, NULL));
  g_assert_false (exists ("container-lab"));
}

static void
test_restart (void)
{
  g_autoptr (FhSandbox) lab = NULL;
  g_autoptr (FhSandbox) other = NULL;
  g_autoptr (GAsyncResult) restarted = NULL;
  g_autoptr (GAsyncResult) refused = NULL;
  g_autoptr (GError) error = NULL;

  begin ("", "tells");
  lab = new_sandbox (&(FhContainerOptions){
      .engine = FH_ENGINE_DOCKER,
      .name = "lab",
      .is_kept = TRUE,
  });
  fh_container_sandbox_restart_async (FH_CONTAINER_SANDBOX (lab), NULL, remember_cb, &restarted);
  await (&restarted);
  g_assert_true (
      fh_container_sandbox_restart_finish (FH_CONTAINER_SANDBOX (lab), restarted, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (fh_container_sandbox_get_name (FH_CONTAINER_SANDBOX (lab)), ==, "lab");
  g_assert_true (stop (lab, NULL));

  other = new_sandbox (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER });
  fh_container_sandbox_restart_async (FH_CONTAINER_SANDBOX (other), NULL, remember_cb, &refused);
  await (&refused);
  g_assert_false (
      fh_container_sandbox_restart_finish (FH_CONTAINER_SANDBOX (other), refused, &error));
  g_assert_nonnull (error);
}

static FhBackendProbe *
probe (const char *acts, const char *runner)
{
  g_autoptr (FhContainerBackend) backend =
      fh_container_backend_new (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER });
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  FhBackendProbe *found;

  begin (acts, runner);
  fh_backend_probe_async (FH_BACKEND (backend), NULL, remember_cb, &result);
  await (&result);
  found = fh_backend_probe_finish (FH_BACKEND (backend), result, &error);
  g_assert_no_error (error);
  return found;
}

static void
test_probe (void)
{
  g_autoptr (FhBackendProbe) works = probe ("", "probe");
  g_autoptr (FhBackendProbe) fails = probe ("", "probe-fails");
  g_autoptr (FhBackendProbe) no_image = probe ("no-image", "probe");
  g_autoptr (FhBackendProbe) refused = probe ("refused", "probe");

  g_assert_true (works->may_run);
  g_assert_cmpstr (works->tier, ==, "D");
  g_assert_cmpuint (works->guards->len, ==, 2);
  g_assert_false (fails->may_run);
  g_assert_nonnull (strstr (fails->reason, "uid-map"));
  g_assert_false (no_image->may_run);
  g_assert_nonnull (no_image->reason);
  g_assert_false (refused->may_run);
  g_assert_nonnull (strstr (refused->reason, "exec format error"));
}

int
main (int argc, char **argv)
{
  g_autofree char *program = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  stand_in_begin ();
  program = g_canonicalize_filename (g_getenv ("FH_FAKE_RUN_ENGINE"), NULL);
  g_setenv ("FH_DOCKER", program, TRUE);
  g_setenv ("FAKE_FOLDER", stand_in_folder (), TRUE);
  g_setenv ("XDG_RUNTIME_DIR", stand_in_folder (), TRUE);
  g_unsetenv ("DOCKER_HOST");
  g_unsetenv ("DOCKER_CONTEXT");
  g_test_add_func ("/container-sandbox/told", test_told);
  g_test_add_func ("/container-sandbox/policy", test_policy);
  g_test_add_func ("/container-sandbox/missing-program", test_missing_program);
  g_test_add_func ("/container-sandbox/missing-image", test_missing_image);
  g_test_add_func ("/container-sandbox/other-machine", test_other_machine);
  g_test_add_func ("/container-sandbox/engine-refuses", test_engine_refuses);
  g_test_add_func ("/container-sandbox/lost", test_lost);
  g_test_add_func ("/container-sandbox/silent", test_silent);
  g_test_add_func ("/container-sandbox/stop", test_stop);
  g_test_add_func ("/container-sandbox/busy", test_busy);
  g_test_add_func ("/container-sandbox/name-taken", test_name_taken);
  g_test_add_func ("/container-sandbox/kept", test_kept);
  g_test_add_func ("/container-sandbox/kept-and-lost", test_kept_and_lost);
  g_test_add_func ("/container-sandbox/kept-and-half", test_kept_and_half);
  g_test_add_func ("/container-sandbox/restart", test_restart);
  g_test_add_func ("/container-sandbox/probe", test_probe);
  status = g_test_run ();
  stand_in_end ();
  return status;
}
