/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-database.h"

#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <sys/stat.h>

#include "history.h"

/* Writes are short, so only a hanging program makes us wait that long. */
#define BUSY_TIMEOUT_MS 10000

/* Steps of SQLite's virtual machine between two checks of the cancellable: about ten microseconds,
 * unless a step searches a megabyte of output. */
#define PROGRESS_STEPS 1000

/* Closing a connection leaves the WAL, because a checkpoint needs fsyncs, which would take most of
 * the time of `fumehoodctl run`. A checkpoint is made at the end of what runs for longer, see
 * fh_history_flush, and when the WAL has this many pages, about forty runs. SQLite's automatic
 * checkpoint does not fit: it restarts the WAL only in the process that made the checkpoint, so
 * with one process per run the WAL would grow forever, and each process reads all of it. */
#define WAL_PAGES 400

#define SETTINGS                                                                                   \
  "PRAGMA cell_size_check = ON;"                                                                   \
  "PRAGMA secure_delete = ON;"                                                                     \
  "PRAGMA synchronous = NORMAL;"                                                                   \
  "PRAGMA temp_store = MEMORY;"

G_DEFINE_QUARK (fh_history_error_quark, fh_history_error)

struct _FhHistoryDatabase
{
  sqlite3 *handle;
  char *path;
  gboolean damaged;
  int wal_pages; /* at the last attempt to make a checkpoint */
};

static FhHistoryError
classify_errno (int code)
{
  switch (code)
    {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return FH_HISTORY_ERROR_FULL;
    case EROFS:
    case EACCES:
    case EPERM:
      return FH_HISTORY_ERROR_READ_ONLY;
    default:
      return FH_HISTORY_ERROR_FAILED;
    }
}

static FhHistoryError
classify (int result, int code)
{
  switch (result & 0xff)
    {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return FH_HISTORY_ERROR_DAMAGED;
    case SQLITE_FULL:
      return FH_HISTORY_ERROR_FULL;
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return FH_HISTORY_ERROR_READ_ONLY;
    case SQLITE_CANTOPEN:
      return classify_errno (code) == FH_HISTORY_ERROR_FULL ? FH_HISTORY_ERROR_FULL
                                                            : FH_HISTORY_ERROR_OPEN;
    case SQLITE_IOERR:
      /* The index of the WAL could not grow; SQLite keeps no errno for it. */
      if (result == SQLITE_IOERR_SHMSIZE)
        return FH_HISTORY_ERROR_FULL;
      return classify_errno (code);
    default:
      return FH_HISTORY_ERROR_FAILED;
    }
}

static char *
describe_failure (int result, int code, const char *name, const char *details)
{
  switch (result & 0xff)
    {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return g_strdup_printf (_ ("Another program keeps the history “%s” busy. Try again."), name);
    case SQLITE_NOMEM:
      return g_strdup (_ ("There is not enough memory to work on the history."));
    case SQLITE_TOOBIG:
      return g_strdup (_ ("This run is too large to be kept in the history."));
    default:
      /* Translators: a path, then a technical reason in English. */
      return g_strdup_printf (_ ("The history “%s” could not be used: %s."),
                              name,
                              code != 0 ? g_strerror (code) : details);
    }
}

static char *
describe (FhHistoryError error, int result, int code, const char *name, const char *details)
{
  switch (error)
    {
    case FH_HISTORY_ERROR_DAMAGED:
      return g_strdup_printf (_ ("The history “%s” is damaged."), name);
    case FH_HISTORY_ERROR_FULL:
      return g_strdup_printf (
          _ ("The disk is full, so nothing was changed in the history “%s”. Make room and try "
             "again."),
          name);
    case FH_HISTORY_ERROR_READ_ONLY:
      return g_strdup_printf (
          _ ("The history “%s” can be read but not written, so nothing was changed in it. Check "
             "the permissions of the file and its folder."),
          name);
    case FH_HISTORY_ERROR_OPEN:
      /* Translators: a path, then the system's reason. */
      return g_strdup_printf (_ ("The history “%s” could not be opened: %s."),
                              name,
                              code != 0 ? g_strerror (code) : details);
    case FH_HISTORY_ERROR_NOT_FOUND:
    case FH_HISTORY_ERROR_FAILED:
    default:
      return describe_failure (result, code, name, details);
    }
}

/* SQLite keeps the errno for these two kinds of failures only. */
static int
system_errno (sqlite3 *handle, int result)
{
  int kind = result & 0xff;

  return kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN ? sqlite3_system_errno (handle) : 0;
}

/* A header that makes no sense; SQLite has no code of its own for it. */
static gboolean
has_unknown_format (sqlite3 *handle, int result)
{
  return (result & 0xff) == SQLITE_ERROR &&
         g_str_equal (sqlite3_errmsg (handle), "unsupported file format");
}

/* Always FALSE, for the caller to return. */
static gboolean
fail (FhHistoryDatabase *self, int result, GError **error)
{
  g_autofree char *name = g_filename_display_name (self->path);
  g_autofree char *sentence = NULL;
  int code = system_errno (self->handle, result);
  FhHistoryError kind = has_unknown_format (self->handle, result) ? FH_HISTORY_ERROR_DAMAGED
                                                                  : classify (result, code);

  if ((result & 0xff) == SQLITE_INTERRUPT)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, _ ("The search was stopped."));
      return FALSE;
    }
  if (kind == FH_HISTORY_ERROR_DAMAGED)
    self->damaged = TRUE;
  g_debug ("SQLite: %d, %s, errno %d", result, sqlite3_errmsg (self->handle), code);
  sentence = describe (kind, result, code, name, sqlite3_errmsg (self->handle));
  g_set_error_literal (error, FH_HISTORY_ERROR, (int) kind, sentence);
  return FALSE;
}

void
fh_history_database_free (FhHistoryDatabase *self)
{
  g_return_if_fail (self != NULL);

  sqlite3_close_v2 (self->handle);
  g_free (self->path);
  g_free (self);
}

/* Does not wait for readers in other processes. */
void
fh_history_database_checkpoint (FhHistoryDatabase *self)
{
  sqlite3_busy_timeout (self->handle, 0);
  sqlite3_wal_checkpoint_v2 (self->handle, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
  sqlite3_busy_timeout (self->handle, BUSY_TIMEOUT_MS);
}

/* If it fails, the next attempt is made when the WAL has grown by as much again. */
static int
wal_cb (gpointer data, sqlite3 *handle, const char *name, int pages)
{
  FhHistoryDatabase *self = data;

  if (pages < self->wal_pages)
    self->wal_pages = 0;
  if (pages < self->wal_pages + WAL_PAGES)
    return SQLITE_OK;
  self->wal_pages = pages;
  fh_history_database_checkpoint (self);
  return SQLITE_OK;
}

static void
configure (FhHistoryDatabase *self, gboolean damaged)
{
  sqlite3 *handle = self->handle;

  /* SQLite reads a truncated file only if the schema is writable. */
  sqlite3_db_config (handle, SQLITE_DBCONFIG_DEFENSIVE, !damaged, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, damaged, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  sqlite3_busy_timeout (handle, BUSY_TIMEOUT_MS);
  sqlite3_wal_hook (handle, wal_cb, self);
}

/* Reads once as well, because SQLite opens the file only then. */
static gboolean
open_handle (FhHistoryDatabase *self, const char *name, int flags, gboolean damaged, GError **error)
{
  gint64 version;
  int result;

  g_clear_pointer (&self->handle, sqlite3_close_v2);
  result = sqlite3_open_v2 (name,
                            &self->handle,
                            flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
                            NULL);
  if (result != SQLITE_OK)
    return fail (self, result, error);
  configure (self, damaged);
  return fh_history_database_execute (self, SETTINGS, error) &&
         fh_history_database_read_int (self, "PRAGMA user_version", &version, error);
}

/* In a read-only folder SQLite cannot create the index of the WAL. Without a WAL the file is
 * complete and does not change, because writers need that index, too. */
static gboolean
can_read_file_alone (const char *path)
{
  g_autofree char *wal = g_strconcat (path, "-wal", NULL);
  struct stat info;

  return stat (wal, &info) != 0 || info.st_size == 0;
}

static gboolean
open_file_alone (FhHistoryDatabase *self, GError **error)
{
  g_autofree char *absolute = g_canonicalize_filename (self->path, NULL);
  g_autofree char *escaped = g_uri_escape_string (absolute, "/", FALSE);
  g_autofree char *uri = g_strconcat ("file://", escaped, "?immutable=1", NULL);

  return open_handle (self, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, FALSE, error);
}

FhHistoryDatabase *
fh_history_database_connect (const char *path, GError **error)
{
  g_autoptr (FhHistoryDatabase) self = NULL;
  g_autoptr (GError) local = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  self = g_new0 (FhHistoryDatabase, 1);
  self->path = g_strdup (path);
  if (open_handle (self, path, SQLITE_OPEN_READWRITE, FALSE, &local))
    return g_steal_pointer (&self);
  if ((g_error_matches (local, FH_HISTORY_ERROR, FH_HISTORY_ERROR_OPEN) ||
       g_error_matches (local, FH_HISTORY_ERROR, FH_HISTORY_ERROR_READ_ONLY)) &&
      can_read_file_alone (path) && open_file_alone (self, NULL))
    return g_steal_pointer (&self);
  g_propagate_error (error, g_steal_pointer (&local));
  return NULL;
}

FhHistoryDatabase *
fh_history_database_connect_damaged (const char *path, GError **error)
{
  g_autoptr (FhHistoryDatabase) self = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  self = g_new0 (FhHistoryDatabase, 1);
  self->path = g_strdup (path);
  return open_handle (self, path, SQLITE_OPEN_READONLY, TRUE, error) ? g_steal_pointer (&self)
                                                                     : NULL;
}

const char *
fh_history_database_get_path (FhHistoryDatabase *self)
{
  return self->path;
}

gboolean
fh_history_database_has_moved (FhHistoryDatabase *self)
{
  int moved = 0;

  sqlite3_file_control (self->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved != 0;
}

gboolean
fh_history_database_is_read_only (FhHistoryDatabase *self)
{
  return sqlite3_db_readonly (self->handle, "main") == 1;
}

gboolean
fh_history_database_is_damaged (FhHistoryDatabase *self)
{
  return self->damaged;
}

void
fh_history_database_mark_damaged (FhHistoryDatabase *self)
{
  self->damaged = TRUE;
}

static int
stop_when_cancelled (gpointer data)
{
  return g_cancellable_is_cancelled (data);
}

void
fh_history_database_set_cancellable (FhHistoryDatabase *self, GCancellable *cancellable)
{
  if (cancellable)
    sqlite3_progress_handler (self->handle, PROGRESS_STEPS, stop_when_cancelled, cancellable);
  else
    sqlite3_progress_handler (self->handle, 0, NULL, NULL);
}

sqlite3_stmt *
fh_history_database_prepare (FhHistoryDatabase *self, const char *sql, GError **error)
{
  sqlite3_stmt *statement = NULL;
  int result = sqlite3_prepare_v2 (self->handle, sql, -1, &statement, NULL);

  if (result != SQLITE_OK)
    fail (self, result, error);
  return statement;
}

gboolean
fh_history_database_step (FhHistoryDatabase *self, sqlite3_stmt *statement, GError **error)
{
  int result = sqlite3_step (statement);

  if (result == SQLITE_ROW)
    return TRUE;
  if (result != SQLITE_DONE)
    fail (self, result, error);
  return FALSE;
}

gboolean
fh_history_database_finish (FhHistoryDatabase *self, sqlite3_stmt *statement, GError **error)
{
  int result;

  do
    result = sqlite3_step (statement);
  while (result == SQLITE_ROW);
  if (result != SQLITE_DONE)
    return fail (self, result, error);
  sqlite3_reset (statement);
  sqlite3_clear_bindings (statement);
  return TRUE;
}

gboolean
fh_history_database_execute (FhHistoryDatabase *self, const char *sql, GError **error)
{
  int result = sqlite3_exec (self->handle, sql, NULL, NULL, NULL);

  return result == SQLITE_OK || fail (self, result, error);
}

gboolean
fh_history_database_read_int (FhHistoryDatabase *self,
                              const char *sql,
                              gint64 *value,
                              GError **error)
{
  g_autoptr (sqlite3_stmt) statement = fh_history_database_prepare (self, sql, error);
  int result;

  if (statement == NULL)
    return FALSE;
  result = sqlite3_step (statement);
  if (result != SQLITE_ROW && result != SQLITE_DONE)
    return fail (self, result, error);
  *value = result == SQLITE_ROW ? sqlite3_column_int64 (statement, 0) : 0;
  return TRUE;
}

gint64
fh_history_database_last_id (FhHistoryDatabase *self)
{
  return sqlite3_last_insert_rowid (self->handle);
}

gint64
fh_history_database_changes (FhHistoryDatabase *self)
{
  return sqlite3_changes64 (self->handle);
}

gboolean
fh_history_database_begin (FhHistoryDatabase *self, GError **error)
{
  /* SQLite itself refuses the first change only. */
  if (fh_history_database_is_read_only (self))
    return fail (self, SQLITE_READONLY, error);
  return fh_history_database_execute (self, "BEGIN IMMEDIATE", error);
}

gboolean
fh_history_database_end (FhHistoryDatabase *self, gboolean ok, GError **error)
{
  if (ok && fh_history_database_execute (self, "COMMIT", error))
    return TRUE;
  /* Some failures have rolled everything back already. */
  if (!sqlite3_get_autocommit (self->handle))
    sqlite3_exec (self->handle, "ROLLBACK", NULL, NULL, NULL);
  return FALSE;
}
