/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run tried comes back from JSON as it was, and nonsense is refused. */
#include <errno.h>
#include <string.h>

#include "attempt-log.h"
#include "json-guard.h"
#include "json-text.h"
#include "run-error.h"

static FhAttemptLog *
make_log (void)
{
  FhAttemptLog *log = fh_attempt_log_new ();
  g_autoptr (FhAttempt) hidden = fh_attempt_new (&(FhAttemptFacts){
      .guard = FH_GUARD_FILESYSTEM,
      .verdict = FH_VERDICT_HIDDEN,
      .exists_outside = TRUE,
      .is_lasting = TRUE,
      .is_uncertain = TRUE,
      .error = ENOENT,
      .time_us = 12345678,
      .process = 4,
      .line = 17,
      .count = 3,
      .layer = "mount",
      .operation = "open",
      .object = "/home/ann/.ssh/\"id\"\n\xff",
      .command = "python3",
  });
  g_autoptr (FhAttempt) reported = fh_attempt_new (&(FhAttemptFacts){
      .guard = FH_GUARD_NETWORK,
      .verdict = FH_VERDICT_OBSERVED,
      .is_reported = TRUE,
      .operation = "request",
      .object = "http://a.example",
  });
  g_autoptr (FhAttempt) end = fh_attempt_new (&(FhAttemptFacts){
      .guard = FH_GUARD_TIME,
      .verdict = FH_VERDICT_LIMITED,
      .ended_run = TRUE,
      .is_missing = TRUE,
      .operation = "run on",
      .object = "",
  });

  fh_attempt_log_add (log, hidden);
  fh_attempt_log_add (log, reported);
  fh_attempt_log_add (log, end);
  fh_attempt_log_set_n_dropped (log, 55);
  return log;
}

static JsonObject *
to_object (FhAttemptLog *log)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autofree char *text = NULL;
  JsonObject *object = json_object_new ();
  g_autoptr (GError) error = NULL;

  fh_attempts_add_to_json (log, object);
  json_node_take_object (node, object);
  text = fh_json_to_text (node, FALSE);
  object = fh_json_guard_parse (text, strlen (text), 1 << 20, &error);
  g_assert_no_error (error);
  return object;
}

static void
test_members (void)
{
  g_autoptr (FhAttemptLog) log = make_log ();
  g_autoptr (JsonObject) object = to_object (log);
  JsonArray *array = json_object_get_array_member (object, "attempts");
  JsonObject *first = json_array_get_object_element (array, 0);
  JsonObject *second = json_array_get_object_element (array, 1);

  g_assert_cmpint (json_object_get_int_member (object, "attempts_dropped"), ==, 55);
  g_assert_cmpint (json_object_get_int_member (object, "attempts_stopped"), ==, 1);
  g_assert_cmpstr (json_object_get_string_member (first, "guard"), ==, "filesystem");
  g_assert_cmpstr (json_object_get_string_member (first, "verdict"), ==, "hidden");
  g_assert_cmpstr (json_object_get_string_member (first, "error"), ==, "ENOENT");
  g_assert_cmpint (json_object_get_int_member (first, "time_ms"), ==, 12345);
  g_assert_cmpint (json_object_get_int_member (first, "line"), ==, 17);
  g_assert_true (json_object_get_boolean_member (first, "exists_outside"));
  g_assert_true (json_object_get_boolean_member (first, "lasting"));
  g_assert_false (json_object_get_boolean_member (second, "lasting"));
  g_assert_true (json_object_get_boolean_member (first, "uncertain"));
  g_assert_false (json_object_get_boolean_member (first, "reported_by_program"));
  g_assert_true (json_object_has_member (first, "title"));
  g_assert_true (json_object_has_member (first, "sentence"));
  g_assert_true (json_object_get_null_member (second, "error"));
  g_assert_true (json_object_get_null_member (second, "line"));
  g_assert_true (json_object_get_null_member (second, "process"));
  g_assert_true (json_object_get_boolean_member (second, "reported_by_program"));
}

static void
test_round_trip (void)
{
  g_autoptr (FhAttemptLog) log = make_log ();
  g_autoptr (JsonObject) object = to_object (log);
  g_autoptr (GError) error = NULL;
  g_autoptr (FhAttemptLog) copy = fh_attempts_from_json (object, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (copy)), ==, 3);
  g_assert_cmpuint (fh_attempt_log_get_n_dropped (copy), ==, 55);
  for (guint i = 0; i < 3; i++)
    {
      const FhAttemptFacts *a = fh_attempt_get_facts (fh_attempt_log_get (log, i));
      const FhAttemptFacts *b = fh_attempt_get_facts (fh_attempt_log_get (copy, i));

      g_assert_true (
          fh_attempt_is_same (fh_attempt_log_get (log, i), fh_attempt_log_get (copy, i)));
      g_assert_cmpint (a->error, ==, b->error);
      g_assert_cmpuint (a->time_us / 1000, ==, b->time_us / 1000);
      g_assert_cmpuint (a->process, ==, b->process);
      g_assert_cmpuint (a->line, ==, b->line);
      g_assert_cmpuint (a->count, ==, b->count);
      g_assert_cmpstr (a->layer, ==, b->layer);
      g_assert_cmpstr (a->command, ==, b->command);
      g_assert_cmpint (a->exists_outside, ==, b->exists_outside);
      g_assert_cmpint (a->is_lasting, ==, b->is_lasting);
      g_assert_cmpint (a->is_uncertain, ==, b->is_uncertain);
      g_assert_cmpint (a->is_missing, ==, b->is_missing);
      g_assert_cmpint (a->ended_run, ==, b->ended_run);
    }
}

/* Older records do not say what ended the run: a limit that refused something has an error. */
static void
test_older (void)
{
  static const char *const errors[] = { "null", "\"EAGAIN\"" };

  for (guint i = 0; i < G_N_ELEMENTS (errors); i++)
    {
      g_autoptr (FhAttemptLog) log = make_log ();
      g_autoptr (JsonObject) object = to_object (log);
      JsonArray *array = json_object_get_array_member (object, "attempts");
      JsonObject *limited = json_array_get_object_element (array, 2);
      g_autoptr (FhAttemptLog) read = NULL;

      json_object_remove_member (limited, "ended_run");
      json_object_remove_member (limited, "missing");
      json_object_set_member (limited, "error", json_from_string (errors[i], NULL));
      read = fh_attempts_from_json (object, NULL);
      g_assert_cmpint (fh_attempt_get_facts (fh_attempt_log_get (read, 2))->ended_run, ==, i == 0);
    }
}

static void
test_absent (void)
{
  g_autoptr (JsonObject) object = json_object_new ();
  g_autoptr (FhAttemptLog) log = fh_attempts_from_json (object, NULL);

  g_assert_nonnull (log);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (log)), ==, 0);
}

/* Puts `value` in the place of a member of the first attempt, or of the whole when `is_outer`. */
static gboolean
is_read_with (const char *member, const char *value, gboolean is_outer)
{
  g_autoptr (FhAttemptLog) log = make_log ();
  g_autoptr (JsonObject) object = to_object (log);
  JsonArray *array = json_object_get_array_member (object, "attempts");
  JsonObject *target = is_outer ? object : json_array_get_object_element (array, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (FhAttemptLog) read = NULL;

  g_test_message ("%s: %s", member, value);
  if (value != NULL)
    json_object_set_member (target, member, json_from_string (value, NULL));
  else
    json_object_remove_member (target, member);
  read = fh_attempts_from_json (object, &error);
  if (read == NULL)
    g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  return read != NULL;
}

static void
test_nonsense (void)
{
  g_autoptr (GString) many = g_string_new ("[");

  g_assert_false (is_read_with ("attempts", "{}", TRUE));
  g_assert_false (is_read_with ("attempts", "[1]", TRUE));
  g_assert_false (is_read_with ("attempts_dropped", "-1", TRUE));
  g_assert_false (is_read_with ("attempts_dropped", NULL, TRUE));
  g_assert_false (is_read_with ("guard", "\"guardian angel\"", FALSE));
  g_assert_false (is_read_with ("verdict", "\"forgiven\"", FALSE));
  g_assert_false (is_read_with ("count", "-1", FALSE));
  g_assert_false (is_read_with ("count", "4294967296", FALSE));
  g_assert_false (is_read_with ("line", "\"1\"", FALSE));
  g_assert_false (is_read_with ("time_ms", "9223372036854775807", FALSE));
  g_assert_false (is_read_with ("object", "null", FALSE));
  g_assert_false (is_read_with ("exists_outside", "1", FALSE));
  g_assert_false (is_read_with ("error", "2", FALSE));
  g_assert_false (is_read_with ("missing", "1", FALSE));
  g_assert_false (is_read_with ("ended_run", "null", FALSE));
  g_assert_true (is_read_with ("error", "\"EFROMELSEWHERE\"", FALSE));
  g_assert_true (is_read_with ("title", NULL, FALSE));
  for (guint i = 0; i <= FH_ATTEMPT_LOG_MAX; i++)
    g_string_append (many, i == 0 ? "{}" : ",{}");
  g_string_append (many, "]");
  g_assert_false (is_read_with ("attempts", many->str, TRUE));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/attempt-json/members", test_members);
  g_test_add_func ("/attempt-json/round-trip", test_round_trip);
  g_test_add_func ("/attempt-json/older", test_older);
  g_test_add_func ("/attempt-json/absent", test_absent);
  g_test_add_func ("/attempt-json/nonsense", test_nonsense);
  return g_test_run ();
}
