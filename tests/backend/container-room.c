/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-room.h"

#include <glib/gstdio.h>
#include <string.h>

#include "stand-in.h"

static char *room; /* the folder of the present test */

void
container_room_begin (void)
{
  g_autofree char *program = g_canonicalize_filename (g_getenv ("FH_FAKE_RUN_ENGINE"), NULL);

  stand_in_begin ();
  g_setenv ("FH_DOCKER", program, TRUE);
  g_setenv ("XDG_RUNTIME_DIR", stand_in_folder (), TRUE);
  /* Folders of kept containers. */
  g_setenv ("XDG_CACHE_HOME", stand_in_folder (), TRUE);
  g_unsetenv ("DOCKER_HOST");
  g_unsetenv ("DOCKER_CONTEXT");
}

void
container_room_remember (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_set_object ((GAsyncResult **) user_data, result);
}

void
container_room_await (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (NULL, TRUE);
}

char *
container_room_path (const char *name)
{
  return g_build_filename (room, name, NULL);
}

gboolean
container_room_has (const char *name)
{
  g_autofree char *path = container_room_path (name);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* How many calls of the client began with these words. */
guint
container_room_count_calls (const char *words)
{
  g_autofree char *path = container_room_path ("calls");
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

/* A sandbox that is released ends its container without being waited for. Its clients have the
 * folder of their own test, so they cannot change the containers of the next one. */
void
container_room_set (const char *acts, const char *runner)
{
  static guint count;
  g_autofree char *name = g_strdup_printf ("room-%u", ++count);

  g_free (room);
  room = g_build_filename (stand_in_folder (), name, NULL);
  g_assert_no_errno (g_mkdir (room, 0700));
  g_setenv ("FAKE_FOLDER", room, TRUE);
  g_setenv ("FAKE_ACTS", acts, TRUE);
  stand_in_use (runner);
}

void
container_room_end (void)
{
  g_clear_pointer (&room, g_free);
  stand_in_end ();
}

FhSandbox *
container_room_sandbox (const FhContainerOptions *options)
{
  return fh_container_sandbox_new (options, &FH_RUN_LIMITS_DEFAULT);
}

FhRunRequest *
container_room_request (const FhRunRequestInit *changes)
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

void
container_room_wait (FhRun *run, FhRunState state)
{
  while (fh_run_get_state (run) < state)
    g_main_context_iteration (NULL, TRUE);
}

FhRunResult *
container_room_run (FhSandbox *sandbox, const FhRunRequestInit *changes)
{
  g_autoptr (FhRunRequest) request = container_room_request (changes);
  g_autoptr (FhRun) run = fh_sandbox_run (sandbox, request);

  g_assert_cmpint (fh_run_get_state (run), ==, FH_RUN_PREPARING);
  container_room_wait (run, FH_RUN_FINISHED);
  return g_object_ref (fh_run_get_result (run));
}

gboolean
container_room_stop (FhSandbox *sandbox, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  fh_sandbox_stop_async (sandbox, NULL, container_room_remember, &result);
  container_room_await (&result);
  return fh_sandbox_stop_finish (sandbox, result, error);
}

void
container_room_assert_output (FhRunResult *result, const char *expected)
{
  g_autofree char *output =
      fh_output_log_dup_text (fh_run_result_get_parts (result)->output, FH_STREAM_STDOUT);

  g_assert_cmpstr (output, ==, expected);
}

void
container_room_assert_end (FhRunResult *result, FhRunStatus status, const char *words)
{
  const char *sentence = fh_run_result_get_parts (result)->sentence;

  g_test_message ("%s", sentence);
  g_assert_cmpint (fh_run_result_get_parts (result)->outcome->status, ==, status);
  if (words != NULL && strstr (sentence, words) == NULL)
    g_error ("“%s” says nothing of “%s”", sentence, words);
}
