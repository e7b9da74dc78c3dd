/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json-guard.h"
#include "json-text.h"

#include <string.h>

static JsonNode *
node_with (const char *string)
{
  JsonObject *object = json_object_new ();
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  json_object_set_string_member (object, "text", string);
  json_node_take_object (node, object);
  return node;
}

static void
check_round (const char *string, gboolean pretty)
{
  g_autoptr (JsonNode) node = node_with (string);
  g_autofree char *text = fh_json_to_text (node, pretty);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) object = fh_json_guard_parse (text, strlen (text), 1 << 20, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (json_object_get_string_member (object, "text"), ==, string);
}

static void
test_every_character (void)
{
  for (gunichar c = 1; c <= 0xa0; c++)
    {
      char string[16] = "";

      g_unichar_to_utf8 (c, string);
      check_round (string, FALSE);
      check_round (string, TRUE);
    }
  check_round ("\x1f\x1f a \x1f", FALSE);
  for (gunichar c = 0x2000; c <= 0x2070; c++)
    {
      char string[16] = "";

      g_unichar_to_utf8 (c, string);
      check_round (string, FALSE);
    }
  check_round ("世界 🎉", FALSE);
}

static void
test_numbers (void)
{
  static const double numbers[] = { 1e22, -1e100, 1e-7, 1.5e300, 100, 0.5, 12345.0 };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autoptr (JsonNode) node = node_with ("1e+22.0 \" 1e+22.0");
      g_autofree char *text = NULL;
      g_autoptr (JsonObject) object = NULL;
      g_autoptr (GError) error = NULL;

      json_object_set_double_member (json_node_get_object (node), "number", numbers[i]);
      text = fh_json_to_text (node, FALSE);
      object = fh_json_guard_parse (text, strlen (text), 1 << 20, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (json_object_get_double_member (object, "number"), ==, numbers[i]);
      g_assert_cmpstr (json_object_get_string_member (object, "text"), ==, "1e+22.0 \" 1e+22.0");
    }
}

static void
test_text (void)
{
  g_autoptr (JsonNode) plain = node_with ("a");
  g_autoptr (JsonNode) control = node_with ("a\x1f");
  g_autofree char *plain_text = fh_json_to_text (plain, FALSE);
  g_autofree char *control_text = fh_json_to_text (control, FALSE);

  g_assert_cmpstr (plain_text, ==, "{\"text\":\"a\"}");
  g_assert_cmpstr (control_text, ==, "{\"text\":\"a\\u001f\"}");
}

/* What a guest wrote is printed on terminals by --json. */
static void
test_harmless (void)
{
  g_autoptr (JsonNode) node = node_with ("\x1b]0;t\x07 \xc2\x9b"
                                         "31m \x7f \u2028 \u202e \u2066 ü 世 \u2013 \u2065");
  g_autofree char *text = fh_json_to_text (node, FALSE);

  g_assert_cmpstr (text,
                   ==,
                   "{\"text\":\"\\u001b]0;t\\u0007 \\u009b31m \\u007f \\u2028 \\u202e \\u2066 "
                   "ü 世 \u2013 \u2065\"}");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-text/every-character", test_every_character);
  g_test_add_func ("/json-text/numbers", test_numbers);
  g_test_add_func ("/json-text/text", test_text);
  g_test_add_func ("/json-text/harmless", test_harmless);
  return g_test_run ();
}
