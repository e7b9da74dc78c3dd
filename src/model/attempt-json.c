/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-json.h"

#include <string.h>

#include "json-member.h"

/* Linux has fewer: errno(3). */
#define MAX_ERRNO 255

static void
set_number_or_null (JsonObject *object, const char *name, guint number)
{
  if (number != 0)
    json_object_set_int_member (object, name, number);
  else
    json_object_set_null_member (object, name);
}

static JsonObject *
attempt_to_json (FhAttempt *attempt)
{
  const FhAttemptFacts *facts = fh_attempt_get_facts (attempt);
  g_autofree char *title = fh_attempt_dup_title (attempt);
  g_autofree char *sentence = fh_attempt_dup_sentence (attempt);
  const char *error = facts->error > 0 ? strerrorname_np (facts->error) : NULL;
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "guard", fh_guard_to_string (facts->guard));
  json_object_set_string_member (object, "layer", facts->layer);
  json_object_set_string_member (object, "operation", facts->operation);
  json_object_set_string_member (object, "object", facts->object);
  json_object_set_string_member (object, "verdict", fh_verdict_to_string (facts->verdict));
  if (error != NULL)
    json_object_set_string_member (object, "error", error);
  else
    json_object_set_null_member (object, "error");
  json_object_set_int_member (object, "count", facts->count);
  json_object_set_int_member (object, "time_ms", (gint64) (facts->time_us / 1000));
  set_number_or_null (object, "process", facts->process);
  json_object_set_string_member (object, "command", facts->command);
  json_object_set_boolean_member (object, "exists_outside", facts->exists_outside);
  json_object_set_boolean_member (object, "lasting", facts->is_lasting);
  json_object_set_boolean_member (object, "uncertain", facts->is_uncertain);
  json_object_set_boolean_member (object, "missing", facts->is_missing);
  json_object_set_boolean_member (object, "ended_run", facts->ended_run);
  json_object_set_boolean_member (object, "reported_by_program", facts->is_reported);
  set_number_or_null (object, "line", facts->line);
  if (facts->block > 0)
    json_object_set_int_member (object, "block", facts->block);
  json_object_set_string_member (object, "title", title);
  json_object_set_string_member (object, "sentence", sentence);
  return object;
}

void
fh_attempts_add_to_json (FhAttemptLog *attempts, JsonObject *object)
{
  guint64 dropped;
  JsonArray *array;

  g_return_if_fail (FH_IS_ATTEMPT_LOG (attempts));
  g_return_if_fail (object != NULL);

  array = json_array_new ();
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (attempts)); i++)
    json_array_add_object_element (array, attempt_to_json (fh_attempt_log_get (attempts, i)));
  dropped = fh_attempt_log_get_n_dropped (attempts);
  json_object_set_array_member (object, "attempts", array);
  json_object_set_int_member (object, "attempts_dropped", (gint64) MIN (dropped, G_MAXINT64));
  json_object_set_int_member (object, "attempts_stopped", fh_attempt_log_get_n_stopped (attempts));
}

/* Null is 0. */
static gboolean
get_number (JsonObject *object, const char *name, guint64 maximum, guint64 *number, GError **error)
{
  *number = 0;
  return fh_json_is_null (object, name) ||
         fh_json_get_number (object, name, maximum, number, error);
}

static gboolean
get_small_number (JsonObject *object, const char *name, guint *number, GError **error)
{
  guint64 value;

  if (!get_number (object, name, G_MAXUINT, &value, error))
    return FALSE;
  *number = (guint) value;
  return TRUE;
}

/* An unknown name is no reason to reject the rest. */
static gboolean
get_errno (JsonObject *object, int *number, GError **error)
{
  const char *name;

  if (fh_json_is_null (object, "error"))
    return TRUE;
  if (!fh_json_get_string (object, "error", &name, error))
    return FALSE;
  for (int i = 1; i <= MAX_ERRNO && *number == 0; i++)
    {
      if (g_strcmp0 (strerrorname_np (i), name) == 0)
        *number = i;
    }
  return TRUE;
}

static gboolean
get_words (JsonObject *object, FhAttemptFacts *facts, GError **error)
{
  const char *guard;
  const char *verdict;

  if (!fh_json_get_string (object, "guard", &guard, error) ||
      !fh_json_get_string (object, "verdict", &verdict, error) ||
      !fh_json_get_string (object, "layer", &facts->layer, error) ||
      !fh_json_get_string (object, "operation", &facts->operation, error) ||
      !fh_json_get_string (object, "object", &facts->object, error) ||
      !fh_json_get_string (object, "command", &facts->command, error))
    return FALSE;
  if (!fh_guard_from_string (guard, &facts->guard))
    return fh_json_refuse_member ("guard", error);
  if (!fh_verdict_from_string (verdict, &facts->verdict))
    return fh_json_refuse_member ("verdict", error);
  return TRUE;
}

/* Older versions have not written it. */
static gboolean
get_new_bool (JsonObject *object, const char *name, gboolean *value, GError **error)
{
  return !json_object_has_member (object, name) || fh_json_get_bool (object, name, value, error);
}

static FhAttempt *
attempt_from_json (JsonNode *node, GError **error)
{
  FhAttemptFacts facts = { 0 };
  JsonObject *object;
  guint64 time_ms;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    {
      fh_json_refuse_member ("attempts", error);
      return NULL;
    }
  object = json_node_get_object (node);
  if (!get_words (object, &facts, error) || !get_errno (object, &facts.error, error) ||
      !get_small_number (object, "count", &facts.count, error) ||
      !get_small_number (object, "process", &facts.process, error) ||
      !get_small_number (object, "line", &facts.line, error) ||
      (json_object_has_member (object, "block") &&
       !get_small_number (object, "block", &facts.block, error)) ||
      !get_number (object, "time_ms", G_MAXINT64 / 1000, &time_ms, error) ||
      !fh_json_get_bool (object, "exists_outside", &facts.exists_outside, error) ||
      !fh_json_get_bool (object, "reported_by_program", &facts.is_reported, error) ||
      !get_new_bool (object, "lasting", &facts.is_lasting, error) ||
      !get_new_bool (object, "uncertain", &facts.is_uncertain, error) ||
      !get_new_bool (object, "missing", &facts.is_missing, error))
    return NULL;
  /* A call that was refused has an error; a limit that ended the run has none. */
  facts.ended_run = facts.verdict == FH_VERDICT_LIMITED && facts.error == 0;
  if (!get_new_bool (object, "ended_run", &facts.ended_run, error))
    return NULL;
  facts.time_us = time_ms * 1000;
  return fh_attempt_new (&facts);
}

static gboolean
fill (FhAttemptLog *attempts, JsonArray *array, GError **error)
{
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      g_autoptr (FhAttempt) attempt = NULL;

      attempt = attempt_from_json (json_array_get_element (array, i), error);
      if (attempt == NULL)
        return FALSE;
      fh_attempt_log_add (attempts, attempt);
    }
  return TRUE;
}

FhAttemptLog *
fh_attempts_from_json (JsonObject *object, GError **error)
{
  g_autoptr (FhAttemptLog) attempts = NULL;
  JsonArray *array;
  guint64 dropped;

  g_return_val_if_fail (object != NULL, NULL);

  attempts = fh_attempt_log_new ();
  if (!json_object_has_member (object, "attempts"))
    return g_steal_pointer (&attempts);
  array = fh_json_get_array (object, "attempts", FH_ATTEMPT_LOG_MAX, error);
  if (array == NULL || !fill (attempts, array, error) ||
      !get_number (object, "attempts_dropped", G_MAXINT64, &dropped, error))
    return NULL;
  fh_attempt_log_set_n_dropped (attempts, dropped);
  return g_steal_pointer (&attempts);
}
