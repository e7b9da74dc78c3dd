/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine-room.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *folder;
static char *programs[2];
static char *calls;

static char *
link_client (const char *name)
{
  char *path = g_build_filename (folder, name, NULL);

  g_assert_cmpint (symlink (g_getenv ("FH_FAKE_ENGINE"), path), ==, 0);
  return path;
}

void
engine_room_begin (void)
{
  static const char *const unwanted[] = { "DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST" };

  folder = g_dir_make_tmp ("fumehood-engine-XXXXXX", NULL);
  g_assert_nonnull (folder);
  programs[0] = link_client ("docker");
  programs[1] = link_client ("podman");
  calls = g_build_filename (folder, "calls", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (unwanted); i++)
    g_unsetenv (unwanted[i]);
  g_setenv ("XDG_RUNTIME_DIR", folder, TRUE);
  g_setenv ("FAKE_CALLS", calls, TRUE);
  g_setenv ("FAKE_BEGUN", engine_room_path ("begun"), TRUE);
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);

      if (!g_file_test (inner, G_FILE_TEST_IS_SYMLINK) && g_file_test (inner, G_FILE_TEST_IS_DIR))
        remove_tree (inner);
      else
        g_unlink (inner);
    }
  g_rmdir (path);
}

void
engine_room_end (void)
{
  remove_tree (folder);
  g_clear_pointer (&folder, g_free);
  g_clear_pointer (&programs[0], g_free);
  g_clear_pointer (&programs[1], g_free);
  g_clear_pointer (&calls, g_free);
}

const char *
engine_room_path (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_intern_string (path);
}

const char *
engine_room_program (FhEngineKind kind)
{
  return programs[kind == FH_ENGINE_PODMAN ? 1 : 0];
}

static void
set_one (const char *act, const char *act_variable, const char *path, const char *path_variable)
{
  g_setenv (path_variable, act != NULL ? path : "/nonexistent/client", TRUE);
  if (act != NULL)
    g_setenv (act_variable, act, TRUE);
}

void
engine_room_set (const char *docker, const char *podman)
{
  set_one (docker, "FAKE_DOCKER", programs[0], "FH_DOCKER");
  set_one (podman, "FAKE_PODMAN", programs[1], "FH_PODMAN");
  g_unlink (calls);
}

guint
engine_room_count_calls (void)
{
  g_autofree char *text = NULL;
  guint count = 0;

  if (!g_file_get_contents (calls, &text, NULL, NULL))
    return 0;
  for (const char *c = text; *c != '\0'; c++)
    count += *c == '\n';
  g_unlink (calls);
  return count;
}

static void
keep_result_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **kept = user_data;

  *kept = g_object_ref (result);
}

static GAsyncResult *
wait_for (GAsyncResult **kept)
{
  while (*kept == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *kept;
}

FhEngine *
engine_room_probe (FhEngineKind kind, GError **error)
{
  FhEngine *engines[FH_N_ENGINE_KINDS] = { NULL };
  GError *errors[FH_N_ENGINE_KINDS] = { NULL };

  fh_engine_probe (kind, engines, errors);
  if (errors[kind] != NULL)
    g_propagate_error (error, errors[kind]);
  return engines[kind];
}

FhEngine *
engine_room_choose (FhEngineKind kind, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  fh_engine_choose_async (kind, NULL, keep_result_cb, &result);
  return fh_engine_choose_finish (wait_for (&result), error);
}

void
engine_room_assert_no_child (void)
{
  g_assert_cmpint (waitpid (-1, NULL, WNOHANG), ==, -1);
  g_assert_cmpint (errno, ==, ECHILD);
}

static char *
noted (void)
{
  char *text = NULL;

  g_assert_true (g_file_get_contents (engine_room_path ("begun"), &text, NULL, NULL));
  g_unlink (engine_room_path ("begun"));
  return g_strstrip (text);
}

void
engine_room_assert_gone (void)
{
  g_autofree char *pid = noted ();
  g_autofree char *path = g_strdup_printf ("/proc/%s/stat", pid);
  g_autofree char *found = NULL;

  do
    g_clear_pointer (&found, g_free);
  while (g_file_get_contents (path, &found, NULL, NULL) && strstr (found, ") Z ") == NULL);
}

void
engine_room_kill_noted (void)
{
  g_autofree char *pid = noted ();

  g_assert_cmpint (kill ((pid_t) g_ascii_strtoll (pid, NULL, 10), SIGKILL), ==, 0);
}

static gpointer
cancel_cb (gpointer data)
{
  while (!g_file_test (engine_room_path ("begun"), G_FILE_TEST_EXISTS))
    g_usleep (1000);
  g_cancellable_cancel (data);
  return NULL;
}

GThread *
engine_room_cancel (GCancellable *cancellable)
{
  return g_thread_new ("cancel", cancel_cb, cancellable);
}
