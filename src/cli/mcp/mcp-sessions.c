/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mcp-sessions.h"

#include <glib/gi18n-lib.h>

#include "message.h"
#include "run-error.h"

/* Each has an interpreter that lives. */
#define MAX_SESSIONS 8

struct _FhMcpSessions
{
  FhMcpHost *host;
  GHashTable *entries; /* (element-type utf8 Entry) */
};

typedef struct
{
  FhExecutor *executor;
  FhSeries *series;
  FhStep *end; /* nullable: its last step */
} Entry;

static void
entry_free (Entry *entry)
{
  g_clear_object (&entry->end);
  g_clear_object (&entry->series);
  g_clear_object (&entry->executor);
  g_free (entry);
}

FhMcpSessions *
fh_mcp_sessions_new (FhMcpHost *host)
{
  FhMcpSessions *self = g_new0 (FhMcpSessions, 1);

  self->host = host;
  self->entries =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) entry_free);
  return self;
}

void
fh_mcp_sessions_free (FhMcpSessions *self)
{
  g_hash_table_unref (self->entries);
  g_free (self);
}

void
fh_mcp_sessions_end (FhMcpSessions *self)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      g_autoptr (FhCell) cell = fh_cell_new_end ();
      Entry *entry = value;

      g_set_object (&entry->end, fh_series_push (entry->series, cell, FALSE, NULL));
    }
}

gboolean
fh_mcp_sessions_have_ended (FhMcpSessions *self)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const Entry *entry = value;

      if (entry->end != NULL && fh_step_get_state (entry->end) <= FH_STEP_RUNNING)
        return FALSE;
    }
  return TRUE;
}

/* A cell that still runs ends with its series, and is recorded. */
void
fh_mcp_sessions_close (FhMcpSessions *self)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Entry *entry = value;

      fh_series_close (entry->series);
      fh_mcp_host_return_executor (self->host, g_steal_pointer (&entry->executor));
    }
  g_hash_table_remove_all (self->entries);
}

FhSeries *
fh_mcp_sessions_find (FhMcpSessions *self, const char *name, GError **error)
{
  Entry *entry = g_hash_table_lookup (self->entries, name);

  if (entry != NULL)
    return entry->series;
  fh_run_error_refuse (error, "%s", "There is no session of this name.");
  return NULL;
}

static void
saved_cb (FhSeriesRecord *record, FhStep *step, gint64 id, const char *problem)
{
  if (problem != NULL)
    fh_message (_ ("This session is not in the history: %s"), problem);
}

FhSeries *
fh_mcp_sessions_get (FhMcpSessions *self, const char *name, GError **error)
{
  const FhRunOptions *options = fh_mcp_host_get_options (self->host);
  Entry *entry = g_hash_table_lookup (self->entries, name);
  FhSeriesRecord *record;

  if (entry != NULL)
    return entry->series;
  if (g_hash_table_size (self->entries) >= MAX_SESSIONS)
    {
      fh_run_error_refuse (error, "There can be at most %d sessions.", MAX_SESSIONS);
      return NULL;
    }
  entry = g_new0 (Entry, 1);
  entry->executor = fh_mcp_host_take_executor (self->host);
  entry->series = fh_series_new_session (entry->executor, options, FH_AFTER_FAILURE_GO_ON);
  record = fh_recorder_follow (fh_mcp_host_get_recorder (self->host),
                               entry->series,
                               FH_RECORD_SESSION,
                               NULL,
                               NULL,
                               NULL);
  g_signal_connect (record, "saved", G_CALLBACK (saved_cb), NULL);
  fh_series_start (entry->series);
  g_hash_table_insert (self->entries, g_strdup (name), entry);
  return entry->series;
}
