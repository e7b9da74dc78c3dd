/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-entry-private.h"

/* A line of the history as it was when it was read. Only `pinned` may change afterwards: a row
 * shows the new state at once, while the database is told in the background. */
struct _FhHistoryEntry
{
  GObject parent_instance;

  gint64 id;
  char *title;
  char *snippet;
  char *image; /* nullable */
  GDateTime *started_at;
  const FhLanguage *language;
  FhRunStatus status;
  guint64 wall_us;
  gboolean pinned;
};

G_DEFINE_FINAL_TYPE (FhHistoryEntry, fh_history_entry, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_ID,
  PROP_TITLE,
  PROP_STARTED_AT,
  PROP_STATUS,
  PROP_LANGUAGE,
  PROP_WALL_US,
  PROP_PINNED,
  PROP_SNIPPET,
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
  g_clear_pointer (&self->started_at, g_date_time_unref);

  G_OBJECT_CLASS (fh_history_entry_parent_class)->finalize (object);
}

static void
fh_history_entry_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  FhHistoryEntry *self = FH_HISTORY_ENTRY (object);

  switch (prop_id)
    {
    case PROP_ID:
      g_value_set_int64 (value, self->id);
      break;
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_STARTED_AT:
      g_value_set_boxed (value, self->started_at);
      break;
    case PROP_STATUS:
      g_value_set_int (value, (int) self->status);
      break;
    case PROP_LANGUAGE:
      g_value_set_pointer (value, (gpointer) self->language);
      break;
    case PROP_WALL_US:
      g_value_set_uint64 (value, self->wall_us);
      break;
    case PROP_PINNED:
      g_value_set_boolean (value, self->pinned);
      break;
    case PROP_SNIPPET:
      g_value_set_string (value, self->snippet);
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
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->finalize = fh_history_entry_finalize;
  object_class->get_property = fh_history_entry_get_property;
  object_class->set_property = fh_history_entry_set_property;

  properties[PROP_ID] = g_param_spec_int64 ("id", NULL, NULL, 0, G_MAXINT64, 0, readable);
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, readable);
  properties[PROP_STARTED_AT] =
      g_param_spec_boxed ("started-at", NULL, NULL, G_TYPE_DATE_TIME, readable);
  properties[PROP_STATUS] =
      g_param_spec_int ("status", NULL, NULL, 0, G_MAXINT, FH_RUN_STATUS_OK, readable);
  properties[PROP_LANGUAGE] = g_param_spec_pointer ("language", NULL, NULL, readable);
  properties[PROP_WALL_US] =
      g_param_spec_uint64 ("wall-us", NULL, NULL, 0, G_MAXUINT64, 0, readable);
  properties[PROP_PINNED] =
      g_param_spec_boolean ("pinned",
                            NULL,
                            NULL,
                            FALSE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_SNIPPET] = g_param_spec_string ("snippet", NULL, NULL, NULL, readable);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
fh_history_entry_init (FhHistoryEntry *self)
{
}

/* A clock that was wrong, or a damaged row, may name a moment that no calendar has. */
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
