/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "message.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "terminal-filter.h"
#include "terminal-text.h"
#include "write-out.h"

/* One flag is enough, as there is only one terminal. */
static gboolean inside_line;

void
fh_message_set_inside_line (gboolean is_inside)
{
  inside_line = is_inside;
}

gboolean
fh_message_is_inside_line (void)
{
  return inside_line;
}

static gboolean inside_progress;

#define WIPE "\r\x1b[K"

#define PREFIX FH_TERMINAL_SIGN " fumehoodctl:"

static char *
build_line (const char *text, const char *color)
{
  gboolean has_colors = fh_color_is_on (STDERR_FILENO);

  if (!isatty (STDERR_FILENO))
    return g_strconcat ("fumehoodctl: ", text, "\n", NULL);
  return g_strconcat (inside_progress ? WIPE
                      : inside_line   ? "\n"
                                      : "",
                      has_colors ? "\x1b[0;7m" : "",
                      PREFIX,
                      has_colors ? "\x1b[0m" : "",
                      " ",
                      color != NULL ? color : "",
                      text,
                      color != NULL ? fh_color_end (STDERR_FILENO) : "",
                      "\n",
                      NULL);
}

int
fh_message_usage (const char *command, const GError *error)
{
  /* Translators: a sentence, then the name of a command */
  fh_message (_ ("%s Try “fumehoodctl %s --help”."), error->message, command);
  return FH_EXIT_USAGE;
}

gboolean
fh_message_can_progress (void)
{
  return isatty (STDERR_FILENO) && fh_terminal_has_colors ();
}

/* Only one line can be cleared again, so it must not wrap. */
static void
cut_to_width (char *text)
{
  glong room = fh_terminal_width (STDERR_FILENO) - g_utf8_strlen (PREFIX " ", -1) - 1;

  if (g_utf8_strlen (text, -1) > room)
    *g_utf8_offset_to_pointer (text, room) = '\0';
}

void
fh_message_progress (const char *text)
{
  g_autofree char *safe = NULL;
  g_autofree char *line = NULL;

  if (!fh_message_can_progress () || (text == NULL && !inside_progress))
    return;
  if (text == NULL)
    line = g_strdup (WIPE);
  else
    {
      safe = fh_terminal_line (text);
      cut_to_width (safe);
      line =
          g_strconcat (inside_progress ? WIPE
                       : inside_line   ? "\n"
                                       : "",
                       fh_color_is_on (STDERR_FILENO) ? "\x1b[0;7m" PREFIX "\x1b[0m " : PREFIX " ",
                       safe,
                       NULL);
    }
  fh_write_out (STDERR_FILENO, line, strlen (line));
  inside_progress = text != NULL;
  inside_line = FALSE;
}

G_GNUC_PRINTF (2, 0)
static void
print_line (const char *color, const char *format, va_list arguments)
{
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  g_autofree char *safe = fh_terminal_line (text);
  g_autofree char *line = build_line (safe, color);

  fh_write_out (STDERR_FILENO, line, strlen (line));
  inside_line = FALSE;
  inside_progress = FALSE;
}

void
fh_message (const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  print_line (NULL, format, arguments);
  va_end (arguments);
}

void
fh_message_in_color (FhColor color, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  print_line (fh_color_begin (color, STDERR_FILENO), format, arguments);
  va_end (arguments);
}

gboolean
fh_print_bytes (int fd, const void *bytes, gsize size)
{
  if (fh_write_out (fd, bytes, size))
    return TRUE;
  if (errno == ETIMEDOUT)
    fh_message (_ ("The input has ended and nobody reads the output, so the rest of it is lost."));
  else if (errno != EPIPE && errno != ECANCELED)
    fh_message (_ ("The output could not be written: %s"), g_strerror (errno));
  return FALSE;
}

gboolean
fh_print (const char *text)
{
  return fh_print_bytes (STDOUT_FILENO, text, strlen (text));
}
