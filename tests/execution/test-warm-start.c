/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the sandbox of the next run is prepared, used, and thrown away. */
#include "container-room.h"
#include "executor.h"
#include "fake-backend.h"

typedef struct
{
  FakeBackend *backend;
  FhProbes *probes;
  FhExecutor *executor;
  FhRunRequest *request; /* what would be run now; nullable */
  guint n_asked;
} Fixture;

static FhRunRequest *
new_request (const FhContainerOptions *container)
{
  g_autoptr (GBytes) source = g_bytes_new_static ("x", 1);

  return fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup ("python"),
          .source = source,
          .limits = FH_RUN_LIMITS_DEFAULT,
          .container = container,
      },
      NULL);
}

static FhRunRequest *
next_cb (gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->n_asked++;
  return fixture->request != NULL ? g_object_ref (fixture->request) : NULL;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->backend = fake_backend_new ();
  fixture->probes = fh_probes_new (FH_BACKEND (fixture->backend));
  fixture->executor = fh_executor_new (fixture->probes);
  fixture->request = new_request (NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  fh_executor_close (fixture->executor);
  g_assert_null (fake_backend_get_prepared (fixture->backend));
  g_clear_object (&fixture->executor);
  g_clear_object (&fixture->request);
  g_clear_object (&fixture->probes);
  g_clear_object (&fixture->backend);
}

static void
wait_until_asked (Fixture *fixture, guint n)
{
  while (fixture->n_asked < n)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_used_for_the_next_run (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhRun) run = NULL;

  fh_executor_set_next (fixture->executor, next_cb, fixture);
  g_assert_cmpuint (fake_backend_get_n_prepared (fixture->backend), ==, 0);
  fh_executor_expect_run (fixture->executor);
  wait_until_asked (fixture, 1);
  g_assert_cmpuint (fake_backend_get_n_prepared (fixture->backend), ==, 1);
  /* It is still there: no other is needed. */
  fh_executor_expect_run (fixture->executor);
  run = fh_executor_run (fixture->executor, fixture->request);
  g_assert_true (fh_executor_get_sandbox (fixture->executor) ==
                 fake_backend_get_prepared (fixture->backend));
  /* Not while it runs. */
  fh_executor_expect_run (fixture->executor);
  fake_backend_finish (fixture->backend, 0);
  g_assert_cmpuint (fixture->n_asked, ==, 1);
  fh_executor_expect_run (fixture->executor);
  wait_until_asked (fixture, 2);
  g_assert_cmpuint (fake_backend_get_n_prepared (fixture->backend), ==, 2);
}

static void
test_other_options (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhRunOptions) options = fh_run_options_new ();

  fh_executor_set_next (fixture->executor, next_cb, fixture);
  fh_executor_expect_run (fixture->executor);
  wait_until_asked (fixture, 1);
  g_assert_nonnull (fake_backend_get_prepared (fixture->backend));
  fh_executor_set_options (fixture->executor, options);
  g_assert_null (fake_backend_get_prepared (fixture->backend));
  wait_until_asked (fixture, 2);
  g_assert_nonnull (fake_backend_get_prepared (fixture->backend));
  fh_executor_set_next (fixture->executor, NULL, NULL);
  g_assert_null (fake_backend_get_prepared (fixture->backend));
}

static void
test_nothing_to_prepare (Fixture *fixture, gconstpointer data)
{
  const FhContainerOptions container = { .image = "python:3-slim", .is_kept = TRUE };

  fh_executor_set_next (fixture->executor, next_cb, fixture);
  g_clear_object (&fixture->request);
  fh_executor_expect_run (fixture->executor);
  wait_until_asked (fixture, 1);
  fixture->request = new_request (&container);
  g_assert_nonnull (fixture->request);
  fh_executor_expect_run (fixture->executor);
  wait_until_asked (fixture, 2);
  g_assert_cmpuint (fake_backend_get_n_prepared (fixture->backend), ==, 0);
}

static void
wait_for_calls (const char *words, guint count)
{
  while (container_room_count_calls (words) < count)
    g_main_context_iteration (NULL, TRUE);
}

/* The engine is asked for a container once it has made one to look at its guards, which lasts
 * longer than a pause of a person may. */
static void
test_in_a_container (Fixture *fixture, gconstpointer data)
{
  const FhContainerOptions container = { .engine = FH_ENGINE_DOCKER };
  g_autoptr (FhRun) here = NULL;
  g_autoptr (FhRun) there = NULL;

  container_room_set ("", "waits");
  g_clear_object (&fixture->request);
  fixture->request = new_request (&container);
  fh_executor_set_next (fixture->executor, next_cb, fixture);
  fh_executor_expect_run (fixture->executor);
  wait_for_calls ("run ", 2);
  g_assert_cmpuint (fake_backend_get_n_prepared (fixture->backend), ==, 0);
  there = fh_executor_run (fixture->executor, fixture->request);
  container_room_wait (there, FH_RUN_FINISHED);
  container_room_assert_output (fh_run_get_result (there), "prepared main.py");
  /* What was prepared in one place is not used in another. */
  fh_executor_expect_run (fixture->executor);
  wait_for_calls ("run ", 3);
  g_clear_object (&fixture->request);
  fixture->request = new_request (NULL);
  here = fh_executor_run (fixture->executor, fixture->request);
  g_assert_cmpuint (fake_backend_get_n_runs (fixture->backend), ==, 1);
  fake_backend_finish (fixture->backend, 0);
  wait_for_calls ("rm ", 3);
}

static void
test_without_the_image (Fixture *fixture, gconstpointer data)
{
  const FhContainerOptions container = { .engine = FH_ENGINE_DOCKER };

  container_room_set ("no-image", "waits");
  g_clear_object (&fixture->request);
  fixture->request = new_request (&container);
  fh_executor_set_next (fixture->executor, next_cb, fixture);
  fh_executor_expect_run (fixture->executor);
  /* Now the guards are being looked at; then it is known that there is no image. */
  wait_until_asked (fixture, 2);
  g_clear_object (&fixture->request);
  fixture->request = new_request (NULL);
  fh_executor_expect_run (fixture->executor);
  wait_until_asked (fixture, 3);
  g_assert_cmpuint (container_room_count_calls ("image inspect "), ==, 1);
  g_assert_cmpuint (container_room_count_calls ("run "), ==, 0);
  g_assert_cmpuint (container_room_count_calls ("pull "), ==, 0);
}

static FhRun *
run_warm (Fixture *fixture)
{
  FhRun *run = fh_executor_run (fixture->executor, fixture->request);

  g_assert_true (fh_executor_get_sandbox (fixture->executor) ==
                 fake_backend_get_warm (fixture->backend));
  return run;
}

/* One sandbox for all runs, unless one is still running; and for none in a container. */
static void
test_kept_warm (Fixture *fixture, gconstpointer data)
{
  const char *const modules[] = { "json", NULL };
  const FhContainerOptions container = { .image = (char *) "python:3-slim" };
  g_autoptr (FhRunRequest) contained = new_request (&container);
  g_autoptr (FhRun) run = NULL;

  fh_executor_keep_warm (fixture->executor, fixture->request, modules);
  g_assert_cmpuint (fake_backend_get_n_warm (fixture->backend), ==, 0);
  for (guint i = 0; i < 3; i++)
    {
      g_clear_object (&run);
      run = run_warm (fixture);
      g_assert_cmpuint (fake_backend_get_n_warm (fixture->backend), ==, 1);
      fake_backend_finish (fixture->backend, 0);
    }
  g_clear_object (&run);
  run = run_warm (fixture);
  g_assert_cmpuint (fake_backend_get_n_warm (fixture->backend), ==, 1);
  g_clear_object (&run);
  run = run_warm (fixture);
  g_assert_cmpuint (fake_backend_get_n_warm (fixture->backend), ==, 2);
  fake_backend_finish (fixture->backend, 0);
  g_clear_object (&run);
  run = fh_executor_run (fixture->executor, contained);
  g_assert_true (fh_executor_get_sandbox (fixture->executor) !=
                 fake_backend_get_warm (fixture->backend));
  g_clear_object (&run);
  fh_executor_close (fixture->executor);
  g_assert_null (fake_backend_get_warm (fixture->backend));
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  container_room_begin ();
#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)
  ADD ("/warm-start/used-for-the-next-run", test_used_for_the_next_run);
  ADD ("/warm-start/other-options", test_other_options);
  ADD ("/warm-start/nothing-to-prepare", test_nothing_to_prepare);
  ADD ("/warm-start/in-a-container", test_in_a_container);
  ADD ("/warm-start/without-the-image", test_without_the_image);
  ADD ("/warm-start/kept-warm", test_kept_warm);
  status = g_test_run ();
  container_room_end ();
  return status;
}
