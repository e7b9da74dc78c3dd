/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-existence.h"

#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

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
existence_is_inside (int root, const char *path)
{
  int handle = existence_open_inside (root, path);

  if (handle < 0)
    return false;
  close (handle);
  return true;
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

bool
existence_is_outside (const char *path)
{
  struct stat status;

  return fstatat (AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) == 0;
}
