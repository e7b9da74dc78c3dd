/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fake-docker.h"

#include <glib/gstdio.h>
#include <string.h>

#include "engine.h"
#include "fake-backend.h"

static char *folder;

void
fake_docker_begin (void)
{
  static const char *const unwanted[] = { "DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST" };

  g_assert_null (folder);
  folder = fake_folder_new ();
  for (guint i = 0; i < G_N_ELEMENTS (unwanted); i++)
    g_unsetenv (unwanted[i]);
  g_setenv ("XDG_RUNTIME_DIR", folder, TRUE);
  g_setenv ("FAKE_STATE", folder, TRUE);
  g_setenv ("FH_DOCKER", g_getenv ("FH_FAKE_DOCKER"), TRUE);
  g_setenv ("FH_PODMAN", "/nonexistent/podman", TRUE);
  for (FhEngineKind kind = FH_ENGINE_AUTO; kind <= FH_ENGINE_PODMAN; kind++)
    fh_engine_forget (kind);
}

void
fake_docker_end (void)
{
  fake_folder_free (g_steal_pointer (&folder));
}

void
fake_docker_set (const char *name, const char *content)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  if (content == NULL)
    g_unlink (path);
  else
    g_assert_true (g_file_set_contents (path, content, -1, NULL));
}

guint
fake_docker_count_calls (const char *words)
{
  g_autofree char *path = g_build_filename (folder, "calls", NULL);
  g_autofree char *calls = NULL;
  guint count = 0;

  if (!g_file_get_contents (path, &calls, NULL, NULL))
    return 0;
  for (const char *at = strstr (calls, words); at != NULL; at = strstr (at + 1, words))
    count++;
  return count;
}
