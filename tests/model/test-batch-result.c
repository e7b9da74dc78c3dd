/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "batch-result.h"

#include <string.h>

#include "batch-marker.h"
#include "json-guard.h"
#include "json-text.h"
#include "run-result.h"

static FhRunResult *
new_result (FhRunStatus status, int exit_code, int signal, const char *out, const char *err)
{
  g_autoptr (FhOutputLog) output = fh_output_log_new ();
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  const FhRunOutcome outcome = { .status = status, .exit_code = exit_code, .signal = signal };

  fh_output_log_append (output, FH_STREAM_STDOUT, 1, out, strlen (out));
  fh_output_log_append (output, FH_STREAM_STDERR, 2, err, strlen (err));
  return fh_run_result_new (&(FhRunResultParts){
      .outcome = &outcome,
      .output = output,
      .started_at = now,
      .backend = "native",
  });
}

typedef struct
{
  FhRunStatus status;
  int exit_code;
  int signal;
  const char *out;
  const char *err;
  const char *expected;
  const char *words;
} Case;

static const Case cases[] = {
  { FH_RUN_STATUS_OK, 0, -1, "x", "", NULL, "passed" },
  { FH_RUN_STATUS_OK, 0, -1, "5\n", "", "5", "passed" },
  { FH_RUN_STATUS_OK, 0, -1, "5", "", "5 \n\n", "passed" },
  { FH_RUN_STATUS_OK, 0, -1, "", "", "", "passed" },
  { FH_RUN_STATUS_OK, 0, -1, " 5", "", "5", "failed: wrong output" },
  { FH_RUN_STATUS_OK, 0, -1, "", "", "5", "failed: wrong output" },
  { FH_RUN_STATUS_FAILED, 1, -1, "5", "a\nNameError: b\n\n", "5", "failed: NameError: b" },
  { FH_RUN_STATUS_FAILED, 3, -1, "", "", NULL, "failed: exit code 3" },
  { FH_RUN_STATUS_TIMED_OUT, -1, 9, "", "x", NULL, "timed out" },
  { FH_RUN_STATUS_SIGNALLED, -1, 11, "", "x", NULL, "failed: SIGSEGV" },
  { FH_RUN_STATUS_MEMORY_EXCEEDED, -1, 9, "", "x", NULL, "failed: memory-exceeded" },
};

static void
test_verdicts (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *c = &cases[i];
      g_autoptr (FhRunResult) result =
          new_result (c->status, c->exit_code, c->signal, c->out, c->err);
      g_autoptr (GBytes) expected =
          c->expected != NULL ? g_bytes_new_static (c->expected, strlen (c->expected)) : NULL;
      const FhBatchSample sample = { .expected = expected };
      g_autofree char *words = NULL;
      gboolean is_passed = fh_batch_verdict (result, &sample, &words);

      g_assert_cmpstr (words, ==, c->words);
      g_assert_true (is_passed == g_str_equal (words, "passed"));
      g_assert_true (fh_batch_result_counts (result));
    }
}

static void
test_no_verdict (void)
{
  static const FhRunStatus none[] = { FH_RUN_STATUS_STOPPED,
                                      FH_RUN_STATUS_NOT_STARTED,
                                      FH_RUN_STATUS_GUARD_FAILED,
                                      FH_RUN_STATUS_INTERNAL_ERROR };

  for (guint i = 0; i < G_N_ELEMENTS (none); i++)
    {
      g_autoptr (FhRunResult) result = new_result (none[i], -1, -1, "", "");

      g_assert_false (fh_batch_result_counts (result));
    }
}

static void
assert_marker (const char *out, const char *marker, const char *words, const char *left)
{
  g_autoptr (FhRunResult) result = new_result (FH_RUN_STATUS_OK, 0, -1, out, "error");
  g_autoptr (FhRunResult) clean = fh_batch_marker_remove (result, marker);
  g_autofree char *text =
      fh_output_log_dup_text (fh_run_result_get_parts (clean)->output, FH_STREAM_STDOUT);
  const FhBatchSample sample = { .marker = (char *) marker };
  g_autofree char *got = NULL;

  fh_batch_verdict (result, &sample, &got);
  g_assert_cmpstr (got, ==, words);
  g_assert_cmpstr (text, ==, left);
}

static void
test_marker (void)
{
  g_autoptr (GString) program = g_string_new ("check (f)\n");
  g_autofree char *marker = fh_batch_marker_append (program);
  g_autofree char *last = g_strconcat ("out\n", marker, NULL);
  g_autofree char *inside = g_strconcat ("out\n", marker, "more\n", NULL);

  g_assert_nonnull (strstr (program->str, marker));
  assert_marker ("out\n", marker, "failed: ended before its tests", "out\n");
  assert_marker (last, marker, "passed", "out\n");
  assert_marker (inside, marker, "passed", "out\nmore\n");
  assert_marker (last, NULL, "passed", last);
}

static void
test_json (void)
{
  g_autoptr (FhRunResult) result = new_result (FH_RUN_STATUS_FAILED, 1, -1, "", "No\n");
  g_autoptr (JsonNode) node = fh_run_result_to_json (result, 0);
  g_autoptr (GBytes) source = g_bytes_new_static ("1", 1);
  g_autoptr (FhRunRequest) request =
      fh_run_request_new (&(FhRunRequestInit){ .language = fh_language_lookup ("python"),
                                               .source = source,
                                               .limits = FH_RUN_LIMITS_DEFAULT },
                          NULL);
  const FhBatchSample sample = {
    .id = (char *) "a",
    .task_id = (char *) "t",
    .request = request,
    .number = 3,
  };
  g_autofree char *text = NULL;
  g_autofree char *hash = fh_batch_sample_dup_hash (&sample);
  g_autoptr (JsonObject) object = NULL;
  g_autoptr (FhBatchResult) read = NULL;
  g_autoptr (GError) error = NULL;

  fh_batch_result_add_to_json (json_node_get_object (node), &sample, 4, result);
  text = fh_json_to_text (node, FALSE);
  object = fh_json_guard_parse (text, strlen (text), 1 << 20, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (json_object_get_string_member (object, "result"), ==, "failed: No");
  read = fh_batch_result_from_json (object, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (read->id, ==, "a");
  g_assert_cmpstr (read->task_id, ==, "t");
  g_assert_cmpstr (read->hash, ==, hash);
  g_assert_cmpuint (read->number, ==, 3);
  g_assert_cmpuint (read->of, ==, 4);
  g_assert_false (read->is_passed);
  json_object_set_int_member (json_object_get_object_member (object, "sample"), "number", 5);
  g_assert_null (fh_batch_result_from_json (object, &error));
  g_clear_error (&error);
  json_object_remove_member (object, "sample");
  g_assert_null (fh_batch_result_from_json (object, &error));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/batch-result/verdicts", test_verdicts);
  g_test_add_func ("/batch-result/no-verdict", test_no_verdict);
  g_test_add_func ("/batch-result/marker", test_marker);
  g_test_add_func ("/batch-result/json", test_json);
  return g_test_run ();
}
