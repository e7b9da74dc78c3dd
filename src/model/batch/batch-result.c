/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "batch-result.h"

#include <string.h>

#include "batch-marker.h"
#include "json-member.h"
#include "output-cut.h"

/* Characters of the last line that a failed program wrote. */
#define MAX_REASON 200

void
fh_batch_result_free (FhBatchResult *result)
{
  g_free (result->id);
  g_free (result->task_id);
  g_free (result->hash);
  g_free (result);
}

static gsize
without_space (const char *text, gsize size)
{
  while (size > 0 && g_ascii_isspace (text[size - 1]))
    size--;
  return size;
}

/* Output that was left out is longer than what may be expected. */
static gboolean
is_expected (FhOutputLog *output, GBytes *expected)
{
  g_autoptr (GBytes) written = fh_output_log_dup_bytes (output, FH_STREAM_STDOUT);
  gsize got_size;
  gsize want_size;
  const char *got = g_bytes_get_data (written, &got_size);
  const char *want = g_bytes_get_data (expected, &want_size);

  got_size = without_space (got, got_size);
  want_size = without_space (want, want_size);
  return got_size == want_size && (got_size == 0 || memcmp (got, want, got_size) == 0);
}

static char *
describe_failure (FhRunResult *result)
{
  const FhRunOutcome *outcome = fh_run_result_get_parts (result)->outcome;
  g_autofree char *line = NULL;

  if (outcome->status == FH_RUN_STATUS_SIGNALLED)
    return g_strdup (fh_signal_name (outcome->signal));
  if (outcome->status != FH_RUN_STATUS_FAILED)
    return g_strdup (fh_run_status_to_string (outcome->status));
  line = fh_output_log_dup_error (fh_run_result_get_parts (result)->output,
                                  FH_STREAM_STDERR,
                                  MAX_REASON);
  return *line != '\0' ? g_steal_pointer (&line)
                       : g_strdup_printf ("exit code %d", outcome->exit_code);
}

/* Says what is wrong with a program that has succeeded; NULL: nothing. */
static const char *
find_fault (FhOutputLog *output, const FhBatchSample *sample)
{
  if (sample->tests == FH_BATCH_TESTS_CUT_SHORT)
    return "ended before its tests";
  if (sample->tests == FH_BATCH_TESTS_TOGETHER && sample->marker != NULL &&
      !fh_batch_marker_is_in (output, sample->marker))
    return "ended before its tests";
  if (sample->expected != NULL && !is_expected (output, sample->expected))
    return "wrong output";
  return NULL;
}

gboolean
fh_batch_verdict (FhRunResult *result, const FhBatchSample *sample, char **words)
{
  const FhRunStatus status = fh_run_result_get_parts (result)->outcome->status;
  g_autofree char *reason = NULL;

  if (sample->fault != NULL)
    {
      *words = g_strconcat ("failed: ", sample->fault, NULL);
      return FALSE;
    }
  if (status == FH_RUN_STATUS_TIMED_OUT)
    *words = g_strdup ("timed out");
  else
    {
      reason = status == FH_RUN_STATUS_OK
                   ? g_strdup (find_fault (fh_run_result_get_parts (result)->output, sample))
                   : describe_failure (result);
      *words = reason != NULL ? g_strconcat ("failed: ", reason, NULL) : g_strdup ("passed");
    }
  return status == FH_RUN_STATUS_OK && reason == NULL;
}

gboolean
fh_batch_result_counts (FhRunResult *result)
{
  FhRunStatus status = fh_run_result_get_parts (result)->outcome->status;

  return status != FH_RUN_STATUS_STOPPED && fh_run_status_severity (status) != FH_RUN_SEVERITY_OURS;
}

void
fh_batch_result_add_to_json (JsonObject *object,
                             const FhBatchSample *sample,
                             guint64 of,
                             FhRunResult *result)
{
  g_autofree char *words = NULL;
  g_autofree char *hash = fh_batch_sample_dup_hash (sample);
  gboolean is_passed = fh_batch_verdict (result, sample, &words);
  JsonObject *origin = json_object_new ();
  JsonArray *doubts = json_array_new ();

  json_object_set_string_member (object, "id", sample->id);
  if (sample->task_id != NULL)
    json_object_set_string_member (object, "task_id", sample->task_id);
  else
    json_object_set_null_member (object, "task_id");
  json_object_set_boolean_member (object, "passed", is_passed);
  json_object_set_string_member (object, "result", words);
  json_object_set_boolean_member (object, "markdown", sample->is_markdown);
  if (sample->shared != NULL)
    json_object_set_string_member (object, "shared", sample->shared);
  else
    json_object_set_null_member (object, "shared");
  for (guint i = 0; sample->doubts != NULL && i < sample->doubts->len; i++)
    json_array_add_string_element (doubts, sample->doubts->pdata[i]);
  json_object_set_array_member (object, "doubtful", doubts);
  if (sample->runs > 1)
    {
      json_object_set_int_member (object, "runs", sample->runs);
      json_object_set_int_member (object, "passes", sample->passes);
    }
  json_object_set_int_member (origin, "number", (gint64) sample->number);
  json_object_set_int_member (origin, "of", (gint64) of);
  json_object_set_string_member (origin, "sha256", hash);
  json_object_set_object_member (object, "sample", origin);
}

/* Reads how often the sample passed, if it ran more than once. */
static gboolean
read_runs (FhBatchResult *result, JsonObject *object, GError **error)
{
  guint64 runs;
  guint64 passes;

  if (!json_object_has_member (object, "runs"))
    return TRUE;
  if (!fh_json_get_number (object, "runs", G_MAXUINT, &runs, error) ||
      !fh_json_get_number (object, "passes", runs, &passes, error))
    return FALSE;
  result->is_unsteady = passes > 0 && passes < runs;
  return TRUE;
}

FhBatchResult *
fh_batch_result_from_json (JsonObject *object, GError **error)
{
  g_autoptr (FhBatchResult) result = g_new0 (FhBatchResult, 1);
  JsonObject *origin = fh_json_get_object (object, "sample", error);
  const char *hash;

  if (origin == NULL || !fh_batch_get_name (object, "id", &result->id, error) ||
      !fh_batch_get_name (object, "task_id", &result->task_id, error) ||
      !fh_json_get_bool (object, "passed", &result->is_passed, error) ||
      !read_runs (result, object, error) ||
      !fh_json_get_number (origin, "number", G_MAXINT64, &result->number, error) ||
      !fh_json_get_number (origin, "of", G_MAXINT64, &result->of, error) ||
      !fh_json_get_string (origin, "sha256", &hash, error))
    return NULL;
  if (result->id == NULL || result->number == 0 || result->number > result->of)
    {
      fh_json_refuse_member (result->id == NULL ? "id" : "sample", error);
      return NULL;
    }
  result->hash = g_strdup (hash);
  result->is_shared =
      json_object_has_member (object, "shared") && !fh_json_is_null (object, "shared");
  return g_steal_pointer (&result);
}
