/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "terminal-text.h"

#include <string.h>

#include "fh-test.h"

static void
assert_text (const char *bytes, gsize size, const char *expected)
{
  g_autofree char *text = fh_terminal_text (bytes, size);

  g_assert_cmpstr (text, ==, expected);
}

#define TEXT(bytes, expected) assert_text (bytes, sizeof bytes - 1, expected)

static void
test_plain_text_stays (void)
{
  TEXT ("", "");
  TEXT ("hello\n\tworld\n", "hello\n\tworld\n");
  TEXT ("Grüße 量子 🧪 a\\b %s", "Grüße 量子 🧪 a\\b %s");
  /* An emoji of four joined ones. */
  TEXT ("👨\u200d👩", "👨\u200d👩");
}

static void
test_controls_are_shown (void)
{
  TEXT ("\x1b[31mred", "\\x1b[31mred");
  TEXT ("\x1b]0;title\x07", "\\x1b]0;title\\x07");
  TEXT ("a\rb", "a\\x0db");
  TEXT ("a\bb\x7f", "a\\x08b\\x7f");
  TEXT ("nul\0here", "nul\\x00here");
  /* Control characters beyond ASCII, such as CSI. */
  TEXT ("\xc2\x9b"
        "31m",
        "\\x9b31m");
  TEXT ("\u2028\u2029", "\\u2028\\u2029");
}

static void
test_what_hides_or_turns_is_shown (void)
{
  TEXT ("a\u202eb", "a\\u202eb");
  TEXT ("\u2066x\u2069", "\\u2066x\\u2069");
  TEXT ("\u200b\ufeff", "\\u200b\\ufeff");
  TEXT ("\U000e0041", "\\U000e0041");
  /* The sign of our messages. */
  TEXT ("⚗⚖", "\\u2697⚖");
}

static void
test_invalid_bytes_are_shown (void)
{
  TEXT ("\xff", "\\xff");
  TEXT ("caf\xe9!", "caf\\xe9!");
  TEXT ("\xf0\x9f\xa7", "\\xf0\\x9f\\xa7");
  TEXT ("\xc0\x9b", "\\xc0\\x9b");
  TEXT ("\xed\xa0\x80", "\\xed\\xa0\\x80");
}

static void
test_lines_stay_one (void)
{
  g_autofree char *line = fh_terminal_line ("a\nb\tc\x1b");

  g_assert_cmpstr (line, ==, "a\\x0ab\\x09c\\x1b");
}

static void
test_nothing_dangerous_ever (void)
{
  for (guint i = 0; i < 2000; i++)
    {
      char bytes[64];
      g_autofree char *text = NULL;

      for (gsize j = 0; j < sizeof bytes; j++)
        bytes[j] = (char) g_test_rand_int ();
      text = fh_terminal_text (bytes, sizeof bytes);
      g_assert_true (g_utf8_validate (text, -1, NULL));
      for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
        g_assert_true (*p == '\n' || *p == '\t' || !g_unichar_iscntrl (g_utf8_get_char (p)));
    }
}

FH_TESTS ({ "/terminal-text/plain-text-stays", test_plain_text_stays },
          { "/terminal-text/controls-are-shown", test_controls_are_shown },
          { "/terminal-text/what-hides-or-turns-is-shown", test_what_hides_or_turns_is_shown },
          { "/terminal-text/invalid-bytes-are-shown", test_invalid_bytes_are_shown },
          { "/terminal-text/lines-stay-one", test_lines_stay_one },
          { "/terminal-text/nothing-dangerous-ever", test_nothing_dangerous_ever });
