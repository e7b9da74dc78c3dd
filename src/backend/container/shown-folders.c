/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A folder that is shown read-only shows its sockets as well, and a socket on a read-only mount can
 * be spoken with like any other (unix (7)). With an engine's own a program makes itself a container
 * that has everything.
 */
#include "shown-folders.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "container-volume.h"
#include "run-error.h"

#define SCHEME "unix://"

static char *
real_path (const char *path)
{
  char *real = realpath (path, NULL);
  char *copy = g_strdup (real);

  free (real);
  return copy;
}

static gboolean
is_within (const char *path, const char *folder)
{
  gsize length = strlen (folder);

  return g_str_equal (folder, "/") ||
         (strncmp (path, folder, length) == 0 && (path[length] == '\0' || path[length] == '/'));
}

/* `address`: where an engine is; nullable. */
static gboolean
check_socket (const char *folder, const char *address, GError **error)
{
  g_autofree char *socket = NULL;
  g_autofree char *name = NULL;

  if (address == NULL || !g_str_has_prefix (address, SCHEME))
    return TRUE;
  socket = real_path (address + strlen (SCHEME));
  if (socket == NULL || !is_within (socket, folder))
    return TRUE;
  name = g_filename_display_name (folder);
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_INVALID,
               /* Translators: the path of a folder */
               _ ("“%s” has the socket of a container engine in it: whoever has that rules this "
                  "computer. Choose a folder with less in it."),
               name);
  return FALSE;
}

/* The engine that is used, and those that the user speaks with otherwise. */
static gboolean
check_sockets (const char *folder, const FhEngineFacts *engine, GError **error)
{
  return check_socket (folder, engine->endpoint, error) &&
         check_socket (folder, g_getenv ("DOCKER_HOST"), error) &&
         check_socket (folder, g_getenv ("CONTAINER_HOST"), error);
}

/* What is not there yet has nothing in it. */
static gboolean
check_volume (const char *text, const FhEngineFacts *engine, GError **error)
{
  g_auto (FhContainerVolume) volume = { 0 };
  g_autofree char *real = NULL;

  if (!fh_container_volume_parse (text, &volume, error))
    return FALSE;
  real = real_path (volume.host);
  return real == NULL ||
         (fh_container_host_path_check (real, error) && check_sockets (real, engine, error));
}

/* The work folder, or the same as the engine knows it. */
static gboolean
check_folder (const char *path, const FhEngineFacts *engine, GError **error)
{
  g_autofree char *real = path != NULL ? real_path (path) : NULL;

  return real == NULL || check_sockets (real, engine, error);
}

gboolean
fh_shown_folders_check (const FhContainerOptions *options,
                        const FhEngineFacts *engine,
                        GError **error)
{
  g_return_val_if_fail (options != NULL && engine != NULL, FALSE);

  if (engine->is_remote)
    return TRUE;
  for (guint i = 0; options->volumes != NULL && options->volumes[i] != NULL; i++)
    {
      if (!check_volume (options->volumes[i], engine, error))
        return FALSE;
    }
  return check_folder (options->work_dir, engine, error) &&
         check_folder (options->bind_dir, engine, error);
}
