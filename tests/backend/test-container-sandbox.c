/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run in a container always ends, with what was written kept and the truth about its end,
 * whatever the engine does. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "backend.h"
#include "container-room.h"
#include "stand-in.h"

/* One run with these acts; afterwards nothing is left. */
static FhRunResult *
run_once (const char *acts, const char *runner)
{
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (GError) error = NULL;
  FhRunResult *result;

  container_room_set (acts, runner);
  sandbox = container_room_sandbox (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER });
  result = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
  g_assert_cmpstr (fh_run_result_get_parts (result)->backend, ==, "container");
  if (strstr (acts, "down") == NULL)
    {
      g_autofree char *left = g_strconcat ("container-", fh_sandbox_get_name (sandbox), NULL);

      g_assert_true (container_room_stop (sandbox, &error));
      g_assert_no_error (error);
      g_assert_false (container_room_has (left));
    }
  return result;
}

static void
test_told (void)
{
  g_autoptr (FhRunResult) result = run_once ("", "tells");
  GPtrArray *guards = fh_run_result_get_parts (result)->guards;
  FhGuardState *network = g_ptr_array_index (guards, 0);

  container_room_assert_end (result, FH_RUN_STATUS_OK, NULL);
  container_room_assert_output (result, "main.py 1 1 wall=30000 guest=23\n");
  g_assert_cmpstr (fh_run_result_get_parts (result)->tier, ==, "D");
  /* What both name is named once. */
  g_assert_cmpint (fh_guard_state_get_facts (network)->guard, ==, FH_GUARD_NETWORK);
  g_assert_cmpstr (fh_guard_state_get_facts (network)->layers,
                   ==,
                   "network namespace, loopback only");
  /* On the way to the result nothing was asked that need not be. */
  g_assert_cmpuint (container_room_count_calls ("run "), ==, 1);
  g_assert_cmpuint (container_room_count_calls ("inspect "), ==, 0);
  g_assert_cmpuint (container_room_count_calls ("rm "), ==, 1);
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

  container_room_set ("", "container");
  sandbox = container_room_sandbox (&(FhContainerOptions){
      .engine = FH_ENGINE_DOCKER,
      .environment = wishes,
  });
  result = container_room_run (sandbox, &(FhRunRequestInit){ .standard_input = input });
  output = fh_output_log_dup_text (fh_run_result_get_parts (result)->output, FH_STREAM_STDOUT);
  g_assert_true (
      g_str_has_prefix (output, "tier=5 shared=0 input=614400 binds=0 argv=python3 file=7 env="));
  g_assert_nonnull (strstr (output, "PATH=/mine "));
  g_assert_nonnull (strstr (output, "HOME=/workspace "));
  g_assert_nonnull (strstr (output, "MARK=1 "));
  g_assert_true (container_room_stop (sandbox, NULL));
}

static void
test_missing_program (void)
{
  g_autoptr (FhRunResult) result = run_once ("", "no-program");

  container_room_assert_end (result,
                             FH_RUN_STATUS_NOT_STARTED,
                             "“python:3-slim” has no program “python3”");
}

static void
test_missing_image (void)
{
  g_autoptr (FhRunResult) pulled = run_once ("no-image", "tells");
  g_autoptr (FhRunResult) refused = NULL;
  g_autoptr (FhRunResult) unwanted = NULL;
  g_autoptr (FhSandbox) sandbox = NULL;

  container_room_assert_end (pulled, FH_RUN_STATUS_OK, NULL);
  g_assert_cmpuint (container_room_count_calls ("pull "), ==, 1);
  container_room_set ("no-image no-pull", "tells");
  sandbox = container_room_sandbox (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER });
  refused = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
  container_room_assert_end (refused, FH_RUN_STATUS_NOT_STARTED, "Could not start. ");
  g_clear_object (&sandbox);
  container_room_set ("no-image", "tells");
  sandbox =
      container_room_sandbox (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER, .no_pull = TRUE });
  unwanted = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
  container_room_assert_end (unwanted, FH_RUN_STATUS_NOT_STARTED, "pulling it was not allowed");
  g_assert_cmpuint (container_room_count_calls ("pull "), ==, 0);
}

static void
test_other_machine (void)
{
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (FhRunResult) result = NULL;

  container_room_set ("arm", "tells");
  sandbox = container_room_sandbox (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER });
  result = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
  container_room_assert_end (result, FH_RUN_STATUS_NOT_STARTED, "another architecture (arm64)");
  g_assert_cmpuint (container_room_count_calls ("run "), ==, 0);
}

static void
test_engine_refuses (void)
{
  g_autoptr (FhRunResult) refused = run_once ("refused", "tells");
  g_autoptr (FhRunResult) unexplained = NULL;

  container_room_assert_end (refused, FH_RUN_STATUS_NOT_STARTED, "exec format error");
  /* 137 alone is no lack of memory. */
  unexplained = run_once ("unexplained", "tells");
  container_room_assert_end (unexplained, FH_RUN_STATUS_NOT_STARTED, "status 137");
}

static void
test_lost (void)
{
  g_autoptr (FhRunResult) died = run_once ("", "dies");
  g_autoptr (FhRunResult) memory = run_once ("out-of-memory", "killed");
  g_autoptr (FhRunResult) removed = run_once ("removed", "killed");
  g_autoptr (FhRunResult) down = run_once ("down", "killed");
  g_autoptr (FhRunResult) nonsense = run_once ("", "nonsense");
  g_autoptr (FhRunResult) cut = run_once ("cut", "killed");

  container_room_assert_end (died, FH_RUN_STATUS_INTERNAL_ERROR, "exited with status 7 before");
  container_room_assert_output (died, "partial");
  g_assert_cmpuint (fh_run_result_get_parts (died)->outcome->memory_peak, ==, 7 << 20);
  container_room_assert_end (memory, FH_RUN_STATUS_MEMORY_EXCEEDED, NULL);
  g_assert_cmpint (fh_run_result_get_parts (memory)->outcome->cause, ==, FH_RUN_CAUSE_CERTAIN);
  container_room_assert_output (memory, "partial");
  container_room_assert_end (removed,
                             FH_RUN_STATUS_INTERNAL_ERROR,
                             "The container was removed while");
  container_room_assert_output (removed, "partial");
  container_room_assert_end (down, FH_RUN_STATUS_INTERNAL_ERROR, "Docker");
  container_room_assert_output (down, "partial");
  container_room_assert_output (nonsense, "partial");
  /* Whatever the container's own end looks like. */
  container_room_assert_end (cut,
                             FH_RUN_STATUS_INTERNAL_ERROR,
                             "program was killed from outside (signal 9)");
  container_room_assert_output (cut, "partial");
}

/* Time is measured inside; who does not answer long after it was over is ended from outside. */
static void
test_silent (void)
{
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (FhRunResult) result = NULL;
  FhRunLimits limits = FH_RUN_LIMITS_DEFAULT;

  container_room_set ("", "stubborn");
  limits.wall_ms = 100;
  sandbox = container_room_sandbox (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER });
  result = container_room_run (sandbox, &(FhRunRequestInit){ .limits = limits });
  container_room_assert_end (result, FH_RUN_STATUS_TIMED_OUT, NULL);
  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->cause, ==, FH_RUN_CAUSE_WALL);
  g_assert_true (container_room_stop (sandbox, NULL));
  g_assert_cmpuint (container_room_count_calls ("rm "), ==, 1);
}

static void
test_stop (void)
{
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (FhRunRequest) request = container_room_request (&(FhRunRequestInit){ 0 });
  g_autoptr (FhRun) obeying = NULL;
  g_autoptr (FhRun) stubborn = NULL;
  g_autoptr (FhRun) preparing = NULL;

  container_room_set ("", "obeys");
  sandbox = container_room_sandbox (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER });
  obeying = fh_sandbox_run (sandbox, request);
  container_room_wait (obeying, FH_RUN_RUNNING);
  fh_run_stop (obeying);
  container_room_wait (obeying, FH_RUN_FINISHED);
  container_room_assert_end (fh_run_get_result (obeying), FH_RUN_STATUS_STOPPED, NULL);

  stand_in_use ("stubborn");
  stubborn = fh_sandbox_run (sandbox, request);
  container_room_wait (stubborn, FH_RUN_RUNNING);
  fh_run_stop (stubborn);
  fh_run_stop (stubborn);
  container_room_wait (stubborn, FH_RUN_FINISHED);
  container_room_assert_end (fh_run_get_result (stubborn), FH_RUN_STATUS_STOPPED, NULL);
  g_assert_true (container_room_stop (sandbox, NULL));
  g_clear_object (&sandbox);

  /* The engine has not even said whether it has the image. */
  container_room_set ("slow-image", "tells");
  sandbox = container_room_sandbox (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER });
  preparing = fh_sandbox_run (sandbox, request);
  while (container_room_count_calls ("image inspect") == 0)
    g_main_context_iteration (NULL, FALSE);
  fh_run_stop (preparing);
  container_room_wait (preparing, FH_RUN_FINISHED);
  container_room_assert_end (fh_run_get_result (preparing), FH_RUN_STATUS_STOPPED, NULL);
  g_assert_true (container_room_stop (sandbox, NULL));
  g_assert_cmpuint (container_room_count_calls ("run "), ==, 0);
}

static void
test_busy (void)
{
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (FhRunRequest) request = container_room_request (&(FhRunRequestInit){ 0 });
  g_autoptr (FhRun) first = NULL;
  g_autoptr (FhRunResult) second = NULL;

  container_room_set ("", "obeys");
  sandbox = container_room_sandbox (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER });
  first = fh_sandbox_run (sandbox, request);
  container_room_wait (first, FH_RUN_RUNNING);
  second = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
  container_room_assert_end (second, FH_RUN_STATUS_INTERNAL_ERROR, "still running");
  /* Releasing it ends what runs in it. */
  g_clear_object (&sandbox);
  g_assert_cmpint (fh_run_get_state (first), ==, FH_RUN_FINISHED);
  container_room_assert_end (fh_run_get_result (first), FH_RUN_STATUS_STOPPED, NULL);
  while (container_room_count_calls ("rm ") == 0)
    g_main_context_iteration (NULL, FALSE);
}

static FhBackendProbe *
probe (const char *acts, const char *runner)
{
  g_autoptr (FhBackend) backend =
      fh_backend_new (FH_TIER_AUTO, &(FhContainerOptions){ .engine = FH_ENGINE_DOCKER });
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  FhBackendProbe *found;

  container_room_set (acts, runner);
  fh_backend_probe_async (backend, NULL, container_room_remember, &result);
  container_room_await (&result);
  found = fh_backend_probe_finish (backend, result, &error);
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

static void
kill_orphan (void)
{
  g_autofree char *path = container_room_path ("orphan");
  g_autofree char *pid = NULL;

  g_assert_true (g_file_get_contents (path, &pid, NULL, NULL));
  g_assert_no_errno (kill ((pid_t) g_ascii_strtoll (pid, NULL, 10), SIGKILL));
}

/* Long before the time that a start may take, and told in words that can be shown. */
static void
test_hostile_clients (void)
{
  static const struct
  {
    const char *act;
    const char *words;
  } cases[] = {
    { "flood", "kept writing error messages" },
    { "noise", "Invalid message" },
    { "rude", "it is rude" },
    { "deaf", "exited before it reported" },
    { "orphan", "exited with status 0 before" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FhRunResult) result = run_once (cases[i].act, "tells");
      const char *sentence = fh_run_result_get_parts (result)->sentence;

      container_room_assert_end (result, FH_RUN_STATUS_NOT_STARTED, cases[i].words);
      g_assert_true (g_utf8_validate (sentence, -1, NULL));
      for (const char *c = sentence; *c != '\0'; c = g_utf8_next_char (c))
        g_assert_true (g_unichar_isprint (g_utf8_get_char (c)));
      if (g_str_equal (cases[i].act, "orphan"))
        kill_orphan ();
      g_assert_cmpint (waitpid (-1, NULL, WNOHANG), ==, -1);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  container_room_begin ();
  g_test_add_func ("/container-sandbox/told", test_told);
  g_test_add_func ("/container-sandbox/policy", test_policy);
  g_test_add_func ("/container-sandbox/missing-program", test_missing_program);
  g_test_add_func ("/container-sandbox/missing-image", test_missing_image);
  g_test_add_func ("/container-sandbox/other-machine", test_other_machine);
  g_test_add_func ("/container-sandbox/engine-refuses", test_engine_refuses);
  g_test_add_func ("/container-sandbox/lost", test_lost);
  g_test_add_func ("/container-sandbox/silent", test_silent);
  g_test_add_func ("/container-sandbox/hostile-clients", test_hostile_clients);
  g_test_add_func ("/container-sandbox/stop", test_stop);
  g_test_add_func ("/container-sandbox/busy", test_busy);
  g_test_add_func ("/container-sandbox/probe", test_probe);
  status = g_test_run ();
  container_room_end ();
  return status;
}
