/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-entry-private.h"

#include "json-text.h"
#include "run-result.h"

/* A row as read from the database. Only `pinned` can change: a list shows the new state at once,
 * before it is written. */
struct _FhHistoryEntry
{
  GObject parent_instance;

  gint64 id;
  char *title;
  char *snippet;
  char *image;   /* nullable */
  char *verdict; /* nullable */
  FhHistoryScore score;
  GDateTime *started_at;
  const FhLanguage *language;
  FhRunStatus status;
  guint64 wall_us;
  guint64 memory_peak;
  guint n_stopped;
  guint n_samples;
  gboolean has_score;
  gboolean pinned;
};

G_DEFINE_FINAL_TYPE (FhHistoryEntry, fh_history_entry, G_TYPE_OBJECT)

enum
{
  PROP_PINNED = 1,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

static void
fh_history_entry_finalize (GObject *object)
{
  FhHistoryEntry *self = FH_HISTORY_ENTRY (object);

  g_clear_pointer (&self->title, g_free);
  g_clear_pointer (&self->snippet, g_free);
  g_clear_pointer (&self->image, g_free);
  g_clear_pointer (&self->verdict, g_free);
  g_clear_pointer (&self->started_at, g_date_time_unref);

  G_OBJECT_CLASS (fh_history_entry_parent_class)->finalize (object);
}

static void
fh_history_entry_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  FhHistoryEntry *self = FH_HISTORY_ENTRY (object);

  switch (prop_id)
    {
    case PROP_PINNED:
      g_value_set_boolean (value, self->pinned);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
fh_history_entry_set_property (GObject *object,
                               guint prop_id,
                               const GValue *value,
                               GParamSpec *pspec)
{
  FhHistoryEntry *self = FH_HISTORY_ENTRY (object);

  switch (prop_id)
    {
    case PROP_PINNED:
      if (self->pinned != g_value_get_boolean (value))
        {
          self->pinned = g_value_get_boolean (value);
          g_object_notify_by_pspec (object, properties[PROP_PINNED]);
        }
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
fh_history_entry_class_init (FhHistoryEntryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = fh_history_entry_finalize;
  object_class->get_property = fh_history_entry_get_property;
  object_class->set_property = fh_history_entry_set_property;

  properties[PROP_PINNED] =
      g_param_spec_boolean ("pinned",
                            NULL,
                            NULL,
                            FALSE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
fh_history_entry_init (FhHistoryEntry *self)
{
}

char *
fh_history_score_format (const FhHistoryScore *score)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT,
                          score->n_passed,
                          score->n_samples);
}

gboolean
fh_history_score_parse (const char *text, FhHistoryScore *score)
{
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", "/", 3);

  return g_strv_length (parts) == 2 &&
         g_ascii_string_to_unsigned (parts[1], 10, 0, G_MAXINT64, &score->n_samples, NULL) &&
         g_ascii_string_to_unsigned (parts[0], 10, 0, score->n_samples, &score->n_passed, NULL);
}

/* A wrong clock or a damaged row can have a time that no calendar has. */
static GDateTime *
moment (gint64 started_us)
{
  g_autoptr (GDateTime) second = g_date_time_new_from_unix_utc (started_us / G_USEC_PER_SEC);
  GDateTime *exact = second ? g_date_time_add (second, started_us % G_USEC_PER_SEC) : NULL;

  return exact ? exact : g_date_time_new_from_unix_utc (0);
}

FhHistoryEntry *
fh_history_entry_new (const FhHistoryRow *row)
{
  FhHistoryEntry *self = g_object_new (FH_TYPE_HISTORY_ENTRY, NULL);

  self->id = row->id;
  self->title = g_strdup (row->title);
  self->snippet = g_strdup (row->snippet);
  self->started_at = moment (row->started_us);
  self->language = fh_language_lookup (row->language);
  self->status = row->status;
  self->wall_us = row->wall_us;
  self->pinned = row->pinned;
  self->image = g_strdup (row->image);
  self->has_score = fh_history_score_parse (row->verdict, &self->score);
  self->verdict = self->has_score ? NULL : g_strdup (row->verdict);
  self->memory_peak = row->memory_peak;
  self->n_stopped = row->n_stopped;
  self->n_samples = row->n_samples;
  return self;
}

gint64
fh_history_entry_get_id (FhHistoryEntry *self)
{
  g_return_val_if_fail (FH_IS_HISTORY_ENTRY (self), -1);

  return self->id;
}

const char *
fh_history_entry_get_title (FhHistoryEntry *self)
{
  g_return_val_if_fail (FH_IS_HISTORY_ENTRY (self), NULL);

  return self->title;
}

GDateTime *
fh_history_entry_get_started_at (FhHistoryEntry *self)
{
  g_return_val_if_fail (FH_IS_HISTORY_ENTRY (self), NULL);

  return self->started_at;
}

FhRunStatus
fh_history_entry_get_status (FhHistoryEntry *self)
{
  g_return_val_if_fail (FH_IS_HISTORY_ENTRY (self), FH_RUN_STATUS_INTERNAL_ERROR);

  return self->status;
}

const FhLanguage *
fh_history_entry_get_language (FhHistoryEntry *self)
{
  g_return_val_if_fail (FH_IS_HISTORY_ENTRY (self), NULL);

  return self->language;
}

guint64
fh_history_entry_get_wall_us (FhHistoryEntry *self)
{
  g_return_val_if_fail (FH_IS_HISTORY_ENTRY (self), 0);

  return self->wall_us;
}

gboolean
fh_history_entry_get_pinned (FhHistoryEntry *self)
{
  g_return_val_if_fail (FH_IS_HISTORY_ENTRY (self), FALSE);

  return self->pinned;
}

const char *
fh_history_entry_get_snippet (FhHistoryEntry *self)
{
  g_return_val_if_fail (FH_IS_HISTORY_ENTRY (self), NULL);

  return self->snippet;
}

const char *
fh_history_entry_get_image (FhHistoryEntry *self)
{
  g_return_val_if_fail (FH_IS_HISTORY_ENTRY (self), NULL);

  return self->image;
}

const char *
fh_history_entry_get_verdict (FhHistoryEntry *self)
{
  g_return_val_if_fail (FH_IS_HISTORY_ENTRY (self), NULL);

  return self->verdict;
}

const FhHistoryScore *
fh_history_entry_get_score (FhHistoryEntry *self)
{
  g_return_val_if_fail (FH_IS_HISTORY_ENTRY (self), NULL);

  return self->has_score ? &self->score : NULL;
}

guint64
fh_history_entry_get_memory_peak (FhHistoryEntry *self)
{
  g_return_val_if_fail (FH_IS_HISTORY_ENTRY (self), 0);

  return self->memory_peak;
}

guint
fh_history_entry_get_n_stopped (FhHistoryEntry *self)
{
  g_return_val_if_fail (FH_IS_HISTORY_ENTRY (self), 0);

  return self->n_stopped;
}

guint
fh_history_entry_get_n_samples (FhHistoryEntry *self)
{
  g_return_val_if_fail (FH_IS_HISTORY_ENTRY (self), 0);

  return self->n_samples;
}

char *
fh_history_entry_export (FhHistoryEntry *self, FhRunRequest *request, FhRunResult *result)
{
  g_autoptr (JsonObject) object = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *text = NULL;

  g_return_val_if_fail (FH_IS_HISTORY_ENTRY (self), NULL);

  object = json_object_new ();
  json_object_set_int_member (object, "id", self->id);
  json_object_set_boolean_member (object, "pinned", self->pinned);
  json_object_set_member (object, "request", fh_run_request_to_json (request));
  json_object_set_member (object, "result", fh_run_result_to_json (result, 0));
  node = json_node_init_object (json_node_alloc (), object);
  text = fh_json_to_text (node, TRUE);
  return g_strconcat (text, "\n", NULL);
}
