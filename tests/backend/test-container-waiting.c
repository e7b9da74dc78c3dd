/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A container that waits is used for a run that it suits; otherwise it is removed, and the run has
 * one of its own. */
#include <unistd.h>

#include "container-room.h"
#include "container-sandbox.h"
#include "stand-in.h"

static FhSandbox *
prepare_with (const FhContainerOptions *options, const FhRunRequestInit *changes)
{
  g_autoptr (FhRunRequest) request = container_room_request (changes);
  FhSandbox *sandbox = container_room_sandbox (options);

  fh_sandbox_prepare (sandbox, request);
  return sandbox;
}

static FhSandbox *
prepare (void)
{
  return prepare_with (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER },
                       &(FhRunRequestInit){ 0 });
}

static gboolean
wake_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

/* Files of the engine are looked at, which nothing announces. */
static void
wait_for_calls (const char *words, guint count)
{
  guint wake = g_timeout_add (5, wake_cb, NULL);

  while (container_room_count_calls (words) < count)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (wake);
}

/* Whether the client that started a container is still there. */
static gboolean
has_children (void)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/task/%d/children", (int) getpid ());
  g_autofree char *children = NULL;

  return g_file_get_contents (path, &children, NULL, NULL) && *children != '\0';
}

static void
wait_for_client_to_end (void)
{
  guint wake = g_timeout_add (5, wake_cb, NULL);

  while (has_children ())
    g_main_context_iteration (NULL, TRUE);
  /* It was reaped in a thread of GLib's, which tells this one. */
  for (guint i = 0; i < 20; i++)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (wake);
}

static void
assert_runs (FhSandbox *sandbox, const FhRunRequestInit *changes, const char *output)
{
  g_autoptr (FhRunResult) result = container_room_run (sandbox, changes);
  g_autoptr (GError) error = NULL;

  container_room_assert_end (result, FH_RUN_STATUS_OK, NULL);
  container_room_assert_output (result, output);
  g_assert_cmpuint (fh_run_result_get_parts (result)->guards->len, >, 0);
  g_assert_true (container_room_stop (sandbox, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (container_room_count_calls ("run "), ==, container_room_count_calls ("rm "));
}

static void
test_used (void)
{
  const char *const arguments[] = { "another", NULL };
  g_autoptr (FhSandbox) sandbox = NULL;

  container_room_set ("", "waits");
  sandbox = prepare ();
  wait_for_calls ("run ", 1);
  assert_runs (sandbox, &(FhRunRequestInit){ .arguments = arguments }, "prepared main.py");
  g_assert_cmpuint (container_room_count_calls ("run "), ==, 1);
  g_assert_cmpuint (container_room_count_calls ("info "), ==, 1);
  /* Each serves one run. */
  assert_runs (sandbox, &(FhRunRequestInit){ 0 }, "cold main.py");
}

/* The engine has not even said whether it has the image. */
static void
test_too_early (void)
{
  g_autoptr (FhSandbox) sandbox = NULL;

  container_room_set ("", "waits");
  sandbox = prepare ();
  assert_runs (sandbox, &(FhRunRequestInit){ 0 }, "cold main.py");
  g_assert_cmpuint (container_room_count_calls ("run "), ==, 1);
}

static void
test_other_run (void)
{
  const gsize size = 3 << 20;
  g_autofree guint8 *data = g_malloc0 (size);
  g_autoptr (GBytes) input = g_bytes_new (data, size);
  FhRunRequestInit longer = { .limits = FH_RUN_LIMITS_DEFAULT };
  FhRunRequestInit larger = { .limits = FH_RUN_LIMITS_DEFAULT };
  FhRunRequestInit fed = { .standard_input = input };
  FhRunRequestInit *const others[] = { &longer, &larger, &fed };

  longer.limits.wall_ms++;
  larger.limits.memory_bytes++;
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (FhSandbox) sandbox = NULL;

      container_room_set ("", "waits");
      sandbox = prepare ();
      wait_for_calls ("run ", 1);
      assert_runs (sandbox, others[i], "cold main.py");
      g_assert_cmpuint (container_room_count_calls ("run "), ==, 2);
    }
}

static void
test_other_image (void)
{
  g_autoptr (FhSandbox) sandbox = NULL;

  container_room_set ("", "waits");
  sandbox = prepare ();
  wait_for_calls ("run ", 1);
  g_setenv ("FAKE_ACTS", "new-image", TRUE);
  assert_runs (sandbox, &(FhRunRequestInit){ 0 }, "cold main.py");
}

static void
test_failures (void)
{
  static const char *const acts[] = { "fails-to-prepare", "dies-waiting", "speaks-waiting" };

  for (gsize i = 0; i < G_N_ELEMENTS (acts); i++)
    {
      g_autoptr (FhSandbox) sandbox = NULL;

      container_room_set ("", acts[i]);
      sandbox = prepare ();
      wait_for_calls ("run ", 1);
      wait_for_client_to_end ();
      assert_runs (sandbox, &(FhRunRequestInit){ 0 }, "cold main.py");
    }
}

/* The run is asked for before the failure is known. */
static void
test_failure_afterwards (void)
{
  g_autoptr (FhSandbox) sandbox = NULL;

  container_room_set ("", "fails-to-prepare");
  sandbox = prepare ();
  wait_for_calls ("run ", 1);
  assert_runs (sandbox, &(FhRunRequestInit){ 0 }, "cold main.py");
  g_assert_cmpuint (container_room_count_calls ("run "), ==, 2);
}

static void
test_silent (void)
{
  g_autoptr (FhSandbox) sandbox = NULL;

  container_room_set ("no-image", "waits");
  sandbox = prepare ();
  wait_for_calls ("image inspect", 1);
  g_clear_object (&sandbox);
  container_room_set ("no-image", "waits");
  sandbox = prepare ();
  /* The run's own, which pulls. */
  assert_runs (sandbox, &(FhRunRequestInit){ 0 }, "cold main.py");
  g_assert_cmpuint (container_room_count_calls ("pull "), ==, 1);
}

static void
test_dropped (void)
{
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (GError) error = NULL;

  container_room_set ("", "waits");
  sandbox = prepare ();
  wait_for_calls ("run ", 1);
  g_assert_true (container_room_stop (sandbox, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (container_room_count_calls ("rm "), ==, 1);
  container_room_set ("", "waits");
  g_clear_object (&sandbox);
  sandbox = prepare ();
  wait_for_calls ("run ", 1);
  g_clear_object (&sandbox);
  wait_for_calls ("rm ", 1);
}

/* Files in a shared folder would be seen too early, and a name belongs to one container. */
static void
test_what_cannot_wait (void)
{
  const FhContainerOptions options[] = {
    { .engine = FH_ENGINE_DOCKER, .is_kept = TRUE },
    { .engine = FH_ENGINE_DOCKER, .name = "given" },
    { .engine = FH_ENGINE_DOCKER, .work_dir = stand_in_folder () },
  };

  container_room_set ("", "waits");
  for (gsize i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autoptr (FhSandbox) sandbox G_GNUC_UNUSED =
          prepare_with (&options[i], &(FhRunRequestInit){ 0 });
    }
  g_assert_cmpuint (container_room_count_calls (""), ==, 0);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  container_room_begin ();
  g_test_add_func ("/container-waiting/used", test_used);
  g_test_add_func ("/container-waiting/too-early", test_too_early);
  g_test_add_func ("/container-waiting/other-run", test_other_run);
  g_test_add_func ("/container-waiting/other-image", test_other_image);
  g_test_add_func ("/container-waiting/failures", test_failures);
  g_test_add_func ("/container-waiting/failure-afterwards", test_failure_afterwards);
  g_test_add_func ("/container-waiting/silent", test_silent);
  g_test_add_func ("/container-waiting/dropped", test_dropped);
  g_test_add_func ("/container-waiting/what-cannot-wait", test_what_cannot_wait);
  status = g_test_run ();
  container_room_end ();
  return status;
}
