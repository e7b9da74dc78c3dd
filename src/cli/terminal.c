/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

typedef enum
{
  WHEN_TERMINAL,
  WHEN_ALWAYS,
  WHEN_NEVER,
} When;

static When chosen = WHEN_TERMINAL;

gboolean
fh_terminal_has_colors (void)
{
  const char *terminal = g_getenv ("TERM");

  return terminal != NULL && *terminal != '\0' && !g_str_equal (terminal, "dumb");
}

gboolean
fh_color_choose (const char *when)
{
  const char *const words[] = { "auto", "always", "never" };

  g_return_val_if_fail (when != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      if (g_str_equal (when, words[i]))
        {
          chosen = (When) i;
          return TRUE;
        }
    }
  return FALSE;
}

gboolean
fh_color_is_on (int fd)
{
  const char *unwanted = g_getenv ("NO_COLOR");

  if (chosen != WHEN_TERMINAL)
    return chosen == WHEN_ALWAYS;
  return (unwanted == NULL || *unwanted == '\0') && isatty (fd) && fh_terminal_has_colors ();
}

const char *
fh_color_begin (FhColor color, int fd)
{
  /* These are of the 16 colors that every theme of a terminal makes readable. */
  const char *const sequences[] = {
    [FH_COLOR_GOOD] = "\x1b[32m",
    [FH_COLOR_WARNING] = "\x1b[33m",
    [FH_COLOR_BAD] = "\x1b[31m",
    [FH_COLOR_HEADING] = "\x1b[1m",
  };

  return fh_color_is_on (fd) ? sequences[color] : "";
}

const char *
fh_color_end (int fd)
{
  return fh_color_is_on (fd) ? "\x1b[0m" : "";
}

glong
fh_terminal_width (int fd)
{
  struct winsize size = { 0 };

  if (ioctl (fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return 80;
  return MAX (size.ws_col, 40);
}
