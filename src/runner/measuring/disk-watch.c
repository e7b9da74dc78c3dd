/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "disk-watch.h"

#include "clock.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define PAUSE_US 100000

/* What an entry takes by itself, so that empty files count as well. */
#define BYTES_PER_ENTRY 4096

/* Deeper than that nobody puts anything except to hide it; each level takes a descriptor. */
#define MAX_DEPTH 64

/* Looking must not become what the computer is busy with. */
#define MOST_ENTRIES 200000

/* In a folder that is not the run's own. */
#define MOST_ENTRIES_BEFORE 20000

/* Files without a name that are told apart. */
#define MOST_NAMELESS 512

struct walk
{
  uint64_t bytes;
  uint64_t limit;
  dev_t device;
  bool is_shared;
  unsigned int n_entries;
  ino_t nameless[MOST_NAMELESS];
  size_t n_nameless;
};

static bool
goes_on (const struct walk *walk)
{
  return walk->bytes <= walk->limit && walk->n_entries < MOST_ENTRIES;
}

static void
add (struct walk *walk, const struct stat *status)
{
  walk->n_entries++;
  walk->bytes += (uint64_t) status->st_blocks * 512 / (status->st_nlink > 1 ? status->st_nlink : 1);
  if (!S_ISREG (status->st_mode) || status->st_blocks == 0)
    walk->bytes += BYTES_PER_ENTRY;
}

/* A folder that cannot be entered is made so that it can: its mode is worth less than knowing what
 * is in it. */
static int
open_folder (const struct walk *walk, int parent, const char *name)
{
  char path[64];
  int fd = openat (parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  int handle;

  if (fd >= 0 || walk->is_shared)
    return fd;
  handle = openat (parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (handle < 0)
    return -1;
  snprintf (path, sizeof path, "/proc/self/fd/%d", handle);
  chmod (path, 0700);
  fd = openat (handle, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  close (handle);
  return fd;
}

/* Takes the descriptor. What is too deep to be looked at counts as too much. */
static void
walk_folder (struct walk *walk, int folder, int depth)
{
  DIR *entries = folder >= 0 ? fdopendir (folder) : NULL;
  struct dirent *entry;

  while (entries != NULL && goes_on (walk) && (entry = readdir (entries)) != NULL)
    {
      struct stat status;

      if (strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0 ||
          fstatat (dirfd (entries), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) < 0 ||
          (walk->is_shared && status.st_dev != walk->device))
        continue;
      add (walk, &status);
      if (!S_ISDIR (status.st_mode))
        continue;
      if (depth == MAX_DEPTH && walk->is_shared)
        continue;
      if (depth == MAX_DEPTH)
        walk->bytes = walk->limit + 1;
      else
        walk_folder (walk, open_folder (walk, dirfd (entries), entry->d_name), depth + 1);
    }
  if (entries != NULL)
    closedir (entries);
  else if (folder >= 0)
    close (folder);
}

/* Processes that came out of fork hold the same files. */
static bool
is_known (struct walk *walk, ino_t inode)
{
  for (size_t i = 0; i < walk->n_nameless; i++)
    {
      if (walk->nameless[i] == inode)
        return true;
    }
  if (walk->n_nameless < MOST_NAMELESS)
    walk->nameless[walk->n_nameless++] = inode;
  return false;
}

static void
walk_descriptors (struct walk *walk, const struct process_table *table, uint32_t pid)
{
  char path[32];
  DIR *entries;
  struct dirent *entry;
  int fd;

  snprintf (path, sizeof path, "%u/fd", pid);
  fd = openat (table->proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  entries = fd >= 0 ? fdopendir (fd) : NULL;
  while (entries != NULL && goes_on (walk) && (entry = readdir (entries)) != NULL)
    {
      struct stat status;

      if (fstatat (dirfd (entries), entry->d_name, &status, 0) == 0 && S_ISREG (status.st_mode) &&
          status.st_nlink == 0 && status.st_dev == walk->device && !is_known (walk, status.st_ino))
        add (walk, &status);
    }
  if (entries != NULL)
    closedir (entries);
  else if (fd >= 0)
    close (fd);
}

void
disk_watch_begin (struct disk_watch *watch, int folder, uint64_t limit)
{
  watch->folder = folder;
  watch->limit = limit;
  watch->next_us = limit > 0 && folder >= 0 ? clock_now_us () + PAUSE_US : UINT64_MAX;
}

void
disk_watch_begin_counting (struct disk_watch *watch, int folder, uint64_t most)
{
  disk_watch_begin (watch, folder, most);
  watch->most = most;
}

static void
walk_all (struct disk_watch *watch, struct walk *walk)
{
  struct stat status;

  walk->is_shared = watch->is_shared;
  if (fstat (watch->folder, &status) == 0)
    walk->device = status.st_dev;
  walk_folder (walk, openat (watch->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), 0);
}

void
disk_watch_begin_growing (struct disk_watch *watch, int folder, uint64_t limit)
{
  struct walk walk = { .limit = UINT64_MAX };

  disk_watch_begin (watch, folder, limit);
  if (watch->next_us == UINT64_MAX)
    return;
  watch->is_shared = true;
  walk_all (watch, &walk);
  watch->limit = walk.bytes < UINT64_MAX - limit ? walk.bytes + limit : UINT64_MAX;
  if (walk.n_entries > MOST_ENTRIES_BEFORE)
    watch->next_us = UINT64_MAX;
}

/* What else takes room there that is in no file, such as attributes, counts as entries as well. */
static bool
look_at_number (struct disk_watch *watch)
{
  struct statfs status;

  watch->next_us = clock_now_us () + PAUSE_US;
  return fstatfs (watch->folder, &status) == 0 && status.f_files - status.f_ffree > watch->most;
}

bool
disk_watch_look (struct disk_watch *watch, const struct process_table *table)
{
  const uint64_t begun = clock_now_us ();
  struct walk walk = { .limit = watch->limit };
  uint64_t cost;

  if (watch->most > 0)
    return look_at_number (watch);
  walk_all (watch, &walk);
  for (size_t i = 0; i < table->n; i++)
    walk_descriptors (&walk, table, table->processes[i].pid);
  watch->bytes = walk.bytes;
  cost = clock_now_us () - begun;
  watch->next_us = begun + cost + (4 * cost > PAUSE_US ? 4 * cost : PAUSE_US);
  return walk.bytes > walk.limit || walk.n_entries >= MOST_ENTRIES;
}
