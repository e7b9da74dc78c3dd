/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-log.h"

#include <string.h>

#include "json-member.h"
#include "json-record.h"
#include "object-list.h"

/* Attempts are only appended, so that a view never has to move rows. Two tables find rows: by
 * everything that makes two attempts equal, and by operation, object and origin. */
struct _FhAttemptLog
{
  GObject parent_instance;
  GPtrArray *items;
  GHashTable *by_facts; /* FhAttempt → itself */
  GHashTable *by_act;   /* FhAttempt → itself, the first with its operation and object */
  guint n_stopped;
  guint64 n_dropped;
  gboolean is_frozen;
};

enum
{
  PROP_0,
  PROP_N_ITEMS,
  PROP_N_STOPPED,
  PROP_N_DROPPED,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

FH_DEFINE_OBJECT_LIST (FhAttemptLog, fh_attempt_log, FhAttempt, FH_TYPE_ATTEMPT)

static guint
hash_facts (gconstpointer attempt)
{
  const FhAttemptFacts *facts = fh_attempt_get_facts (FH_ATTEMPT ((gpointer) attempt));

  return g_str_hash (facts->operation) * 31 + g_str_hash (facts->object) +
         (guint) facts->guard * 7 + (guint) facts->verdict;
}

static gboolean
equal_facts (gconstpointer one, gconstpointer other)
{
  return fh_attempt_is_same (FH_ATTEMPT ((gpointer) one), FH_ATTEMPT ((gpointer) other));
}

static guint
hash_act (gconstpointer attempt)
{
  const FhAttemptFacts *facts = fh_attempt_get_facts (FH_ATTEMPT ((gpointer) attempt));

  return g_str_hash (facts->operation) * 31 + g_str_hash (facts->object) +
         (guint) facts->is_reported;
}

static gboolean
equal_act (gconstpointer one, gconstpointer other)
{
  const FhAttemptFacts *a = fh_attempt_get_facts (FH_ATTEMPT ((gpointer) one));
  const FhAttemptFacts *b = fh_attempt_get_facts (FH_ATTEMPT ((gpointer) other));

  return a->is_reported == b->is_reported && g_str_equal (a->operation, b->operation) &&
         g_str_equal (a->object, b->object);
}

static void
fh_attempt_log_finalize (GObject *object)
{
  FhAttemptLog *self = FH_ATTEMPT_LOG (object);

  g_hash_table_unref (self->by_facts);
  g_hash_table_unref (self->by_act);
  g_ptr_array_unref (self->items);
  G_OBJECT_CLASS (fh_attempt_log_parent_class)->finalize (object);
}

static void
fh_attempt_log_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhAttemptLog *self = FH_ATTEMPT_LOG (object);

  switch (id)
    {
    case PROP_N_ITEMS:
      g_value_set_uint (value, self->items->len);
      break;
    case PROP_N_STOPPED:
      g_value_set_uint (value, self->n_stopped);
      break;
    case PROP_N_DROPPED:
      g_value_set_uint64 (value, self->n_dropped);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fh_attempt_log_class_init (FhAttemptLogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = fh_attempt_log_finalize;
  object_class->get_property = fh_attempt_log_get_property;
  properties[PROP_N_ITEMS] = g_param_spec_uint ("n-items", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_N_STOPPED] = g_param_spec_uint ("n-stopped", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_N_DROPPED] =
      g_param_spec_uint64 ("n-dropped", NULL, NULL, 0, G_MAXUINT64, 0, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
fh_attempt_log_init (FhAttemptLog *self)
{
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  self->by_facts = g_hash_table_new (hash_facts, equal_facts);
  self->by_act = g_hash_table_new (hash_act, equal_act);
}

FhAttemptLog *
fh_attempt_log_new (void)
{
  return g_object_new (FH_TYPE_ATTEMPT_LOG, NULL);
}

/* The first of several equal attempts is the one that is found. */
static void
enter (FhAttemptLog *self, FhAttempt *attempt)
{
  if (!g_hash_table_contains (self->by_facts, attempt))
    g_hash_table_add (self->by_facts, attempt);
  if (!g_hash_table_contains (self->by_act, attempt))
    g_hash_table_add (self->by_act, attempt);
}

/* If another one is equal, that one is found from now on. */
static void
strike_out (FhAttemptLog *self, FhAttempt *attempt)
{
  if (g_hash_table_lookup (self->by_facts, attempt) == attempt)
    g_hash_table_remove (self->by_facts, attempt);
  if (g_hash_table_lookup (self->by_act, attempt) == attempt)
    g_hash_table_remove (self->by_act, attempt);
  for (guint i = 0; i < self->items->len; i++)
    {
      if (g_ptr_array_index (self->items, i) != attempt)
        enter (self, g_ptr_array_index (self->items, i));
    }
}

static gboolean
was_stopped (FhAttempt *attempt)
{
  return fh_attempt_was_blocked (fh_attempt_get_facts (attempt));
}

static void
count_stopped (FhAttemptLog *self, int change)
{
  if (change == 0)
    return;
  self->n_stopped += (guint) change;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_STOPPED]);
}

gboolean
fh_attempt_log_add (FhAttemptLog *self, FhAttempt *attempt)
{
  g_return_val_if_fail (FH_IS_ATTEMPT_LOG (self), FALSE);
  g_return_val_if_fail (FH_IS_ATTEMPT (attempt), FALSE);

  if (self->is_frozen)
    return FALSE;
  if (self->items->len >= FH_ATTEMPT_LOG_MAX)
    {
      fh_attempt_log_set_n_dropped (self, self->n_dropped + 1);
      return FALSE;
    }
  g_ptr_array_add (self->items, g_object_ref (attempt));
  enter (self, attempt);
  count_stopped (self, was_stopped (attempt));
  g_list_model_items_changed (G_LIST_MODEL (self), self->items->len - 1, 0, 1);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_ITEMS]);
  return TRUE;
}

FhAttempt *
fh_attempt_log_find (FhAttemptLog *self, const FhAttemptFacts *facts)
{
  g_autoptr (FhAttempt) wanted = NULL;

  g_return_val_if_fail (FH_IS_ATTEMPT_LOG (self), NULL);
  g_return_val_if_fail (facts != NULL, NULL);

  wanted = fh_attempt_new (facts);
  return g_hash_table_lookup (self->by_facts, wanted);
}

FhAttempt *
fh_attempt_log_find_act (FhAttemptLog *self,
                         const char *operation,
                         const char *object,
                         gboolean is_reported)
{
  g_autoptr (FhAttempt) wanted = NULL;

  g_return_val_if_fail (FH_IS_ATTEMPT_LOG (self), NULL);
  g_return_val_if_fail (operation != NULL && object != NULL, NULL);

  wanted = fh_attempt_new (&(FhAttemptFacts){
      .operation = operation,
      .object = object,
      .is_reported = is_reported,
  });
  return g_hash_table_lookup (self->by_act, wanted);
}

void
fh_attempt_log_replace (FhAttemptLog *self, FhAttempt *old, FhAttempt *attempt)
{
  g_autoptr (FhAttempt) alive = NULL;
  guint position;

  g_return_if_fail (FH_IS_ATTEMPT_LOG (self));
  g_return_if_fail (FH_IS_ATTEMPT (old) && FH_IS_ATTEMPT (attempt));

  if (self->is_frozen || !g_ptr_array_find (self->items, old, &position))
    return;
  alive = g_object_ref (old);
  strike_out (self, old);
  g_object_unref (g_ptr_array_index (self->items, position));
  g_ptr_array_index (self->items, position) = g_object_ref (attempt);
  enter (self, attempt);
  count_stopped (self, was_stopped (attempt) - was_stopped (old));
  g_list_model_items_changed (G_LIST_MODEL (self), position, 1, 1);
}

static void
add_copy (FhAttemptLog *self, FhAttempt *known, FhAttempt *attempt, const FhAttemptPart *part)
{
  FhAttemptFacts facts = *fh_attempt_get_facts (attempt);
  g_autoptr (FhAttempt) copy = NULL;

  facts.time_us += part->time_us;
  facts.line += facts.line > 0 ? part->lines : 0;
  facts.block = part->block;
  copy = fh_attempt_new (&facts);
  if (known != NULL)
    fh_attempt_log_replace (self, known, copy);
  else
    fh_attempt_log_add (self, copy);
}

static void
update_copy (FhAttempt *copy, const FhAttemptFacts *facts, const FhAttemptPart *part)
{
  fh_attempt_set_count (copy, facts->count);
  if (facts->line > 0)
    fh_attempt_set_line (copy, facts->line + part->lines);
  if (facts->exists_outside)
    fh_attempt_set_exists_outside (copy);
}

void
fh_attempt_log_follow (FhAttemptLog *self, FhAttemptLog *other, const FhAttemptPart *part)
{
  guint n;

  g_return_if_fail (FH_IS_ATTEMPT_LOG (self) && FH_IS_ATTEMPT_LOG (other));
  g_return_if_fail (part != NULL && part->position <= self->items->len);

  n = MIN (other->items->len, FH_ATTEMPT_LOG_MAX - part->position);
  for (guint i = 0; i < n; i++)
    {
      FhAttempt *attempt = fh_attempt_log_get (other, i);
      FhAttempt *known = fh_attempt_log_get (self, part->position + i);

      if (known != NULL && fh_attempt_is_same (known, attempt))
        update_copy (known, fh_attempt_get_facts (attempt), part);
      else
        add_copy (self, known, attempt, part);
    }
  fh_attempt_log_set_n_dropped (self, part->n_dropped + other->n_dropped + other->items->len - n);
}

guint
fh_attempt_log_get_n_stopped (FhAttemptLog *self)
{
  g_return_val_if_fail (FH_IS_ATTEMPT_LOG (self), 0);

  return self->n_stopped;
}

guint64
fh_attempt_log_get_n_dropped (FhAttemptLog *self)
{
  g_return_val_if_fail (FH_IS_ATTEMPT_LOG (self), 0);

  return self->n_dropped;
}

void
fh_attempt_log_set_n_dropped (FhAttemptLog *self, guint64 n)
{
  g_return_if_fail (FH_IS_ATTEMPT_LOG (self));

  if (self->is_frozen || n == self->n_dropped)
    return;
  self->n_dropped = n;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_DROPPED]);
}

void
fh_attempt_log_freeze (FhAttemptLog *self)
{
  g_return_if_fail (FH_IS_ATTEMPT_LOG (self));

  self->is_frozen = TRUE;
}

FhAttemptLog *
fh_attempt_log_copy (FhAttemptLog *self)
{
  FhAttemptLog *copy = fh_attempt_log_new ();

  g_return_val_if_fail (FH_IS_ATTEMPT_LOG (self), copy);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self)); i++)
    {
      g_autoptr (FhAttempt) attempt =
          fh_attempt_new (fh_attempt_get_facts (fh_attempt_log_get (self, i)));

      fh_attempt_log_add (copy, attempt);
    }
  fh_attempt_log_set_n_dropped (copy, fh_attempt_log_get_n_dropped (self));
  return copy;
}

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
