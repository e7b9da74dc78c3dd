/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output-cut.h"

#include <string.h>

#define MIB ((gsize) 1 << 20)

static FhOutputLog *
log_of (const char *out, gsize size)
{
  FhOutputLog *log = fh_output_log_new ();

  fh_output_log_append (log, FH_STREAM_STDOUT, 0, out, size);
  fh_output_log_append (log, FH_STREAM_STDERR, 0, "err", 3);
  return log;
}

static void
assert_text (FhOutputLog *log, FhStream stream, const char *expected)
{
  g_autofree char *text = fh_output_log_dup_text (log, stream);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_nothing_to_cut (void)
{
  g_autoptr (FhOutputLog) log = log_of ("0123456789abcdef", 16);
  g_autoptr (FhOutputLog) unlimited = fh_output_log_cut (log, 0);
  g_autoptr (FhOutputLog) same = fh_output_log_cut (log, 16);

  g_assert_true (unlimited == log);
  g_assert_true (same == log);
  g_assert_false (fh_output_log_is_truncated (log));
}

static void
test_ends (void)
{
  g_autoptr (FhOutputLog) log = log_of ("0123456789abcdefghijklmnopqrst", 30);
  g_autoptr (FhOutputLog) cut = fh_output_log_cut (log, 20);

  assert_text (cut, FH_STREAM_STDOUT, "0123456789\n[… 10 bytes left out …]\nklmnopqrst");
  assert_text (cut, FH_STREAM_STDERR, "err");
  g_assert_cmpuint (fh_output_log_get_total (cut, FH_STREAM_STDOUT), ==, 30);
  g_assert_cmpuint (fh_output_log_get_kept (cut, FH_STREAM_STDOUT), ==, 20);
  g_assert_true (fh_output_log_is_truncated (cut));
  g_assert_false (fh_output_log_is_truncated (log));
}

/* Two, three and four bytes each: no end is in the middle of one, whatever the limit. */
static void
test_characters (void)
{
  static const char *const characters[] = { "ü", "€", "🧪" };

  for (guint i = 0; i < G_N_ELEMENTS (characters); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      g_autoptr (FhOutputLog) log = NULL;

      while (text->len < 200)
        g_string_append (text, characters[i]);
      log = log_of (text->str, text->len);
      for (guint64 limit = FH_OUTPUT_CUT_MIN; limit < 100; limit++)
        {
          g_autoptr (FhOutputLog) cut = fh_output_log_cut (log, limit);
          g_autoptr (GBytes) bytes = fh_output_log_dup_bytes (cut, FH_STREAM_STDOUT);
          gsize size;
          const char *data = g_bytes_get_data (bytes, &size);
          gsize kept = fh_output_log_get_kept (cut, FH_STREAM_STDOUT);

          g_assert_true (g_utf8_validate_len (data, size, NULL));
          g_assert_cmpuint (kept, <=, limit);
          g_assert_cmpuint (kept, >, limit - 8);
        }
    }
}

/* Bytes that are no text at all are cut like others, and lose at most three at either end. */
static void
test_no_text (void)
{
  guint8 bytes[256];
  g_autoptr (FhOutputLog) log = NULL;
  g_autoptr (FhOutputLog) cut = NULL;

  memset (bytes, 0x80, sizeof bytes);
  log = log_of ((const char *) bytes, sizeof bytes);
  cut = fh_output_log_cut (log, 64);
  g_assert_cmpuint (fh_output_log_get_kept (cut, FH_STREAM_STDOUT), >=, 58);
  g_assert_cmpuint (fh_output_log_get_kept (cut, FH_STREAM_STDOUT), <=, 64);
}

/* More than a log keeps: what was left out before counts as well. */
static void
test_large (void)
{
  static const guint64 limits[] = { 16, 8192, 300 << 10, 600 << 10, 900 << 10, 1 << 20, 64 << 20 };
  g_autofree char *text = g_malloc (4 * MIB);

  memset (text, 'x', 4 * MIB);
  for (gsize size = MIB / 2; size <= 4 * MIB; size *= 2)
    {
      g_autoptr (FhOutputLog) log = log_of (text, size);

      for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
        {
          g_autoptr (FhOutputLog) cut = fh_output_log_cut (log, limits[i]);
          gsize kept = fh_output_log_get_kept (log, FH_STREAM_STDOUT);

          g_assert_cmpuint (fh_output_log_get_total (cut, FH_STREAM_STDOUT), ==, size);
          g_assert_cmpuint (fh_output_log_get_kept (cut, FH_STREAM_STDOUT),
                            ==,
                            MIN (kept, limits[i]));
          g_assert_cmpint (fh_output_log_is_truncated (cut), ==, size > MIN (MIB, limits[i]));
        }
    }
}

static void
assert_error (const char *text, const char *expected)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();
  g_autofree char *line = NULL;

  fh_output_log_append (log, FH_STREAM_STDERR, 0, text, strlen (text));
  line = fh_output_log_dup_error (log, FH_STREAM_STDERR, 100);
  g_assert_cmpstr (line, ==, expected);
}

#define TRACEBACK "Traceback (most recent call last):\n"
#define FRAME     "  File \"/workspace/main.py\", line 3, in <module>\n    f(x)\n    ^^^^\n"

static void
test_exception (void)
{
  assert_error (TRACEBACK FRAME "ValueError: one\n", "ValueError: one");
  assert_error (TRACEBACK FRAME "ValueError: one\ntwo\n\na note\n", "ValueError: one");
  assert_error ("x\n" TRACEBACK FRAME "a.B\n\nDuring …:\n\n" TRACEBACK FRAME "_C: d\r\ne\n",
                "_C: d");
  assert_error ("  + Exception Group " TRACEBACK "  | " FRAME
                "  | ExceptionGroup: two (2 sub-exceptions)\n",
                "  | ExceptionGroup: two (2 sub-exceptions)");
  assert_error ("  + Exception Group " TRACEBACK "  |   File \"main.py\", line 3, in <module>\n"
                "  |     raise ExceptionGroup('two', [a, b])\n"
                "  | ExceptionGroup: two (2 sub-exceptions)\n"
                "  | a note\n"
                "  +-+---------------- 1 ----------------\n"
                "    | " TRACEBACK "    | ValueError: one\n"
                "    +---------------- 2 ----------------\n"
                "    | KeyError: 'k'\n"
                "    +------------------------------------\n",
                "ExceptionGroup: two (2 sub-exceptions)");
  /* Parts of one, and what only looks like one. */
  assert_error (TRACEBACK FRAME, "    ^^^^");
  assert_error (TRACEBACK FRAME "[… 5 bytes left out …]\nlast\n", "last");
  assert_error ("error: externally-managed-environment\n\nnote: one\nhint: See PEP 668\n",
                "error: externally-managed-environment");
  assert_error ("> " TRACEBACK FRAME "ValueError: one\nlast\n", "last");
  assert_error (TRACEBACK, "Traceback (most recent call last):");
}

static void
assert_last_line (const char *text, gsize size, const char *expected)
{
  g_autoptr (FhOutputLog) log = log_of (text, size);
  g_autofree char *line = fh_output_log_dup_error (log, FH_STREAM_STDOUT, 8);

  g_assert_cmpstr (line, ==, expected);
}

static void
test_last_line (void)
{
  assert_last_line ("", 0, "");
  assert_last_line ("\n \n", 3, "");
  assert_last_line ("one", 3, "one");
  assert_last_line ("one\ntwo\r\n\n", 10, "two");
  assert_last_line ("one\n two", 8, " two");
  assert_last_line ("€€€€€€€€€€\n", 31, "€€€€€€€€");
  assert_last_line ("a\0b\xff\n", 5, "a␀b\xef\xbf\xbd");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/output-cut/nothing-to-cut", test_nothing_to_cut);
  g_test_add_func ("/output-cut/ends", test_ends);
  g_test_add_func ("/output-cut/characters", test_characters);
  g_test_add_func ("/output-cut/no-text", test_no_text);
  g_test_add_func ("/output-cut/large", test_large);
  g_test_add_func ("/output-cut/last-line", test_last_line);
  g_test_add_func ("/output-cut/exception", test_exception);
  return g_test_run ();
}
