/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-volume.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "run-error.h"

#define MAX_PATH ((gsize) 4096) /* PATH_MAX */

/* Paths that give control of the machine or of an engine, with everything below them. A folder that
 * contains one of them is refused as well. */
static const char *const host_secrets[] = {
  "/proc",    "/sys", "/dev", "/boot", "/run", "/var/run", "/var/lib/docker", "/var/lib/containers",
  "/etc/ssh", NULL,
};

/* Disks that people plug in. */
#define MEDIA "/run/media"

/* Through these sockets an engine carries out any command, as root. */
static const char *const engine_sockets[] = {
  "docker.sock",      "podman.sock",     "docker-cli.sock",
  "docker.raw.sock",  "containerd.sock", "buildkitd.sock",
  "cri-dockerd.sock", "crio.sock",       NULL,
};

/* Fumehood or the engine puts something at these places itself. */
static const char *const our_places[] = {
  "/proc", "/sys", "/dev", "/workspace", "/tmp", "/opt/fumehood", "/home/fumehood", NULL,
};

void
fh_container_volume_clear (FhContainerVolume *volume)
{
  g_clear_pointer (&volume->host, g_free);
  g_clear_pointer (&volume->inside, g_free);
}

/* Whether `path` is `folder` or below it. */
static gboolean
is_within (const char *path, const char *folder)
{
  gsize length = strlen (folder);

  return g_str_equal (folder, "/") ||
         (strncmp (path, folder, length) == 0 && (path[length] == '\0' || path[length] == '/'));
}

static gboolean
meets (const char *path, const char *const *folders)
{
  for (guint i = 0; folders[i] != NULL; i++)
    {
      if (is_within (path, folders[i]) || is_within (folders[i], path))
        return TRUE;
    }
  return FALSE;
}

static gboolean
has_control_character (const char *text)
{
  for (const char *at = text; *at != '\0'; at++)
    {
      if (g_ascii_iscntrl (*at))
        return TRUE;
    }
  return FALSE;
}

/* A canonical absolute path: without ".", ".." and double slashes. A trailing slash is removed.
 * NULL with a sentence. */
static char *
plain_path (const char *path, GError **error)
{
  g_autofree char *plain = NULL;
  g_autofree char *trimmed = g_strdup (path);

  if (!g_path_is_absolute (path))
    {
      fh_run_error_refuse (error,
                           _ ("“%s” is not an absolute path: it must begin with a slash."),
                           path);
      return NULL;
    }
  if (trimmed[1] != '\0' && g_str_has_suffix (trimmed, "/"))
    trimmed[strlen (trimmed) - 1] = '\0';
  plain = g_canonicalize_filename (trimmed, "/");
  if (!g_str_equal (plain, trimmed) || g_str_has_prefix (path, "//") || strlen (path) > MAX_PATH ||
      has_control_character (path))
    {
      fh_run_error_refuse (error,
                           _ ("“%s” is not a plain path. Leave out “.”, “..” and doubled slashes."),
                           path);
      return NULL;
    }
  return g_steal_pointer (&plain);
}

gboolean
fh_container_volume_is_socket_name (const char *name)
{
  g_return_val_if_fail (name != NULL, FALSE);

  return g_strv_contains (engine_sockets, name);
}

static gboolean
check_host (const char *path, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);

  if (fh_container_volume_is_socket_name (name))
    return fh_run_error_refuse (
        error,
        _ ("“%s” is the socket of a container engine, and a program that can use it "
           "controls this computer. It cannot be shown to a container."),
        path);
  if (is_within (path, MEDIA) && !g_str_equal (path, MEDIA))
    return TRUE;
  if (meets (path, host_secrets))
    return fh_run_error_refuse (error,
                                _ ("“%s” contains files that control this computer or its "
                                   "container engine. Choose another folder."),
                                path);
  return TRUE;
}

gboolean
fh_container_host_path_check (const char *path, GError **error)
{
  g_autofree char *plain = NULL;

  g_return_val_if_fail (path != NULL, FALSE);

  plain = plain_path (path, error);
  return plain != NULL && check_host (plain, error);
}

static gboolean
check_inside (const char *path, GError **error)
{
  if (!meets (path, our_places))
    return TRUE;
  return fh_run_error_refuse (
      error,
      _ ("A container already uses “%s”. Choose another path, such as “/data”."),
      path);
}

/* Removes ":ro" or ":rw" from the end; anything else is left and later found to be one colon too
 * many. */
static void
take_access (char **parts, guint *n, gboolean *is_writable)
{
  if (*n == 3 && g_str_equal (parts[2], "rw"))
    *is_writable = TRUE;
  else if (*n != 3 || !g_str_equal (parts[2], "ro"))
    return;
  *n = 2;
}

gboolean
fh_container_volume_parse (const char *text, FhContainerVolume *volume, GError **error)
{
  g_auto (GStrv) parts = NULL;
  g_auto (FhContainerVolume) found = { 0 };
  guint n;

  g_return_val_if_fail (text != NULL, FALSE);
  g_return_val_if_fail (volume != NULL, FALSE);

  parts = g_strsplit (text, ":", -1);
  n = g_strv_length (parts);
  take_access (parts, &n, &found.is_writable);
  if (n != 2)
    return fh_run_error_refuse (error,
                                _ ("“%s” is not a folder and its place in the container, such as "
                                   "“/home/me/data:/data” or “/home/me/data:/data:rw”."),
                                text);
  found.host = plain_path (parts[0], error);
  if (found.host == NULL)
    return FALSE;
  found.inside = plain_path (parts[1], error);
  if (found.inside == NULL || !check_host (found.host, error) ||
      !check_inside (found.inside, error))
    return FALSE;
  *volume = found;
  found = (FhContainerVolume){ 0 };
  return TRUE;
}
