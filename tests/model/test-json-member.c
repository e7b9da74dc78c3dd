/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json-member.h"

#include <string.h>

#include "run-error.h"

static void
assert_form (const char *data, gsize size, const char *expected)
{
  g_autoptr (GBytes) bytes = data != NULL ? g_bytes_new (data, size) : NULL;
  g_autoptr (JsonNode) node = fh_json_bytes_to_node (bytes);
  g_autofree char *text = json_to_string (node, FALSE);
  g_autoptr (GBytes) copy = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (text, ==, expected);
  g_assert_true (fh_json_bytes_from_node (node, "x", &copy, &error));
  g_assert_no_error (error);
  g_assert_true (copy == bytes || g_bytes_equal (copy, bytes));
}

static void
test_forms (void)
{
  assert_form (NULL, 0, "null");
  assert_form ("", 0, "\"\"");
  assert_form ("text", 4, "\"text\"");
  assert_form ("a\0b", 3, "{\"base64\":\"YQBi\"}");
  assert_form ("\xff", 1, "{\"base64\":\"/w==\"}");
}

static void
assert_refused (const char *text)
{
  g_autoptr (JsonNode) node = json_from_string (text, NULL);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_false (fh_json_bytes_from_node (node, "the-name", &bytes, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "the-name"));
  g_assert_null (bytes);
}

static void
test_refused (void)
{
  static const char *const texts[] = {
    "1",
    "true",
    "[]",
    "{}",
    "{\"base64\":null}",
    "{\"base64\":[]}",
    "{\"base64\":\"YQ=\"}",
    "{\"base64\":\"Y Q==\"}",
    "{\"base64\":\"YR==\"}",
    "{\"base64\":\"ü\"}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_refused (texts[i]);
  assert_refused ("");
}

static void
test_byte_string (void)
{
  g_autoptr (JsonNode) node = fh_json_byte_string_to_node ("/b\xff");
  g_autoptr (JsonNode) none = fh_json_byte_string_to_node (NULL);
  g_autoptr (JsonNode) nul = json_from_string ("{\"base64\":\"YQBi\"}", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *string = NULL;

  g_assert_true (fh_json_byte_string_from_node (none, "x", &string, &error));
  g_assert_null (string);
  g_assert_true (fh_json_byte_string_from_node (node, "x", &string, &error));
  g_assert_cmpstr (string, ==, "/b\xff");
  g_clear_pointer (&string, g_free);
  g_assert_no_error (error);
  g_assert_false (fh_json_byte_string_from_node (nul, "x", &string, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  g_assert_null (string);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-member/forms", test_forms);
  g_test_add_func ("/json-member/refused", test_refused);
  g_test_add_func ("/json-member/byte-string", test_byte_string);
  return g_test_run ();
}
