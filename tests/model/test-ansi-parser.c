/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "styled-text.h"

#include <string.h>

typedef struct
{
  const char *input;
  gsize size; /* 0: up to the NUL */
  const char *expected;
} Case;

static char *
parse_in_two (const char *input, gsize size, gsize split)
{
  g_autoptr (FhAnsiParser) parser = fh_ansi_parser_new ();
  StyledText styled;

  styled_text_init (&styled);
  fh_ansi_parser_feed (parser, input, split, styled_text_add, &styled);
  fh_ansi_parser_feed (parser, input + split, size - split, styled_text_add, &styled);
  fh_ansi_parser_finish (parser, styled_text_add, &styled);
  return g_string_free (styled.text, FALSE);
}

static char *
parse_bytewise (const char *input, gsize size)
{
  g_autoptr (FhAnsiParser) parser = fh_ansi_parser_new ();
  StyledText styled;

  styled_text_init (&styled);
  for (gsize i = 0; i < size; i++)
    fh_ansi_parser_feed (parser, input + i, 1, styled_text_add, &styled);
  fh_ansi_parser_finish (parser, styled_text_add, &styled);
  return g_string_free (styled.text, FALSE);
}

static void
check_cases (const Case *cases, gsize count)
{
  for (gsize i = 0; i < count; i++)
    {
      gsize size = cases[i].size > 0 ? cases[i].size : strlen (cases[i].input);
      g_autofree char *bytewise = parse_bytewise (cases[i].input, size);

      g_assert_cmpstr (bytewise, ==, cases[i].expected);
      for (gsize split = 0; split <= size; split++)
        {
          g_autofree char *text = parse_in_two (cases[i].input, size, split);

          g_assert_cmpstr (text, ==, cases[i].expected);
        }
    }
}

static void
test_plain (void)
{
  static const Case cases[] = {
    { "", 0, "" },
    { "hello\nworld\r\n\ttab\b", 0, "hello\nworld\r\n\ttab\b" },
    { "Grüße, 世界 🎉\n", 0, "Grüße, 世界 🎉\n" },
    { "{}%s%n", 0, "{}%s%n" },
  };

  check_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_colors (void)
{
  static const Case cases[] = {
    { "a\033[31mb\033[0mc", 0, "a{red}b{}c" },
    { "\033[1;4;32;41mx\033[m", 0, "{green on-red bold underline}x" },
    { "\033[97;100my\033[39;49mz", 0, "{white+ on-grey}y{}z" },
    { "\033[1;2mx\033[22my", 0, "{bold dim}x{}y" },
    { "\033[3;7;9;21mx\033[23;27;29;24my", 0, "{italic underline strike inverse}x{}y" },
    { "\033[4:3mcurly\033[4:0mx", 0, "{underline}curly{}x" },
    { "\033[;31mx", 0, "{red}x" },
    { "\033[5;8mshown", 0, "shown" },
    { "\033[31m\033[32m\033[31mx", 0, "{red}x" },
    { "\033[>4;2mx\033[?1mx\033[1 mx", 0, "xxx" },
    { "\033[99999999999999999999;31mx", 0, "{red}x" },
  };

  check_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_folded_colors (void)
{
  static const Case cases[] = {
    { "\033[38;5;1mx\033[38;5;12my\033[48;5;3mz", 0, "{red}x{blue+}y{blue+ on-yellow}z" },
    { "\033[38;5;196mx\033[38;5;46my\033[38;5;21mz", 0, "{red+}x{green+}y{blue}z" },
    { "\033[38;5;232mx\033[38;5;244my\033[38;5;255mz", 0, "{black}x{grey}y{white}z" },
    { "\033[38;2;255;165;0mx", 0, "{yellow}x" },
    { "\033[38;2;128;0;0;1mx", 0, "{red bold}x" },
    { "\033[48;2;0;255;255mx", 0, "{on-cyan+}x" },
    { "\033[38:2:255:0:0mx\033[38:2::0:0:250my", 0, "{red+}x{blue}y" },
    { "\033[38:5:2;1mx", 0, "{green bold}x" },
    { "\033[58;5;1;3mx\033[58:2::1:2:3;1my", 0, "{italic}x{bold italic}y" },
    { "\033[38;5;256mx\033[38;5mx\033[38mx\033[38;2;1;2mx", 0, "xxxx" },
    { "\033[38;9;31mx", 0, "x" },
    { "\033[38;2;999;0;0mx", 0, "{red+}x" },
  };

  check_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_dropped (void)
{
  static const Case cases[] = {
    { "a\033]8;;https://example.com\033\\link\033]8;;\033\\b", 0, "alinkb" },
    { "a\033]52;c;aGVsbG8=\ab", 0, "ab" },
    { "a\033]0;title\ab\033]2;t\303\274tle\033\\c", 0, "abc" },
    { "a\033Pq#0;2;0;0;0#0!10~-\n$\033\\b", 0, "ab" },
    { "a\033_Gf=24;AAAA\033\\b\033^pm\033\\c\033Xsos\033\\d", 0, "abcd" },
    { "a\033[2J\033[H\033[10;20Hb\033[6nc\033[?25l\033[?1049hd", 0, "abcd" },
    { "a\033(Bb\0337c\0338d\033ce\033=f\033#8g", 0, "abcdefg" },
    { "a\033[31", 0, "a" },
    { "a\033", 0, "a" },
    { "a\033]0;t", 0, "a" },
    { "a\033[31\030b\033]0;t\032c", 0, "abc" },
    { "a\033[\033[31mb", 0, "a{red}b" },
    { "a\033]0;t\033[31mb", 0, "a{red}b" },
    { "a\033[3\nb", 0, "a\nb" },
    { "a\033[3\303\244b", 0, "aäb" },
    { "a\033\nb", 0, "a\nb" },
    { "a\033]0;title\nTraceback", 0, "a\nTraceback" },
    { "a\033[Kb\033[0Kc\033[2Kd\033[1Ke", 0, "a\vb\vc\fde" },
  };

  check_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_controls (void)
{
  static const Case cases[] = {
    { "a\0b", 3, "a␀b" },
    { "\a\v\f\001\037\177\016", 0, "␇␋␌␁␟␡␎" },
    { "\030\032", 0, "␘␚" },
    { "a\302\233"
      "31mb\302\205",
      0,
      "a\357\277\275"
      "31mb\357\277\275" },
    { "\342\200\256evil\342\200\254", 0, "\357\277\275evil\357\277\275" },
    { "\342\201\246x\342\201\251", 0, "\357\277\275x\357\277\275" },
    { "a\342\200\250b\342\200\251", 0, "a\357\277\275b\357\277\275" },
    { "\342\200\215", 0, "\342\200\215" },
  };

  check_cases (cases, G_N_ELEMENTS (cases));
}

/* The expected counts of U+FFFD are those of Python's errors="replace". */
static void
test_invalid (void)
{
#define R "\357\277\275"
  static const Case cases[] = {
    { "\377\376", 0, R R },
    { "a\200b", 0, "a" R "b" },
    { "\300\257", 0, R R },       /* overlong / */
    { "\340\200\257", 0, R R R }, /* overlong / in three */
    { "\360\200\200\257", 0, R R R R },
    { "\355\240\200", 0, R R R },       /* a surrogate */
    { "\364\220\200\200", 0, R R R R }, /* over U+10FFFF */
    { "\370\210\200\200\200", 0, R R R R R },
    { "\342\202", 0, R }, /* cut off at the end */
    { "\342\202x", 0, R "x" },
    { "\360\237\216\342\202\254", 0, R "€" },
    { "\342\202\033[31mx", 0, R "{red}x" },
    { "\303\303\244", 0, R "ä" },
    { "\303\n", 0, R "\n" },
  };
#undef R

  check_cases (cases, G_N_ELEMENTS (cases));
}

static void
test_unterminated (void)
{
  static const char *const beginnings[] = { "\033]0;", "\033P", "\033_", "\033[", "\033 " };

  for (gsize i = 0; i < G_N_ELEMENTS (beginnings); i++)
    {
      g_autoptr (FhAnsiParser) parser = fh_ansi_parser_new ();
      g_autofree char *junk = g_strnfill (4 << 20, i == 4 ? '!' : '1');
      StyledText styled;

      styled_text_init (&styled);
      fh_ansi_parser_feed (parser, beginnings[i], strlen (beginnings[i]), styled_text_add, &styled);
      fh_ansi_parser_feed (parser, junk, 4 << 20, styled_text_add, &styled);
      /* What is hidden is bounded: a megabyte in strings, far less in other sequences. */
      g_assert_cmpuint (styled.text->len, >=, 3 << 20);
      g_assert_cmpuint (styled.text->len, <, 4 << 20);
      styled_text_clear (&styled);
    }
}

static void
test_random_splits (void)
{
  static const char alphabet[] =
      "aZ \033\033[]P;:38mK5\n\r\t\b\a\\\0\303\244\342\200\256\360\237\377";

  for (guint round = 0; round < 2000; round++)
    {
      char input[40];
      g_autofree char *whole = NULL;
      g_autofree char *bytewise = NULL;

      for (gsize i = 0; i < sizeof input; i++)
        input[i] = alphabet[g_test_rand_int_range (0, sizeof alphabet - 1)];
      whole = parse_in_two (input, sizeof input, 0);
      bytewise = parse_bytewise (input, sizeof input);
      g_assert_cmpstr (whole, ==, bytewise);
    }
}

static void
count_bytes (const char *text, gsize size, const FhAnsiStyle *style, gpointer data)
{
  *(gsize *) data += size;
}

/* Long runs go out in few pieces, also when every byte is replaced. */
static void
count_calls (const char *text, gsize size, const FhAnsiStyle *style, gpointer data)
{
  *(gsize *) data += 1;
}

static void
test_batches (void)
{
  g_autoptr (FhAnsiParser) parser = fh_ansi_parser_new ();
  g_autofree char *zeros = g_malloc0 (1 << 20);
  gsize bytes = 0;
  gsize calls = 0;

  fh_ansi_parser_feed (parser, zeros, 1 << 20, count_bytes, &bytes);
  fh_ansi_parser_feed (parser, zeros, 1 << 20, count_calls, &calls);
  g_assert_cmpuint (bytes, ==, 3 << 20);
  g_assert_cmpuint (calls, <=, 4096);
  memset (zeros, 'x', 1 << 20);
  calls = 0;
  fh_ansi_parser_feed (parser, zeros, 1 << 20, count_calls, &calls);
  g_assert_cmpuint (calls, ==, 1);
}

static void
test_reset (void)
{
  g_autoptr (FhAnsiParser) parser = fh_ansi_parser_new ();
  StyledText styled;

  styled_text_init (&styled);
  fh_ansi_parser_feed (parser, "\033[31m\033]0;", 9, styled_text_add, &styled);
  fh_ansi_parser_reset (parser);
  fh_ansi_parser_feed (parser, "x\303", 2, styled_text_add, &styled);
  fh_ansi_parser_reset (parser);
  fh_ansi_parser_finish (parser, styled_text_add, &styled);
  g_assert_cmpstr (styled.text->str, ==, "x");
  styled_text_clear (&styled);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ansi-parser/plain", test_plain);
  g_test_add_func ("/ansi-parser/colors", test_colors);
  g_test_add_func ("/ansi-parser/folded-colors", test_folded_colors);
  g_test_add_func ("/ansi-parser/dropped", test_dropped);
  g_test_add_func ("/ansi-parser/controls", test_controls);
  g_test_add_func ("/ansi-parser/invalid", test_invalid);
  g_test_add_func ("/ansi-parser/unterminated", test_unterminated);
  g_test_add_func ("/ansi-parser/random-splits", test_random_splits);
  g_test_add_func ("/ansi-parser/batches", test_batches);
  g_test_add_func ("/ansi-parser/reset", test_reset);
  return g_test_run ();
}
