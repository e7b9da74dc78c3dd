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
  guint n_unsaved;     /* that were closed */
};

typedef struct
{
  FhExecutor *executor;
  FhCells *cells;
  FhOldSeriesRecord *record; /* nullable */
} Entry;

static void
entry_free (Entry *entry)
{
  g_clear_object (&entry->cells);
  g_clear_object (&entry->executor);
  g_clear_object (&entry->record);
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
  g_assert (fh_mcp_sessions_are_saved (self));

  g_hash_table_unref (self->entries);
  g_free (self);
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FhMcpSessions *self = user_data;
  g_autoptr (GError) error = NULL;

  if (!fh_old_series_record_save_finish (FH_OLD_SERIES_RECORD (source), result, &error))
    fh_message (_ ("This session is not in the history: %s"), error->message);
  self->n_unsaved--;
}

void
fh_mcp_sessions_end (FhMcpSessions *self)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      g_autoptr (FhCell) end = fh_cell_new_end ();
      FhCells *cells = ((Entry *) value)->cells;

      /* Nobody is there to answer. */
      fh_cells_refuse_calls (cells, "the session is being closed");
      fh_cells_push (cells, end, NULL);
    }
}

gboolean
fh_mcp_sessions_are_idle (FhMcpSessions *self)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      FhCells *cells = ((Entry *) value)->cells;

      if (fh_cells_get_run (cells) != NULL || fh_cells_get_n_waiting (cells) > 0)
        return FALSE;
    }
  return TRUE;
}

/* A cell that still runs ends with the session's run, and is recorded before the record is saved.
 */
void
fh_mcp_sessions_close (FhMcpSessions *self)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->entries);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Entry *entry = value;

      fh_mcp_host_return_executor (self->host, g_steal_pointer (&entry->executor));
      g_clear_object (&entry->cells);
      if (entry->record == NULL)
        continue;
      self->n_unsaved++;
      fh_old_series_record_save_async (entry->record, saved_cb, self);
    }
  g_hash_table_remove_all (self->entries);
}

gboolean
fh_mcp_sessions_are_saved (FhMcpSessions *self)
{
  return self->n_unsaved == 0;
}

FhCells *
fh_mcp_sessions_find (FhMcpSessions *self, const char *name)
{
  Entry *entry = g_hash_table_lookup (self->entries, name);

  return entry != NULL ? entry->cells : NULL;
}

FhCells *
fh_mcp_sessions_get (FhMcpSessions *self, const char *name, GError **error)
{
  const FhRunOptions *options = fh_mcp_host_get_options (self->host);
  FhHistory *history = fh_mcp_host_get_history (self->host);
  Entry *entry = g_hash_table_lookup (self->entries, name);

  if (entry != NULL)
    return entry->cells;
  if (g_hash_table_size (self->entries) >= MAX_SESSIONS)
    {
      fh_run_error_refuse (error, "There can be at most %d sessions.", MAX_SESSIONS);
      return NULL;
    }
  entry = g_new0 (Entry, 1);
  entry->executor = fh_mcp_host_take_executor (self->host);
  entry->record = history != NULL ? fh_old_series_record_new (history, options) : NULL;
  entry->cells = fh_cells_new (entry->executor, entry->record);
  fh_cells_set_options (entry->cells, options);
  g_hash_table_insert (self->entries, g_strdup (name), entry);
  return entry->cells;
}
