/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Containers that serve many runs, and names that are taken. */
#include <glib/gstdio.h>
#include <string.h>

#include "container-ops.h"
#include "container-room.h"
#include "kept-folder.h"
#include "stand-in.h"

static void
put_container (const char *name, const char *labels)
{
  g_autofree char *file = g_strconcat ("container-", name, NULL);
  g_autofree char *path = container_room_path (file);
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
  g_autoptr (FhSandbox) sandbox = container_room_sandbox (options);
  g_autoptr (FhRunResult) result = container_room_run (sandbox, &(FhRunRequestInit){ 0 });

  container_room_assert_end (result, FH_RUN_STATUS_NOT_STARTED, words);
  g_assert_true (container_room_stop (sandbox, NULL));
  g_assert_cmpuint (container_room_count_calls ("rm "), ==, 0);
  g_assert_cmpuint (container_room_count_calls ("kill "), ==, 0);
  g_assert_cmpuint (container_room_count_calls ("stop "), ==, 0);
}

/* A container that is not ours is left alone, however late the clash of names is noticed. */
static void
test_name_taken (void)
{
  const FhContainerOptions given = { .engine = FH_ENGINE_DOCKER, .name = "given" };
  const FhContainerOptions lab = { .engine = FH_ENGINE_DOCKER, .name = "lab", .is_kept = TRUE };
  g_autofree char *owner = fh_container_owner ();
  g_autofree char *mine =
      g_strdup_printf ("\"io.github.fumehood\": \"1\", \"io.github.fumehood.kept\": \"1\", "
                       "\"io.github.fumehood.options\": \"other\", "
                       "\"io.github.fumehood.owner\": \"%s\"",
                       owner);

  container_room_set ("", "tells");
  put_container ("given", "");
  assert_refused (&given, "not Fumehood’s");
  put_container ("given", "\"io.github.fumehood\": \"1\"");
  assert_refused (&given, "There is already a container “given”");
  put_container ("lab", "");
  assert_refused (&lab, "not Fumehood’s");
  put_container ("lab",
                 "\"io.github.fumehood\": \"1\", \"io.github.fumehood.kept\": \"1\", "
                 "\"io.github.fumehood.owner\": \"00112233aabbccdd.0.other.1.2.3\"");
  assert_refused (&lab, "There is already a container “lab”");
  put_container ("lab", mine);
  assert_refused (&lab, "created with another image");
  g_assert_true (container_room_has ("container-given"));
  g_assert_true (container_room_has ("container-lab"));
  container_room_set ("taken", "tells");
  assert_refused (&given, "given");
  container_room_set ("taken", "tells");
  assert_refused (&lab, "lab");
}

/* Two first runs at the same moment use the same one. */
static void
test_raced (void)
{
  const FhContainerOptions lab = {
    .engine = FH_ENGINE_DOCKER,
    .name = "lab",
    .is_kept = TRUE,
    .after = FH_CONTAINER_LEAVE,
  };
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (FhRunResult) result = NULL;

  container_room_set ("raced", "tells");
  sandbox = container_room_sandbox (&lab);
  result = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
  container_room_assert_end (result, FH_RUN_STATUS_OK, "Finished normally.");
  g_assert_cmpuint (container_room_count_calls ("create "), ==, 1);
  g_assert_cmpuint (container_room_count_calls ("start "), ==, 1);
  g_assert_cmpuint (container_room_count_calls ("rm "), ==, 0);
  g_assert_true (container_room_has ("container-lab"));
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
  g_autofree char *path = NULL;

  container_room_set ("", "tells");
  path = container_room_path ("container-lab");
  sandbox = container_room_sandbox (&options);
  first = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
  second = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
  container_room_assert_end (first, FH_RUN_STATUS_OK, "Finished normally.");
  container_room_assert_end (second, FH_RUN_STATUS_OK, "Finished normally.");
  g_assert_cmpuint (container_room_count_calls ("create "), ==, 1);
  g_assert_cmpuint (container_room_count_calls ("exec "), ==, 2);
  g_assert_cmpuint (container_room_count_calls ("image inspect"), ==, 1);

  /* Removed by someone else: reported, and made anew. */
  g_assert_no_errno (g_unlink (path));
  third = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
  container_room_assert_end (third, FH_RUN_STATUS_OK, "created again");
  g_assert_cmpuint (container_room_count_calls ("create "), ==, 2);

  /* Stopped: started again. Stopping is idempotent. */
  g_assert_true (container_room_stop (sandbox, NULL));
  g_assert_true (container_room_stop (sandbox, NULL));
  g_assert_true (container_room_has ("container-lab"));
  fourth = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
  container_room_assert_end (fourth, FH_RUN_STATUS_OK, "Finished normally.");
  g_assert_cmpuint (container_room_count_calls ("create "), ==, 2);
  g_assert_cmpuint (container_room_count_calls ("start "), ==, 3);
}

static const FhContainerOptions set_up = {
  .engine = FH_ENGINE_DOCKER,
  .name = "set-up",
  .is_kept = TRUE,
  .after = FH_CONTAINER_LEAVE,
  .init = "true",
};

/* Once in each container: with no sandbox that remembers it, and again when it was made anew. */
static void
test_set_up (void)
{
  static const guint execs[] = { 2, 3, 5 };

  container_room_set ("", "tells");
  for (guint i = 0; i < G_N_ELEMENTS (execs); i++)
    {
      g_autoptr (FhSandbox) sandbox = container_room_sandbox (&set_up);
      g_autofree char *path = container_room_path ("container-set-up");
      g_autofree char *told = NULL;
      g_autoptr (FhRunResult) result = NULL;

      if (i == 2)
        g_assert_no_errno (g_unlink (path));
      result = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
      container_room_assert_end (result, FH_RUN_STATUS_OK, NULL);
      g_assert_cmpuint (container_room_count_calls ("exec "), ==, execs[i]);
      told = fh_output_log_dup_text (fh_run_result_get_parts (result)->output, FH_STREAM_STDERR);
      g_assert_cmpint (strstr (told, "main.sh") != NULL, ==, i != 1);
    }
}

static void
assert_not_set_up (FhRunResult *result, const char *words, guint execs)
{
  container_room_assert_end (result, FH_RUN_STATUS_NOT_STARTED, words);
  container_room_assert_output (result, "");
  g_assert_cmpuint (container_room_count_calls ("exec "), ==, execs);
}

/* In a container that was made with the runner of the first act, and is used with no other. */
static void
speak_as (const char *act, const char *first)
{
  stand_in_use (act);
  g_setenv ("FAKE_SPEAKER", g_getenv ("FH_RUNNER"), TRUE);
  stand_in_use (first);
}

/* However it fails, the program is not run, and the next run tries it again. */
static void
test_set_up_in_vain (void)
{
  FhContainerOptions options = set_up;
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (FhRunResult) failed = NULL;
  g_autoptr (FhRunResult) lost = NULL;
  g_autoptr (FhRunResult) done = NULL;

  options.name = "in-vain";
  container_room_set ("", "finishes-twice");
  sandbox = container_room_sandbox (&options);
  failed = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
  assert_not_set_up (failed, "failed with exit status 3", 1);
  speak_as ("killed", "finishes-twice");
  lost = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
  assert_not_set_up (lost, "did not succeed", 2);
  speak_as ("tells", "finishes-twice");
  done = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
  container_room_assert_end (done, FH_RUN_STATUS_OK, NULL);
  g_assert_cmpuint (container_room_count_calls ("exec "), ==, 4);
  g_unsetenv ("FAKE_SPEAKER");
}

/* By the user, or because the sandbox goes. */
static void
test_set_up_and_stopped (void)
{
  FhContainerOptions options = set_up;

  options.name = "stopped";
  container_room_set ("", "obeys");
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (FhSandbox) sandbox = container_room_sandbox (&options);
      g_autoptr (FhRunRequest) request = container_room_request (&(FhRunRequestInit){ 0 });
      g_autoptr (FhRun) run = fh_sandbox_run (sandbox, request);

      while (container_room_count_calls ("exec ") <= i)
        g_main_context_iteration (NULL, FALSE);
      g_assert_cmpint (fh_run_get_state (run), ==, FH_RUN_PREPARING);
      if (i == 0)
        fh_run_stop (run);
      else
        g_clear_object (&sandbox);
      container_room_wait (run, FH_RUN_FINISHED);
      container_room_assert_end (fh_run_get_result (run), FH_RUN_STATUS_STOPPED, NULL);
    }
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

  container_room_set ("stopped", "killed");
  sandbox = container_room_sandbox (&options);
  stopped = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
  container_room_assert_end (stopped,
                             FH_RUN_STATUS_INTERNAL_ERROR,
                             "The container was stopped while");
  container_room_assert_output (stopped, "partial");
  /* The container was made with the first runner, and is used with no other. */
  g_setenv ("FAKE_ACTS", "", TRUE);
  stand_in_use ("tells");
  g_setenv ("FAKE_SPEAKER", g_getenv ("FH_RUNNER"), TRUE);
  stand_in_use ("killed");
  next = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
  container_room_assert_end (next, FH_RUN_STATUS_OK, NULL);
  /* FH_CONTAINER_REMOVE */
  g_assert_true (container_room_stop (sandbox, NULL));
  g_assert_false (container_room_has ("container-lab"));
  g_assert_true (container_room_stop (sandbox, NULL));
  g_unsetenv ("FAKE_SPEAKER");
}

/* An engine ends a container before it removes it, and may be asked between the two. */
static void
test_kept_and_removed (void)
{
  const FhContainerOptions options = {
    .engine = FH_ENGINE_DOCKER,
    .name = "lab",
    .is_kept = TRUE,
    .after = FH_CONTAINER_LEAVE,
  };
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (FhRunResult) result = NULL;

  container_room_set ("ended-first", "killed");
  sandbox = container_room_sandbox (&options);
  result = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
  container_room_assert_end (result,
                             FH_RUN_STATUS_INTERNAL_ERROR,
                             "The container was removed while");
  container_room_assert_output (result, "partial");
}

/* Releasing a sandbox removes its container in the background; its folder goes last. */
static void
test_released (void)
{
  const FhContainerOptions options = {
    .engine = FH_ENGINE_DOCKER,
    .name = "released",
    .is_kept = TRUE,
  };
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *folder =
      g_build_filename (g_get_user_cache_dir (), "fumehood", "containers", "released", NULL);

  container_room_set ("", "tells");
  sandbox = container_room_sandbox (&options);
  result = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
  container_room_assert_end (result, FH_RUN_STATUS_OK, NULL);
  g_assert_true (container_room_has ("container-released"));
  g_assert_true (g_file_test (folder, G_FILE_TEST_IS_DIR));
  g_clear_object (&sandbox);
  while (g_file_test (folder, G_FILE_TEST_EXISTS))
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  g_assert_false (container_room_has ("container-released"));
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

  container_room_set ("refused", "tells");
  sandbox = container_room_sandbox (&options);
  result = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
  container_room_assert_end (result, FH_RUN_STATUS_NOT_STARTED, "exec format error");
  g_assert_true (container_room_stop (sandbox, NULL));
  g_assert_false (container_room_has ("container-lab"));
}

static void
test_restart (void)
{
  g_autoptr (FhSandbox) lab = NULL;
  g_autoptr (FhSandbox) other = NULL;
  g_autoptr (GAsyncResult) restarted = NULL;
  g_autoptr (GAsyncResult) refused = NULL;
  g_autoptr (GError) error = NULL;

  container_room_set ("", "tells");
  lab = container_room_sandbox (&(FhContainerOptions){
      .engine = FH_ENGINE_DOCKER,
      .name = "lab",
      .is_kept = TRUE,
  });
  fh_sandbox_restart_async (lab, NULL, container_room_remember, &restarted);
  container_room_await (&restarted);
  g_assert_true (fh_sandbox_restart_finish (lab, restarted, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (fh_sandbox_get_name (lab), ==, "lab");
  g_assert_true (container_room_stop (lab, NULL));

  other = container_room_sandbox (&(FhContainerOptions){ .engine = FH_ENGINE_DOCKER });
  fh_sandbox_restart_async (other, NULL, container_room_remember, &refused);
  container_room_await (&refused);
  g_assert_false (fh_sandbox_restart_finish (other, refused, &error));
  g_assert_nonnull (error);
}

/* Runs until a client that has done its part does not end, and stops it then. The next one is held
 * by nothing. */
static void
stop_at (FhSandbox *sandbox)
{
  g_autoptr (FhRunRequest) request = container_room_request (&(FhRunRequestInit){ 0 });
  g_autoptr (FhRun) run = fh_sandbox_run (sandbox, request);

  while (!container_room_has ("held"))
    g_main_context_iteration (NULL, FALSE);
  g_setenv ("FAKE_ACTS", "", TRUE);
  fh_run_stop (run);
  g_assert_cmpint (fh_run_get_state (run), ==, FH_RUN_FINISHED);
  container_room_assert_end (fh_run_get_result (run), FH_RUN_STATUS_STOPPED, NULL);
}

/* Stopped while a client of the preparation is at work, which has done it already; then the same
 * container is used at once. */
static void
assert_stopped_at (const char *verb, FhContainerFiles files, gboolean is_new)
{
  const FhContainerOptions options = {
    .engine = FH_ENGINE_DOCKER,
    .name = "lab",
    .is_kept = TRUE,
    .after = FH_CONTAINER_STOP,
    .files = files,
  };
  g_autofree char *acts = g_strconcat ("held-", verb, NULL);
  g_autoptr (FhSandbox) sandbox = NULL;
  g_autoptr (FhRunResult) again = NULL;

  container_room_set (acts, "tells");
  fh_engine_forget (FH_ENGINE_AUTO);
  sandbox = container_room_sandbox (&options);
  stop_at (sandbox);
  again = container_room_run (sandbox, &(FhRunRequestInit){ 0 });
  container_room_assert_end (again, FH_RUN_STATUS_OK, NULL);
  g_assert_true (container_room_stop (sandbox, NULL));
  g_assert_cmpuint (container_room_count_calls ("rm "), ==, is_new ? 1 : 0);
  g_assert_true (container_room_has ("container-lab"));
  fh_kept_folder_remove ("lab");
}

static void
test_stopped_while_preparing (void)
{
  static const struct
  {
    const char *verb;
    FhContainerFiles files;
    gboolean is_new;
  } cases[] = {
    { "info", FH_CONTAINER_FILES_BIND, FALSE },    { "image", FH_CONTAINER_FILES_BIND, FALSE },
    { "inspect", FH_CONTAINER_FILES_BIND, FALSE }, { "create", FH_CONTAINER_FILES_BIND, TRUE },
    { "start", FH_CONTAINER_FILES_BIND, TRUE },    { "create", FH_CONTAINER_FILES_COPY, TRUE },
    { "cp", FH_CONTAINER_FILES_COPY, TRUE },       { "start", FH_CONTAINER_FILES_COPY, TRUE },
    { "exec", FH_CONTAINER_FILES_COPY, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    assert_stopped_at (cases[i].verb, cases[i].files, cases[i].is_new);
}

/* The client that was to make it is ended before it tells that the name is another user's. */
static void
test_taken_while_stopping (void)
{
  const FhContainerOptions options[] = {
    { .engine = FH_ENGINE_DOCKER, .name = "lab", .is_kept = TRUE },
    { .engine = FH_ENGINE_DOCKER, .name = "lab", .files = FH_CONTAINER_FILES_COPY },
  };

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autoptr (FhSandbox) sandbox = NULL;

      container_room_set ("others held-create", "tells");
      sandbox = container_room_sandbox (&options[i]);
      stop_at (sandbox);
      container_room_stop (sandbox, NULL);
      g_assert_true (container_room_has ("container-lab"));
      g_assert_cmpuint (container_room_count_calls ("rm "), ==, 0);
      g_assert_cmpuint (container_room_count_calls ("kill "), ==, 0);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  container_room_begin ();
  g_test_add_func ("/container-kept/name-taken", test_name_taken);
  g_test_add_func ("/container-kept/raced", test_raced);
  g_test_add_func ("/container-kept/kept", test_kept);
  g_test_add_func ("/container-kept/set-up", test_set_up);
  g_test_add_func ("/container-kept/set-up-in-vain", test_set_up_in_vain);
  g_test_add_func ("/container-kept/set-up-and-stopped", test_set_up_and_stopped);
  g_test_add_func ("/container-kept/lost", test_kept_and_lost);
  g_test_add_func ("/container-kept/removed", test_kept_and_removed);
  g_test_add_func ("/container-kept/released", test_released);
  g_test_add_func ("/container-kept/half", test_kept_and_half);
  g_test_add_func ("/container-kept/restart", test_restart);
  g_test_add_func ("/container-kept/stopped-while-preparing", test_stopped_while_preparing);
  g_test_add_func ("/container-kept/taken-while-stopping", test_taken_while_stopping);
  status = g_test_run ();
  container_room_end ();
  return status;
}
