/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-existence.h"

#include "attempt-path.h"
#include "open-below.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LINKS_MAX 8

static const char *const local_filesystems[] = {
  "ext2",    "ext3", "ext4",     "xfs",   "btrfs", "tmpfs", "devtmpfs", "ramfs",
  "overlay", "f2fs", "jfs",      "vfat",  "proc",  "sysfs", "squashfs", "ecryptfs",
  "erofs",   "zfs",  "bcachefs", "exfat", "udf",   NULL,
};

int
existence_open_inside (int root, const char *path)
{
  int handle = fh_openat2 (root, path, O_PATH, RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS);

  return handle < 0 ? -errno : handle;
}

int
existence_open_in_home (int home, const char *path)
{
  int handle = fh_openat2 (home,
                           path[0] == '\0' ? "." : path,
                           O_PATH | O_NOFOLLOW,
                           RESOLVE_NO_XDEV | RESOLVE_NO_MAGICLINKS);

  return handle < 0 ? -errno : handle;
}

enum existence
existence_of (int handle)
{
  if (handle >= 0)
    {
      close (handle);
      return EXISTENCE_THERE;
    }
  return (handle == -ENOENT || handle == -ENOTDIR) && access ("/.flatpak-info", F_OK) < 0
             ? EXISTENCE_MISSING
             : EXISTENCE_UNKNOWN;
}

bool
existence_is_of_folder (const char *operation)
{
  return strcmp (operation, "create") == 0 || strcmp (operation, "rename") == 0;
}

/* `field`: a mount point in /proc/self/mountinfo, up to the next space, where some characters are
 * written as numbers, proc (5). */
static bool
is_place (const char *field, const char *path, size_t size)
{
  for (size_t i = 0; i < size; i++)
    {
      const bool is_number = field[0] == '\\' && field[1] != '\0' && field[2] != '\0';
      const int byte = is_number ? (field[1] & 3) << 6 | (field[2] & 7) << 3 | (field[3] & 7)
                                 : (unsigned char) field[0];

      if (byte != (unsigned char) path[i])
        return false;
      field += is_number ? 4 : 1;
    }
  return *field == ' ';
}

static bool
is_local (const char *line)
{
  const char *type = strstr (line, " - ");
  const size_t size = type != NULL ? strcspn (type + 3, " \n") : 0;

  for (size_t i = 0; type != NULL && local_filesystems[i] != NULL; i++)
    {
      if (strlen (local_filesystems[i]) == size &&
          strncmp (type + 3, local_filesystems[i], size) == 0)
        return true;
    }
  return false;
}

/* True if the mount at the first `size` bytes of `path` is local. Opening a network mount, or
 * asking for its type, would contact the server. All mounts stacked there must be local. */
static bool
is_local_mount (const char *path, size_t size)
{
  FILE *mounts = fopen ("/proc/self/mountinfo", "re");
  char *line = NULL;
  size_t capacity = 0;
  bool is_found = false;
  bool is_remote = false;

  while (mounts != NULL && getline (&line, &capacity, mounts) > 0)
    {
      const char *field = line;

      for (int i = 0; i < 4 && field != NULL; i++)
        field = strchr (field + (i > 0), ' ');
      if (field == NULL || !is_place (field + 1, path, size))
        continue;
      is_found = true;
      is_remote = is_remote || !is_local (field);
    }
  free (line);
  if (mounts != NULL)
    fclose (mounts);
  return is_found && !is_remote;
}

/* Opens the part of `path` at `*at` in `folder`, which is closed, and moves on. What comes before
 * has no links. */
static int
open_part (int folder, const char *path, size_t *at)
{
  const uint64_t flags = O_PATH | O_NOFOLLOW;
  const char *part = path + *at;
  const size_t size = (size_t) (strchrnul (part, '/') - part);
  char name[NAME_MAX + 1];
  int handle = -1;

  errno = ENAMETOOLONG;
  if (size <= NAME_MAX)
    {
      memcpy (name, part, size);
      name[size] = '\0';
      handle = fh_openat2 (folder, name, flags, RESOLVE_NO_XDEV | RESOLVE_NO_MAGICLINKS);
      if (handle < 0 && errno == EXDEV)
        {
          handle = is_local_mount (path, *at + size)
                       ? fh_openat2 (folder, name, flags, RESOLVE_NO_MAGICLINKS)
                       : -1;
          errno = handle < 0 ? EXDEV : 0;
        }
    }
  if (handle < 0)
    handle = -errno;
  close (folder);
  *at += size + (part[size] == '/');
  return handle;
}

/* Replaces the first `size` bytes of `path` with the target of the link `handle`. */
static bool
replace_link (int handle, char path[PATH_MAX], size_t size)
{
  char link[PATH_MAX];
  char folder[PATH_MAX];
  char target[PATH_MAX];
  ssize_t n = readlinkat (handle, "", link, sizeof link - 1);
  char *end;

  if (n <= 0)
    return false;
  link[n] = '\0';
  memcpy (folder, path, size);
  folder[size] = '\0';
  if (size > 0 && folder[size - 1] == '/')
    folder[size - 1] = '\0';
  end = strrchr (folder, '/');
  *(end == NULL ? folder : end) = '\0';
  if (!path_join (folder, link, target) || !path_join (target, path + size, folder))
    return false;
  strcpy (path, folder);
  return true;
}

int
existence_open_outside (const char *path)
{
  char left[PATH_MAX];
  int links = 0;
  size_t at = 1;
  int handle = open ("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

  strcpy (left, path);
  while (handle >= 0 && left[at] != '\0')
    {
      struct stat status;

      handle = open_part (handle, left, &at);
      if (handle < 0)
        return handle;
      if (left[at] == '\0' || fstat (handle, &status) < 0 || !S_ISLNK (status.st_mode))
        continue;
      if (links++ == LINKS_MAX || !replace_link (handle, left, at))
        {
          close (handle);
          return -ELOOP;
        }
      close (handle);
      handle = open ("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
      at = 1;
    }
  return handle < 0 ? -errno : handle;
}

int
existence_error (int handle, int mode)
{
  return syscall (SYS_faccessat2, handle, "", mode, AT_EMPTY_PATH | AT_EACCESS) < 0 ? errno : 0;
}

bool
existence_is_read_only (int handle)
{
  struct statvfs status;

  return fstatvfs (handle, &status) == 0 && status.f_flag & ST_RDONLY;
}
