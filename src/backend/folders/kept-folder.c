/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kept-folder.h"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.h"
#include "hostile-folder.h"
#include "path-error.h"

#define REMOVAL_TIMEOUT_MS 10000

static char *
containers_folder (void)
{
  return g_build_filename (g_get_user_cache_dir (), "fumehood", "containers", NULL);
}

gboolean
fh_kept_folder_is_name (const char *name)
{
  return name[0] != '\0' && strchr (name, '/') == NULL && !g_str_equal (name, ".") &&
         !g_str_equal (name, "..");
}

/* Opens the user's folder `name` in `parent`, creating it if missing, and makes it private again if
 * a program has changed its permissions. -1 with errno. */
static int
open_own_folder (int parent, const char *name)
{
  fh_autofd int fd = -1;
  struct stat info;

  if (mkdirat (parent, name, 0700) != 0 && errno != EEXIST)
    return -1;
  fd = fh_hostile_folder_open (parent, name);
  if (fd < 0)
    return -1;
  if (fstat (fd, &info) == 0 && info.st_uid == geteuid () && fchmod (fd, 0700) == 0)
    return fh_steal_fd (&fd);
  errno = EPERM;
  return -1;
}

/* Opens or creates the folder of one container. -1 with errno. */
static int
open_container (const char *container_name)
{
  g_autofree char *folder = containers_folder ();
  fh_autofd int parent = -1;

  if (g_mkdir_with_parents (folder, 0700) == 0)
    parent = open (folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  return parent >= 0 ? open_own_folder (parent, container_name) : -1;
}

FhOpenedPath *
fh_kept_folder_make (const char *container_name, const char *name, GError **error)
{
  g_autofree char *folder = containers_folder ();
  g_autofree char *path = g_build_filename (folder, container_name, name, NULL);
  fh_autofd int container = open_container (container_name);
  fh_autofd int fd = container >= 0 ? open_own_folder (container, name) : -1;
  FhOpenedPath *opened = fd >= 0 ? fh_opened_path_new_from_fd (fd, path) : NULL;

  if (opened == NULL)
    fh_path_error (error,
                   errno,
                   /* Translators: the path of a folder, then the system's reason. */
                   _ ("Could not use the folder “%s” for the container’s files: %s."),
                   path);
  return opened;
}

gboolean
fh_kept_folder_exists (const char *container_name)
{
  g_autofree char *path = fh_kept_folder_dup_path (container_name);

  return g_file_test (path, G_FILE_TEST_IS_DIR);
}

char *
fh_kept_folder_dup_path (const char *container_name)
{
  g_autofree char *folder = containers_folder ();

  g_return_val_if_fail (container_name != NULL && fh_kept_folder_is_name (container_name), NULL);

  return g_build_filename (folder, container_name, NULL);
}

gboolean
fh_kept_folder_remove (const char *container_name)
{
  g_autofree char *folder = containers_folder ();
  fh_autofd int fd = -1;

  g_return_val_if_fail (container_name != NULL && fh_kept_folder_is_name (container_name), FALSE);

  fd = open (folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  return fd >= 0 ? fh_hostile_folder_remove (fd, container_name, REMOVAL_TIMEOUT_MS)
                 : errno == ENOENT;
}
