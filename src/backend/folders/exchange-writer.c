/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exchange-path.h"
#include "folder-exchange.h"

/* Beside the file that it will be. */
#define TEMPORARY_NAME FH_EXCHANGE_TEMPORARY_PREFIX "%08x"
#define MAX_TRIES      100

/* The folder that `path` is to stand in, made where it is missing; `name` gets the last part. Every
 * part is one plain name, opened in the folder before it, and a link in its place is not followed:
 * so all of it is below `folder`. */
static int
open_parent (int folder, const char *path, const char **name)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  const char *slash = strrchr (path, '/');
  int fd = fcntl (folder, F_DUPFD_CLOEXEC, 0);

  *name = slash != NULL ? slash + 1 : path;
  for (guint i = 0; fd >= 0 && parts[i + 1] != NULL; i++)
    {
      int next = -1;
      int code;

      if (mkdirat (fd, parts[i], 0777) == 0 || errno == EEXIST)
        next = openat (fd, parts[i], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      code = errno;
      close (fd);
      errno = code;
      fd = next;
    }
  return fd;
}

static gboolean
write_all (int fd, GBytes *bytes)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  while (size > 0)
    {
      ssize_t n = write (fd, data, size);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      data += n;
      size -= (gsize) n;
    }
  return TRUE;
}

static gboolean
is_same (int fd, const struct stat *info, GBytes *content)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (content, &size);
  guint8 piece[65536];

  if ((guint64) info->st_size != size)
    return FALSE;
  while (size > 0)
    {
      ssize_t n = read (fd, piece, MIN (size, sizeof piece));

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0 || memcmp (piece, data, (gsize) n) != 0)
        return FALSE;
      data += n;
      size -= (gsize) n;
    }
  return TRUE;
}

/* What is there already. TRUE when it may be replaced; `mode` gets its permissions, or stays.
 * `same` when there is nothing to do. FALSE with errno. */
static gboolean
look_at_old (int parent, const char *name, GBytes *content, mode_t *mode, gboolean *same)
{
  struct stat info;
  int fd;

  *same = FALSE;
  if (fstatat (parent, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT;
  errno = S_ISDIR (info.st_mode) ? EISDIR : S_ISLNK (info.st_mode) ? ELOOP : EEXIST;
  if (!S_ISREG (info.st_mode))
    return FALSE;
  *mode = info.st_mode & 0777;
  fd = openat (parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd >= 0)
    {
      *same = is_same (fd, &info, content);
      close (fd);
    }
  return *same || faccessat (parent, name, W_OK, AT_EACCESS) == 0;
}

/* A fresh file of a name that was free, which `name` gets. */
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

/* `mode`: 0 leaves it as it was made, by the umask. */
static gboolean
replace (int parent, const char *name, GBytes *content, mode_t mode)
{
  char temporary[32];
  int fd = create_temporary (parent, temporary);
  gboolean ok;
  int code;

  if (fd < 0)
    return FALSE;
  ok = write_all (fd, content) && (mode == 0 || fchmod (fd, mode) == 0);
  code = errno;
  if (close (fd) != 0 && ok)
    {
      ok = FALSE;
      code = errno;
    }
  if (ok && renameat (parent, temporary, parent, name) != 0)
    {
      ok = FALSE;
      code = errno;
    }
  if (!ok)
    unlinkat (parent, temporary, 0);
  errno = code;
  return ok;
}

/* FALSE with errno; `n_written` counts. */
static gboolean
write_file (int folder, const FhResultFileFacts *facts, guint *n_written)
{
  const char *name;
  int parent;
  mode_t mode = 0;
  gboolean same;
  gboolean ok;
  int code;

  errno = EFBIG;
  parent = facts->content != NULL ? open_parent (folder, facts->path, &name) : -1;
  if (parent < 0)
    return FALSE;
  ok = look_at_old (parent, name, facts->content, &mode, &same) &&
       (same || replace (parent, name, facts->content, mode));
  code = errno;
  if (ok && !same)
    (*n_written)++;
  close (parent);
  errno = code;
  return ok;
}

/* The system's words for what can stand in the way are about links and folders of others. */
static const char *
reason (int code)
{
  switch (code)
    {
    case ELOOP:
      return _ ("there is a link of that name");
    case EISDIR:
      return _ ("there is a folder of that name");
    case ENOTDIR:
      return _ ("a part of its path is no folder");
    case EFBIG:
      return _ ("it is too large, or could not be read");
    case EEXIST:
      return _ ("there is something of that name that is no ordinary file");
    default:
      return g_strerror (code);
    }
}

/* The first one is told by name, and how many there are. */
static void
tell (GError **error, FhResultFile *first, int code, guint n_failed)
{
  if (n_failed == 1)
    g_set_error (error,
                 G_IO_ERROR,
                 (int) g_io_error_from_errno (code),
                 /* Translators: the name of a file, then a reason. */
                 _ ("“%s” could not be put into the work folder: %s."),
                 fh_result_file_get_name (first),
                 reason (code));
  else
    g_set_error (error,
                 G_IO_ERROR,
                 (int) g_io_error_from_errno (code),
                 /* Translators: a number, the name of a file, a reason. */
                 g_dngettext (GETTEXT_PACKAGE,
                              "%u file could not be put into the work folder, among them “%s”: %s.",
                              "%u files could not be put into the work folder, among them “%s”: "
                              "%s.",
                              n_failed),
                 n_failed,
                 fh_result_file_get_name (first),
                 reason (code));
}

static void
tell_left_out (GError **error, FhResultFiles *files)
{
  guint n_left_out = fh_result_files_get_n_left_out (files);

  if (n_left_out > 0)
    g_set_error (error,
                 G_IO_ERROR,
                 G_IO_ERROR_NO_SPACE,
                 g_dngettext (GETTEXT_PACKAGE,
                              "%u file or folder more was left behind than can be copied into the "
                              "work folder.",
                              "%u files or folders more were left behind than can be copied into "
                              "the work folder.",
                              n_left_out),
                 n_left_out);
  else if (fh_result_files_is_incomplete (files))
    g_set_error_literal (
        error,
        G_IO_ERROR,
        G_IO_ERROR_PARTIAL_INPUT,
        _ ("Not all that was left behind could be read and copied into the work folder."));
}

static guint
write_files (int folder, FhResultFiles *files, GError **error)
{
  FhResultFile *first = NULL;
  guint n_written = 0;
  guint n_failed = 0;
  int first_code = 0;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (files)); i++)
    {
      FhResultFile *file = fh_result_files_get (files, i);
      const FhResultFileFacts *facts = fh_result_file_get_facts (file);

      if (facts->kind != FH_RESULT_FILE_REGULAR || fh_exchange_path_stays (facts->path) ||
          write_file (folder, facts, &n_written))
        continue;
      if (n_failed++ == 0)
        {
          first = file;
          first_code = errno;
        }
    }
  if (first != NULL)
    tell (error, first, first_code, n_failed);
  else
    tell_left_out (error, files);
  return n_written;
}

guint
fh_exchange_write (const char *folder, FhResultFiles *files, GError **error)
{
  guint n_written;
  int fd;

  g_return_val_if_fail (folder != NULL, 0);
  g_return_val_if_fail (FH_IS_RESULT_FILES (files), 0);

  fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    {
      g_autofree char *name = g_filename_display_name (folder);
      int code = errno;

      g_set_error (error,
                   G_IO_ERROR,
                   (int) g_io_error_from_errno (code),
                   _ ("The work folder “%s” cannot be used: %s."),
                   name,
                   g_strerror (code));
      return 0;
    }
  n_written = write_files (fd, files, error);
  close (fd);
  return n_written;
}
