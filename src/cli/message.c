/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "message.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "terminal-filter.h"
#include "terminal-text.h"

static gboolean
write_all (int fd, const char *text, gsize size)
{
  while (size > 0)
    {
      gssize n = write (fd, text, size);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return FALSE;
      text += n;
      size -= (gsize) n;
    }
  return TRUE;
}

/* Where the cursor of the terminal is; there is only one. */
static gboolean inside_line;

void
fh_message_set_inside_line (gboolean is_inside)
{
  inside_line = is_inside;
}

static char *
build_line (const char *text)
{
  gboolean has_colors;

  if (!isatty (STDERR_FILENO))
    return g_strconcat ("fumehoodctl: ", text, "\n", NULL);
  has_colors = fh_terminal_has_colors ();
  return g_strconcat (inside_line ? "\n" : "",
                      has_colors ? "\x1b[0;7m" : "",
                      FH_TERMINAL_SIGN " fumehoodctl:",
                      has_colors ? "\x1b[0m" : "",
                      " ",
                      text,
                      "\n",
                      NULL);
}

void
fh_message (const char *format, ...)
{
  g_autofree char *text = NULL;
  g_autofree char *safe = NULL;
  g_autofree char *line = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  safe = fh_terminal_line (text);
  line = build_line (safe);
  write_all (STDERR_FILENO, line, strlen (line));
  inside_line = FALSE;
}

gboolean
fh_print_bytes (int fd, const void *bytes, gsize size)
{
  if (write_all (fd, bytes, size))
    return TRUE;
  if (errno != EPIPE)
    fh_message (_ ("The output could not be written: %s"), g_strerror (errno));
  return FALSE;
}

gboolean
fh_print (const char *text)
{
  return fh_print_bytes (STDOUT_FILENO, text, strlen (text));
}
