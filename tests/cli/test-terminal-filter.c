/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "terminal-filter.h"

#include <string.h>

#include "fh-test.h"

static char *
filter_in_pieces (const char *bytes, gsize size, gsize piece, gboolean has_colors)
{
  g_autoptr (FhTerminalFilter) filter = fh_terminal_filter_new (has_colors);
  GString *out = g_string_new (NULL);

  for (gsize at = 0; at < size; at += piece)
    fh_terminal_filter_feed (filter, bytes + at, MIN (piece, size - at), out);
  fh_terminal_filter_finish (filter, out);
  return g_string_free (out, FALSE);
}

static void
assert_filtered (const char *bytes, gsize size, const char *expected)
{
  g_autofree char *text = filter_in_pieces (bytes, size, MAX (size, 1), TRUE);

  g_assert_cmpstr (text, ==, expected);
}

#define FILTERED(bytes, expected) assert_filtered (bytes, sizeof bytes - 1, expected)

/* However the bytes are split, only the colour sequences may differ. */
static void
assert_split (const char *bytes, gsize size, const char *expected)
{
  for (gsize piece = 1; piece <= size; piece++)
    {
      g_autofree char *text = filter_in_pieces (bytes, size, piece, FALSE);

      g_assert_cmpstr (text, ==, expected);
    }
}

#define SPLIT(bytes, expected) assert_split (bytes, sizeof bytes - 1, expected)

static void
test_text_stays (void)
{
  FILTERED ("", "");
  FILTERED ("Grüße\r\n\t量子 🧪\b!", "Grüße\r\n\t量子 🧪\b!");
  FILTERED (" 50 %\r\x1b[K100 %\x1b[2K", " 50 %\r\x1b[K100 %\x1b[2K");
}

static void
test_colors_end (void)
{
  FILTERED ("\x1b[31mred", "\x1b[0;31mred\x1b[0m");
  FILTERED ("\x1b[1;4;92;44ma\x1b[mb", "\x1b[0;1;4;92;44ma\x1b[0mb");
  FILTERED ("\x1b[7mx\x1b[27my", "\x1b[0;7mx\x1b[0my");
  /* Hidden and blinking text is shown as plain text. */
  FILTERED ("\x1b[8;5mseen", "seen");
}

static void
test_colors_go_on (void)
{
  g_autoptr (FhTerminalFilter) filter = fh_terminal_filter_new (TRUE);
  g_autoptr (GString) out = g_string_new (NULL);

  fh_terminal_filter_feed (filter, "\x1b[3", 3, out);
  fh_terminal_filter_feed (filter, "2ma", 3, out);
  g_assert_cmpstr (out->str, ==, "\x1b[0;32ma\x1b[0m");
  fh_terminal_filter_feed (filter, "b", 1, out);
  g_assert_cmpstr (out->str, ==, "\x1b[0;32ma\x1b[0m\x1b[0;32mb\x1b[0m");
}

static void
test_orders_are_dropped (void)
{
  SPLIT ("a\x1b]52;c;cm0gLXJmIH4=\x07"
         "b",
         "ab");
  SPLIT ("a\x1b]0;title\x1b\\b", "ab");
  SPLIT ("a\x1bP+q544e\x1b\\b", "ab");
  SPLIT ("a\x1b]8;;http://example.com\x07link\x1b]8;;\x07", "alink");
  SPLIT ("\x1b[2J\x1b[1;1H\x1b[6n\x1b[c\x1b[?1049h\x1b[5ix\x1b"
         "c",
         "x");
  SPLIT ("\x1b[31mno colours here\x1b[K", "no colours here");
  SPLIT ("\x07\x0e\x7f", "␇␎␡");
  SPLIT ("\xc2\x9b"
         "31m",
         "\uFFFD31m");
  SPLIT ("\u202eturned", "\uFFFDturned");
}

static void
test_invalid_bytes (void)
{
  SPLIT ("caf\xe9!\xff", "caf\uFFFD!\uFFFD");
  SPLIT ("\xf0\x9f\xa7", "\uFFFD");
  SPLIT ("nul\0here", "nul␀here");
  SPLIT ("🧪", "🧪");
}

static void
test_sign_is_ours (void)
{
  SPLIT (FH_TERMINAL_SIGN " fumehoodctl: all is well\n" FH_TERMINAL_SIGN,
         "\uFFFD fumehoodctl: all is well\n\uFFFD");
  SPLIT ("a" FH_TERMINAL_SIGN_ALIKE "b", "a\uFFFDb");
  /* Neighbouring characters are kept. */
  SPLIT ("\U0001f769\U0001f76b", "\U0001f769\U0001f76b");
  SPLIT ("\u2696\u2698\u2600", "\u2696\u2698\u2600");
}

/* Apart from SGR and two erase sequences no control characters are left. */
static void
assert_harmless (const char *text)
{
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_null (strstr (text, FH_TERMINAL_SIGN));
  g_assert_null (strstr (text, FH_TERMINAL_SIGN_ALIKE));
  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    {
      if (*at == '\x1b')
        {
          g_assert_cmpint (at[1], ==, '[');
          at += 2 + strspn (at + 2, "0123456789;");
          g_assert_true (*at == 'm' || *at == 'K');
        }
      else
        g_assert_true (strchr ("\r\n\t\b", *at) != NULL ||
                       !g_unichar_iscntrl (g_utf8_get_char (at)));
    }
}

static void
test_nothing_dangerous_ever (void)
{
  static const char likely[] = "\x1b\x1b\x1b[]P;:?0123456789mKJH\\\x07\x9b\xc2\xe2\x9a\x97\x18 a\n";

  for (guint i = 0; i < 5000; i++)
    {
      char bytes[64];
      g_autofree char *text = NULL;

      for (gsize j = 0; j < sizeof bytes; j++)
        bytes[j] = g_test_rand_int_range (0, 4) > 0
                       ? likely[g_test_rand_int_range (0, sizeof likely - 1)]
                       : (char) g_test_rand_int ();
      text = filter_in_pieces (bytes,
                               sizeof bytes,
                               (gsize) g_test_rand_int_range (1, sizeof bytes + 1),
                               TRUE);
      assert_harmless (text);
    }
}

FH_TESTS ({ "/terminal-filter/text-stays", test_text_stays },
          { "/terminal-filter/colors-end", test_colors_end },
          { "/terminal-filter/colors-go-on", test_colors_go_on },
          { "/terminal-filter/orders-are-dropped", test_orders_are_dropped },
          { "/terminal-filter/invalid-bytes", test_invalid_bytes },
          { "/terminal-filter/sign-is-ours", test_sign_is_ours },
          { "/terminal-filter/nothing-dangerous-ever", test_nothing_dangerous_ever });
