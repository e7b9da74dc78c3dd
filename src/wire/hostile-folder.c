/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hostile-folder.h"

#include "descriptor.h"
#include "open-below.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#define LEFTOVER_TIMEOUT_MS 10000

/* One that was made, but not yet locked, is young. */
#define AGE_OF_LEFTOVERS_S 60

/* Descends only one level: deeper folders are moved up first, so that neither the stack nor the
 * descriptors grow with the depth. */
struct removal
{
  int top;                /* deeper folders are moved here */
  unsigned int n_moved;   /* for their names */
  unsigned int n_changes; /* removed or moved entries; a pass without any is the last */
  uint64_t deadline_ms;
};

static uint64_t
now_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * 1000 + (uint64_t) now.tv_nsec / 1000000;
}

int
fh_hostile_folder_open (int parent, const char *name)
{
  fh_autofd int handle = openat (parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat info;
  char path[64];

  if (handle < 0)
    return -1;
  if (fstat (handle, &info) == 0 && (info.st_mode & 0700) != 0700)
    {
      /* Through the descriptor: the name may belong to another file by now. */
      snprintf (path, sizeof path, "/proc/self/fd/%d", handle);
      chmod (path, (info.st_mode & 0077) | 0700);
    }
  return openat (handle, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Moving a folder needs write permission in it. */
static void
move_up (struct removal *removal, int parent, const char *name)
{
  fh_autofd int fd = fh_hostile_folder_open (parent, name);
  char moved[32];

  if (fd < 0)
    return;
  do
    {
      snprintf (moved, sizeof moved, "moved-%u", removal->n_moved++);
      if (renameat (parent, name, removal->top, moved) == 0)
        {
          removal->n_changes++;
          return;
        }
    }
  while (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR);
}

static bool
unlink_entry (struct removal *removal, int parent, const char *name)
{
  if (unlinkat (parent, name, 0) != 0 && unlinkat (parent, name, AT_REMOVEDIR) != 0)
    return false;
  removal->n_changes++;
  return true;
}

static void remove_content (struct removal *removal, int folder, bool is_top);

/* An entry of the top folder or of one directly in it. */
static void
remove_entry (struct removal *removal, int parent, const char *name, bool is_top)
{
  if (unlink_entry (removal, parent, name))
    return;
  if (is_top)
    {
      fh_autofd int fd = fh_hostile_folder_open (parent, name);

      if (fd >= 0)
        remove_content (removal, fd, false);
      unlink_entry (removal, parent, name);
    }
  else
    move_up (removal, parent, name);
}

static void
remove_content (struct removal *removal, int folder, bool is_top)
{
  DIR *entries = fh_open_entries (folder);
  struct dirent *entry;

  if (entries == NULL)
    return;
  while ((entry = readdir (entries)) != NULL && now_ms () < removal->deadline_ms)
    {
      if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
        remove_entry (removal, folder, entry->d_name, is_top);
    }
  closedir (entries);
}

bool
fh_hostile_folder_remove (int parent, const char *name, unsigned int timeout_ms)
{
  fh_autofd int top = fh_hostile_folder_open (parent, name);
  struct removal removal = { .top = top, .deadline_ms = now_ms () + timeout_ms };
  unsigned int before;

  /* Entries that are added during a pass may only be seen in the next one. */
  do
    {
      before = removal.n_changes;
      if (top >= 0)
        remove_content (&removal, top, true);
    }
  while (removal.n_changes != before && now_ms () < removal.deadline_ms);
  return unlinkat (parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT;
}

static void
remove_leftover (int parent, const char *name, bool is_final)
{
  struct stat info;
  fh_autofd int fd = -1;

  if (fstatat (parent, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || info.st_uid != geteuid ())
    return;
  fd = fh_hostile_folder_open (parent, name);
  if (fd >= 0 && fstat (fd, &info) == 0 && info.st_uid == geteuid () &&
      (is_final || info.st_mtime + AGE_OF_LEFTOVERS_S < time (NULL)) &&
      flock (fd, LOCK_EX | LOCK_NB) == 0)
    fh_hostile_folder_remove (parent, name, LEFTOVER_TIMEOUT_MS);
}

void
fh_hostile_folder_remove_leftovers (int parent, const char *prefix)
{
  DIR *entries = fh_open_entries (parent);
  struct dirent *entry;

  while (entries != NULL && (entry = readdir (entries)) != NULL)
    {
      const char *name = entry->d_name;
      const size_t n_new = strncmp (name, FH_LEFTOVER_NEW, strlen (FH_LEFTOVER_NEW)) == 0
                               ? strlen (FH_LEFTOVER_NEW)
                               : 0;

      if (strncmp (name + n_new, prefix, strlen (prefix)) == 0)
        remove_leftover (parent, name, n_new == 0);
    }
  if (entries != NULL)
    closedir (entries);
}
