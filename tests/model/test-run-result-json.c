/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-result.h"

#include <string.h>

#include "json-guard.h"
#include "json-text.h"
#include "run-error.h"

static FhRunResult *
make_result (const FhRunOutcome *outcome, FhOutputLog *output)
{
  g_autoptr (GPtrArray) guards = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GDateTime) started_at = g_date_time_new_utc (2024, 2, 29, 23, 59, 58.123456);
  const char *const shown[] = { "/home/me/venv", "/opt/python", NULL };
  g_autoptr (FhGuardState) files =
      fh_guard_state_new (FH_GUARD_FILESYSTEM, FH_GUARD_LEVEL_ACTIVE, "a, b", NULL);

  g_ptr_array_add (guards, fh_guard_state_new_showing (files, shown));
  g_ptr_array_add (
      guards,
      fh_guard_state_new (FH_GUARD_MEMORY, FH_GUARD_LEVEL_DEGRADED, "sampling", "no-cgroup"));
  return fh_run_result_new (&(FhRunResultParts){
      .outcome = outcome,
      .output = output,
      .guards = guards,
      .started_at = started_at,
      .backend = "native",
      .tier = "A",
  });
}

static FhRunResult *
result_with_output (const char *out, gsize out_size, const char *err, gsize err_size)
{
  g_autoptr (FhOutputLog) output = fh_output_log_new ();
  const FhRunOutcome outcome = { .status = FH_RUN_STATUS_OK, .signal = -1 };

  fh_output_log_append (output, FH_STREAM_STDOUT, 1, out, out_size);
  fh_output_log_append (output, FH_STREAM_STDERR, 2, err, err_size);
  return make_result (&outcome, output);
}

static char *
to_text (FhRunResult *result)
{
  g_autoptr (JsonNode) node = fh_run_result_to_json (result, 0);

  return fh_json_to_text (node, FALSE);
}

/* Through text and back, as a script or an exported file would have it. */
static FhRunResult *
assert_round_trip (FhRunResult *result)
{
  g_autofree char *text = to_text (result);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) object =
      fh_json_guard_parse (text, strlen (text), (gsize) 64 << 20, &error);
  FhRunResult *copy = NULL;
  g_autofree char *again = NULL;

  g_assert_no_error (error);
  copy = fh_run_result_from_json (object, &error);
  g_assert_no_error (error);
  again = to_text (copy);
  g_assert_cmpstr (text, ==, again);
  for (guint i = FH_STREAM_STDOUT; i <= FH_STREAM_STDERR; i++)
    {
      FhStream stream = (FhStream) i;
      g_autoptr (GBytes) a =
          fh_output_log_dup_bytes (fh_run_result_get_parts (result)->output, stream);
      g_autoptr (GBytes) b =
          fh_output_log_dup_bytes (fh_run_result_get_parts (copy)->output, stream);

      g_assert_true (g_bytes_equal (a, b));
    }
  return copy;
}

static void
test_round_trip (void)
{
  const FhRunOutcome outcome = {
    .status = FH_RUN_STATUS_TIMED_OUT,
    .cause = FH_RUN_CAUSE_CPU,
    .exit_code = -1,
    .signal = 9,
    .wall_us = 2000123,
    .waited_us = 1999,
    .cpu_user_us = 1900000,
    .cpu_system_us = 42,
    .memory_peak = (guint64) 5 << 32,
    .processes_peak = 7,
    .processes_ended = 3,
    .error = 13,
    .step = "a step",
    .message = "A “message”\nin two lines.",
    .value = "[1, “ä”]",
    .limit_ms = 2000,
    .limit_bytes = (guint64) 1 << 40,
    .block = 5,
    .blocks_left = 2,
  };
  g_autoptr (FhOutputLog) output = fh_output_log_new ();
  g_autoptr (FhRunResult) result = make_result (&outcome, output);
  g_autoptr (FhRunResult) copy = assert_round_trip (result);
  const FhRunOutcome *back = fh_run_result_get_parts (copy)->outcome;

  g_assert_cmpint (back->status, ==, outcome.status);
  g_assert_cmpint (back->cause, ==, outcome.cause);
  g_assert_cmpint (back->exit_code, ==, -1);
  g_assert_cmpint (back->signal, ==, 9);
  g_assert_cmpuint (back->waited_us, ==, outcome.waited_us);
  g_assert_cmpuint (back->memory_peak, ==, outcome.memory_peak);
  g_assert_cmpuint (back->processes_peak, ==, 7);
  g_assert_cmpuint (back->processes_ended, ==, 3);
  g_assert_cmpint (back->error, ==, 13);
  g_assert_cmpstr (back->step, ==, outcome.step);
  g_assert_cmpstr (back->message, ==, outcome.message);
  g_assert_cmpstr (back->value, ==, outcome.value);
  g_assert_cmpuint (back->limit_bytes, ==, outcome.limit_bytes);
  g_assert_cmpuint (back->block, ==, 5);
  g_assert_cmpuint (back->blocks_left, ==, 2);
  g_assert_true (g_date_time_equal (fh_run_result_get_parts (result)->started_at,
                                    fh_run_result_get_parts (copy)->started_at));
  g_assert_cmpuint (fh_run_result_get_parts (copy)->guards->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      FhGuardState *before = g_ptr_array_index (fh_run_result_get_parts (result)->guards, i);
      FhGuardState *after = g_ptr_array_index (fh_run_result_get_parts (copy)->guards, i);

      g_assert_cmpstrv (fh_guard_state_get_facts (before)->shown,
                        fh_guard_state_get_facts (after)->shown);
      g_assert_cmpstr (fh_guard_state_get_facts (before)->sentence,
                       ==,
                       fh_guard_state_get_facts (after)->sentence);
    }
}

static void
test_output_round_trip (void)
{
  const gsize large = (gsize) 3 << 20;
  g_autofree char *block = g_malloc (large);
  g_autoptr (FhRunResult) plain = result_with_output ("hello\n", 6, "ü\x1b[1m", 6);
  g_autoptr (FhRunResult) nul = result_with_output ("a\0b", 3, "", 0);
  g_autoptr (FhRunResult) invalid = result_with_output ("\xff\xfe", 2, "\xe2\x82", 2);
  g_autoptr (FhRunResult) cut = NULL;
  g_autoptr (FhRunResult) cut_binary = NULL;
  g_autoptr (FhRunResult) binary = NULL;

  g_object_unref (assert_round_trip (plain));
  g_object_unref (assert_round_trip (nul));
  g_object_unref (assert_round_trip (invalid));
  memset (block, 'x', large);
  cut = result_with_output (block, large, "short", 5);
  g_object_unref (assert_round_trip (cut));
  for (gsize i = 0; i < large; i++)
    block[i] = (char) g_test_rand_int ();
  cut_binary = result_with_output (block, large, block, (gsize) 1 << 20);
  g_object_unref (assert_round_trip (cut_binary));
  binary = result_with_output (block, (gsize) 600 << 10, block, 1);
  g_object_unref (assert_round_trip (binary));
}

static JsonObject *
object_for (FhRunOutcome outcome)
{
  g_autoptr (FhOutputLog) output = fh_output_log_new ();
  g_autoptr (FhRunResult) result = NULL;
  g_autoptr (JsonNode) node = NULL;

  fh_output_log_append (output, FH_STREAM_STDOUT, 1, "MemoryError", 11);
  result = make_result (&outcome, output);
  node = fh_run_result_to_json (result, 0);
  return json_node_dup_object (node);
}

static void
assert_flags (JsonObject *object, gboolean success, gboolean timeout, gboolean memory_exceeded)
{
  g_assert_cmpint (json_object_get_boolean_member (object, "success"), ==, success);
  g_assert_cmpint (json_object_get_boolean_member (object, "timeout"), ==, timeout);
  g_assert_cmpint (json_object_get_boolean_member (object, "memory_exceeded"), ==, memory_exceeded);
  g_assert_cmpint (json_object_get_null_member (object, "error"), ==, success);
}

static void
test_known_names (void)
{
  g_autoptr (JsonObject) ok =
      object_for ((FhRunOutcome){ .status = FH_RUN_STATUS_OK, .signal = -1, .wall_us = 1250000 });
  g_autoptr (JsonObject) failed =
      object_for ((FhRunOutcome){ .status = FH_RUN_STATUS_FAILED, .exit_code = 137, .signal = -1 });
  g_autoptr (JsonObject) timeout = object_for (
      (FhRunOutcome){ .status = FH_RUN_STATUS_TIMED_OUT, .exit_code = -1, .signal = 9 });
  g_autoptr (JsonObject) memory = object_for (
      (FhRunOutcome){ .status = FH_RUN_STATUS_MEMORY_EXCEEDED, .exit_code = -1, .signal = 9 });

  assert_flags (ok, TRUE, FALSE, FALSE);
  assert_flags (failed, FALSE, FALSE, FALSE);
  assert_flags (timeout, FALSE, TRUE, FALSE);
  assert_flags (memory, FALSE, FALSE, TRUE);
  g_assert_cmpint (json_object_get_int_member (ok, "exit_code"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (failed, "exit_code"), ==, 137);
  g_assert_true (json_object_get_null_member (timeout, "exit_code"));
  g_assert_true (json_object_get_null_member (ok, "signal"));
  g_assert_cmpstr (json_object_get_string_member (timeout, "signal_name"), ==, "SIGKILL");
  g_assert_cmpfloat (json_object_get_double_member (ok, "execution_time"), ==, 1.25);
  g_assert_cmpstr (json_object_get_string_member (ok, "stdout"), ==, "MemoryError");
  g_assert_cmpstr (json_object_get_string_member (ok, "stderr"), ==, "");
  g_assert_cmpstr (json_object_get_string_member (failed, "error"),
                   ==,
                   "Ended with exit code 137.");
  g_assert_cmpstr (json_object_get_string_member (ok, "started_at"),
                   ==,
                   "2024-02-29T23:59:58.123456Z");
}

static void
assert_error (FhRunStatus status, const char *err, const char *error, const char *from)
{
  const FhRunOutcome outcome = { .status = status, .exit_code = 1, .signal = -1 };
  g_autoptr (FhOutputLog) output = fh_output_log_new ();
  g_autoptr (FhRunResult) result = NULL;
  g_autoptr (JsonNode) node = NULL;
  JsonObject *object;

  fh_output_log_append (output, FH_STREAM_STDERR, 1, err, strlen (err));
  result = make_result (&outcome, output);
  node = fh_run_result_to_json (result, 16);
  object = json_node_get_object (node);
  g_assert_cmpstr (json_object_get_string_member (object, "error"), ==, error);
  g_assert_cmpstr (json_object_get_string_member (object, "error_from"), ==, from);
  g_assert_cmpint (json_object_get_boolean_member (object, "truncated"), ==, strlen (err) > 16);
}

/* A program that fails has the last word about why; nobody else's end is explained by it. */
static void
test_error (void)
{
  static const char traceback[] = "Traceback (most recent call last):\n"
                                  "  File \"/workspace/main.py\", line 1, in <module>\n"
                                  "ZeroDivisionError: division by zero\n";

  assert_error (FH_RUN_STATUS_FAILED, traceback, "ZeroDivisionError: division by zero", "program");
  assert_error (FH_RUN_STATUS_FAILED, "bye\n", "bye", "program");
  assert_error (FH_RUN_STATUS_FAILED, " \n", "Ended with exit code 1.", "fumehood");
  assert_error (FH_RUN_STATUS_TIMED_OUT,
                traceback,
                "Stopped: the time limit was reached.",
                "fumehood");
}

static void
test_guards (void)
{
  g_autoptr (GPtrArray) guards = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (JsonArray) array = NULL;
  JsonObject *object;

  g_ptr_array_add (guards, fh_guard_state_new (FH_GUARD_DISK, FH_GUARD_LEVEL_OFF, "", "no-limit"));
  array = fh_guard_states_to_json (guards);
  g_assert_cmpuint (json_array_get_length (array), ==, 1);
  object = json_array_get_object_element (array, 0);
  g_assert_cmpstr (json_object_get_string_member (object, "guard"), ==, "disk");
  g_assert_cmpstr (json_object_get_string_member (object, "level"), ==, "off");
  g_assert_cmpstr (json_object_get_string_member (object, "reason"), ==, "no-limit");
}

/* Puts `value` in the place of a member of a good text, or takes it away. */
static void
assert_refused (const char *member, const char *value)
{
  g_autoptr (JsonObject) object =
      object_for ((FhRunOutcome){ .status = FH_RUN_STATUS_OK, .signal = -1 });
  g_autoptr (JsonNode) replacement = json_from_string (value, NULL);
  g_autoptr (GError) error = NULL;

  g_test_message ("%s: %s", member, value);
  if (replacement == NULL)
    json_object_remove_member (object, member);
  else
    json_object_set_member (object, member, g_steal_pointer (&replacement));
  g_assert_null (fh_run_result_from_json (object, &error));
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
}

static void
test_refused (void)
{
  static const char *const members[] = {
    "version",     "status",         "cause",      "exit_code", "signal",  "wall_us", "cpu_user_us",
    "memory_peak", "processes_peak", "started_at", "backend",   "streams", "guards",  "stdout",
    "tier",        "step",           "message",    "limit_ms",  "errno",
  };

  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      assert_refused (members[i], "");
      assert_refused (members[i], "true");
      assert_refused (members[i], "{}");
    }
  assert_refused ("version", "2");
  assert_refused ("status", "\"fine\"");
  assert_refused ("cause", "\"wal\"");
  assert_refused ("wall_us", "-1");
  assert_refused ("exit_code", "99999999999");
  assert_refused ("started_at", "\"yesterday\"");
  assert_refused ("stdout", "\"shorter\"");
  assert_refused ("guards", "[1]");
  assert_refused ("guards", "[{}]");
  assert_refused ("guards",
                  "[{\"guard\": \"x\", \"level\": \"off\", \"layers\": \"\", \"reason\": null}]");
  assert_refused ("guards",
                  "[{\"guard\": \"disk\", \"level\": \"off\", \"layers\": \"\", \"reason\": null,"
                  " \"shown\": \"/\"}]");
  assert_refused ("guards",
                  "[{\"guard\": \"disk\", \"level\": \"off\", \"layers\": \"\", \"reason\": null,"
                  " \"shown\": [\"/\", 1]}]");
  assert_refused ("streams", "{\"stdout\": {\"bytes\": 11}}");
  assert_refused ("streams", "{\"stdout\": {\"bytes\": -1}, \"stderr\": {\"bytes\": 0}}");
  assert_refused ("streams",
                  "{\"stdout\": {\"bytes\": 5, \"head\": \"abcdef\", \"tail\": \"\"},"
                  " \"stderr\": {\"bytes\": 0}}");
  assert_refused ("streams",
                  "{\"stdout\": {\"bytes\": 6, \"head\": \"abcdef\", \"tail\": null},"
                  " \"stderr\": {\"bytes\": 0}}");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-result-json/round-trip", test_round_trip);
  g_test_add_func ("/run-result-json/output-round-trip", test_output_round_trip);
  g_test_add_func ("/run-result-json/known-names", test_known_names);
  g_test_add_func ("/run-result-json/error", test_error);
  g_test_add_func ("/run-result-json/guards", test_guards);
  g_test_add_func ("/run-result-json/refused", test_refused);
  return g_test_run ();
}
