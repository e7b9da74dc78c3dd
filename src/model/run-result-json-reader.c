/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-result-json.h"

#include <string.h>

#include "attempt-json.h"
#include "folder-changes-json.h"
#include "json-member.h"
#include "output-log-private.h"
#include "result-file-json.h"

#define VERSION 1 /* written by run-result-json.c */

/* As many folders can be bound: FH_POLICY_MAX_BINDS. */
#define MAX_SHOWN 64

/* Sentences, titles and members for scripts are generated from the fields, so that a modified text
 * cannot contradict itself. */

/* Null gives `absent`. */
static gboolean
get_small_int (JsonObject *object, const char *name, int absent, int *value, GError **error)
{
  guint64 number;

  *value = absent;
  if (fh_json_is_null (object, name))
    return TRUE;
  if (!fh_json_get_number (object, name, G_MAXINT, &number, error))
    return FALSE;
  *value = (int) number;
  return TRUE;
}

static gboolean
get_string_or_null (JsonObject *object, const char *name, const char **value, GError **error)
{
  *value = NULL;
  return fh_json_is_null (object, name) || fh_json_get_string (object, name, value, error);
}

static gboolean
get_status (JsonObject *object, FhRunOutcome *outcome, GError **error)
{
  const char *status;
  const char *cause;

  if (!fh_json_get_string (object, "status", &status, error) ||
      !get_string_or_null (object, "cause", &cause, error))
    return FALSE;
  if (!fh_run_status_from_string (status, &outcome->status))
    return fh_json_refuse_member ("status", error);
  if (!fh_run_cause_from_string (cause, &outcome->cause))
    return fh_json_refuse_member ("cause", error);
  return TRUE;
}

static gboolean
get_outcome (JsonObject *object, FhRunOutcome *outcome, GError **error)
{
  guint64 processes_peak;
  guint64 processes_ended = 0; /* unknown to earlier versions, as are these */
  guint64 block = 0, blocks_left = 0;

  if (!get_status (object, outcome, error) ||
      !get_small_int (object, "exit_code", -1, &outcome->exit_code, error) ||
      !get_small_int (object, "signal", -1, &outcome->signal, error) ||
      !get_small_int (object, "errno", 0, &outcome->error, error) ||
      !fh_json_get_number (object, "wall_us", G_MAXINT64, &outcome->wall_us, error) ||
      !fh_json_get_number (object, "cpu_user_us", G_MAXINT64, &outcome->cpu_user_us, error) ||
      !fh_json_get_number (object, "cpu_system_us", G_MAXINT64, &outcome->cpu_system_us, error) ||
      !fh_json_get_number (object, "memory_peak", G_MAXINT64, &outcome->memory_peak, error) ||
      !fh_json_get_number (object, "processes_peak", G_MAXUINT, &processes_peak, error) ||
      (json_object_has_member (object, "processes_ended") &&
       !fh_json_get_number (object, "processes_ended", G_MAXUINT, &processes_ended, error)) ||
      !fh_json_get_number (object, "limit_ms", G_MAXINT64, &outcome->limit_ms, error) ||
      !fh_json_get_number (object, "limit_bytes", G_MAXINT64, &outcome->limit_bytes, error) ||
      !get_string_or_null (object, "step", &outcome->step, error) ||
      !get_string_or_null (object, "message", &outcome->message, error) ||
      (json_object_has_member (object, "block") &&
       (!fh_json_get_number (object, "block", G_MAXUINT, &block, error) ||
        !fh_json_get_number (object, "blocks_left", G_MAXUINT, &blocks_left, error))) ||
      (json_object_has_member (object, "value") &&
       !fh_json_get_string (object, "value", &outcome->value, error)))
    return FALSE;
  outcome->processes_peak = (guint) processes_peak;
  outcome->processes_ended = (guint) processes_ended;
  outcome->block = (guint) block;
  outcome->blocks_left = (guint) blocks_left;
  return TRUE;
}

/* The text in the member with the stream's name, unless both ends are stored separately. */
static gboolean
get_ends (JsonObject *object,
          const char *name,
          JsonObject *counters,
          GBytes **head,
          GBytes **tail,
          GError **error)
{
  const char *text;

  if (json_object_has_member (counters, "head"))
    return fh_json_bytes_from_node (json_object_get_member (counters, "head"),
                                    "head",
                                    head,
                                    error) &&
           fh_json_bytes_from_node (json_object_get_member (counters, "tail"), "tail", tail, error);
  if (!fh_json_get_string (object, name, &text, error))
    return FALSE;
  *head = g_bytes_new (text, strlen (text));
  *tail = g_bytes_new (NULL, 0);
  return TRUE;
}

static gboolean
get_stream (JsonObject *object,
            JsonObject *streams,
            const char *name,
            FhOutputLog *output,
            FhStream stream,
            GError **error)
{
  JsonNode *node = json_object_get_member (streams, name);
  g_autoptr (GBytes) head = NULL;
  g_autoptr (GBytes) tail = NULL;
  guint64 total;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return fh_json_refuse_member (name, error);
  if (!fh_json_get_number (json_node_get_object (node), "bytes", G_MAXINT64, &total, error) ||
      !get_ends (object, name, json_node_get_object (node), &head, &tail, error))
    return FALSE;
  if (head == NULL || tail == NULL ||
      !fh_output_log_restore_stream (output, stream, head, tail, total))
    return fh_json_refuse_member (name, error);
  return TRUE;
}

static gboolean
get_output (JsonObject *object, FhOutputLog *output, GError **error)
{
  JsonNode *node = json_object_get_member (object, "streams");
  JsonObject *streams;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return fh_json_refuse_member ("streams", error);
  streams = json_node_get_object (node);
  return get_stream (object, streams, "stdout", output, FH_STREAM_STDOUT, error) &&
         get_stream (object, streams, "stderr", output, FH_STREAM_STDERR, error);
}

/* Replaces `state`. Results of earlier versions do not name what was shown. */
static FhGuardState *
get_shown (JsonObject *object, FhGuardState *state, GError **error)
{
  g_autoptr (FhGuardState) before = state;
  g_auto (GStrv) shown = NULL;

  if (!json_object_has_member (object, "shown"))
    return g_steal_pointer (&before);
  if (!fh_json_get_strings (object, "shown", MAX_SHOWN, &shown, error))
    return NULL;
  return fh_guard_state_new_showing (before, (const char *const *) shown);
}

static FhGuardState *
get_guard (JsonNode *node, GError **error)
{
  JsonObject *object;
  const char *guard_text;
  const char *level_text;
  const char *layers;
  const char *reason;
  FhGuardLevel level;
  FhGuard guard;
  FhGuardState *state;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    {
      fh_json_refuse_member ("guards", error);
      return NULL;
    }
  object = json_node_get_object (node);
  if (!fh_json_get_string (object, "guard", &guard_text, error) ||
      !fh_json_get_string (object, "level", &level_text, error) ||
      !fh_json_get_string (object, "layers", &layers, error) ||
      !get_string_or_null (object, "reason", &reason, error))
    return NULL;
  if (!fh_guard_from_string (guard_text, &guard) ||
      !fh_guard_level_from_string (level_text, &level))
    {
      fh_json_refuse_member ("guards", error);
      return NULL;
    }
  state = fh_guard_state_new (guard, level, layers, reason);
  return get_shown (object, state, error);
}

static gboolean
get_guards (JsonObject *object, GPtrArray *guards, GError **error)
{
  JsonArray *array = fh_json_get_array (object, "guards", FH_N_GUARDS, error);

  if (array == NULL)
    return FALSE;
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      FhGuardState *state = get_guard (json_array_get_element (array, i), error);

      if (state == NULL)
        return FALSE;
      g_ptr_array_add (guards, state);
    }
  return TRUE;
}

static GDateTime *
get_started_at (JsonObject *object, GError **error)
{
  const char *text;
  GDateTime *started_at;

  if (!fh_json_get_string (object, "started_at", &text, error))
    return NULL;
  started_at = g_date_time_new_from_iso8601 (text, NULL);
  if (started_at == NULL)
    fh_json_refuse_member ("started_at", error);
  return started_at;
}

FhRunResult *
fh_run_result_from_json (JsonObject *object, GError **error)
{
  g_autoptr (FhOutputLog) output = NULL;
  g_autoptr (GPtrArray) guards = NULL;
  g_autoptr (FhAttemptLog) attempts = NULL;
  g_autoptr (FhResultFiles) files = NULL;
  g_autoptr (FhFolderChanges) changes = NULL;
  g_autoptr (GDateTime) started_at = NULL;
  FhRunOutcome outcome = { 0 };
  const char *backend;
  const char *tier;

  g_return_val_if_fail (object != NULL, NULL);

  if (!fh_json_check_version (object, VERSION, error) || !get_outcome (object, &outcome, error) ||
      !fh_json_get_string (object, "backend", &backend, error) ||
      !fh_json_get_string (object, "tier", &tier, error))
    return NULL;
  started_at = get_started_at (object, error);
  if (started_at == NULL)
    return NULL;
  output = fh_output_log_new ();
  guards = g_ptr_array_new_with_free_func (g_object_unref);
  if (!get_output (object, output, error) || !get_guards (object, guards, error))
    return NULL;
  attempts = fh_attempts_from_json (object, error);
  if (attempts == NULL)
    return NULL;
  files = fh_result_files_from_json (object, error);
  if (files == NULL || !fh_folder_changes_from_json (object, &changes, error))
    return NULL;
  return fh_run_result_new (&(FhRunResultParts){
      .outcome = &outcome,
      .output = output,
      .attempts = attempts,
      .files = files,
      .changes = changes,
      .guards = guards,
      .started_at = started_at,
      .backend = backend,
      .tier = tier,
  });
}
