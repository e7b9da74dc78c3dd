/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* One connection to the database, used by one thread at a time. All SQL is fixed text with bound
 * values. Every failure is told as an FhHistoryError with a sentence for people. */
typedef struct _FhHistoryDatabase FhHistoryDatabase;

/* Connects to a file that exists, whatever it holds. Falls back to reading alone where the file
 * or its folder cannot be written. */
FhHistoryDatabase *fh_history_database_connect (const char *path, GError **error);
/* For reading what is left of a damaged file; it is never written to. */
FhHistoryDatabase *fh_history_database_connect_damaged (const char *path, GError **error);
void fh_history_database_free (FhHistoryDatabase *database);

const char *fh_history_database_get_path (FhHistoryDatabase *database);
/* TRUE when the file was renamed or removed since: what is written now would be lost. */
gboolean fh_history_database_has_moved (FhHistoryDatabase *database);
gboolean fh_history_database_is_read_only (FhHistoryDatabase *database);
/* TRUE once SQLite found the file damaged. */
gboolean fh_history_database_is_damaged (FhHistoryDatabase *database);
void fh_history_database_mark_damaged (FhHistoryDatabase *database);

/* Statements that take long end with G_IO_ERROR_CANCELLED soon after it is cancelled. NULL to
 * stop that; it must stay alive until then. */
void fh_history_database_set_cancellable (FhHistoryDatabase *database, GCancellable *cancellable);

/* NULL on failure. */
sqlite3_stmt *
fh_history_database_prepare (FhHistoryDatabase *database, const char *sql, GError **error);
/* TRUE with a row in the statement. FALSE at the end, or with `error` set on failure. */
gboolean
fh_history_database_step (FhHistoryDatabase *database, sqlite3_stmt *statement, GError **error);
/* Runs a statement that returns no rows, or whose rows do not matter, to its end and makes it
 * ready to be bound again. */
gboolean
fh_history_database_finish (FhHistoryDatabase *database, sqlite3_stmt *statement, GError **error);
/* One or more statements of fixed text. */
gboolean fh_history_database_execute (FhHistoryDatabase *database, const char *sql, GError **error);
/* The one integer that a statement of fixed text returns; 0 when it returns none. */
gboolean fh_history_database_read_int (FhHistoryDatabase *database,
                                       const char *sql,
                                       gint64 *value,
                                       GError **error);
gint64 fh_history_database_last_id (FhHistoryDatabase *database);
/* How many rows the last statement changed. */
gint64 fh_history_database_changes (FhHistoryDatabase *database);

/* A transaction for writing. Ends it in either case: as `ok` says, or by taking all back when the
 * commit fails. Returns whether the changes are kept. */
gboolean fh_history_database_begin (FhHistoryDatabase *database, GError **error);
gboolean fh_history_database_end (FhHistoryDatabase *database, gboolean ok, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhHistoryDatabase, fh_history_database_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (sqlite3_stmt, sqlite3_finalize)

G_END_DECLS
