/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder-removal.h"

#include "clock.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct removal
{
  int top;              /* where everything is moved */
  unsigned int n_moved; /* to name them */
  uint64_t deadline_us;
};

int
folder_open_any_mode (int parent, const char *name)
{
  char path[64];
  int handle = openat (parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  int fd;

  if (handle < 0)
    return -1;
  snprintf (path, sizeof path, "/proc/self/fd/%d", handle);
  chmod (path, 0700);
  fd = openat (handle, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  close (handle);
  return fd;
}

/* A folder can only be moved if it is writable. */
static void
move_up (struct removal *removal, int parent, const char *name)
{
  int fd = folder_open_any_mode (parent, name);
  char moved[32];

  if (fd < 0)
    return;
  close (fd);
  do
    snprintf (moved, sizeof moved, "moved-%u", removal->n_moved++);
  while (renameat (parent, name, removal->top, moved) < 0 &&
         (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR));
}

static bool remove_content (struct removal *removal, int folder, bool is_top);

/* An entry of the top folder, or of a folder in it. */
static void
remove_entry (struct removal *removal, int parent, const char *name, bool is_top)
{
  int fd;

  if (unlinkat (parent, name, 0) == 0 || unlinkat (parent, name, AT_REMOVEDIR) == 0)
    return;
  if (!is_top)
    {
      move_up (removal, parent, name);
      return;
    }
  fd = folder_open_any_mode (parent, name);
  if (fd < 0)
    return;
  remove_content (removal, fd, false);
  close (fd);
  unlinkat (parent, name, AT_REMOVEDIR);
}

/* True if it was empty. */
static bool
remove_content (struct removal *removal, int folder, bool is_top)
{
  int copy = openat (folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = copy >= 0 ? fdopendir (copy) : NULL;
  bool was_empty = true;
  struct dirent *entry;

  if (entries == NULL)
    {
      if (copy >= 0)
        close (copy);
      return true;
    }
  while ((entry = readdir (entries)) != NULL && clock_now_us () < removal->deadline_us)
    {
      if (strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0)
        continue;
      was_empty = false;
      remove_entry (removal, folder, entry->d_name, is_top);
    }
  closedir (entries);
  return was_empty;
}

bool
folder_remove (int base, const char *name, int folder, uint64_t deadline_us)
{
  struct removal removal = { .top = folder, .deadline_us = deadline_us };

  if (folder >= 0)
    fchmod (folder, 0700);
  /* Entries that appear while a folder is read may be seen only in the next round. */
  while (folder >= 0 && clock_now_us () < deadline_us && !remove_content (&removal, folder, true))
    continue;
  return unlinkat (base, name, AT_REMOVEDIR) == 0 || errno == ENOENT;
}
