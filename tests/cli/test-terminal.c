/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "terminal.h"

#include <fcntl.h>
#include <pty.h>
#include <unistd.h>

#include "fh-test.h"

static void
test_types (void)
{
  g_setenv ("TERM", "xterm-256color", TRUE);
  g_assert_true (fh_terminal_has_colors ());
  g_setenv ("TERM", "dumb", TRUE);
  g_assert_false (fh_terminal_has_colors ());
  g_unsetenv ("TERM");
  g_assert_false (fh_terminal_has_colors ());
}

static void
test_colors (void)
{
  int master, terminal;
  int file = open ("/dev/null", O_WRONLY | O_CLOEXEC);

  g_assert_cmpint (file, >=, 0);
  g_assert_cmpint (openpty (&master, &terminal, NULL, NULL, NULL), ==, 0);
  g_setenv ("TERM", "xterm", TRUE);
  g_unsetenv ("NO_COLOR");
  g_assert_true (fh_color_is_on (terminal));
  g_assert_false (fh_color_is_on (file));
  g_setenv ("NO_COLOR", "", TRUE);
  g_assert_true (fh_color_is_on (terminal));
  g_setenv ("NO_COLOR", "1", TRUE);
  g_assert_false (fh_color_is_on (terminal));
  g_assert_true (fh_color_choose ("always"));
  g_assert_true (fh_color_is_on (terminal) && fh_color_is_on (file));
  g_assert_cmpstr (fh_color_begin (FH_COLOR_BAD, file), ==, "\x1b[31m");
  g_assert_cmpstr (fh_color_end (file), ==, "\x1b[0m");
  g_assert_true (fh_color_choose ("never"));
  g_assert_false (fh_color_is_on (terminal));
  g_assert_cmpstr (fh_color_begin (FH_COLOR_BAD, terminal), ==, "");
  g_assert_cmpstr (fh_color_end (terminal), ==, "");
  g_assert_false (fh_color_choose ("sometimes"));
  g_assert_true (fh_color_choose ("auto"));
  close (master);
  close (terminal);
  close (file);
}

static void
test_width (void)
{
  int master, terminal;
  struct winsize wide = { .ws_row = 24, .ws_col = 132 };
  struct winsize narrow = { .ws_row = 24, .ws_col = 3 };

  g_assert_cmpint (openpty (&master, &terminal, NULL, NULL, &wide), ==, 0);
  g_assert_cmpint (fh_terminal_width (terminal), ==, 132);
  close (master);
  close (terminal);
  g_assert_cmpint (openpty (&master, &terminal, NULL, NULL, &narrow), ==, 0);
  g_assert_cmpint (fh_terminal_width (terminal), ==, 40);
  close (master);
  close (terminal);
  g_assert_cmpint (fh_terminal_width (-1), ==, 80);
}

FH_TESTS ({ "/terminal/types", test_types },
          { "/terminal/colors", test_colors },
          { "/terminal/width", test_width });
