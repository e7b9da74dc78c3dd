/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

/* A connection to the database, used by one thread at a time. All SQL is fixed text with bound
 * values. Failures are FhHistoryError with a sentence for people. */
typedef struct _FhHistoryDatabase FhHistoryDatabase;

/* Connects to an existing file with any content; read-only if the file or its folder is. */
FhHistoryDatabase *fh_history_database_connect (const char *path, GError **error);
/* Opens a damaged file to read what is left in it; it is never written to. */
FhHistoryDatabase *fh_history_database_connect_damaged (const char *path, GError **error);
void fh_history_database_free (FhHistoryDatabase *database);

const char *fh_history_database_get_path (FhHistoryDatabase *database);
/* TRUE if the file was renamed or removed: writes would be lost. */
gboolean fh_history_database_has_moved (FhHistoryDatabase *database);
gboolean fh_history_database_is_read_only (FhHistoryDatabase *database);
/* TRUE if SQLite has found the file damaged. */
gboolean fh_history_database_is_damaged (FhHistoryDatabase *database);
void fh_history_database_mark_damaged (FhHistoryDatabase *database);

/* Long statements end with G_IO_ERROR_CANCELLED soon after it is cancelled. Not referenced; set it
 * to NULL afterwards. */
void fh_history_database_set_cancellable (FhHistoryDatabase *database, GCancellable *cancellable);

/* NULL on failure. */
sqlite3_stmt *
fh_history_database_prepare (FhHistoryDatabase *database, const char *sql, GError **error);
/* TRUE if the statement has a row. FALSE at its end, or with `error` on failure. */
gboolean
fh_history_database_step (FhHistoryDatabase *database, sqlite3_stmt *statement, GError **error);
/* Runs a statement to its end, ignoring rows, and resets it to be bound again. */
gboolean
fh_history_database_finish (FhHistoryDatabase *database, sqlite3_stmt *statement, GError **error);
/* One or more statements of fixed text. */
gboolean fh_history_database_execute (FhHistoryDatabase *database, const char *sql, GError **error);
/* The integer that a statement of fixed text returns; 0 if it returns none. */
gboolean fh_history_database_read_int (FhHistoryDatabase *database,
                                       const char *sql,
                                       gint64 *value,
                                       GError **error);
gint64 fh_history_database_last_id (FhHistoryDatabase *database);
/* How many rows the last statement changed. */
gint64 fh_history_database_changes (FhHistoryDatabase *database);

/* A transaction for writing. fh_history_database_end commits if `ok`, else or if that fails it
 * rolls back. Returns whether the changes were committed. */
gboolean fh_history_database_begin (FhHistoryDatabase *database, GError **error);
gboolean fh_history_database_end (FhHistoryDatabase *database, gboolean ok, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhHistoryDatabase, fh_history_database_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (sqlite3_stmt, sqlite3_finalize)

/* Writes all changes to the file itself, so that a copy of it alone is complete, unless another
 * process is reading. */
void fh_history_database_checkpoint (FhHistoryDatabase *database);
