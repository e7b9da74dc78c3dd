/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-request.h"

#include <string.h>

#include "json-guard.h"
#include "json-text.h"
#include "run-error.h"

static FhRunRequest *
make_request (const char *source, gsize size)
{
  static const char *const arguments[] = { "plain", "ümlaut", "\xff\xfe", "", NULL };
  g_autoptr (GBytes) bytes = g_bytes_new (source, size);
  g_autoptr (GBytes) input = g_bytes_new_static ("a\0b", 3);
  FhRunRequestInit init = {
    .language = fh_language_lookup ("bash"),
    .source = bytes,
    .title = "A “title”",
    .interpreter = "/opt/b\xffsh",
    .arguments = arguments,
    .standard_input = input,
    .limits = FH_RUN_LIMITS_DEFAULT,
  };

  return fh_run_request_new (&init, NULL);
}

static char *
to_text (FhRunRequest *request)
{
  g_autoptr (JsonNode) node = fh_run_request_to_json (request);

  return fh_json_to_text (node, TRUE);
}

static FhRunRequest *
from_text (const char *text, GError **error)
{
  g_autoptr (JsonObject) object =
      fh_json_guard_parse (text, strlen (text), (gsize) 64 << 20, error);

  return object != NULL ? fh_run_request_from_json (object, error) : NULL;
}

static void
assert_round_trip (const char *source, gsize size)
{
  g_autoptr (FhRunRequest) request = make_request (source, size);
  g_autofree char *text = to_text (request);
  g_autoptr (GError) error = NULL;
  g_autoptr (FhRunRequest) copy = from_text (text, &error);
  g_autofree char *again = NULL;

  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (fh_run_request_get_parts (request)->source,
                                fh_run_request_get_parts (copy)->source));
  g_assert_true (g_bytes_equal (fh_run_request_get_parts (request)->standard_input,
                                fh_run_request_get_parts (copy)->standard_input));
  g_assert_true (fh_run_request_get_parts (request)->language ==
                 fh_run_request_get_parts (copy)->language);
  g_assert_cmpstr (fh_run_request_get_parts (request)->title,
                   ==,
                   fh_run_request_get_parts (copy)->title);
  g_assert_cmpstr (fh_run_request_get_parts (request)->interpreter,
                   ==,
                   fh_run_request_get_parts (copy)->interpreter);
  g_assert_cmpstrv (fh_run_request_get_parts (request)->arguments,
                    fh_run_request_get_parts (copy)->arguments);
  g_assert_true (fh_run_limits_equal (&fh_run_request_get_parts (request)->limits,
                                      &fh_run_request_get_parts (copy)->limits));
  again = to_text (copy);
  g_assert_cmpstr (text, ==, again);
}

static void
test_round_trip (void)
{
  static const char all_bytes[] = "\x01\x1f\x7f\"\\/\b\f\r\t\n'<>&\u2028\u2029";
  g_autofree char *large = g_strnfill (FH_RUN_REQUEST_MAX_SOURCE, '\\');
  g_autofree char *binary = g_malloc (70000);

  assert_round_trip ("", 0);
  assert_round_trip ("echo 'it\\'s' \"{braces}\" \\\n", 25);
  assert_round_trip (all_bytes, strlen (all_bytes));
  assert_round_trip ("nul\0nul", 7);
  assert_round_trip ("\xff\xfe", 2);
  assert_round_trip ("emoji \xf0\x9f\x98\x80", 10);
  assert_round_trip (large, FH_RUN_REQUEST_MAX_SOURCE);
  for (guint i = 0; i < 70000; i++)
    binary[i] = (char) g_test_rand_int ();
  assert_round_trip (binary, 70000);
}

static void
test_least (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhRunRequest) request = from_text (
      "{\"version\": 1, \"language\": \"py\", \"title\": \"\", \"source\": \"x\", \"future\": [1],"
      " \"limits\": {\"wall_ms\": 0, \"cpu_ms\": 0, \"memory_bytes\": 0, \"disk_bytes\": 0,"
      " \"output_bytes\": 0, \"processes\": 0}}",
      &error);

  g_assert_no_error (error);
  g_assert_cmpstr (fh_run_request_get_parts (request)->title, ==, "x");
  g_assert_null (fh_run_request_get_parts (request)->interpreter);
  g_assert_null (fh_run_request_get_parts (request)->standard_input);
  g_assert_null (fh_run_request_get_parts (request)->arguments[0]);
}

/* Puts `value` in the place of a member of a good text. */
static void
assert_refused (const char *member, const char *value, int code)
{
  g_autoptr (FhRunRequest) request = make_request ("x", 1);
  g_autoptr (JsonNode) node = fh_run_request_to_json (request);
  JsonObject *object = json_node_get_object (node);
  g_autoptr (JsonNode) replacement = json_from_string (value, NULL);
  g_autoptr (GError) error = NULL;

  g_test_message ("%s: %s", member, value);
  if (replacement == NULL)
    json_object_remove_member (object, member);
  else
    json_object_set_member (object, member, g_steal_pointer (&replacement));
  g_assert_null (fh_run_request_from_json (object, &error));
  g_assert_error (error, FH_RUN_ERROR, code);
}

static char *
limits_with (const char *wall_ms, const char *processes)
{
  return g_strconcat ("{\"wall_ms\": ",
                      wall_ms,
                      ", \"cpu_ms\": 0, \"memory_bytes\": 0, \"disk_bytes\": 0,"
                      " \"output_bytes\": 0, \"processes\": ",
                      processes,
                      "}",
                      NULL);
}

static void
test_refused (void)
{
  static const char *const members[] = { "version", "language", "title", "source", "limits" };
  g_autofree char *negative = limits_with ("-1", "1");
  g_autofree char *short_time = limits_with ("5", "1");
  g_autofree char *many = limits_with ("0", "4294967296");
  g_autofree char *fraction = limits_with ("1000.5", "1");

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      assert_refused (members[i], "", FH_RUN_ERROR_INVALID);
      assert_refused (members[i], "[]", FH_RUN_ERROR_INVALID);
      assert_refused (members[i], "true", FH_RUN_ERROR_INVALID);
    }
  assert_refused ("version", "2", FH_RUN_ERROR_INVALID);
  assert_refused ("version", "0", FH_RUN_ERROR_INVALID);
  assert_refused ("language", "\"cobol\"", FH_RUN_ERROR_LANGUAGE);
  assert_refused ("source", "{\"base64\": \"not base64!\"}", FH_RUN_ERROR_INVALID);
  assert_refused ("source", "{\"base64\": \"YWI\"}", FH_RUN_ERROR_INVALID);
  assert_refused ("source", "{\"base64\": 5}", FH_RUN_ERROR_INVALID);
  assert_refused ("source", "{\"other\": \"x\"}", FH_RUN_ERROR_INVALID);
  assert_refused ("source", "null", FH_RUN_ERROR_INVALID);
  assert_refused ("interpreter", "5", FH_RUN_ERROR_INVALID);
  assert_refused ("interpreter", "\"python3\"", FH_RUN_ERROR_INTERPRETER);
  assert_refused ("interpreter", "{\"base64\": \"L2EAYg==\"}", FH_RUN_ERROR_INVALID);
  assert_refused ("arguments", "\"x\"", FH_RUN_ERROR_INVALID);
  assert_refused ("arguments", "[null]", FH_RUN_ERROR_INVALID);
  assert_refused ("arguments", "[[\"x\"]]", FH_RUN_ERROR_INVALID);
  assert_refused ("stdin", "5", FH_RUN_ERROR_INVALID);
  assert_refused ("limits", "{}", FH_RUN_ERROR_INVALID);
  assert_refused ("limits", negative, FH_RUN_ERROR_INVALID);
  assert_refused ("limits", short_time, FH_RUN_ERROR_INVALID);
  assert_refused ("limits", many, FH_RUN_ERROR_INVALID);
  assert_refused ("limits", fraction, FH_RUN_ERROR_INVALID);
}

static void
test_text (void)
{
  g_autoptr (FhRunRequest) request = make_request ("x\x01y", 3);
  g_autoptr (JsonNode) node = fh_run_request_to_json (request);
  g_autofree char *text = fh_json_to_text (node, FALSE);
  g_autoptr (GBytes) expected = g_bytes_new (text, strlen (text));

  g_assert_true (g_bytes_equal (fh_run_request_get_text (request), expected));
  g_assert_true (fh_run_request_get_text (request) == fh_run_request_get_text (request));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-request-json/round-trip", test_round_trip);
  g_test_add_func ("/run-request-json/least", test_least);
  g_test_add_func ("/run-request-json/refused", test_refused);
  g_test_add_func ("/run-request-json/text", test_text);
  return g_test_run ();
}
