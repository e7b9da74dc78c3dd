/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder-exchange.h"

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "descriptor.h"
#include "folder-changes.h"
#include "folder-tree.h"
#include "folder-writer.h"
#include "open-below.h"
#include "path-error.h"
#include "readable-text.h"

#define HEAD        "HEAD"
#define MAX_HEAD    4096
#define DIGEST_SIZE 40 /* or more */

/* In lower case, because some file systems ignore case. */
static const char *const staying[] = {
  ".git",  ".hg",     ".svn",        "_svn",      ".bzr",          ".jj",         ".sl",
  ".bk",   ".got",    ".repo",       ".pijul",    "_darcs",        "_mtn",        "cvs",
  ".tox",  ".nox",    ".venv",       ".direnv",   "node_modules",  "__pycache__", ".mypy_cache",
  ".idea", ".vscode", ".ruff_cache", ".fumehood", ".pytest_cache", NULL,
};

static gboolean
name_stays (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return g_strv_contains (staying, lower) || g_str_has_prefix (lower, FH_EXCHANGE_TEMPORARY_PREFIX);
}

gboolean
fh_exchange_path_stays (const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, "/", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      if (name_stays (parts[i]))
        return TRUE;
    }
  return FALSE;
}

/* "ref: refs/heads/main", or the digest of a commit. */
static gboolean
names_commit (GBytes *content)
{
  gsize size;
  const char *text = g_bytes_get_data (content, &size);
  gsize n_digits = 0;

  if (size >= 4 && memcmp (text, "ref:", 4) == 0)
    return TRUE;
  while (n_digits < size && g_ascii_isxdigit (text[n_digits]))
    n_digits++;
  return n_digits >= DIGEST_SIZE;
}

/* The head alone decides: objects, refs and settings could be what is being written. In doubt, as
 * when it is a link or cannot be read, the folder is taken for a repository. */
static gboolean
is_repository (int folder)
{
  g_auto (FhTreeFile) head = { 0 };

  if (!fh_tree_read (folder, HEAD, MAX_HEAD, &head))
    return errno != EISDIR && errno != EFBIG && errno != EEXIST;
  return head.exists && names_commit (head.content);
}

gboolean
fh_repository_folder_holds (int root, const char *path)
{
  const char *end = path;

  while (end != NULL)
    {
      /* A name in the folder that is looked at: the first is in the root. */
      g_autofree char *inner = NULL;
      fh_autofd int folder = -1;
      const char *name;

      end = strchr (end, '/');
      inner = end != NULL ? g_strndup (path, (gsize) (end - path)) : g_strdup (path);
      folder = fh_tree_open_parent (root, inner, NULL, &name);
      if (folder < 0)
        return FALSE;
      if (is_repository (folder))
        return TRUE;
      end = end != NULL ? end + 1 : NULL;
    }
  return FALSE;
}

/* Reading */

typedef struct
{
  gboolean to_container;
  guint max_files;
  guint64 max_bytes;
  GPtrArray *files; /* FhRunFile */
  guint64 n_bytes;
  FhExchangeNotes *notes;    /* nullable: not a project */
  GCancellable *cancellable; /* nullable */
} Reading;

static gboolean
read_folder (Reading *reading, int fd, const char *path, guint depth, GError **error);

static gboolean
fail (const Reading *reading, GError **error, const char *path, int code)
{
  g_autofree char *name = fh_readable_text_new (path, strlen (path));

  g_set_error (error,
               G_IO_ERROR,
               (int) g_io_error_from_errno (code),
               reading->to_container
                   /* Translators: the name of a file or folder, then the system's reason. */
                   ? _ ("Could not copy “%s” from the work folder into the container: %s.")
                   /* Translators: the name of a file or folder, then the system's reason. */
                   : _ ("Could not copy “%s” from the work folder into the sandbox: %s."),
               name,
               g_strerror (code));
  return FALSE;
}

static gboolean
fail_large (const Reading *reading, GError **error)
{
  g_set_error (
      error,
      G_IO_ERROR,
      G_IO_ERROR_NO_SPACE,
      reading->notes != NULL
          /* Translators: numbers; %u MiB. */
          ? _ ("The project folder has more than %u files or %u MiB, the most that can be "
               "copied into the sandbox. Choose a folder in it.")
          : reading->to_container
                /* Translators: numbers; %u MiB. */
                ? _ ("The work folder has more than %u files or %u MiB, the most that can be "
                     "copied into a container on another computer. Choose a smaller folder.")
                /* Translators: numbers; %u MiB. */
                : _ ("The work folder has more than %u files or %u MiB, the most that can be "
                     "copied into the sandbox. Choose a smaller folder, or run in a "
                     "container."),
      reading->max_files,
      (guint) (reading->max_bytes >> 20));
  return FALSE;
}

static gboolean
fail_deep (const Reading *reading, GError **error)
{
  g_set_error (error,
               G_IO_ERROR,
               G_IO_ERROR_FILENAME_TOO_LONG,
               reading->to_container
                   ? _ ("The work folder has folders nested more than %u deep, which cannot be "
                        "copied into a container on another computer.")
                   : _ ("The work folder has folders nested more than %u deep, which cannot be "
                        "copied into the sandbox."),
               FH_EXCHANGE_DEPTH_MAX);
  return FALSE;
}

static gboolean
add_file (Reading *reading, int fd, const struct stat *info, const char *path, GError **error)
{
  g_autoptr (GBytes) content = NULL;
  FhRunFile *file;

  if (!reading->to_container && !fh_run_file_path_is_safe (path))
    return fail (reading, error, path, ENAMETOOLONG);
  if (reading->files->len == reading->max_files)
    return fail_large (reading, error);
  content = fh_tree_read_all (fd, (guint64) info->st_size, reading->max_bytes - reading->n_bytes);
  if (content == NULL)
    return errno == EFBIG ? fail_large (reading, error) : fail (reading, error, path, errno);
  reading->n_bytes += g_bytes_get_size (content);
  file = fh_run_file_new (path, content);
  if (reading->notes != NULL && (info->st_mode & S_IXUSR) != 0)
    file->mode = 0755;
  g_ptr_array_add (reading->files, file);
  return TRUE;
}

static gboolean
hide (Reading *reading, const char *path)
{
  FhExchangeNotes *notes = reading->notes;

  if (notes != NULL && notes->n_hidden++ < FH_FOLDER_HIDDEN_MAX)
    g_ptr_array_add (notes->hidden, g_strdup (path));
  return TRUE;
}

/* `fd` is the entry, even if its name now belongs to another file. */
static gboolean
add_opened (Reading *reading, int fd, const char *path, guint depth, GError **error)
{
  struct stat info;

  if (fstat (fd, &info) != 0)
    return fail (reading, error, path, errno);
  if (S_ISDIR (info.st_mode))
    return depth == FH_EXCHANGE_DEPTH_MAX ? fail_deep (reading, error)
                                          : read_folder (reading, fd, path, depth + 1, error);
  return !S_ISREG (info.st_mode) || add_file (reading, fd, &info, path, error);
}

static gboolean
add_entry (Reading *reading,
           int folder,
           const char *name,
           const char *path,
           guint depth,
           GError **error)
{
  struct stat info;
  fh_autofd int fd = -1;

  if (fstatat (folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT || fail (reading, error, path, errno);
  /* Don't even open devices and pipes: that may have side effects. */
  if (!S_ISREG (info.st_mode) && !S_ISDIR (info.st_mode))
    return hide (reading, path);
  fd = openat (folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0)
    return errno == ENOENT || errno == ELOOP || fail (reading, error, path, errno);
  return add_opened (reading, fd, path, depth, error);
}

static gboolean
read_folder (Reading *reading, int fd, const char *path, guint depth, GError **error)
{
  DIR *entries = NULL;
  struct dirent *entry;
  gboolean ok = TRUE;

  /* A virtual environment has links to interpreters of this computer. */
  if (faccessat (fd, "pyvenv.cfg", F_OK, AT_SYMLINK_NOFOLLOW) == 0 && path[0] != '\0')
    return hide (reading, path);
  entries = fh_open_entries (fd);
  if (entries == NULL)
    return fail (reading, error, path, errno);
  while (ok && (entry = readdir (entries)) != NULL)
    {
      g_autofree char *below = NULL;

      if (g_str_equal (entry->d_name, ".") || g_str_equal (entry->d_name, ".."))
        continue;
      below =
          path[0] == '\0' ? g_strdup (entry->d_name) : g_strconcat (path, "/", entry->d_name, NULL);
      if (name_stays (entry->d_name))
        {
          hide (reading, below);
          continue;
        }
      ok = !g_cancellable_set_error_if_cancelled (reading->cancellable, error) &&
           add_entry (reading, fd, entry->d_name, below, depth, error);
    }
  closedir (entries);
  return ok;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const FhRunFile *const *one = a;
  const FhRunFile *const *other = b;

  return strcmp ((*one)->path, (*other)->path);
}

GPtrArray *
fh_exchange_read (FhOpenedPath *folder,
                  gboolean to_container,
                  FhExchangeNotes *notes,
                  GCancellable *cancellable,
                  GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_run_file_free);
  fh_autofd int fd = -1;
  Reading reading = {
    .to_container = to_container,
    .max_files = to_container ? FH_EXCHANGE_FILES_MAX : FH_RUN_FILES_MAX,
    .max_bytes = to_container ? FH_EXCHANGE_BYTES_MAX : FH_RUN_FILES_MAX_BYTES,
    .files = files,
    .notes = notes,
    .cancellable = cancellable,
  };

  g_return_val_if_fail (folder != NULL, NULL);

  if (notes != NULL)
    notes->hidden = g_ptr_array_new_with_free_func (g_free);
  fd = fh_opened_path_read_folder (folder);
  if (fd < 0)
    fail (&reading, error, folder->path, errno);
  if (fd < 0 || !read_folder (&reading, fd, "", 0, error))
    return NULL;
  g_ptr_array_sort (files, compare);
  return g_steal_pointer (&files);
}

/* Writing */

static gboolean
is_same (int fd, const struct stat *info, GBytes *content)
{
  const gsize size = g_bytes_get_size (content);
  g_autoptr (GBytes) there =
      (guint64) info->st_size == size ? fh_tree_read_all (fd, size, size) : NULL;

  return there != NULL && g_bytes_equal (there, content);
}

/* Checks the existing file. TRUE when it may be replaced; `mode` is set to its permissions, `same`
 * if it already has this content. FALSE with errno. */
static gboolean
look_at_old (int parent, const char *name, GBytes *content, mode_t *mode, gboolean *same)
{
  struct stat info;
  fh_autofd int fd = -1;

  *same = FALSE;
  if (fstatat (parent, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT;
  errno = S_ISDIR (info.st_mode) ? EISDIR : S_ISLNK (info.st_mode) ? ELOOP : EEXIST;
  if (!S_ISREG (info.st_mode))
    return FALSE;
  *mode = info.st_mode & 0777;
  fd = openat (parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd >= 0)
    *same = is_same (fd, &info, content);
  return *same || faccessat (parent, name, W_OK, AT_EACCESS) == 0;
}

/* FALSE with errno; counts in `n_written`. */
static gboolean
write_file (int folder, const FhResultFileFacts *facts, guint *n_written)
{
  fh_autofd int parent = -1;
  const char *name;
  mode_t mode = 0;
  gboolean same;

  errno = EFBIG;
  if (facts->content != NULL)
    parent = fh_folder_open_parent (folder, facts->path, &name);
  if (parent < 0 || !look_at_old (parent, name, facts->content, &mode, &same) ||
      (!same && !fh_folder_replace_file (parent, name, facts->content, mode)))
    return FALSE;
  *n_written += !same;
  return TRUE;
}

/* Clearer than the system's text for what a program can put in the way. */
static const char *
reason (int code)
{
  switch (code)
    {
    case ELOOP:
    case EISDIR:
    case ENOTDIR:
    case EEXIST:
      return fh_tree_reason (code);
    case EFBIG:
      return _ ("it is too large, or could not be read");
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
                 fh_result_file_get_facts (first)->name,
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
        fh_result_file_get_facts (first)->name,
        reason (code));
}

static void
set_left_out_error (GError **error, FhResultFiles *files)
{
  guint n_left_out = fh_result_files_get_facts (files)->n_left_out;

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
  else if (fh_result_files_get_facts (files)->is_incomplete)
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

/* -1 with a sentence. */
static int
open_folder (FhOpenedPath *folder, GError **error)
{
  const int fd = fh_opened_path_read_folder (folder);

  if (fd < 0)
    fh_path_error (error, errno, _ ("The work folder “%s” cannot be used: %s."), folder->path);
  return fd;
}

guint
fh_exchange_write (FhOpenedPath *folder, FhResultFiles *files, GError **error)
{
  fh_autofd int fd = -1;

  g_return_val_if_fail (folder != NULL, 0);
  g_return_val_if_fail (FH_IS_RESULT_FILES (files), 0);

  fd = open_folder (folder, error);
  return fd >= 0 ? write_files (fd, files, error) : 0;
}

/* What the user has changed meanwhile stays, and what is gone already is no error. FALSE with
 * errno. */
static gboolean
delete_file (int folder, const FhRunFile *file)
{
  const char *name;
  fh_autofd int parent = fh_open_parent (folder, file->path, 0, &name, NULL);
  gboolean same = FALSE;
  mode_t mode;

  if (parent < 0)
    return errno == ENOENT;
  if (!look_at_old (parent, name, file->content, &mode, &same))
    return FALSE;
  return !same ||
         (faccessat (parent, name, W_OK, AT_EACCESS) == 0 && unlinkat (parent, name, 0) == 0);
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
  fh_autofd int fd = -1;

  g_return_val_if_fail (folder != NULL && read != NULL && gone != NULL, FALSE);

  for (guint i = 0; i < gone->len; i++)
    g_hash_table_add (paths, gone->pdata[i]);
  fd = open_folder (folder, error);
  return fd >= 0 && delete_files (fd, read, paths, error);
}
