/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "input-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "notebook-file.h"
#include "run-error.h"

#define PIECE       ((gsize) 64 << 10)
#define PATIENCE_MS 2000
/* So much of a program tells its language. */
#define GUESS_BYTES ((gsize) 16 << 10)

static GBytes *
fail (const char *name, int code, GError **error)
{
  g_set_error (error,
               G_IO_ERROR,
               g_io_error_from_errno (code),
               /* Translators: the name of a file, and the reason. */
               _ ("“%s” cannot be read: %s."),
               name,
               g_strerror (code));
  return NULL;
}

static GBytes *
refuse_size (const char *name, gsize max, GError **error)
{
  g_autofree char *size = g_format_size_full (max, G_FORMAT_SIZE_IEC_UNITS);

  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_TOO_LARGE,
               /* Translators: the name of a file, and a size such as 8 MiB. */
               _ ("“%s” is too large. At most %s can be read."),
               name,
               size);
  return NULL;
}

/* The size of the file is not used: pipes have none, and files grow. */
static GBytes *
read_all (int fd, const char *name, gsize max, GError **error)
{
  g_autoptr (GByteArray) content = g_byte_array_new ();
  gsize size = 0;

  for (;;)
    {
      gssize n;

      g_byte_array_set_size (content, (guint) (size + PIECE));
      n = read (fd, content->data + size, PIECE);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return fail (name, errno, error);
      size += (gsize) n;
      if (size > max)
        return refuse_size (name, max, error);
      if (n == 0)
        break;
    }
  g_byte_array_set_size (content, (guint) size);
  return g_byte_array_free_to_bytes (g_steal_pointer (&content));
}

/* A pipe from a program that calls this one may stay open until that program ends. */
static void
say_that_it_waits (void)
{
  struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

  if (!isatty (STDIN_FILENO) && poll (&input, 1, PATIENCE_MS) == 0)
    fh_message (
        _ ("Waiting for the end of the standard input. Use “< /dev/null” if there is none."));
}

GBytes *
fh_input_file_read (const char *name, gsize max, GError **error)
{
  GBytes *bytes;
  struct stat info;
  int fd;

  if (g_str_equal (name, "-"))
    {
      say_that_it_waits ();
      return read_all (STDIN_FILENO, _ ("the standard input"), max, error);
    }
  fd = open (name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0)
    return fail (name, errno, error);
  if (fstat (fd, &info) == 0 && S_ISREG (info.st_mode) && (guint64) info.st_size > max)
    bytes = refuse_size (name, max, error);
  else
    bytes = read_all (fd, name, max, error);
  close (fd);
  return bytes;
}

GBytes *
fh_input_file_read_program (const char *name, gsize max, gboolean *is_notebook, GError **error)
{
  g_autoptr (GBytes) source = fh_input_file_read (name, max, error);
  gboolean is_reduced;
  const char *data;
  gsize size;
  char *text;

  *is_notebook = fh_notebook_file_is_name (name);
  if (source == NULL || !*is_notebook)
    return g_steal_pointer (&source);
  data = g_bytes_get_data (source, &size);
  text = fh_notebook_file_read (data != NULL ? data : "", size, &is_reduced, error);
  return text != NULL ? g_bytes_new_take (text, strlen (text)) : NULL;
}

const FhLanguage *
fh_input_file_guess (const char *name, GBytes *source, GError **error)
{
  const char *file_name = g_str_equal (name, "-") ? NULL : name;
  const FhLanguage *language;
  const char *foreign;
  g_autofree char *start = NULL;
  const char *data;
  gsize size;

  data = g_bytes_get_data (source, &size);
  start = g_strndup (data != NULL ? data : "", MIN (size, GUESS_BYTES));
  foreign = fh_language_find_foreign (file_name, start);
  if (foreign != NULL)
    {
      fh_run_error_refuse (error,
                           /* Translators: the name of a file, and of a language. */
                           _ ("“%s” is %s, which Fumehood cannot run. Nothing was run. If it is "
                              "something else, say so with --language."),
                           name,
                           foreign);
      return NULL;
    }
  language = fh_language_guess (file_name, start);
  return language != NULL ? language : fh_language_lookup ("python");
}

gboolean
fh_input_is_piped (void)
{
  struct stat info;

  return fstat (STDIN_FILENO, &info) == 0 && (S_ISFIFO (info.st_mode) || S_ISREG (info.st_mode));
}

char *
fh_whole_path (const char *path)
{
  char *here = getcwd (NULL, 0);
  char *whole;

  g_return_val_if_fail (path != NULL, NULL);

  /* A folder that was removed has no path. */
  whole = g_canonicalize_filename (path, here != NULL && here[0] == '/' ? here : NULL);
  free (here);
  return whole;
}
