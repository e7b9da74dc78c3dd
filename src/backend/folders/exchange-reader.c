/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder-exchange.h"

#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder-changes.h"
#include "readable-text.h"

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

/* The file may grow meanwhile, so the room that is left is checked for each piece. */
static GBytes *
read_all (Reading *reading, int fd, gsize size, int *code)
{
  gsize room = (gsize) (reading->max_bytes - reading->n_bytes);
  g_autoptr (GByteArray) bytes = NULL;
  guint8 piece[65536];

  *code = 0;
  if (size > room)
    {
      *code = EFBIG;
      return NULL;
    }
  bytes = g_byte_array_sized_new ((guint) size);
  for (;;)
    {
      ssize_t n = read (fd, piece, sizeof piece);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        *code = errno;
      else if ((gsize) n > room - bytes->len)
        *code = EFBIG;
      if (*code != 0)
        return NULL;
      if (n == 0)
        return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
      g_byte_array_append (bytes, piece, (guint) n);
    }
}

static gboolean
add_file (Reading *reading, int fd, const struct stat *info, const char *path, GError **error)
{
  g_autoptr (GBytes) content = NULL;
  FhRunFile *file;
  int code;

  if (!reading->to_container && !fh_run_file_path_is_safe (path))
    return fail (reading, error, path, ENAMETOOLONG);
  if (reading->files->len == reading->max_files)
    return fail_large (reading, error);
  content = read_all (reading, fd, (gsize) info->st_size, &code);
  if (content == NULL)
    return code == EFBIG ? fail_large (reading, error) : fail (reading, error, path, code);
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
  gboolean ok;
  int fd;

  if (fstatat (folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT || fail (reading, error, path, errno);
  /* Don't even open devices and pipes: that may have side effects. */
  if (!S_ISREG (info.st_mode) && !S_ISDIR (info.st_mode))
    return hide (reading, path);
  fd = openat (folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0)
    return errno == ENOENT || errno == ELOOP || fail (reading, error, path, errno);
  ok = add_opened (reading, fd, path, depth, error);
  close (fd);
  return ok;
}

static gboolean
read_folder (Reading *reading, int fd, const char *path, guint depth, GError **error)
{
  int copy = openat (fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *entries = copy >= 0 ? fdopendir (copy) : NULL;
  struct dirent *entry;
  gboolean ok = TRUE;

  if (entries == NULL)
    {
      fail (reading, error, path, errno);
      if (copy >= 0)
        close (copy);
      return FALSE;
    }
  if (faccessat (fd, "pyvenv.cfg", F_OK, AT_SYMLINK_NOFOLLOW) == 0 && path[0] != '\0')
    {
      /* A virtual environment has links to interpreters of this computer. */
      closedir (entries);
      return hide (reading, path);
    }
  while (ok && (entry = readdir (entries)) != NULL)
    {
      g_autofree char *below = NULL;

      if (g_str_equal (entry->d_name, ".") || g_str_equal (entry->d_name, ".."))
        continue;
      below =
          path[0] == '\0' ? g_strdup (entry->d_name) : g_strconcat (path, "/", entry->d_name, NULL);
      if (fh_exchange_name_stays (entry->d_name))
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

static GPtrArray *
read_all_of (Reading reading, FhOpenedPath *folder, GError **error)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_run_file_free);
  gboolean ok;
  int fd;

  reading.files = files;
  fd = fh_opened_path_read_folder (folder);
  if (fd < 0)
    {
      fail (&reading, error, folder->path, errno);
      return NULL;
    }
  ok = read_folder (&reading, fd, "", 0, error);
  close (fd);
  if (!ok)
    return NULL;
  g_ptr_array_sort (files, compare);
  return g_steal_pointer (&files);
}

GPtrArray *
fh_exchange_read (FhOpenedPath *folder,
                  gboolean to_container,
                  GCancellable *cancellable,
                  GError **error)
{
  const Reading reading = {
    .to_container = to_container,
    .max_files = to_container ? FH_EXCHANGE_FILES_MAX : FH_RUN_FILES_MAX,
    .max_bytes = to_container ? FH_EXCHANGE_BYTES_MAX : FH_RUN_FILES_MAX_BYTES,
    .cancellable = cancellable,
  };

  g_return_val_if_fail (folder != NULL, NULL);

  return read_all_of (reading, folder, error);
}

GPtrArray *
fh_exchange_read_project (FhOpenedPath *folder,
                          FhExchangeNotes *notes,
                          GCancellable *cancellable,
                          GError **error)
{
  const Reading reading = {
    .max_files = FH_RUN_FILES_MAX,
    .max_bytes = FH_RUN_FILES_MAX_BYTES,
    .notes = notes,
    .cancellable = cancellable,
  };

  g_return_val_if_fail (folder != NULL && notes != NULL, NULL);

  notes->hidden = g_ptr_array_new_with_free_func (g_free);
  return read_all_of (reading, folder, error);
}

void
fh_exchange_notes_clear (FhExchangeNotes *notes)
{
  g_clear_pointer (&notes->hidden, g_ptr_array_unref);
}
