/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes that a program chose become text that cannot pass for anything else. */
#include <string.h>

#include "readable-text.h"

static void
check (const char *bytes, gsize size, const char *text)
{
  g_autofree char *got = fh_readable_text_new (bytes, size);
  g_autofree char *again = fh_readable_text_new (got, strlen (got));

  g_assert_cmpstr (got, ==, text);
  g_assert_cmpstr (again, ==, text);
}

static void
test_text (void)
{
  check ("", 0, "");
  check ("plain ümlaut 漢 😀", strlen ("plain ümlaut 漢 😀"), "plain ümlaut 漢 😀");
  check ("a\nb\tc\rd\x1b[1m\x7f", 12, "a\\nb\\tc\\rd\\u001b[1m\\u007f");
  check ("a\0b", 3, "a␀b");
  check ("\xff\xfe", 2, "\xef\xbf\xbd\xef\xbf\xbd");
  /* Turned around, joined and invisible. */
  check ("a\xe2\x80\xae"
         "b",
         5,
         "a\\u202eb");
  check ("\xe2\x80\x8b", 3, "\\u200b");
  check ("\xef\xbb\xbf", 3, "\\ufeff");
  check ("\xe2\x80\xa8", 3, "\\u2028");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/readable-text/text", test_text);
  return g_test_run ();
}
