/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "folder-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "descriptor.h"
#include "folder-exchange.h"
#include "folder-writer.h"
#include "open-below.h"
#include "opened-path.h"
#include "path-error.h"
#include "result-file-name.h"
#include "wire-bytes.h"

#define FOLDER (O_PATH | O_DIRECTORY)

/* Names that are tried for one file. */
#define MAX_NUMBER 1000

/* In the same folder as the target. */
#define TEMPORARY_NAME FH_EXCHANGE_TEMPORARY_PREFIX "%08x"
#define MAX_TRIES      100

/* `folder` is below the root; its parent exists. */
static int
make_below (int root, const char *folder, GPtrArray *made)
{
  const char *name;
  fh_autofd int parent = fh_tree_open_parent (root, folder, NULL, &name);

  if (parent >= 0 && mkdirat (parent, name, 0777) == 0)
    g_ptr_array_add (made, g_strdup (folder));
  else if (parent < 0 || errno != EEXIST)
    return -1;
  return fh_open_below (root, folder, FOLDER);
}

int
fh_tree_open_parent (int root, const char *path, GPtrArray *made, const char **name)
{
  const char *slash = strrchr (path, '/');
  fh_autofd int fd = -1;

  *name = slash != NULL ? slash + 1 : path;
  if (slash == NULL)
    return fh_open_below (root, ".", FOLDER);
  if (made == NULL)
    {
      g_autofree char *folder = g_strndup (path, (gsize) (slash - path));

      return fh_open_below (root, folder, FOLDER);
    }
  for (const char *end = strchr (path, '/'); end != NULL; end = strchr (end + 1, '/'))
    {
      g_autofree char *folder = g_strndup (path, (gsize) (end - path));

      fh_clear_fd (&fd);
      fd = fh_open_below (root, folder, FOLDER);
      if (fd < 0 && errno == ENOENT)
        fd = make_below (root, folder, made);
      if (fd < 0)
        return -1;
    }
  return fh_steal_fd (&fd);
}

void
fh_tree_find_missing (int root, const char *path, GPtrArray *missing)
{
  for (const char *end = strchr (path, '/'); end != NULL; end = strchr (end + 1, '/'))
    {
      g_autofree char *folder = g_strndup (path, (gsize) (end - path));
      fh_autofd int fd = fh_open_below (root, folder, FOLDER);

      if (fd < 0 && errno == ENOENT &&
          !g_ptr_array_find_with_equal_func (missing, folder, g_str_equal, NULL))
        g_ptr_array_add (missing, g_steal_pointer (&folder));
    }
}

gboolean
fh_tree_is_parent (int root, const char *path, int parent)
{
  const char *name;
  fh_autofd int now = fh_tree_open_parent (root, path, NULL, &name);
  struct stat one;
  struct stat other;

  if (now < 0)
    return FALSE;
  if (fstat (now, &one) == 0 && fstat (parent, &other) == 0 && one.st_dev == other.st_dev &&
      one.st_ino == other.st_ino)
    return TRUE;
  errno = ESTALE;
  return FALSE;
}

/* The file may grow meanwhile, so the room that is left is checked for each piece. */
GBytes *
fh_tree_read_all (int fd, guint64 size, guint64 room)
{
  g_autoptr (GByteArray) bytes = NULL;
  guint8 piece[65536];

  errno = EFBIG;
  if (size > room)
    return NULL;
  bytes = g_byte_array_sized_new ((guint) size);
  for (;;)
    {
      const ssize_t n = read (fd, piece, sizeof piece);

      if (n == 0)
        return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return NULL;
      errno = EFBIG;
      if ((guint64) n > room - bytes->len)
        return NULL;
      g_byte_array_append (bytes, piece, (guint) n);
    }
}

/* Opens what the handle is for reading, not its name, which may be a pipe by now. */
static GBytes *
read_handle (int handle, guint64 size, guint64 room)
{
  char path[64];
  fh_autofd int fd = -1;

  snprintf (path, sizeof path, "/proc/self/fd/%d", handle);
  fd = open (path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  return fd >= 0 ? fh_tree_read_all (fd, size, MIN (room, G_MAXINT)) : NULL;
}

/* Labels that the system gives to every file do not count. */
static gboolean
has_attributes (int handle)
{
  char path[64];
  char names[4096];
  ssize_t size;

  snprintf (path, sizeof path, "/proc/self/fd/%d", handle);
  size = listxattr (path, names, sizeof names);
  if (size < 0)
    return errno == ERANGE;
  for (const char *name = names; name < names + size; name += strlen (name) + 1)
    {
      if (!g_str_has_prefix (name, "security.") || g_str_equal (name, "security.capability"))
        return TRUE;
    }
  return FALSE;
}

static gboolean
read_regular (int handle, guint64 room, FhTreeFile *file)
{
  struct stat info;

  if (fstat (handle, &info) != 0)
    return FALSE;
  errno = S_ISDIR (info.st_mode) ? EISDIR : S_ISLNK (info.st_mode) ? ELOOP : EEXIST;
  if (!S_ISREG (info.st_mode))
    return FALSE;
  errno = EFBIG;
  if ((guint64) info.st_size > room)
    return FALSE;
  file->content = read_handle (handle, (guint64) info.st_size, room);
  if (file->content == NULL)
    return FALSE;
  file->exists = TRUE;
  file->mode = info.st_mode & 0777;
  file->is_special = info.st_nlink > 1 || (info.st_mode & 07000) != 0 || has_attributes (handle);
  file->changed = info.st_mtim;
  file->digest = fh_tree_digest (file->content);
  return TRUE;
}

char *
fh_tree_digest (GBytes *content)
{
  return content != NULL ? g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, content) : NULL;
}

gboolean
fh_tree_read (int parent, const char *name, guint64 room, FhTreeFile *file)
{
  fh_autofd int handle = openat (parent, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

  *file = (FhTreeFile){ 0 };
  return handle >= 0 ? read_regular (handle, room, file) : errno == ENOENT;
}

void
fh_tree_file_clear (FhTreeFile *file)
{
  g_clear_pointer (&file->content, g_bytes_unref);
  g_clear_pointer (&file->digest, g_free);
  file->exists = FALSE;
}

const char *
fh_tree_reason (int code)
{
  switch (code)
    {
    case ELOOP:
      return _ ("there is a link in its place or on the way to it");
    case EXDEV:
      return _ ("it lies on another file system");
    case EISDIR:
      return _ ("there is a folder of that name");
    case ENOTDIR:
      return _ ("part of its path is not a folder");
    case EEXIST:
      return _ ("there is something of that name that is not a regular file");
    case EFBIG:
      return _ ("it is too large");
    case ESTALE:
      return _ ("its folder was moved or replaced meanwhile");
    case EPERM:
      return _ ("the file there belongs to another user");
    case EACCES:
    case EROFS:
      return _ ("it is write-protected");
    case EINVAL:
      return _ ("the file system cannot exchange two files");
    default:
      return g_strerror (code);
    }
}

/* Writing, folder-writer.h */

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
