/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-json.h"

#include <string.h>

#include "json-member.h"
#include "json-record.h"

/* Linux has fewer: errno(3). */
#define MAX_ERRNO 255

typedef struct
{
  FhAttemptFacts facts;
  guint64 time_ms;
  const char *error;    /* the name; nullable */
  const char *title;    /* only written */
  const char *sentence; /* likewise */
} Record;

#define MEMBER(name, kind, member) FH_JSON_MEMBER (Record, name, kind, member)

static const FhJsonMember members[] = {
  { MEMBER ("guard", WORD, facts.guard), .words = fh_guard_words },
  { MEMBER ("layer", TEXT, facts.layer) },
  { MEMBER ("operation", TEXT, facts.operation) },
  { MEMBER ("object", TEXT, facts.object) },
  { MEMBER ("verdict", WORD, facts.verdict), .words = fh_verdict_words },
  { MEMBER ("error", TEXT, error), .flags = FH_JSON_NULLABLE },
  { MEMBER ("count", COUNT, facts.count) },
  { MEMBER ("time_ms", COUNT, time_ms), .maximum = G_MAXINT64 / 1000 },
  { MEMBER ("process", COUNT, facts.process), .flags = FH_JSON_NULLABLE },
  { MEMBER ("command", TEXT, facts.command) },
  { MEMBER ("exists_outside", BOOL, facts.exists_outside) },
  { MEMBER ("lasting", BOOL, facts.is_lasting), .flags = FH_JSON_NEW },
  { MEMBER ("uncertain", BOOL, facts.is_uncertain), .flags = FH_JSON_NEW },
  { MEMBER ("missing", BOOL, facts.is_missing), .flags = FH_JSON_NEW },
  { MEMBER ("ended_run", BOOL, facts.ended_run), .flags = FH_JSON_NEW },
  { MEMBER ("reported_by_program", BOOL, facts.is_reported) },
  { MEMBER ("line", COUNT, facts.line), .flags = FH_JSON_NULLABLE },
  { MEMBER ("block", COUNT, facts.block), .flags = FH_JSON_SPARSE },
  { MEMBER ("title", TEXT, title), .flags = FH_JSON_WRITTEN },
  { MEMBER ("sentence", TEXT, sentence), .flags = FH_JSON_WRITTEN },
  { NULL },
};

static JsonObject *
attempt_to_json (FhAttempt *attempt)
{
  g_autofree char *title = fh_attempt_dup_title (attempt);
  g_autofree char *sentence = fh_attempt_dup_sentence (attempt);
  Record record = {
    .facts = *fh_attempt_get_facts (attempt),
    .title = title,
    .sentence = sentence,
  };
  JsonObject *object = json_object_new ();

  record.time_ms = record.facts.time_us / 1000;
  if (record.facts.error > 0)
    record.error = strerrorname_np (record.facts.error);
  fh_json_write_record (object, members, &record);
  return object;
}

void
fh_attempts_add_to_json (FhAttemptLog *attempts, JsonObject *object)
{
  JsonArray *array;
  guint64 dropped;

  g_return_if_fail (FH_IS_ATTEMPT_LOG (attempts));
  g_return_if_fail (object != NULL);

  array = json_array_new ();
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (attempts)); i++)
    json_array_add_object_element (array, attempt_to_json (fh_attempt_log_get (attempts, i)));
  json_object_set_array_member (object, "attempts", array);
  dropped = fh_attempt_log_get_n_dropped (attempts);
  json_object_set_int_member (object, "attempts_dropped", (gint64) MIN (dropped, G_MAXINT64));
  json_object_set_int_member (object, "attempts_stopped", fh_attempt_log_get_n_stopped (attempts));
}

/* 0 for an unknown name, which is no reason to reject the rest. */
static int
find_errno (const char *name)
{
  for (int i = 1; name != NULL && i <= MAX_ERRNO; i++)
    {
      if (g_strcmp0 (strerrorname_np (i), name) == 0)
        return i;
    }
  return 0;
}

static gboolean
read_attempt (JsonObject *object, gpointer attempts, GError **error)
{
  g_autoptr (FhAttempt) attempt = NULL;
  Record record = { 0 };
  FhAttemptFacts *facts = &record.facts;

  if (!fh_json_read_record (object, members, &record, error))
    return FALSE;
  facts->time_us = record.time_ms * 1000;
  facts->error = find_errno (record.error);
  /* A call that was refused has an error; a limit that ended the run has none. */
  if (!json_object_has_member (object, "ended_run"))
    facts->ended_run = facts->verdict == FH_VERDICT_LIMITED && facts->error == 0;
  attempt = fh_attempt_new (facts);
  fh_attempt_log_add (attempts, attempt);
  return TRUE;
}

FhAttemptLog *
fh_attempts_from_json (JsonObject *object, GError **error)
{
  g_autoptr (FhAttemptLog) attempts = NULL;
  guint64 dropped;

  g_return_val_if_fail (object != NULL, NULL);

  attempts = fh_attempt_log_new ();
  if (!json_object_has_member (object, "attempts"))
    return g_steal_pointer (&attempts);
  if (!fh_json_read_list (object, "attempts", FH_ATTEMPT_LOG_MAX, read_attempt, attempts, error) ||
      !fh_json_get_number (object, "attempts_dropped", G_MAXINT64, &dropped, error))
    return NULL;
  fh_attempt_log_set_n_dropped (attempts, dropped);
  return g_steal_pointer (&attempts);
}
