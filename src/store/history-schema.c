/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-schema.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "history-file.h"
#include "history.h"

/* "Fume": identifies our databases. */
#define APPLICATION_ID "1182100837"

/*
 * Step n migrates from format n to format n + 1. A released step must not be edited.
 *
 * Lists read only `runs`, so its rows are small. `run_contents` has request and result as JSON and
 * the serialised output, `run_files` the files left behind. `run_words` is the index for searching,
 * with its own copy of the texts, so that a row can be removed from it however it was made.
 * AUTOINCREMENT: ids are not reused, and newer runs have larger ids, whatever the clock says.
 */
static const char *const steps[] = {
  "CREATE TABLE runs ("
  "  id INTEGER PRIMARY KEY AUTOINCREMENT,"
  "  started_us INTEGER NOT NULL," /* since 1970, UTC */
  "  title TEXT NOT NULL,"
  "  snippet TEXT NOT NULL,"
  "  language TEXT NOT NULL,"
  "  status INTEGER NOT NULL,"
  "  wall_us INTEGER NOT NULL,"
  "  pinned INTEGER NOT NULL DEFAULT 0,"
  "  deleted_us INTEGER" /* NULL: shown */
  ") STRICT;"
  "CREATE INDEX runs_deleted ON runs (deleted_us) WHERE deleted_us IS NOT NULL;"
  "CREATE TABLE run_contents ("
  "  id INTEGER PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,"
  "  request BLOB NOT NULL,"
  "  result BLOB NOT NULL,"
  "  output BLOB NOT NULL"
  ") STRICT;"
  "CREATE VIRTUAL TABLE run_words USING fts5 ("
  "  title, source, output, columnsize = 0, tokenize = 'unicode61 remove_diacritics 2');"
  "PRAGMA application_id = " APPLICATION_ID ";"
  "PRAGMA user_version = 1;",

  /* Contents of the files left behind, by their positions in the list of the result. */
  "CREATE TABLE run_files ("
  "  run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,"
  "  position INTEGER NOT NULL,"
  "  content BLOB NOT NULL,"
  "  PRIMARY KEY (run, position)"
  ") STRICT;"
  "PRAGMA user_version = 2;",

  /* The image of a run in a container; NULL: on this computer. */
  ("ALTER TABLE runs ADD COLUMN image TEXT;"
   "PRAGMA user_version = 3;"),

  /* The samples of a batch are runs that belong to another one, which alone is listed, searched and
   * counted. There is no foreign key: it is reserved first and written last. */
  ("ALTER TABLE runs ADD COLUMN batch INTEGER;"
   "ALTER TABLE runs ADD COLUMN verdict TEXT;" /* of a sample */
   "ALTER TABLE runs ADD COLUMN memory_peak INTEGER;"
   "ALTER TABLE runs ADD COLUMN stopped INTEGER;" /* attempts that a guard stopped */
   "CREATE INDEX runs_batch ON runs (batch) WHERE batch IS NOT NULL;"
   "PRAGMA user_version = 4;"),
};

int
fh_history_schema_version (void)
{
  return G_N_ELEMENTS (steps);
}

typedef struct
{
  gint64 version;
  gint64 application_id;
  gint64 tables;
} Identity;

/* Reads in one transaction, because another process can be creating it. */
static gboolean
read_identity (FhHistoryDatabase *database, Identity *identity, GError **error)
{
  gboolean ok;

  if (!fh_history_database_execute (database, "BEGIN", error))
    return FALSE;
  ok = fh_history_database_read_int (database, "PRAGMA user_version", &identity->version, error) &&
       fh_history_database_read_int (database,
                                     "PRAGMA application_id",
                                     &identity->application_id,
                                     error) &&
       fh_history_database_read_int (database,
                                     "SELECT count (*) FROM sqlite_schema",
                                     &identity->tables,
                                     error);
  return fh_history_database_end (database, ok, error);
}

static gboolean
refuse_foreign (FhHistoryDatabase *database, GError **error)
{
  g_autofree char *name = g_filename_display_name (fh_history_database_get_path (database));

  g_set_error (error,
               FH_HISTORY_ERROR,
               FH_HISTORY_ERROR_OPEN,
               _ ("“%s” is a database of another program, so it was left alone. Move it away."),
               name);
  return FALSE;
}

static gboolean
refuse_newer (FhHistoryDatabase *database, GError **error)
{
  g_autofree char *name = g_filename_display_name (fh_history_database_get_path (database));

  g_set_error (error,
               FH_HISTORY_ERROR,
               FH_HISTORY_ERROR_OPEN,
               _ ("The history “%s” was written by a newer version of Fumehood, so it was left "
                  "alone. Update Fumehood to use it."),
               name);
  return FALSE;
}

static gboolean
check_version (FhHistoryDatabase *database, gint64 *version, GError **error)
{
  Identity identity;

  if (!read_identity (database, &identity, error))
    return FALSE;
  *version = identity.version;
  if (identity.application_id != g_ascii_strtoll (APPLICATION_ID, NULL, 10))
    return (identity.tables == 0 && identity.version == 0) || refuse_foreign (database, error);
  return identity.version <= fh_history_schema_version () || refuse_newer (database, error);
}

/* A run changes about eight pages, whatever their size, and all are written to the WAL. Half the
 * usual size halves what the next process has to read, and searching is as fast. */
#define CREATION                                                                                   \
  "PRAGMA page_size = 2048; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;"

static gboolean
migrate (FhHistoryDatabase *database, gint64 version, GError **error)
{
  if (version == 0 && !fh_history_database_execute (database, CREATION, error))
    return FALSE;
  for (; version < fh_history_schema_version (); version++)
    {
      gboolean ok;

      if (!fh_history_database_begin (database, error))
        return FALSE;
      ok = fh_history_database_execute (database, steps[version], error);
      if (!fh_history_database_end (database, ok, error))
        return FALSE;
    }
  return TRUE;
}

/* A read-only database of an earlier format is read as it is. */
static gboolean
must_migrate (FhHistoryDatabase *database, gint64 version)
{
  return version < fh_history_schema_version () &&
         (version == 0 || !fh_history_database_is_read_only (database));
}

/* The file is damaged if tables of its format are missing. */
static gboolean
check_tables (FhHistoryDatabase *database, gint64 version, GError **error)
{
  static const char *const questions[] = {
    "SELECT 1 FROM runs JOIN run_contents USING (id) JOIN run_words ON run_words.rowid = id",
    "SELECT 1 FROM runs JOIN run_contents USING (id) JOIN run_words ON run_words.rowid = id"
    " LEFT JOIN run_files ON run_files.run = id",
    "SELECT image FROM runs JOIN run_contents USING (id) JOIN run_words ON run_words.rowid = id"
    " LEFT JOIN run_files ON run_files.run = id",
    "SELECT image, batch, verdict, memory_peak, stopped FROM runs JOIN run_contents USING (id)"
    " JOIN run_words ON run_words.rowid = id LEFT JOIN run_files ON run_files.run = id",
  };
  g_autofree char *name = NULL;
  g_autoptr (sqlite3_stmt) statement = NULL;

  G_STATIC_ASSERT (G_N_ELEMENTS (questions) == G_N_ELEMENTS (steps));
  statement = fh_history_database_prepare (database, questions[version - 1], NULL);

  if (statement)
    return TRUE;
  name = g_filename_display_name (fh_history_database_get_path (database));
  fh_history_database_mark_damaged (database);
  g_set_error (error,
               FH_HISTORY_ERROR,
               FH_HISTORY_ERROR_DAMAGED,
               _ ("The history “%s” is damaged: tables are missing."),
               name);
  return FALSE;
}

/* The caller has the lock of the folder, exclusively if `may_migrate`. NULL without an error if the
 * database must be migrated but may not. */
static FhHistoryDatabase *
open_locked (const char *path, gboolean may_migrate, GError **error)
{
  g_autoptr (FhHistoryDatabase) database = fh_history_database_connect (path, error);
  gint64 version;

  if (database == NULL || !check_version (database, &version, error))
    return NULL;
  if (must_migrate (database, version))
    {
      if (!may_migrate || !migrate (database, version, error))
        return NULL;
      version = fh_history_schema_version ();
    }
  if (!check_tables (database, version, error))
    return NULL;
  return g_steal_pointer (&database);
}

static FhHistoryDatabase *
lock_and_open (const char *path, gboolean alone, GError **error)
{
  int lock = fh_history_file_lock (path, alone);
  FhHistoryDatabase *database = open_locked (path, alone, error);

  if (lock >= 0)
    close (lock);
  return database;
}

FhHistoryDatabase *
fh_history_schema_open (const char *path, gboolean has_lock, GError **error)
{
  FhHistoryDatabase *database;
  g_autoptr (GError) local = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  if (!fh_history_file_prepare (path, error))
    return NULL;
  if (has_lock)
    return open_locked (path, TRUE, error);
  database = lock_and_open (path, FALSE, &local);
  if (database == NULL && local == NULL)
    database = lock_and_open (path, TRUE, &local);
  if (local)
    g_propagate_error (error, g_steal_pointer (&local));
  return database;
}

#define COLUMNS "runs.id, started_us, runs.title, snippet, language, status, wall_us, pinned, "

/* A read-only history can have an earlier format. */
static gint64
format_of (FhHistoryDatabase *database)
{
  gint64 version = 0;

  fh_history_database_read_int (database, "PRAGMA user_version", &version, NULL);
  return version;
}

const char *
fh_history_schema_columns (FhHistoryDatabase *database)
{
  switch (format_of (database))
    {
    case 0:
    case 1:
    case 2:
      return COLUMNS "NULL, NULL, NULL, NULL, 0";
    case 3:
      return COLUMNS "image, NULL, NULL, NULL, 0";
    default:
      return COLUMNS "image, verdict, memory_peak, stopped,"
                     " (SELECT count (*) FROM runs AS samples WHERE samples.batch = runs.id)";
    }
}

const char *
fh_history_schema_listed (FhHistoryDatabase *database)
{
  return format_of (database) < 4 ? "deleted_us IS NULL" : "deleted_us IS NULL AND batch IS NULL";
}
