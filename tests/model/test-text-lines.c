/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "styled-text.h"
#include "text-lines.h"

#include <string.h>

/* What both together make of bytes: complete lines, then "|" and the open line. */
typedef struct
{
  FhAnsiParser *parser;
  FhTextLines *lines;
  StyledText styled;
} Screen;

static void
screen_init (Screen *screen)
{
  screen->parser = fh_ansi_parser_new ();
  screen->lines = fh_text_lines_new ();
  styled_text_init (&screen->styled);
}

static void
add_text (const char *text, gsize size, const FhAnsiStyle *style, gpointer data)
{
  Screen *screen = data;

  fh_text_lines_feed (screen->lines, text, size, style, styled_text_add, &screen->styled);
}

static void
screen_write (Screen *screen, const char *bytes, gsize size)
{
  fh_ansi_parser_feed (screen->parser, bytes, size, add_text, screen);
}

static char *
screen_finish (Screen *screen)
{
  fh_ansi_parser_finish (screen->parser, add_text, screen);
  g_string_append_c (screen->styled.text, '|');
  fh_text_lines_open_line (screen->lines, styled_text_add, &screen->styled);
  fh_ansi_parser_free (screen->parser);
  fh_text_lines_free (screen->lines);
  return g_string_free (screen->styled.text, FALSE);
}

static char *
lay_out_in_two (const char *bytes, gsize size, gsize split)
{
  Screen screen;

  screen_init (&screen);
  screen_write (&screen, bytes, split);
  screen_write (&screen, bytes + split, size - split);
  return screen_finish (&screen);
}

static char *
lay_out_bytewise (const char *bytes, gsize size)
{
  Screen screen;

  screen_init (&screen);
  for (gsize i = 0; i < size; i++)
    screen_write (&screen, bytes + i, 1);
  return screen_finish (&screen);
}

static void
check (const char *bytes, const char *expected)
{
  gsize size = strlen (bytes);
  g_autofree char *bytewise = lay_out_bytewise (bytes, size);

  g_assert_cmpstr (bytewise, ==, expected);
  for (gsize split = 0; split <= size; split++)
    {
      g_autofree char *text = lay_out_in_two (bytes, size, split);

      g_assert_cmpstr (text, ==, expected);
    }
}

static void
test_lines (void)
{
  check ("", "|");
  check ("a", "|a");
  check ("a\nb\n", "a\nb\n|");
  check ("a\n\n\nb", "a\n\n\n|b");
  check ("a\r\nb\r\n", "a\nb\n|");
  check ("a\r\r\nb", "a\n|b");
  check ("a\tb\n\tc", "a\tb\n|\tc");
  check ("Grüße\n世界", "Grüße\n|世界");
}

static void
test_carriage_return (void)
{
  check ("abc\rX", "|Xbc");
  check ("abc\rX\n", "Xbc\n|");
  check ("\rabc", "|abc");
  check ("50%\r100%\ndone\n", "100%\ndone\n|");
  check ("世界\rä", "|ä界");
}

static void
test_backspace (void)
{
  check ("abc\bX", "|abX");
  check ("abc\b\b\b\b\bX", "|Xbc");
  check ("\b\bX", "|X");
  check ("|\b/\b-\b\\\bdone\n", "done\n|");
  check ("a\n\bX", "a\n|X");
}

static void
test_erase (void)
{
  check ("Downloading file 10\r\033[KDone.\n", "Done.\n|");
  check ("Downloading\033[2K\rDone.", "|Done.");
  check ("\r\033[2K 10 %\r\033[2K ok\n", " ok\n|");
  check ("abcdef\b\b\033[K", "|abcd");
  check ("abcdef\033[2KX", "|      X");
  check ("abc\033[2K\n", "\n|");
}

/* As tqdm and pip write them when they are told that they have a terminal. */
static void
test_progress_bars (void)
{
  GString *tqdm = g_string_new (NULL);
  GString *pip = g_string_new (NULL);
  g_autofree char *shown = NULL;
  g_autofree char *shown_pip = NULL;

  for (int i = 0; i <= 100; i++)
    {
      g_string_append_printf (tqdm, "\r%3d%%|", i);
      for (int n = 0; n < 10; n++)
        g_string_append (tqdm, n < i / 10 ? "█" : " ");
      g_string_append_printf (tqdm, "| %d/100 [00:01<00:00, 99.%02dit/s]", i, 100 - i);
      g_string_append_printf (pip,
                              "\r\033[2K   \033[32m%s\033[0m %d/100 kB",
                              i < 100 ? "━━━╸" : "━━━━",
                              i);
    }
  g_string_append (tqdm, "\n");
  g_string_append (pip, "\r\033[2KInstalled\n");
  shown = lay_out_in_two (tqdm->str, tqdm->len, 100);
  g_assert_cmpstr (shown, ==, "100%|██████████| 100/100 [00:01<00:00, 99.00it/s]\n|");
  shown_pip = lay_out_in_two (pip->str, pip->len, 100);
  g_assert_cmpstr (shown_pip, ==, "Installed\n|");
  g_string_free (tqdm, TRUE);
  g_string_free (pip, TRUE);
}

static void
test_styles (void)
{
  check ("\033[31mred\033[0m\n", "{red}red{}\n|");
  check ("\033[31mab\r\033[32mX\033[0m\n", "{green}X{red}b{}\n|");
  check ("ab\033[1mcd\033[0mef", "|ab{bold}cd{}ef");
  check ("\033[31ma\nb\n", "{red}a\nb\n|");
}

static char *
repeat (const char *text, guint times)
{
  GString *all = g_string_new (NULL);

  for (guint i = 0; i < times; i++)
    g_string_append (all, text);
  return g_string_free (all, FALSE);
}

static void
check_long (const char *character, guint times)
{
  g_autofree char *line = repeat (character, times);
  g_autofree char *input = g_strconcat (line, "\nnext\n", NULL);
  GString *expected = g_string_new (NULL);
  g_autofree char *bytewise = lay_out_bytewise (input, strlen (input));

  for (guint i = 0; i < times; i++)
    {
      if (i > 0 && i % FH_TEXT_LINES_MAX_COLUMNS == 0)
        g_string_append (expected, "{dim}↩\n{}");
      g_string_append (expected, character);
    }
  g_string_append (expected, "\nnext\n|");
  g_assert_cmpstr (bytewise, ==, expected->str);
  for (gsize split = 0; split <= strlen (input); split += 7)
    {
      g_autofree char *text = lay_out_in_two (input, strlen (input), split);

      g_assert_cmpstr (text, ==, expected->str);
    }
  g_string_free (expected, TRUE);
}

static void
test_long_lines (void)
{
  check_long ("x", FH_TEXT_LINES_MAX_COLUMNS - 1);
  check_long ("x", FH_TEXT_LINES_MAX_COLUMNS);
  check_long ("x", FH_TEXT_LINES_MAX_COLUMNS + 1);
  check_long ("x", 4 * FH_TEXT_LINES_MAX_COLUMNS + 17);
  check_long ("世", 2 * FH_TEXT_LINES_MAX_COLUMNS);
  check_long ("🎉", FH_TEXT_LINES_MAX_COLUMNS + 3);
  check_long ("\t", FH_TEXT_LINES_MAX_COLUMNS + 3);
  /* Combining characters cannot pile up without end. */
  check_long ("\314\201", 2 * FH_TEXT_LINES_MAX_COLUMNS + 1);
}

/* Going back after a cut stays on the new line: the other one was handed out. */
static void
test_return_after_cut (void)
{
  g_autofree char *line = repeat ("x", FH_TEXT_LINES_MAX_COLUMNS + 2);
  g_autofree char *input = g_strconcat (line, "\rY", NULL);
  g_autofree char *text = lay_out_in_two (input, strlen (input), 0);

  g_assert_true (g_str_has_suffix (text, "x{dim}↩\n|{}Yx"));
}

static void
test_full_line_stays_open (void)
{
  g_autofree char *line = repeat ("x", FH_TEXT_LINES_MAX_COLUMNS);
  g_autofree char *input = g_strconcat (line, "\rY\b\n", NULL);
  g_autofree char *text = lay_out_in_two (input, strlen (input), 0);
  g_autofree char *expected = g_strconcat ("Y", line + 1, "\n|", NULL);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_random_splits (void)
{
  static const char alphabet[] = "aZ \033[K2m3\n\r\b\t\303\244\377\342\200\256";

  for (guint round = 0; round < 2000; round++)
    {
      char input[60];
      g_autofree char *whole = NULL;
      g_autofree char *bytewise = NULL;

      for (gsize i = 0; i < sizeof input; i++)
        input[i] = alphabet[g_test_rand_int_range (0, sizeof alphabet - 1)];
      whole = lay_out_in_two (input, sizeof input, 0);
      bytewise = lay_out_bytewise (input, sizeof input);
      g_assert_cmpstr (whole, ==, bytewise);
    }
}

static void
test_reset (void)
{
  g_autoptr (FhTextLines) lines = fh_text_lines_new ();
  const FhAnsiStyle plain = { FH_ANSI_DEFAULT, FH_ANSI_DEFAULT };
  StyledText styled;

  styled_text_init (&styled);
  fh_text_lines_feed (lines, "abc", 3, &plain, styled_text_add, &styled);
  fh_text_lines_reset (lines);
  fh_text_lines_open_line (lines, styled_text_add, &styled);
  fh_text_lines_feed (lines, "x\n", 2, &plain, styled_text_add, &styled);
  g_assert_cmpstr (styled.text->str, ==, "x\n");
  styled_text_clear (&styled);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text-lines/lines", test_lines);
  g_test_add_func ("/text-lines/carriage-return", test_carriage_return);
  g_test_add_func ("/text-lines/backspace", test_backspace);
  g_test_add_func ("/text-lines/erase", test_erase);
  g_test_add_func ("/text-lines/progress-bars", test_progress_bars);
  g_test_add_func ("/text-lines/styles", test_styles);
  g_test_add_func ("/text-lines/long-lines", test_long_lines);
  g_test_add_func ("/text-lines/return-after-cut", test_return_after_cut);
  g_test_add_func ("/text-lines/full-line-stays-open", test_full_line_stays_open);
  g_test_add_func ("/text-lines/random-splits", test_random_splits);
  g_test_add_func ("/text-lines/reset", test_reset);
  return g_test_run ();
}
