/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "readable-text.h"

#include <string.h>

static void
assert_text (const char *bytes, gsize size, const char *expected)
{
  g_autofree char *text = fh_valid_text_new (bytes, size);

  g_assert_cmpstr (text, ==, expected);
  g_assert_true (g_utf8_validate (text, -1, NULL));
}

static void
test_text_stays (void)
{
  assert_text ("", 0, "");
  assert_text (NULL, 0, "");
  assert_text ("a\tb\nü €\xf0\x9f\x98\x80", 14, "a\tb\nü €\xf0\x9f\x98\x80");
  g_assert_true (fh_valid_text_check (NULL, 0));
  g_assert_true (fh_valid_text_check ("ü", 2));
}

static void
test_invalid_bytes (void)
{
  assert_text ("\xff\xfe", 2, "\uFFFD\uFFFD");
  assert_text ("a\xffz", 3, "a\uFFFDz");
  /* An overlong slash, a surrogate, a character cut in the middle. */
  assert_text ("\xc0\xaf", 2, "\uFFFD\uFFFD");
  assert_text ("\xed\xa0\x80", 3, "\uFFFD\uFFFD\uFFFD");
  assert_text ("x\xe2\x82", 3, "x\uFFFD\uFFFD");
  g_assert_false (fh_valid_text_check ("\xff", 1));
  g_assert_false (fh_valid_text_check ("ü", 1));
}

static void
test_nul (void)
{
  assert_text ("a\0b\0", 4, "a\u2400b\u2400");
  g_assert_false (fh_valid_text_check ("a\0b", 3));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/valid-text/text-stays", test_text_stays);
  g_test_add_func ("/valid-text/invalid-bytes", test_invalid_bytes);
  g_test_add_func ("/valid-text/nul", test_nul);
  return g_test_run ();
}
