/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "folder-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

/* The kernel asks to try again when something is renamed meanwhile. */
#define MAX_TRIES 64

static int
open_below (int root, const char *path)
{
  struct open_how how = {
    .flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
    .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
  };
  int fd = -1;

  errno = EAGAIN;
  for (guint i = 0; fd < 0 && errno == EAGAIN && i < MAX_TRIES; i++)
    fd = (int) syscall (SYS_openat2, root, path, &how, sizeof how);
  return fd;
}

static void
close_keeping_errno (int fd)
{
  int code = errno;

  if (fd >= 0)
    close (fd);
  errno = code;
}

/* `folder` is below the root; its parent exists. */
static int
make_below (int root, const char *folder, GPtrArray *made)
{
  const char *name;
  int parent = fh_tree_open_parent (root, folder, NULL, &name);
  gboolean ok;

  if (parent < 0)
    return -1;
  ok = mkdirat (parent, name, 0777) == 0;
  if (ok)
    g_ptr_array_add (made, g_strdup (folder));
  ok = ok || errno == EEXIST;
  close_keeping_errno (parent);
  return ok ? open_below (root, folder) : -1;
}

int
fh_tree_open_parent (int root, const char *path, GPtrArray *made, const char **name)
{
  const char *slash = strrchr (path, '/');
  int fd = -1;

  *name = slash != NULL ? slash + 1 : path;
  if (slash == NULL)
    return open_below (root, ".");
  if (made == NULL)
    {
      g_autofree char *folder = g_strndup (path, (gsize) (slash - path));

      return open_below (root, folder);
    }
  for (const char *end = strchr (path, '/'); end != NULL; end = strchr (end + 1, '/'))
    {
      g_autofree char *folder = g_strndup (path, (gsize) (end - path));

      close_keeping_errno (fd);
      fd = open_below (root, folder);
      if (fd < 0 && errno == ENOENT)
        fd = make_below (root, folder, made);
      if (fd < 0)
        return -1;
    }
  return fd;
}

void
fh_tree_find_missing (int root, const char *path, GPtrArray *missing)
{
  for (const char *end = strchr (path, '/'); end != NULL; end = strchr (end + 1, '/'))
    {
      g_autofree char *folder = g_strndup (path, (gsize) (end - path));
      int fd = open_below (root, folder);

      if (fd >= 0)
        close (fd);
      else if (errno == ENOENT &&
               !g_ptr_array_find_with_equal_func (missing, folder, g_str_equal, NULL))
        g_ptr_array_add (missing, g_steal_pointer (&folder));
    }
}

gboolean
fh_tree_is_parent (int root, const char *path, int parent)
{
  const char *name;
  int now = fh_tree_open_parent (root, path, NULL, &name);
  struct stat one;
  struct stat other;
  gboolean same;

  if (now < 0)
    return FALSE;
  same = fstat (now, &one) == 0 && fstat (parent, &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
  close (now);
  if (!same)
    errno = ESTALE;
  return same;
}

/* The file may grow meanwhile. */
static GBytes *
read_content (int fd, guint64 room)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint8 piece[65536];

  for (;;)
    {
      ssize_t n = read (fd, piece, sizeof piece);

      if (n < 0 && errno == EINTR)
        continue;
      if (n > 0 && (guint64) n > room - bytes->len)
        {
          errno = EFBIG;
          return NULL;
        }
      if (n < 0)
        return NULL;
      if (n == 0)
        return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
      g_byte_array_append (bytes, piece, (guint) n);
    }
}

/* Opens what the handle is for reading, not its name, which may be a pipe by now. */
static GBytes *
read_handle (int handle, guint64 room)
{
  char path[64];
  GBytes *content;
  int fd;

  snprintf (path, sizeof path, "/proc/self/fd/%d", handle);
  fd = open (path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0)
    return NULL;
  content = read_content (fd, MIN (room, G_MAXINT));
  close_keeping_errno (fd);
  return content;
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
  file->content = read_handle (handle, room);
  if (file->content == NULL)
    return FALSE;
  file->exists = TRUE;
  file->mode = info.st_mode & 0777;
  file->is_special = info.st_nlink > 1 || (info.st_mode & 07000) != 0 || has_attributes (handle);
  file->owner = info.st_uid;
  file->group = info.st_gid;
  file->changed = info.st_mtim;
  file->digest = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, file->content);
  return TRUE;
}

gboolean
fh_tree_read (int parent, const char *name, guint64 room, FhTreeFile *file)
{
  int handle = openat (parent, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  gboolean ok;

  *file = (FhTreeFile){ 0 };
  if (handle < 0)
    return errno == ENOENT;
  ok = read_regular (handle, room, file);
  close_keeping_errno (handle);
  return ok;
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
