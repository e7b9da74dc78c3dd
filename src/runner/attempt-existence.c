/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-existence.h"

#include "attempt-path.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#define LINKS_MAX 8

/* Some have no name in the oldest headers. */
static const uint32_t local_filesystems[] = {
  EXT4_SUPER_MAGIC,     XFS_SUPER_MAGIC,       BTRFS_SUPER_MAGIC,         TMPFS_MAGIC,
  RAMFS_MAGIC,          OVERLAYFS_SUPER_MAGIC, F2FS_SUPER_MAGIC,          SQUASHFS_MAGIC,
  ECRYPTFS_SUPER_MAGIC, REISERFS_SUPER_MAGIC,  MSDOS_SUPER_MAGIC,         PROC_SUPER_MAGIC,
  SYSFS_MAGIC,          0x2fc12fc1 /* ZFS */,  0xca451a4e /* bcachefs */, 0x2011bab0 /* exFAT */,
  0x3153464a /* JFS */,
};

int
existence_open_inside (int root, const char *path)
{
  const struct open_how how = {
    .flags = O_PATH | O_CLOEXEC,
    .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
  };
  int handle = sys_openat2 (root, path, &how);

  return handle < 0 ? -errno : handle;
}

bool
existence_is_in_home (int home, const char *path)
{
  const struct open_how how = {
    .flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
    .resolve = RESOLVE_NO_XDEV | RESOLVE_NO_MAGICLINKS,
  };
  int handle = sys_openat2 (home, path[0] == '\0' ? "." : path, &how);

  if (handle < 0)
    return false;
  close (handle);
  return true;
}

static bool
is_local (int handle)
{
  struct statfs status;

  if (fstatfs (handle, &status) < 0)
    return false;
  for (size_t i = 0; i < sizeof local_filesystems / sizeof local_filesystems[0]; i++)
    {
      if ((uint32_t) status.f_type == local_filesystems[i])
        return true;
    }
  return false;
}

/* Opens the part of `path` that begins at `*at` in `folder`, which is closed, and moves on. */
static int
open_part (int folder, const char *path, size_t *at)
{
  const char *part = path + *at;
  const size_t size = (size_t) (strchrnul (part, '/') - part);
  char name[NAME_MAX + 1];
  int handle = -1;
  int error = size > NAME_MAX ? ENAMETOOLONG : is_local (folder) ? 0 : EXDEV;

  if (error == 0)
    {
      memcpy (name, part, size);
      name[size] = '\0';
      handle = openat (folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
      error = errno;
    }
  close (folder);
  *at += size + (part[size] == '/');
  return handle < 0 ? -error : handle;
}

/* Puts what the link `handle` says in the place of the first `size` bytes of `path`. */
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
