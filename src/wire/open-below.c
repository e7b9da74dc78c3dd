/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "open-below.h"

#include "descriptor.h"

#include <fcntl.h>
#include <sys/syscall.h>

#define MOST_TRIES 64

int
fh_openat2 (int folder, const char *path, uint64_t flags, uint64_t resolve)
{
  const struct open_how how = { .flags = flags | O_CLOEXEC, .resolve = resolve };
  int fd = -1;

  errno = EAGAIN;
  for (int i = 0; fd < 0 && errno == EAGAIN && i < MOST_TRIES; i++)
    fd = (int) syscall (SYS_openat2, folder, path, &how, sizeof how);
  return fd;
}

int
fh_open_below (int folder, const char *path, uint64_t flags)
{
  return fh_openat2 (folder,
                     path,
                     flags | O_NOFOLLOW,
                     RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS |
                         RESOLVE_NO_XDEV);
}

DIR *
fh_open_entries (int folder)
{
  fh_autofd int copy = openat (folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = copy >= 0 ? fdopendir (copy) : NULL;

  if (entries != NULL)
    fh_steal_fd (&copy);
  return entries;
}
