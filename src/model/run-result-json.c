/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-result-json.h"

#include "attempt-json.h"
#include "folder-changes-json.h"
#include "json-member.h"
#include "output-cut.h"
#include "output-log-private.h"
#include "result-file-json.h"
#include "valid-text.h"

#define VERSION 1 /* read by run-result-json-reader.c */

/* Characters of the line that a failed program wrote last. */
#define MAX_ERROR 500

/* Absent numbers are null, which cannot be mistaken for an exit code. */
static void
set_int_or_null (JsonObject *object, const char *name, gint64 value, gboolean is_there)
{
  if (is_there)
    json_object_set_int_member (object, name, value);
  else
    json_object_set_null_member (object, name);
}

static void
set_uint (JsonObject *object, const char *name, guint64 value)
{
  json_object_set_int_member (object, name, (gint64) MIN (value, G_MAXINT64));
}

static void
set_string_or_null (JsonObject *object, const char *name, const char *value)
{
  if (value != NULL)
    json_object_set_string_member (object, name, value);
  else
    json_object_set_null_member (object, name);
}

/* Why it failed: what the program itself said last, or our sentence about the end. They are told
 * apart, because a program can say anything. */
static void
add_error (JsonObject *object, FhRunResult *result)
{
  FhRunStatus status = fh_run_result_get_status (result);
  g_autofree char *line = NULL;
  gboolean is_reported;

  if (status == FH_RUN_STATUS_FAILED)
    line = fh_output_log_dup_error (fh_run_result_get_output (result), FH_STREAM_STDERR, MAX_ERROR);
  is_reported = line != NULL && *line != '\0';
  set_string_or_null (object,
                      "error",
                      is_reported                  ? line
                      : status == FH_RUN_STATUS_OK ? NULL
                                                   : fh_run_result_get_sentence (result));
  set_string_or_null (object,
                      "error_from",
                      is_reported                  ? "program"
                      : status == FH_RUN_STATUS_OK ? NULL
                                                   : "fumehood");
}

/* Members that scripts know from other systems, with the same meaning. */
static void
add_known_names (JsonObject *object, FhRunResult *result, FhOutputLog *output)
{
  const FhRunOutcome *outcome = fh_run_result_get_outcome (result);
  g_autofree char *out = fh_output_log_dup_text (output, FH_STREAM_STDOUT);
  g_autofree char *err = fh_output_log_dup_text (output, FH_STREAM_STDERR);

  json_object_set_boolean_member (object, "success", outcome->status == FH_RUN_STATUS_OK);
  json_object_set_string_member (object, "stdout", out);
  json_object_set_string_member (object, "stderr", err);
  json_object_set_boolean_member (object, "truncated", fh_output_log_is_truncated (output));
  add_error (object, result);
  json_object_set_boolean_member (object, "timeout", outcome->status == FH_RUN_STATUS_TIMED_OUT);
  json_object_set_boolean_member (object,
                                  "memory_exceeded",
                                  outcome->status == FH_RUN_STATUS_MEMORY_EXCEEDED);
  set_int_or_null (object, "exit_code", outcome->exit_code, outcome->exit_code >= 0);
  json_object_set_double_member (object, "execution_time", (double) outcome->wall_us / 1e6);
}

static void
add_outcome (JsonObject *object, FhRunResult *result)
{
  const FhRunOutcome *outcome = fh_run_result_get_outcome (result);
  g_autofree char *advice = fh_run_result_dup_advice (result);

  json_object_set_string_member (object, "status", fh_run_status_to_string (outcome->status));
  set_string_or_null (object, "cause", fh_run_cause_to_string (outcome->cause));
  json_object_set_string_member (object, "sentence", fh_run_result_get_sentence (result));
  set_string_or_null (object, "advice", advice);
  set_int_or_null (object, "signal", outcome->signal, outcome->signal >= 0);
  set_string_or_null (object,
                      "signal_name",
                      outcome->signal >= 0 ? fh_signal_name (outcome->signal) : NULL);
  set_uint (object, "wall_us", outcome->wall_us);
  set_uint (object, "cpu_user_us", outcome->cpu_user_us);
  set_uint (object, "cpu_system_us", outcome->cpu_system_us);
  set_uint (object, "memory_peak", outcome->memory_peak);
  set_uint (object, "processes_peak", outcome->processes_peak);
  set_uint (object, "processes_ended", outcome->processes_ended);
  set_uint (object, "limit_ms", outcome->limit_ms);
  set_uint (object, "limit_bytes", outcome->limit_bytes);
  set_string_or_null (object, "step", outcome->step);
  set_int_or_null (object, "errno", outcome->error, outcome->error != 0);
  set_string_or_null (object, "message", outcome->message);
  if (outcome->block > 0)
    {
      set_uint (object, "block", outcome->block);
      set_uint (object, "blocks_left", outcome->blocks_left);
    }
  if (outcome->value != NULL)
    json_object_set_string_member (object, "value", outcome->value);
}

static JsonNode *
part_to_node (const guint8 *data, gsize size)
{
  g_autoptr (GBytes) bytes = g_bytes_new (data, size);

  return fh_json_bytes_to_node (bytes);
}

/* Counters of one stream and, where its text is not exactly what was kept, the bytes. */
static JsonObject *
stream_to_json (FhOutputLog *output, FhStream stream)
{
  FhStreamView view = fh_output_log_view (output, stream);
  g_autoptr (GBytes) bytes = fh_output_log_dup_bytes (output, stream);
  JsonObject *object = json_object_new ();
  gconstpointer data;
  gsize size;

  set_uint (object, "bytes", fh_output_log_get_total (output, stream));
  set_uint (object, "kept", view.head_size + view.tail_size);
  json_object_set_boolean_member (object, "truncated", view.skipped > 0);
  data = g_bytes_get_data (bytes, &size);
  if (view.skipped > 0 || !fh_valid_text_check (data, size))
    {
      json_object_set_member (object, "head", part_to_node (view.head, view.head_size));
      json_object_set_member (object, "tail", part_to_node (view.tail, view.tail_size));
    }
  return object;
}

static JsonArray *
strings_to_json (const char *const *strings)
{
  JsonArray *array = json_array_new ();

  for (gsize i = 0; strings[i] != NULL; i++)
    json_array_add_string_element (array, strings[i]);
  return array;
}

JsonArray *
fh_guard_states_to_json (GPtrArray *guards)
{
  JsonArray *array;

  g_return_val_if_fail (guards != NULL, NULL);

  array = json_array_new ();
  for (guint i = 0; i < guards->len; i++)
    {
      FhGuardState *state = g_ptr_array_index (guards, i);
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object,
                                     "guard",
                                     fh_guard_to_string (fh_guard_state_get_guard (state)));
      json_object_set_string_member (object,
                                     "level",
                                     fh_guard_level_to_string (fh_guard_state_get_level (state)));
      json_object_set_string_member (object, "layers", fh_guard_state_get_layers (state));
      set_string_or_null (object, "reason", fh_guard_state_get_reason (state));
      json_object_set_array_member (object,
                                    "shown",
                                    strings_to_json (fh_guard_state_get_shown (state)));
      json_object_set_string_member (object, "sentence", fh_guard_state_get_sentence (state));
      json_array_add_object_element (array, object);
    }
  return array;
}

JsonNode *
fh_run_result_to_json (FhRunResult *result)
{
  return fh_run_result_to_json_cut (result, 0);
}

JsonNode *
fh_run_result_to_json_cut (FhRunResult *result, guint64 show_bytes)
{
  g_autoptr (JsonObject) object = NULL;
  g_autoptr (FhOutputLog) output = NULL;
  g_autofree char *started_at = NULL;
  JsonObject *streams;

  g_return_val_if_fail (FH_IS_RUN_RESULT (result), NULL);

  output = fh_output_log_cut (fh_run_result_get_output (result), show_bytes);
  object = json_object_new ();
  json_object_set_int_member (object, "version", VERSION);
  add_known_names (object, result, output);
  add_outcome (object, result);
  started_at = g_date_time_format_iso8601 (fh_run_result_get_started_at (result));
  json_object_set_string_member (object, "started_at", started_at);
  json_object_set_string_member (object, "backend", fh_run_result_get_backend (result));
  json_object_set_string_member (object, "tier", fh_run_result_get_tier (result));
  streams = json_object_new ();
  json_object_set_object_member (streams, "stdout", stream_to_json (output, FH_STREAM_STDOUT));
  json_object_set_object_member (streams, "stderr", stream_to_json (output, FH_STREAM_STDERR));
  json_object_set_object_member (object, "streams", streams);
  json_object_set_array_member (object,
                                "guards",
                                fh_guard_states_to_json (fh_run_result_get_guards (result)));
  fh_attempts_add_to_json (fh_run_result_get_attempts (result), object);
  fh_result_files_add_to_json (fh_run_result_get_files (result), object);
  if (fh_run_result_get_changes (result) != NULL)
    fh_folder_changes_add_to_json (fh_run_result_get_changes (result), object);
  return json_node_init_object (json_node_alloc (), object);
}
