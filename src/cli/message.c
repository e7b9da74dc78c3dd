/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "message.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "command.h"
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

/* There is only one terminal. */
static gboolean inside_line;

void
fh_message_set_inside_line (gboolean is_inside)
{
  inside_line = is_inside;
}

static gboolean inside_progress;

#define WIPE "\r\x1b[K"

#define PREFIX FH_TERMINAL_SIGN " fumehoodctl:"

static char *
build_line (const char *text)
{
  gboolean has_colors;

  if (!isatty (STDERR_FILENO))
    return g_strconcat ("fumehoodctl: ", text, "\n", NULL);
  has_colors = fh_terminal_has_colors ();
  return g_strconcat (inside_progress ? WIPE
                      : inside_line   ? "\n"
                                      : "",
                      has_colors ? "\x1b[0;7m" : "",
                      PREFIX,
                      has_colors ? "\x1b[0m" : "",
                      " ",
                      text,
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
  struct winsize size = { 0 };
  glong room = 80;

  if (ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    room = size.ws_col;
  room -= g_utf8_strlen (PREFIX " ", -1) + 1;
  if (room < 0)
    room = 0;
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
      line = g_strconcat (inside_progress ? WIPE
                          : inside_line   ? "\n"
                                          : "",
                          "\x1b[0;7m" PREFIX "\x1b[0m ",
                          safe,
                          NULL);
    }
  write_all (STDERR_FILENO, line, strlen (line));
  inside_progress = text != NULL;
  inside_line = FALSE;
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
  inside_progress = FALSE;
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
