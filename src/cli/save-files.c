/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "save-files.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "result-file-name.h"

/* How many names are tried for one file. */
#define MAX_NUMBER 1000

int
fh_save_files_open (const char *folder, GError **error)
{
  g_autofree char *name = NULL;
  int fd = -1;
  int code;

  g_return_val_if_fail (folder != NULL, -1);

  if (g_mkdir_with_parents (folder, 0700) == 0)
    fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0)
    return fd;
  code = errno;
  name = g_filename_display_name (folder);
  g_set_error (error,
               G_IO_ERROR,
               (int) g_io_error_from_errno (code),
               /* Translators: the path of a folder, then the system's reason. */
               _ ("Files cannot be saved in “%s”: %s."),
               name,
               g_strerror (code));
  return -1;
}

/* The folder that `path` is to stand in, made where it is missing; `name` gets the last part. Every
 * part is one plain name, and a link in its place is not followed. */
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

/* Makes a file under a name that was free, which `taken` gets. Never one that may be executed. */
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

/* Half a file is worse than none. `taken` gets its name when it is there. */
static gboolean
write_file (int folder, const char *name, GBytes *content, char **taken)
{
  g_autofree char *made = NULL;
  int fd = create (folder, name, &made);
  gboolean ok;
  int code;

  if (fd < 0)
    return FALSE;
  ok = write_all (fd, content);
  code = errno;
  if (close (fd) != 0 && ok)
    {
      ok = FALSE;
      code = errno;
    }
  if (ok)
    *taken = g_steal_pointer (&made);
  else
    unlinkat (folder, made, 0);
  errno = code;
  return ok;
}

static gboolean
save_file (FhResultFile *file, int folder)
{
  const FhResultFileFacts *facts = fh_result_file_get_facts (file);
  g_autofree char *path = fh_result_path_to_path (facts->path);
  g_autofree char *taken = NULL;
  const char *wished = strrchr (facts->path, '/');
  const char *name;
  int parent = open_parent (folder, path, &name);

  if (parent < 0 || !write_file (parent, name, facts->content, &taken))
    {
      fh_message (_ ("“%s” could not be saved: %s."),
                  fh_result_file_get_name (file),
                  g_strerror (errno));
      if (parent >= 0)
        close (parent);
      return FALSE;
    }
  close (parent);
  if (!g_str_equal (taken, wished != NULL ? wished + 1 : facts->path))
    /* Translators: the names of a file: the program's, and ours. */
    fh_message (_ ("“%s” was saved as “%s”."), fh_result_file_get_name (file), taken);
  return TRUE;
}

static void
tell_missing (FhResultFiles *files, guint n_without)
{
  guint n_left_out = fh_result_files_get_n_left_out (files);

  if (n_without > 0)
    fh_message (g_dngettext (GETTEXT_PACKAGE,
                             "%u file was not saved: it is a link, no ordinary file or too large.",
                             "%u files were not saved: links, no ordinary files or too large.",
                             n_without),
                n_without);
  if (n_left_out > 0)
    fh_message (g_dngettext (GETTEXT_PACKAGE,
                             "%u file or folder more was left behind and not looked at.",
                             "%u files or folders more were left behind and not looked at.",
                             n_left_out),
                n_left_out);
  if (fh_result_files_is_incomplete (files))
    fh_message (_ ("Not all that was left behind could be read."));
}

gboolean
fh_save_files (FhResultFiles *files, int folder)
{
  guint n_without = 0;
  gboolean ok = TRUE;

  g_return_val_if_fail (FH_IS_RESULT_FILES (files), FALSE);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (files)); i++)
    {
      FhResultFile *file = fh_result_files_get (files, i);

      if (fh_result_file_get_facts (file)->content == NULL)
        n_without++;
      else
        ok &= save_file (file, folder);
    }
  tell_missing (files, n_without);
  return ok;
}
