/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hostile-folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Descends only one level: deeper folders are moved up first, so that neither the stack nor the
 * descriptors grow with the depth. */
typedef struct
{
  int top;         /* deeper folders are moved here */
  guint n_moved;   /* for their names */
  guint n_changes; /* removed or moved entries; a pass without any is the last */
  gint64 deadline_us;
} Removal;

int
fh_hostile_folder_open (int parent, const char *name)
{
  int handle = openat (parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat info;
  char path[64];
  int fd;
  int code;

  if (handle < 0)
    return -1;
  if (fstat (handle, &info) == 0 && (info.st_mode & 0700) != 0700)
    {
      /* Through the descriptor: the name may belong to another file by now. */
      snprintf (path, sizeof path, "/proc/self/fd/%d", handle);
      chmod (path, (info.st_mode & 0077) | 0700);
    }
  fd = openat (handle, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  code = errno;
  close (handle);
  errno = code;
  return fd;
}

/* Moving a folder needs write permission in it. */
static void
move_up (Removal *removal, int parent, const char *name)
{
  int fd = fh_hostile_folder_open (parent, name);
  char moved[32];

  if (fd < 0)
    return;
  close (fd);
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

static gboolean
unlink_entry (Removal *removal, int parent, const char *name)
{
  if (unlinkat (parent, name, 0) != 0 && unlinkat (parent, name, AT_REMOVEDIR) != 0)
    return FALSE;
  removal->n_changes++;
  return TRUE;
}

static void remove_content (Removal *removal, int folder, gboolean is_top);

/* An entry of the top folder or of one directly in it. */
static void
remove_entry (Removal *removal, int parent, const char *name, gboolean is_top)
{
  int fd;

  if (unlink_entry (removal, parent, name))
    return;
  if (!is_top)
    {
      move_up (removal, parent, name);
      return;
    }
  fd = fh_hostile_folder_open (parent, name);
  if (fd < 0)
    return;
  remove_content (removal, fd, FALSE);
  close (fd);
  unlink_entry (removal, parent, name);
}

static void
remove_content (Removal *removal, int folder, gboolean is_top)
{
  int copy = openat (folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = copy >= 0 ? fdopendir (copy) : NULL;
  struct dirent *entry;

  if (entries == NULL)
    {
      if (copy >= 0)
        close (copy);
      return;
    }
  while ((entry = readdir (entries)) != NULL && g_get_monotonic_time () < removal->deadline_us)
    {
      if (strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0)
        continue;
      remove_entry (removal, folder, entry->d_name, is_top);
    }
  closedir (entries);
}

gboolean
fh_hostile_folder_remove (int parent, const char *name, guint timeout_ms)
{
  Removal removal = { .deadline_us = g_get_monotonic_time () + (gint64) timeout_ms * 1000 };
  gboolean is_gone;
  guint before;
  int code;

  g_return_val_if_fail (name != NULL, FALSE);

  removal.top = fh_hostile_folder_open (parent, name);
  /* Entries that are added during a pass may only be seen in the next one. */
  do
    {
      before = removal.n_changes;
      if (removal.top >= 0)
        remove_content (&removal, removal.top, TRUE);
    }
  while (removal.n_changes != before && g_get_monotonic_time () < removal.deadline_us);
  is_gone = unlinkat (parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT;
  code = errno;
  if (removal.top >= 0)
    close (removal.top);
  errno = code;
  return is_gone;
}
