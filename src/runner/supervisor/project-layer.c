/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "project-layer.h"

#include "clock.h"
#include "descriptor.h"
#include "open-below.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

/* On a folder of which overlayfs shows nothing below. */
#define OPAQUE "user.overlay.opaque"

static bool
look (int folder, const char *path, struct stat *status)
{
  fh_autofd int fd = fh_open_below (folder, path, O_PATH);

  return fd >= 0 && fstat (fd, status) == 0;
}

enum project_below
project_layer_find (const struct project_layer *layer, const char *path)
{
  struct stat status;

  if (layer->below < 0 || !look (layer->below, path, &status) ||
      project_layer_is_deleted (layer, &status))
    return PROJECT_NOTHING;
  return S_ISDIR (status.st_mode) ? PROJECT_FOLDER : PROJECT_FILE;
}

bool
project_layer_is_deleted (const struct project_layer *layer, const struct stat *status)
{
  return layer->below >= 0 && S_ISCHR (status->st_mode) && status->st_rdev == makedev (0, 0);
}

static bool
is_opaque (const struct project_layer *layer, const char *path)
{
  fh_autofd int fd = fh_open_below (layer->above, path, O_RDONLY | O_DIRECTORY);
  char value[2];

  return fd >= 0 && fgetxattr (fd, OPAQUE, value, sizeof value) == 1;
}

static bool
is_below_opaque (const struct project_layer *layer, const char *path)
{
  char folder[FH_RESULT_PATH_MAX + 1];

  for (size_t i = 0; path[i] != '\0' && i < FH_RESULT_PATH_MAX; i++)
    {
      folder[i] = '\0';
      if (path[i] == '/' && is_opaque (layer, folder))
        return true;
      folder[i] = path[i];
    }
  return false;
}

bool
project_layer_hides (const struct project_layer *layer, const struct result_entry *entry)
{
  enum project_below below = project_layer_find (layer, entry->path);

  if (below == PROJECT_NOTHING)
    return false;
  if (entry->kind == RESULT_WALK_FOLDER)
    return is_opaque (layer, entry->path) && !is_below_opaque (layer, entry->path);
  /* A file in the place of a file changes it. */
  return (below == PROJECT_FOLDER || project_layer_is_deleted (layer, &entry->status)) &&
         !is_below_opaque (layer, entry->path);
}

bool
project_layer_lacks (const struct project_layer *layer, const char *path, bool *in_doubt)
{
  struct stat status;

  if (look (layer->above, path, &status))
    return S_ISDIR (status.st_mode) || project_layer_is_deleted (layer, &status);
  if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP)
    return true;
  *in_doubt = true;
  return false;
}

static bool
read_both (int first, int second, uint64_t size, uint64_t deadline_us)
{
  static uint8_t pieces[2][64 * 1024];

  for (uint64_t at = 0; at < size;)
    {
      const ssize_t n = pread (first, pieces[0], sizeof pieces[0], (off_t) at);

      if (n <= 0 || clock_now_us () >= deadline_us ||
          pread (second, pieces[1], (size_t) n, (off_t) at) != n ||
          memcmp (pieces[0], pieces[1], (size_t) n) != 0)
        return false;
      at += (uint64_t) n;
    }
  return true;
}

bool
project_layer_repeats (const struct project_layer *layer,
                       const struct result_entry *entry,
                       int fd,
                       uint64_t deadline_us)
{
  /* Never waits for a pipe or a lease, and leaves the time of the last access alone. */
  const uint64_t flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOATIME;
  fh_autofd int below = layer->below < 0 ? -1 : fh_open_below (layer->below, entry->path, flags);
  struct stat status;

  return below >= 0 && fstat (below, &status) == 0 && S_ISREG (status.st_mode) &&
         status.st_size == entry->status.st_size &&
         (status.st_mode & S_IXUSR) == (entry->status.st_mode & S_IXUSR) &&
         read_both (fd, below, (uint64_t) status.st_size, deadline_us);
}
