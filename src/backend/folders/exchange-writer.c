/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder-exchange.h"
#include "folder-writer.h"
#include "path-error.h"
#include "repository-folder.h"

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

/* Checks the existing file. TRUE when it may be replaced; `mode` is set to its permissions, `same`
 * if it already has this content. FALSE with errno. */
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

/* FALSE with errno; counts in `n_written`. */
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
  parent = facts->content != NULL ? fh_folder_open_parent (folder, facts->path, &name) : -1;
  if (parent < 0)
    return FALSE;
  ok = look_at_old (parent, name, facts->content, &mode, &same) &&
       (same || fh_folder_replace_file (parent, name, facts->content, mode));
  code = errno;
  if (ok && !same)
    (*n_written)++;
  close (parent);
  errno = code;
  return ok;
}

/* Clearer than the system's text for what a program can put in the way. */
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
      return _ ("part of its path is not a folder");
    case EFBIG:
      return _ ("it is too large, or could not be read");
    case EEXIST:
      return _ ("there is something of that name that is not a regular file");
    default:
      return g_strerror (code);
    }
}

/* Names the first file and the number of failed ones. */
static void
set_error (GError **error, FhResultFile *first, int code, guint n_failed)
{
  if (n_failed == 1)
    g_set_error (error,
                 G_IO_ERROR,
                 (int) g_io_error_from_errno (code),
                 /* Translators: the name of a file, then a reason. */
                 _ ("Could not copy “%s” to the work folder: %s."),
                 fh_result_file_get_name (first),
                 reason (code));
  else
    g_set_error (
        error,
        G_IO_ERROR,
        (int) g_io_error_from_errno (code),
        /* Translators: a number, the name of a file, a reason. */
        g_dngettext (GETTEXT_PACKAGE,
                     "%u file could not be copied to the work folder, among them “%s”: %s.",
                     "%u files could not be copied to the work folder, among them “%s”: %s.",
                     n_failed),
        n_failed,
        fh_result_file_get_name (first),
        reason (code));
}

static void
set_left_out_error (GError **error, FhResultFiles *files)
{
  guint n_left_out = fh_result_files_get_n_left_out (files);

  if (n_left_out > 0)
    g_set_error (
        error,
        G_IO_ERROR,
        G_IO_ERROR_NO_SPACE,
        g_dngettext (GETTEXT_PACKAGE,
                     "%u more file or folder was left than can be copied to the work folder.",
                     "%u more files or folders were left than can be copied to the work folder.",
                     n_left_out),
        n_left_out);
  else if (fh_result_files_is_incomplete (files))
    g_set_error_literal (error,
                         G_IO_ERROR,
                         G_IO_ERROR_PARTIAL_INPUT,
                         _ ("Not all files could be read and copied to the work folder."));
}

/* Version control runs what lies there, whatever the folder is called. */
static gboolean
stays (int folder, const char *path)
{
  return fh_exchange_path_stays (path) || fh_repository_folder_holds (folder, path);
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

      if (facts->kind != FH_RESULT_FILE_REGULAR || stays (folder, facts->path) ||
          write_file (folder, facts, &n_written))
        continue;
      if (n_failed++ == 0)
        {
          first = file;
          first_code = errno;
        }
    }
  if (first != NULL)
    set_error (error, first, first_code, n_failed);
  else
    set_left_out_error (error, files);
  return n_written;
}

guint
fh_exchange_write (FhOpenedPath *folder, FhResultFiles *files, GError **error)
{
  guint n_written;
  int fd;

  g_return_val_if_fail (folder != NULL, 0);
  g_return_val_if_fail (FH_IS_RESULT_FILES (files), 0);

  fd = fh_opened_path_read_folder (folder);
  if (fd < 0)
    {
      fh_path_error (error, errno, _ ("The work folder “%s” cannot be used: %s."), folder->path);
      return 0;
    }
  n_written = write_files (fd, files, error);
  close (fd);
  return n_written;
}

/* The parent of a file; nothing is created and no link followed. -1 with errno. */
static int
enter_parent (int folder, const char *path, const char **name)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);
  const char *slash = strrchr (path, '/');
  int fd = fcntl (folder, F_DUPFD_CLOEXEC, 0);

  *name = slash != NULL ? slash + 1 : path;
  for (guint i = 0; fd >= 0 && parts[i + 1] != NULL; i++)
    {
      int next = openat (fd, parts[i], O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      int code = errno;

      close (fd);
      errno = code;
      fd = next;
    }
  return fd;
}

/* What the user has changed meanwhile stays, and what is gone already is no error. FALSE with
 * errno. */
static gboolean
delete_file (int folder, const FhRunFile *file)
{
  const char *name;
  int parent = enter_parent (folder, file->path, &name);
  gboolean same = FALSE;
  mode_t mode;
  gboolean ok;
  int code;

  if (parent < 0)
    return errno == ENOENT;
  ok = look_at_old (parent, name, file->content, &mode, &same);
  if (ok && same)
    ok = faccessat (parent, name, W_OK, AT_EACCESS) == 0 && unlinkat (parent, name, 0) == 0;
  code = errno;
  close (parent);
  errno = code;
  return ok;
}

static gboolean
delete_files (int folder, GPtrArray *read, GHashTable *gone, GError **error)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < read->len; i++)
    {
      const FhRunFile *file = read->pdata[i];

      if (!g_hash_table_contains (gone, file->path) || stays (folder, file->path) ||
          delete_file (folder, file) || !ok)
        continue;
      ok = FALSE;
      fh_path_error (error,
                     errno,
                     /* Translators: the name of a file, then the system's reason. */
                     _ ("Could not delete “%s” in the work folder: %s."),
                     file->path);
    }
  return ok;
}

gboolean
fh_exchange_delete (FhOpenedPath *folder, GPtrArray *read, GPtrArray *gone, GError **error)
{
  g_autoptr (GHashTable) paths = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean ok;
  int fd;

  g_return_val_if_fail (folder != NULL && read != NULL && gone != NULL, FALSE);

  for (guint i = 0; i < gone->len; i++)
    g_hash_table_add (paths, gone->pdata[i]);
  fd = fh_opened_path_read_folder (folder);
  if (fd < 0)
    return fh_path_error (error,
                          errno,
                          _ ("The work folder “%s” cannot be used: %s."),
                          folder->path);
  ok = delete_files (fd, read, paths, error);
  close (fd);
  return ok;
}
