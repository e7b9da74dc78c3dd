/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder-writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.h"
#include "folder-exchange.h"
#include "open-below.h"
#include "opened-path.h"
#include "path-error.h"
#include "result-file-name.h"
#include "wire-bytes.h"

/* Names that are tried for one file. */
#define MAX_NUMBER 1000

/* In the same folder as the target. */
#define TEMPORARY_NAME FH_EXCHANGE_TEMPORARY_PREFIX "%08x"
#define MAX_TRIES      100

int
fh_folder_open (const char *path, GError **error)
{
  g_autofree char *missing = NULL;
  g_autoptr (FhOpenedPath) opened = fh_opened_path_new (path, &missing, error);
  int fd;

  if (opened != NULL && missing != NULL)
    {
      FhOpenedPath *made = fh_opened_path_make (opened, missing, error);

      fh_opened_path_unref (opened);
      opened = made;
    }
  if (opened == NULL)
    return -1;
  fd = fh_opened_path_read_folder (opened);
  if (fd < 0)
    fh_errno_error (error, errno, NULL);
  return fd;
}

int
fh_folder_open_parent (int folder, const char *path, const char **name)
{
  return fh_open_parent (folder, path, 0777, name, NULL);
}

/* Writes the new file `name`, open as `fd`, which is closed, and removes it if that fails. `mode`:
 * 0 leaves it as it is. FALSE with errno. */
static gboolean
complete (int folder, const char *name, int fd, GBytes *content, mode_t mode)
{
  fh_autofd int taken = fd;
  gsize size;
  gconstpointer data = g_bytes_get_data (content, &size);
  int code;

  if (fh_write_all (fd, data, size) && (mode == 0 || fchmod (fd, mode) == 0) &&
      close (fh_steal_fd (&taken)) == 0)
    return TRUE;
  code = errno;
  unlinkat (folder, name, 0);
  errno = code;
  return FALSE;
}

/* Creates a file under an unused name, returned in `taken`. Never executable. */
static int
create (int folder, const char *name, char **taken)
{
  for (guint number = 1; number <= MAX_NUMBER; number++)
    {
      g_autofree char *candidate =
          number == 1 ? g_strdup (name) : fh_result_name_with_number (name, number);
      int fd =
          openat (folder, candidate, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);

      if (fd < 0 && errno == EEXIST)
        continue;
      if (fd >= 0)
        *taken = g_steal_pointer (&candidate);
      return fd;
    }
  errno = EEXIST;
  return -1;
}

gboolean
fh_folder_add_file (int folder, const char *name, GBytes *content, char **taken)
{
  g_autofree char *made = NULL;
  const int fd = create (folder, name, &made);

  if (fd < 0 || !complete (folder, made, fd, content, 0))
    return FALSE;
  *taken = g_steal_pointer (&made);
  return TRUE;
}

/* Creates a file with an unused name, returned in `name`. */
static int
create_temporary (int parent, char name[32])
{
  for (guint i = 0; i < MAX_TRIES; i++)
    {
      int fd;

      snprintf (name, 32, TEMPORARY_NAME, g_random_int ());
      fd = openat (parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
      if (fd >= 0 || errno != EEXIST)
        return fd;
    }
  errno = EEXIST;
  return -1;
}

gboolean
fh_folder_replace_file (int parent, const char *name, GBytes *content, mode_t mode)
{
  char temporary[32];
  const int fd = create_temporary (parent, temporary);
  int code;

  if (fd < 0 || !complete (parent, temporary, fd, content, mode))
    return FALSE;
  if (renameat (parent, temporary, parent, name) == 0)
    return TRUE;
  code = errno;
  unlinkat (parent, temporary, 0);
  errno = code;
  return FALSE;
}
