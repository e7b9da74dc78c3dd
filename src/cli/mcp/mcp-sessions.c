/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mcp-sessions.h"

#include <glib/gi18n-lib.h>

#include "message.h"
#include "run-error.h"
#include "sync-wait.h"

/* Each has an interpreter that lives. */
#define MAX_SESSIONS 8

struct _FhMcpSessions
{
  FhMcpHost *host;
  GHashTable *entries; /* (element-type utf8 Entry) */
};

typedef struct
{
  FhSession *session;
  FhCells *cells;
  FhSeriesRecord *record; /* nullable */
} Entry;

static void
save (FhSeriesRecord *record)
{
  g_autoptr (FhSyncWait) wait = fh_sync_wait_new ();
  g_autoptr (GError) error = NULL;

  fh_series_record_save_async (record, fh_sync_wait_cb, wait);
  if (!fh_series_record_save_finish (record, fh_sync_wait_get (wait), &error))
    fh_message (_ ("This session is not in the history: %s"), error->message);
}

static void
close_session (FhSession *session)
{
  g_autoptr (FhSyncWait) wait = fh_sync_wait_new ();
  g_autoptr (GError) error = NULL;

  fh_session_close_async (session, fh_sync_wait_cb, wait);
  if (!fh_session_close_finish (session, fh_sync_wait_get (wait), &error))
    fh_message ("%s", error->message);
}

static void
entry_free (Entry *entry)
{
  g_object_unref (entry->cells);
  close_session (entry->session);
  if (entry->record != NULL)
    save (entry->record);
  g_clear_object (&entry->record);
  g_object_unref (entry->session);
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
      fh_run_error_refuse (error, _ ("There can be at most %d sessions."), MAX_SESSIONS);
      return NULL;
    }
  entry = g_new0 (Entry, 1);
  entry->session = fh_mcp_host_take_session (self->host);
  entry->record = history != NULL ? fh_series_record_new (history, options) : NULL;
  entry->cells = fh_cells_new (entry->session, entry->record);
  fh_cells_set_options (entry->cells, options);
  g_hash_table_insert (self->entries, g_strdup (name), entry);
  return entry->cells;
}
