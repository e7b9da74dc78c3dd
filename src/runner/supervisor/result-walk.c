/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result-walk.h"

#include "clock.h"
#include "descriptor.h"
#include "open-below.h"
#include "syscalls.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Never blocks, as on a pipe, and never acquires a terminal. */
#define READING (O_RDONLY | O_NONBLOCK | O_NOCTTY)

void
result_walk_leave_out (struct result_walk *walk)
{
  if (walk->missing.n_left_out < UINT32_MAX)
    walk->missing.n_left_out++;
}

void
result_walk_begin_at (struct result_walk *walk, int root, const char *path, uint64_t deadline_us)
{
  walk->root = root;
  walk->deadline_us = deadline_us;
  walk->is_wanted = NULL;
  walk->tells_folders = walk->tells_empty = false;
  walk->skips = NULL;
  walk->missing = (struct fh_results_end){ 0 };
  walk->folder = -1;
  walk->names_at = walk->names_size = 0;
  walk->queue_at = 0;
  walk->queue_size = strlen (path) + 1;
  memcpy (walk->queue, path, walk->queue_size);
}

void
result_walk_begin (struct result_walk *walk, int root, uint64_t deadline_us)
{
  result_walk_begin_at (walk, root, "", deadline_us);
}

void
result_walk_end (struct result_walk *walk)
{
  fh_clear_fd (&walk->folder);
  walk->names_at = walk->names_size = 0;
}

/* False at the end. A folder that cannot be opened is skipped. */
static bool
enter_folder (struct result_walk *walk)
{
  const char *path = walk->queue + walk->queue_at;

  if (walk->queue_at == walk->queue_size)
    return false;
  walk->prefix = strlen (path);
  memcpy (walk->path, path, walk->prefix + 1);
  walk->queue_at += walk->prefix + 1;
  walk->folder =
      fh_open_below (walk->root, walk->prefix > 0 ? walk->path : ".", READING | O_DIRECTORY);
  if (walk->prefix > 0)
    walk->path[walk->prefix++] = '/';
  if (walk->folder < 0)
    walk->missing.is_incomplete = true;
  walk->is_empty = true;
  return true;
}

static size_t
count_slashes (const char *path)
{
  size_t count = 0;

  for (; *path != '\0'; path++)
    count += *path == '/';
  return count;
}

static void
queue_folder (struct result_walk *walk)
{
  const size_t size = strlen (walk->path) + 1;

  if (size > RESULT_WALK_QUEUE_SIZE - walk->queue_size ||
      count_slashes (walk->path) >= FH_RESULT_DEPTH_MAX)
    {
      result_walk_leave_out (walk);
      return;
    }
  memcpy (walk->queue + walk->queue_size, walk->path, size);
  walk->queue_size += size;
}

/* Reads the next name of the folder into `path`; false at its end. */
static bool
read_name (struct result_walk *walk)
{
  const struct dirent64 *name;

  if (walk->names_at == walk->names_size)
    {
      ssize_t n = sys_getdents64 (walk->folder, walk->names, sizeof walk->names);

      if (n < 0)
        {
          walk->missing.is_incomplete = true;
          walk->is_empty = false;
        }
      walk->names_at = 0;
      walk->names_size = n > 0 ? (size_t) n : 0;
      if (n <= 0)
        return false;
    }
  name = (const void *) (walk->names + walk->names_at);
  walk->names_at += name->d_reclen;
  /* The kernel guarantees that it fits and has no slash. */
  memcpy (walk->path + walk->prefix, name->d_name, strnlen (name->d_name, NAME_MAX) + 1);
  walk->path[walk->prefix + NAME_MAX] = '\0';
  return true;
}

static uint8_t
kind_of (mode_t mode)
{
  if (S_ISREG (mode))
    return FH_WIRE_RESULT_REGULAR;
  return S_ISLNK (mode) ? FH_WIRE_RESULT_LINK : FH_WIRE_RESULT_SPECIAL;
}

/* True if `path` should be reported. */
static bool
examine (struct result_walk *walk, struct result_entry *entry)
{
  entry->path = walk->path;
  entry->name = walk->path + walk->prefix;
  if (strcmp (entry->name, ".") == 0 || strcmp (entry->name, "..") == 0)
    return false;
  walk->is_empty = false;
  if (strlen (entry->path) > FH_RESULT_PATH_MAX)
    {
      result_walk_leave_out (walk);
      return false;
    }
  if (fstatat (walk->folder, entry->name, &entry->status, AT_SYMLINK_NOFOLLOW) < 0)
    {
      walk->missing.is_incomplete = true;
      return false;
    }
  if (S_ISDIR (entry->status.st_mode))
    {
      if (walk->skips != NULL && strcmp (walk->path, walk->skips) == 0)
        return false;
      queue_folder (walk);
      entry->kind = RESULT_WALK_FOLDER;
      return walk->tells_folders;
    }
  entry->kind = kind_of (entry->status.st_mode);
  return true;
}

/* True if nothing was in the folder, and that should be reported. */
static bool
leave_folder (struct result_walk *walk, struct result_entry *entry)
{
  result_walk_end (walk);
  if (!walk->tells_empty || !walk->is_empty || walk->prefix == 0)
    return false;
  walk->path[walk->prefix - 1] = '\0';
  *entry = (struct result_entry){ .path = walk->path, .kind = FH_WIRE_RESULT_FOLDER };
  return true;
}

/* Asks once for many names. */
static bool
may_go_on (const struct result_walk *walk)
{
  return clock_now_us () < walk->deadline_us &&
         (walk->names_at < walk->names_size || walk->is_wanted == NULL ||
          walk->is_wanted (walk->data));
}

bool
result_walk_next (struct result_walk *walk, struct result_entry *entry)
{
  while (walk->folder >= 0 || enter_folder (walk))
    {
      if (!may_go_on (walk))
        {
          walk->missing.is_incomplete = true;
          return false;
        }
      if (walk->folder < 0)
        continue;
      if (read_name (walk) ? examine (walk, entry) : leave_folder (walk, entry))
        return true;
    }
  return false;
}

int
result_walk_open (struct result_walk *walk, struct result_entry *entry)
{
  fh_autofd int fd = fh_open_below (walk->folder, entry->name, READING);

  if (fd >= 0 && fstat (fd, &entry->status) == 0 && S_ISREG (entry->status.st_mode))
    return fh_steal_fd (&fd);
  walk->missing.is_incomplete = true;
  return -1;
}
