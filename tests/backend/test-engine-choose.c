/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine that protects best is taken, and remembered while everything is as it was. */
#include <glib/gstdio.h>
#include <string.h>

#include "clients.h"
#include "engine-room.h"

static void
assert_chosen (FhEngineKind asked, FhEngineKind expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhEngine) engine = engine_room_choose (asked, &error);

  g_assert_no_error (error);
  g_assert_cmpint (fh_engine_get_facts (engine)->kind, ==, expected);
}

static void
assert_best (const char *docker, const char *podman, FhEngineKind expected)
{
  fh_engine_forget (FH_ENGINE_AUTO);
  engine_room_set (docker, podman);
  assert_chosen (FH_ENGINE_AUTO, expected);
}

static void
test_best (void)
{
  assert_best ("works", "works", FH_ENGINE_PODMAN);
  assert_best ("rootless", "works", FH_ENGINE_PODMAN);
  assert_best ("works", "root", FH_ENGINE_DOCKER);
  assert_best ("works", "broken", FH_ENGINE_DOCKER);
  assert_best ("works", NULL, FH_ENGINE_DOCKER);
  assert_best ("down", "root", FH_ENGINE_PODMAN);
  assert_best ("denied", "works", FH_ENGINE_PODMAN);
  assert_best (NULL, "root", FH_ENGINE_PODMAN);
}

/* Podman works rootless, so a daemon that does not answer is not waited for, as long as 10 s. */
static void
test_does_not_wait (void)
{
  gint64 start = g_get_monotonic_time ();

  assert_best ("hangs", "works", FH_ENGINE_PODMAN);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 9 * G_TIME_SPAN_SECOND);
}

static void
test_address_in_the_environment (void)
{
  g_setenv ("DOCKER_HOST", "unix:///run/user/1000/docker.sock", TRUE);
  assert_best ("works", "works", FH_ENGINE_DOCKER);
  assert_best ("down", "works", FH_ENGINE_PODMAN);
  g_setenv ("CONTAINER_HOST", "unix:///run/user/1000/podman.sock", TRUE);
  assert_best ("works", "works", FH_ENGINE_PODMAN);
  g_unsetenv ("CONTAINER_HOST");
  g_unsetenv ("DOCKER_HOST");
}

static void
test_named (void)
{
  fh_engine_forget (FH_ENGINE_AUTO);
  engine_room_set ("works", "works");
  assert_chosen (FH_ENGINE_DOCKER, FH_ENGINE_DOCKER);
  assert_chosen (FH_ENGINE_PODMAN, FH_ENGINE_PODMAN);
}

static void
assert_neither (const char *docker, const char *podman, FhEngineError code, const char *words[])
{
  g_autoptr (GError) error = NULL;

  fh_engine_forget (FH_ENGINE_AUTO);
  engine_room_set (docker, podman);
  g_assert_null (engine_room_choose (FH_ENGINE_AUTO, &error));
  g_assert_error (error, FH_ENGINE_ERROR, (int) code);
  for (guint i = 0; words[i] != NULL; i++)
    if (strstr (error->message, words[i]) == NULL)
      g_error ("“%s” is not in “%s”", words[i], error->message);
}

static void
test_neither (void)
{
  const char *both_missing[] = { "Neither Podman nor Docker is installed", NULL };
  const char *one_down[] = { "systemctl start docker", "Podman is not installed", NULL };
  const char *both[] = { "group “docker”", "newuidmap", NULL };
  const char *podman[] = { "newuidmap", "Docker is not installed", NULL };

  assert_neither (NULL, NULL, FH_ENGINE_ERROR_NOT_INSTALLED, both_missing);
  assert_neither ("down", NULL, FH_ENGINE_ERROR_NOT_RUNNING, one_down);
  assert_neither ("denied", "broken", FH_ENGINE_ERROR_NOT_ALLOWED, both);
  assert_neither (NULL, "broken", FH_ENGINE_ERROR_FAILED, podman);
}

static void
test_remembered (void)
{
  g_autoptr (FhEngine) first = NULL;
  g_autoptr (FhEngine) second = NULL;
  const FhEngineFacts *before;
  const FhEngineFacts *after;

  fh_engine_forget (FH_ENGINE_AUTO);
  engine_room_set ("rootless", NULL);
  first = engine_room_choose (FH_ENGINE_AUTO, NULL);
  g_assert_cmpuint (engine_room_count_calls (), ==, 2);
  second = engine_room_choose (FH_ENGINE_AUTO, NULL);
  g_assert_cmpuint (engine_room_count_calls (), ==, 0);
  before = fh_engine_get_facts (first);
  after = fh_engine_get_facts (second);
  g_assert_cmpint (before->kind, ==, after->kind);
  g_assert_cmpstr (before->program, ==, after->program);
  g_assert_cmpstr (before->version, ==, after->version);
  g_assert_cmpstr (before->architecture, ==, after->architecture);
  g_assert_cmpstr (before->storage, ==, after->storage);
  g_assert_cmpstr (before->endpoint, ==, after->endpoint);
  g_assert_true (after->is_rootless && after->limits_memory && after->limits_cpus);
  g_assert_false (after->is_remote);
  g_assert_true (after->limits_processes);
}

static void
assert_asked_again (void)
{
  g_autoptr (FhEngine) engine = engine_room_choose (FH_ENGINE_DOCKER, NULL);

  g_assert_nonnull (engine);
  g_assert_cmpuint (engine_room_count_calls (), >, 0);
}

static void
assert_not_asked (void)
{
  g_autoptr (FhEngine) engine = engine_room_choose (FH_ENGINE_DOCKER, NULL);

  g_assert_nonnull (engine);
  g_assert_cmpuint (engine_room_count_calls (), ==, 0);
}

static void
test_forgotten (void)
{
  fh_engine_forget (FH_ENGINE_AUTO);
  engine_room_set ("works", NULL);
  assert_asked_again ();
  assert_not_asked ();
  fh_engine_forget (FH_ENGINE_PODMAN);
  assert_not_asked ();
  fh_engine_forget (FH_ENGINE_DOCKER);
  assert_asked_again ();
}

static void
test_another_address (void)
{
  fh_engine_forget (FH_ENGINE_AUTO);
  engine_room_set ("works", NULL);
  assert_asked_again ();
  g_setenv ("DOCKER_HOST", "tcp://127.0.0.1:1", TRUE);
  assert_asked_again ();
  assert_not_asked ();
  g_unsetenv ("DOCKER_HOST");
  assert_asked_again ();
  g_setenv ("DOCKER_CONTEXT", "other", TRUE);
  assert_asked_again ();
  g_unsetenv ("DOCKER_CONTEXT");
}

/* What is on the disk is believed only when it is whole, ours and not too old. */
static void
test_damaged_note (void)
{
  g_autofree char *path =
      g_build_filename (g_getenv ("XDG_RUNTIME_DIR"), "fumehood", "engine-docker", NULL);
  static const char *const changes[][2] = {
    { "fumehood-engine 1", "fumehood-engine 2" },
    { "kind=docker", "kind=auto" },
    { "kind=docker", "kind=\xff" },
    { "program=/", "program=" },
    { "boot ", "boot 0" },
    { "user ", "user 9" },
    { "[engine]", "[" },
    { "\ntime=", "\ntime=9" },
    { "\ntime=1", "\ntime=" },
    { "endpoint=", "other=" },
  };

  engine_room_set ("works", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autofree char *text = NULL;
      g_autoptr (GString) changed = NULL;

      fh_engine_forget (FH_ENGINE_AUTO);
      assert_asked_again ();
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      changed = g_string_new (text);
      g_assert_cmpuint (g_string_replace (changed, changes[i][0], changes[i][1], 1), ==, 1);
      g_assert_true (g_file_set_contents (path, changed->str, changed->len, NULL));
      assert_asked_again ();
    }
  assert_not_asked ();
  g_assert_cmpint (g_chmod (path, 0666), ==, 0);
  assert_asked_again ();
}

static void
keep_result_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* A call that does not reach the engine any more tells where it was, and it is looked for anew. */
static void
test_gone (void)
{
  const char *const arguments[] = { "say", "fail", "Cannot connect to the Docker daemon", NULL };
  g_autoptr (FhEngine) engine = NULL;
  g_autoptr (GError) error = NULL;

  fh_engine_forget (FH_ENGINE_AUTO);
  engine_room_set ("elsewhere", NULL);
  engine = engine_room_choose (FH_ENGINE_DOCKER, NULL);
  g_assert_cmpstr (fh_engine_get_facts (engine)->endpoint, ==, "ssh://somebody@elsewhere");
  engine_room_count_calls ();
  assert_not_asked ();
  g_assert_null (fh_engine_call (engine, arguments, 0, NULL, &error));
  g_assert_error (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_RUNNING);
  g_assert_nonnull (
      strstr (error->message, "at ssh://somebody@elsewhere, the address of its current"));
  engine_room_count_calls ();
  assert_asked_again ();
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  fh_engine_forget (FH_ENGINE_AUTO);
  engine_room_set ("hangs", "hangs");
  fh_engine_choose_async (FH_ENGINE_AUTO, cancellable, keep_result_cb, &result);
  g_main_context_iteration (NULL, FALSE);
  g_cancellable_cancel (cancellable);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (fh_engine_choose_finish (result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  engine_room_begin ();
  g_test_add_func ("/engine-choose/best", test_best);
  g_test_add_func ("/engine-choose/does-not-wait", test_does_not_wait);
  g_test_add_func ("/engine-choose/address-in-the-environment", test_address_in_the_environment);
  g_test_add_func ("/engine-choose/named", test_named);
  g_test_add_func ("/engine-choose/neither", test_neither);
  g_test_add_func ("/engine-choose/remembered", test_remembered);
  g_test_add_func ("/engine-choose/forgotten", test_forgotten);
  g_test_add_func ("/engine-choose/gone", test_gone);
  g_test_add_func ("/engine-choose/another-address", test_another_address);
  g_test_add_func ("/engine-choose/damaged-note", test_damaged_note);
  g_test_add_func ("/engine-choose/cancelled", test_cancelled);
  status = g_test_run ();
  engine_room_end ();
  return status;
}
