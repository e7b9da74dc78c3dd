/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json-guard.h"

#include <string.h>

#include "json-member.h"
#include "run-error.h"

/* What is tried may be anything; the report must be text. */
static void
say (const char *text)
{
  g_autofree char *start = g_strndup (text, 60);
  g_autofree char *escaped = g_strescape (start, NULL);

  g_test_message ("%s", escaped);
}

static gboolean
check (const char *text, gsize size)
{
  /* A copy without a NUL after it, so that reading too far is seen. */
  g_autofree char *copy = g_memdup2 (text, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root =
      fh_json_guard_parse_any (copy != NULL ? copy : "", size, G_MAXSIZE, &error);

  if (root == NULL)
    g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  else
    g_assert_no_error (error);
  return root != NULL;
}

/* What passes must be JSON for json-glib too, and mean the same. */
static void
assert_valid (const char *text)
{
  const gsize size = strlen (text);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (JsonNode) root = fh_json_guard_parse_any (text, size, G_MAXSIZE, NULL);

  say (text);
  g_assert_true (check (text, size));
  g_assert_true (json_parser_load_from_data (parser, text, (gssize) size, NULL));
  g_assert_true (json_node_equal (root, json_parser_get_root (parser)));
}

static void
assert_invalid (const char *text)
{
  say (text);
  g_assert_false (check (text, strlen (text)));
}

static void
test_valid (void)
{
  static const char *const texts[] = {
    "{}",
    "[]",
    " \t\r\n{ } \n",
    "null",
    "true",
    "\"x\"",
    "0",
    "-0",
    "-1",
    "[0, -0.5, 1e5, 1E+5, 1.25e-3, 123456789]",
    "{\"a\": {\"a\": {\"a\": []}}, \"b\": [{\"a\": 1}, {\"a\": 2}]}",
    "\"\\\" \\\\ \\/ \\b\\f\\n\\r\\t \\u00e9 \\ud83d\\ude00 ü \x7f\"",
    "[[], {}, [[]], \"\", false, null]",
    "9223372036854775807",
    "-9223372036854775808",
    "[1e308, 1e-999]",
    "{\"\": 1}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_valid (texts[i]);
}

static const char *const invalid_texts[] = {
  "",
  " ",
  "{",
  "[",
  "}",
  "]",
  "{]",
  "[}",
  "[1",
  "[1,",
  "[1,]",
  "[,1]",
  "[1 2]",
  "{,}",
  "{\"a\"}",
  "{\"a\":}",
  "{\"a\":1,}",
  "{\"a\" 1}",
  "{a:1}",
  "{'a':1}",
  "{1:2}",
  "{\"a\":1 \"b\":2}",
  "{\"a\":1}//c",
  "[1]x",
  "[1][2]",
  "1 2",
  "/**/1",
  "01",
  "-01",
  "-",
  "+1",
  ".5",
  "1.",
  "1.e5",
  "1e",
  "1e+",
  "0x10",
  "1_000",
  "NaN",
  "Infinity",
  "-Infinity",
  "True",
  "tru",
  "truee",
  "nul",
  "var x = {\"a\":1};",
  "\"",
  "\"abc",
  "\"\\\"",
  "\"\\x41\"",
  "\"\\u12\"",
  "\"\\u12g4\"",
  "\"\\",
  "\"\\u",
  "'x'",
  "\"a\nb\"",
  "\"a\tb\"",
  "\"\x01\"",
  "\xef\xbb\xbf{}",
  "[\"a\", ]",
  "[\x0b]",
  "\xc2\xa0[]",
  "undefined",
};

static void
test_invalid (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (invalid_texts); i++)
    assert_invalid (invalid_texts[i]);
}

static void
test_numbers_that_do_not_fit (void)
{
  g_autofree char *digits = g_strnfill (1 << 20, '9');
  g_autofree char *zeros = g_strnfill (1 << 20, '0');
  g_autofree char *precise = g_strconcat ("0.", zeros, "1", NULL);

  assert_invalid ("9223372036854775808");
  assert_invalid ("-9223372036854775809");
  assert_invalid ("12345678901234567890");
  assert_invalid ("1e309");
  assert_invalid ("-1e999999999999999999999");
  assert_invalid (digits);
  g_assert_true (check (precise, strlen (precise)));
}

static void
test_strings_that_are_no_text (void)
{
  assert_invalid ("\"\\u0000\"");
  assert_invalid ("{\"a\\u0000b\": 1}");
  assert_invalid ("\"\\ud83d\"");
  assert_invalid ("\"\\ud83d\\u0041\"");
  assert_invalid ("\"\\ud83dx\"");
  assert_invalid ("\"\\ude00\"");
  assert_invalid ("\"\\ude00\\ud83d\"");
  assert_invalid ("\"\xff\"");
  assert_invalid ("\"\xc0\xaf\"");         /* an overlong slash */
  assert_invalid ("\"\xe0\x80\xaf\"");     /* a longer one */
  assert_invalid ("\"\xed\xa0\x80\"");     /* a surrogate */
  assert_invalid ("\"\xf5\x80\x80\x80\""); /* beyond Unicode */
  assert_invalid ("\"\xe2\x82\"");         /* cut short */
  g_assert_false (check ("\"a\0b\"", 5));
  g_assert_false (check ("{}\0", 3));
}

static void
test_duplicate_keys (void)
{
  assert_invalid ("{\"a\":1,\"a\":2}");
  assert_invalid ("{\"a\":1,\"b\":{},\"a\":2}");
  assert_invalid ("{\"a\":1,\"\\u0061\":2}");
  assert_invalid ("{\"\\/\":1,\"/\":2}");
  assert_invalid ("{\"\xf0\x9f\x98\x80\":1,\"\\ud83d\\ude00\":2}");
  assert_valid ("{\"a\":1,\"A\":2}");
}

static char *
nested (guint depth, const char *open, const char *close)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < depth; i++)
    g_string_append (text, open);
  g_string_append (text, "1");
  for (guint i = 0; i < depth; i++)
    g_string_append (text, close);
  return g_string_free (text, FALSE);
}

static void
test_depth (void)
{
  g_autofree char *just = nested (FH_JSON_MAX_DEPTH, "[", "]");
  g_autofree char *over = nested (FH_JSON_MAX_DEPTH + 1, "[", "]");
  g_autofree char *just_objects = nested (FH_JSON_MAX_DEPTH, "{\"a\":", "}");
  g_autofree char *over_objects = nested (FH_JSON_MAX_DEPTH + 1, "{\"a\":", "}");
  g_autofree char *far_over = nested (100000, "[", "]");
  g_autofree char *open_only = g_strnfill (100000, '[');

  assert_valid (just);
  assert_valid (just_objects);
  assert_invalid (over);
  assert_invalid (over_objects);
  assert_invalid (far_over);
  assert_invalid (open_only);
}

static char *
object_of (guint members)
{
  GString *text = g_string_new ("{");

  for (guint i = 0; i < members; i++)
    g_string_append_printf (text, "%s\"k%u\":%u", i > 0 ? "," : "", i, i);
  g_string_append_c (text, '}');
  return g_string_free (text, FALSE);
}

static void
test_members (void)
{
  g_autofree char *just = object_of (FH_JSON_MAX_MEMBERS);
  g_autofree char *over = object_of (FH_JSON_MAX_MEMBERS + 1);

  g_assert_true (check (just, strlen (just)));
  assert_invalid (over);
}

/* Every beginning of a valid text is an invalid one. */
static void
test_truncated (void)
{
  const char *text = "{\"a\": [1.5e3, \"\\ud83d\\ude00\\n\", true, null], \"b\": {\"c\": -7}}";

  assert_valid (text);
  for (gsize size = 0; size < strlen (text); size++)
    g_assert_false (check (text, size));
}

/* Whatever becomes of a text, it is judged without a fault, and what is judged valid is read by
 * json-glib without one. */
static void
test_mutated (void)
{
  const char *text = "{\"a\": [1.5e3, \"\\ud83d\\ude00\\n\", true, null], \"b\": {\"c\": -7}}";
  static const char interesting[] = "{}[]\",:\\u0dD8e+-.tfn \n\x01\x80\xff";
  gsize size = strlen (text);
  guint valid = 0;

  for (guint round = 0; round < 20000; round++)
    {
      g_autofree char *copy = g_strdup (text);
      guint changes = (guint) g_test_rand_int_range (1, 4);

      for (guint i = 0; i < changes; i++)
        copy[g_test_rand_int_range (0, (gint32) size)] =
            interesting[g_test_rand_int_range (0, sizeof interesting)];
      if (check (copy, size))
        {
          g_autoptr (JsonParser) parser = json_parser_new ();
          g_autoptr (JsonNode) root = fh_json_guard_parse_any (copy, size, G_MAXSIZE, NULL);

          g_assert_true (json_parser_load_from_data (parser, copy, (gssize) size, NULL));
          g_assert_true (json_node_equal (root, json_parser_get_root (parser)));
          valid++;
        }
    }
  g_test_message ("%u of 20000 were still valid", valid);
  g_assert_cmpuint (valid, >, 0);
  g_assert_cmpuint (valid, <, 10000);
}

static void
test_size (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = fh_json_guard_parse_any ("[1]", 3, 3, &error);

  g_assert_no_error (error);
  g_assert_nonnull (root);
  g_assert_null (fh_json_guard_parse_any ("[1]", 3, 2, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
}

static void
test_offset (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (fh_json_guard_parse_any ("{\"a\": x}", 8, 100, &error));
  g_assert_cmpstr (error->message, ==, "Not valid JSON at byte 6: a value was expected.");
}

static void
test_parse (void)
{
  const char *text = "{\"s\": \"ü\", \"i\": -5, \"b\": true, \"d\": 1.5, \"n\": null, \"o\": {}}";
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) object = fh_json_guard_parse (text, strlen (text), 1000, &error);
  const char *string = NULL;
  gint64 number = 0;
  gboolean flag = FALSE;

  g_assert_no_error (error);
  g_assert_true (fh_json_get_string (object, "s", &string, &error));
  g_assert_cmpstr (string, ==, "ü");
  g_assert_true (fh_json_get_int (object, "i", &number, &error));
  g_assert_cmpint (number, ==, -5);
  g_assert_true (fh_json_get_bool (object, "b", &flag, &error));
  g_assert_true (flag);
  g_assert_no_error (error);
}

static void
test_members_of_another_type (void)
{
  const char *text = "{\"s\": \"5\", \"i\": 5, \"b\": true, \"d\": 5.0, \"n\": null, \"o\": {}}";
  static const char *const names[] = { "s", "i", "b", "d", "n", "o", "missing" };
  g_autoptr (JsonObject) object = fh_json_guard_parse (text, strlen (text), 1000, NULL);
  const char *string;
  gint64 number;
  gboolean flag;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;
      guint count = 0;

      count += (guint) fh_json_get_string (object, names[i], &string, NULL);
      count += (guint) fh_json_get_int (object, names[i], &number, NULL);
      count += (guint) fh_json_get_bool (object, names[i], &flag, NULL);
      g_assert_cmpuint (count, ==, i < 3 ? 1 : 0);
      if (i < 3)
        continue;
      g_assert_false (fh_json_get_int (object, names[i], &number, &error));
      g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, names[i]));
    }
}

static void
test_parse_wants_an_object (void)
{
  static const char *const texts[] = { "[]", "1", "null", "\"x\"", "", "{", "true" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (fh_json_guard_parse (texts[i], strlen (texts[i]), 1000, &error));
      g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
    }
}

/* What is left of an object in which a value cannot be used; NULL: nothing. */
static void
test_rest (void)
{
  g_autofree char *brackets = g_strnfill (100000, '[');
  g_autofree char *ends = g_strnfill (100000, ']');
  g_autofree char *deep = g_strconcat ("{\"a\": ", brackets, "\"]\"", ends, ", \"id\": 7}", NULL);
  g_autofree char *open = g_strconcat ("{\"id\": 7, \"a\": ", brackets, NULL);
  const struct
  {
    const char *text;
    const char *rest;
    const char *words; /* of the fault */
  } cases[] = {
    { "{\"id\": 7, \"a\": \"x\\u0000y\"}", "{\"id\":7}", "byte 23: a string must not hold a NUL" },
    { "{\"a\":{\"b\":[\"\\ud83c\\n\"]},\"id\":\"7\"}",
      "{\"id\":\"7\"}",
      "half of a surrogate pair" },
    { "{\"a\": \"\\udf78\", \"b\": \"\\ud83c\\ud83c\\udf78\", \"c\": \"\\ud83c\\udf78\"}",
      "{\"c\":\"🍸\"}",
      "half of a surrogate pair" },
    { "{\"a\": \"\\ud83c\"}", "{}", "half of a surrogate pair" },
    { "{\"a\": [\"\\ud83cx\", 1e999], \"id\": 99999999999999999999, \"b\": [[]]}",
      "{\"b\":[[]]}",
      "half of a surrogate pair" },
    { "{\"a\": -1e999 , \"b\": {}, \"c\": []}", "{\"b\":{},\"c\":[]}", "too large" },
    { "{\"a\": {\"\\u0000\": 1}, \"b\": 2}", "{\"b\":2}", "NUL" },
    { deep, "{\"id\":7}", "nested too deeply" },
    { open, NULL, NULL },
    { "{\"id\": 7}", "{\"id\":7}", NULL },
    { "{\"id\": 7, \"\\u0000\": 1}", NULL, NULL },
    { "{\"id\": 7, \"a\": \"\\u0000\", \"id\": 8}", NULL, NULL },
    { "{\"id\": 7, \"a\": \"\\u0000}", NULL, NULL },
    { "{\"id\": 7, \"a\": \"\\u000\"}", NULL, NULL },
    { "[{\"id\": 7, \"a\": \"\\u0000\"}]", NULL, NULL },
    { "\"\\u0000\"", NULL, NULL },
    { "", NULL, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const gsize size = strlen (cases[i].text);
      /* A copy without a NUL after it, so that reading too far is seen. */
      g_autofree char *copy = g_memdup2 (cases[i].text, size);
      g_autofree char *fault = NULL;
      g_autoptr (JsonObject) rest =
          fh_json_guard_parse_rest (copy != NULL ? copy : "", size, G_MAXSIZE, &fault);
      g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
      g_autofree char *text = NULL;

      say (cases[i].text);
      g_assert_true ((rest != NULL) == (cases[i].rest != NULL));
      g_assert_true ((fault != NULL) == (cases[i].words != NULL));
      if (fault != NULL)
        g_assert_nonnull (strstr (fault, cases[i].words));
      if (rest == NULL)
        continue;
      json_node_set_object (node, rest);
      text = json_to_string (node, FALSE);
      g_assert_cmpstr (text, ==, cases[i].rest);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/json-guard/valid", test_valid);
  g_test_add_func ("/json-guard/invalid", test_invalid);
  g_test_add_func ("/json-guard/numbers-that-do-not-fit", test_numbers_that_do_not_fit);
  g_test_add_func ("/json-guard/strings-that-are-no-text", test_strings_that_are_no_text);
  g_test_add_func ("/json-guard/duplicate-keys", test_duplicate_keys);
  g_test_add_func ("/json-guard/depth", test_depth);
  g_test_add_func ("/json-guard/members", test_members);
  g_test_add_func ("/json-guard/truncated", test_truncated);
  g_test_add_func ("/json-guard/mutated", test_mutated);
  g_test_add_func ("/json-guard/size", test_size);
  g_test_add_func ("/json-guard/offset", test_offset);
  g_test_add_func ("/json-guard/parse", test_parse);
  g_test_add_func ("/json-guard/members-of-another-type", test_members_of_another_type);
  g_test_add_func ("/json-guard/parse-wants-an-object", test_parse_wants_an_object);
  g_test_add_func ("/json-guard/rest", test_rest);
  return g_test_run ();
}
