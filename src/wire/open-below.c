/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "open-below.h"

#include "descriptor.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
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

static int
enter (int folder, const char *name, mode_t mode)
{
  const int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  const int fd = openat (folder, name, flags);

  if (fd >= 0 || errno != ENOENT || mode == 0 ||
      (mkdirat (folder, name, mode) < 0 && errno != EEXIST))
    return fd;
  return openat (folder, name, flags);
}

int
fh_open_parent (int folder, const char *path, mode_t mode, const char **name, unsigned int *depth)
{
  fh_autofd int at = fcntl (folder, F_DUPFD_CLOEXEC, 0);
  unsigned int n = 0;
  const char *end;

  for (; at >= 0 && (end = strchr (path, '/')) != NULL; path = end + 1)
    {
      fh_autofd int above = fh_steal_fd (&at);
      char part[NAME_MAX + 1] = "";

      errno = ENAMETOOLONG;
      if (end - path > NAME_MAX)
        break;
      memcpy (part, path, (size_t) (end - path));
      at = enter (above, part, mode);
      n += at >= 0;
    }
  *name = path;
  if (depth != NULL)
    *depth = n;
  return fh_steal_fd (&at);
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
