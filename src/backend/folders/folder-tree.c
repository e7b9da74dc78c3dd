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
#include "open-below.h"

#define FOLDER (O_PATH | O_DIRECTORY)

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
