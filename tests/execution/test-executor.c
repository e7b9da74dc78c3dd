/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "executor.h"

#include <string.h>

#include "container-room.h"
#include "fake-backend.h"
#include "stand-in.h"

static void
count_cb (guint *count)
{
  (*count)++;
}

static void
test_runs_here (void)
{
  g_autoptr (FakeBackend) backend = fake_backend_new ();
  g_autoptr (FhProbes) probes = fh_probes_new (FH_BACKEND (backend));
  g_autoptr (FhExecutor) executor = fh_executor_new (probes);
  g_autoptr (FhRunRequest) request = container_room_request (&(FhRunRequestInit){ 0 });
  g_autoptr (FhRun) first = fh_executor_run (executor, request);
  g_autoptr (FhRun) second = NULL;

  g_assert_cmpint (fh_run_get_state (first), ==, FH_RUN_RUNNING);
  g_assert_null (fh_executor_get_container (executor));
  g_assert_null (fh_executor_dup_progress (executor));
  second = fh_executor_run (executor, request);
  g_assert_cmpint (fh_run_result_get_parts (fh_run_get_result (first))->outcome->status,
                   ==,
                   FH_RUN_STATUS_STOPPED);
  g_assert_cmpuint (fake_backend_get_n_runs (backend), ==, 2);
  fake_backend_finish (backend, 0);
  g_assert_false (fh_executor_can_change_container (executor));
  fh_executor_restart_container (executor);
}

/* This computer is probed for all sessions together; options that cannot be used are not probed. */
static void
test_protection (void)
{
  g_autoptr (FakeBackend) backend = fake_backend_new ();
  g_autoptr (FhProbes) probes = fh_probes_new (FH_BACKEND (backend));
  g_autoptr (FhExecutor) executor = fh_executor_new (probes);
  g_autoptr (FhRunOptions) options = fh_run_options_new ();
  FhProtection *here = fh_probes_get_here (probes);
  guint n_protected = 0;

  g_signal_connect_swapped (executor, "protected", G_CALLBACK (count_cb), &n_protected);
  g_assert_null (fh_executor_get_protection (executor));
  fh_executor_set_options (executor, options);
  g_assert_true (fh_executor_get_protection (executor) == here);
  g_assert_cmpuint (n_protected, ==, 1);
  g_assert_false (fh_protection_may_run (here));
  fh_executor_check (executor);
  while (fh_protection_get_state (here) == FH_PROTECTION_CHECKING)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (fh_protection_may_run (here));
  g_assert_cmpuint (n_protected, ==, 1);
  fh_executor_set_options (executor, NULL);
  g_assert_true (fh_executor_get_protection (executor) == here);
  while (n_protected == 1)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (fh_protection_may_run (fh_executor_get_protection (executor)));
  /* Nothing is probed for a session that was closed. */
  fh_executor_close (executor);
  fh_executor_set_options (executor, options);
  fh_executor_check (executor);
  g_assert_cmpuint (n_protected, ==, 2);
}

static void
test_closed (void)
{
  g_autoptr (FakeBackend) backend = fake_backend_new ();
  g_autoptr (FhProbes) probes = fh_probes_new (FH_BACKEND (backend));
  g_autoptr (FhExecutor) executor = fh_executor_new (probes);
  g_autoptr (FhRunRequest) request = container_room_request (&(FhRunRequestInit){ 0 });
  g_autoptr (FhRun) run = fh_executor_run (executor, request);
  g_autoptr (GAsyncResult) closed = NULL;
  guint n_changes = 0;

  g_signal_connect_swapped (executor, "changed", G_CALLBACK (count_cb), &n_changes);
  fh_executor_close_async (executor, container_room_remember, &closed);
  g_assert_cmpint (fh_run_get_state (run), ==, FH_RUN_FINISHED);
  container_room_await (&closed);
  g_assert_true (fh_executor_close_finish (executor, closed, NULL));
  g_assert_cmpuint (n_changes, ==, 0);
}

static FhRun *
run_in (FhExecutor *executor, const FhContainerOptions *options)
{
  g_autoptr (FhRunRequest) request =
      container_room_request (&(FhRunRequestInit){ .container = options });
  FhRun *run = fh_executor_run (executor, request);

  g_assert_cmpstr (fh_executor_get_container_state (executor), !=, "The container is ready");
  container_room_wait (run, FH_RUN_FINISHED);
  return run;
}

static void
wait_for_state (FhExecutor *executor, const char *sentence)
{
  while (g_strcmp0 (fh_executor_get_container_state (executor), sentence) != 0)
    g_main_context_iteration (NULL, TRUE);
}

/* It stays as long as its options do; a run in between on this computer changes nothing. */
static void
test_kept (void)
{
  FhContainerOptions options = {
    .engine = FH_ENGINE_DOCKER,
    .name = "lab",
    .is_kept = TRUE,
    .after = FH_CONTAINER_REMOVE,
  };
  g_autoptr (FakeBackend) backend = fake_backend_new ();
  g_autoptr (FhProbes) probes = fh_probes_new (FH_BACKEND (backend));
  g_autoptr (FhExecutor) executor = fh_executor_new (probes);
  g_autoptr (FhRunRequest) here = container_room_request (&(FhRunRequestInit){ 0 });
  g_autoptr (FhRun) first = NULL;
  g_autoptr (FhRun) between = NULL;
  g_autoptr (FhRun) second = NULL;
  g_autoptr (FhRun) third = NULL;
  guint n_replaced = 0;

  container_room_set ("", "tells");
  g_signal_connect_swapped (executor, "replaced", G_CALLBACK (count_cb), &n_replaced);
  first = run_in (executor, &options);
  container_room_assert_end (fh_run_get_result (first), FH_RUN_STATUS_OK, NULL);
  g_assert_cmpstr (fh_executor_get_container (executor), ==, "lab");
  g_assert_cmpint (fh_sandbox_get_engine (fh_executor_get_sandbox (executor))->kind,
                   ==,
                   FH_ENGINE_DOCKER);
  fh_executor_refresh (executor);
  wait_for_state (executor, "The container is ready");
  between = fh_executor_run (executor, here);
  fake_backend_finish (backend, 0);
  second = run_in (executor, &options);
  g_assert_cmpuint (container_room_count_calls ("create "), ==, 1);
  g_assert_cmpuint (n_replaced, ==, 0);
  options.milli_cpus = 500;
  third = run_in (executor, &options);
  g_assert_cmpuint (n_replaced, ==, 1);
}

static void
test_restart_and_stop (void)
{
  const FhContainerOptions options = {
    .engine = FH_ENGINE_DOCKER,
    .name = "bench", /* "lab" may still be on its way out */
    .is_kept = TRUE,
    .after = FH_CONTAINER_REMOVE,
  };
  g_autoptr (FhExecutor) executor = fh_executor_new (NULL);
  g_autoptr (FhRun) run = NULL;

  container_room_set ("", "tells");
  run = run_in (executor, &options);
  g_assert_true (fh_executor_can_change_container (executor));
  fh_executor_restart_container (executor);
  g_assert_cmpstr (fh_executor_get_container_state (executor), ==, "Restarting the container…");
  g_assert_false (fh_executor_can_change_container (executor));
  wait_for_state (executor, "The container is ready");
  g_assert_cmpuint (container_room_count_calls ("restart "), ==, 1);
  fh_executor_stop_container (executor);
  g_assert_cmpstr (fh_executor_get_container_state (executor), ==, "Stopping the container…");
  wait_for_state (executor, NULL);
  g_assert_null (fh_executor_get_container (executor));
  g_assert_false (container_room_has ("container-bench"));
}

/* Closing waits until the container of a single run is gone, or does what the options say of a kept
 * one, and so it is when its run was ended before, as a server of many calls does. */
static void
test_close (void)
{
  const struct
  {
    FhContainerAfter after;
    gboolean is_kept;
    gboolean stays;
    guint n_stopped;
  } cases[] = {
    { FH_CONTAINER_REMOVE, FALSE, FALSE, 0 },
    { FH_CONTAINER_REMOVE, TRUE, FALSE, 0 },
    { FH_CONTAINER_STOP, TRUE, TRUE, 1 },
    { FH_CONTAINER_LEAVE, TRUE, TRUE, 0 },
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++)
    {
      const gboolean was_ended = i % 2 == 1;
      const FhContainerOptions options = { .engine = FH_ENGINE_DOCKER,
                                           .name = "given",
                                           .is_kept = cases[i / 2].is_kept,
                                           .after = cases[i / 2].after };
      g_autoptr (FhExecutor) executor = fh_executor_new (NULL);
      g_autoptr (GAsyncResult) closed = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (FhRun) run = NULL;

      container_room_set ("", "tells");
      run = run_in (executor, &options);
      if (was_ended)
        fh_executor_end_run (executor);
      fh_executor_close_async (executor, container_room_remember, &closed);
      container_room_await (&closed);
      g_assert_true (fh_executor_close_finish (executor, closed, &error));
      g_assert_no_error (error);
      g_assert_true (container_room_has ("container-given") == cases[i / 2].stays);
      g_assert_cmpuint (container_room_count_calls ("stop "), ==, cases[i / 2].n_stopped);
    }
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  container_room_begin ();
  g_test_add_func ("/session/runs-here", test_runs_here);
  g_test_add_func ("/session/protection", test_protection);
  g_test_add_func ("/session/closed", test_closed);
  g_test_add_func ("/session/kept", test_kept);
  g_test_add_func ("/session/restart-and-stop", test_restart_and_stop);
  g_test_add_func ("/session/close", test_close);
  status = g_test_run ();
  stand_in_end ();
  return status;
}
