/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-prune.h"

#define MUCH_SURPLUS 100

#define HIDDEN "SELECT id FROM runs WHERE deleted_us <= ?"
#define SURPLUS                                                                                    \
  "SELECT id FROM runs WHERE deleted_us IS NULL AND batch IS NULL AND pinned = 0"                  \
  " ORDER BY id DESC LIMIT -1 OFFSET ?"
/* Deletes samples of batches that are gone. */
#define SAMPLES "DELETE FROM runs WHERE batch IS NOT NULL AND batch NOT IN (SELECT id FROM runs)"

/* `value` is what the choice of runs takes. */
static gboolean
remove_rows (FhHistoryDatabase *database, const char *sql, gint64 value, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = fh_history_database_prepare (database, sql, error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, value);
  return fh_history_database_finish (database, statement, error);
}

static gboolean
remove_hidden (FhHistoryDatabase *database, gint64 before_us, gint64 *count, GError **error)
{
  if (!remove_rows (database,
                    "DELETE FROM run_words WHERE rowid IN (" HIDDEN ")",
                    before_us,
                    error) ||
      !remove_rows (database, "DELETE FROM runs WHERE id IN (" HIDDEN ")", before_us, error))
    return FALSE;
  *count = fh_history_database_changes (database);
  return TRUE;
}

static gboolean
remove_surplus (FhHistoryDatabase *database, guint keep, gint64 *count, GError **error)
{
  *count = 0;
  if (keep == 0)
    return TRUE;
  if (!remove_rows (database, "DELETE FROM run_words WHERE rowid IN (" SURPLUS ")", keep, error) ||
      !remove_rows (database, "DELETE FROM runs WHERE id IN (" SURPLUS ")", keep, error))
    return FALSE;
  *count = fh_history_database_changes (database);
  return TRUE;
}

/* Removed runs are gone from the disk only when the parts of the index are merged and a checkpoint
 * has emptied the WAL. */
static void
sweep (FhHistoryDatabase *database)
{
  g_autoptr (GError) error = NULL;

  /* A failure is no error: the runs are removed, and the next sweep does the rest. */
  if (!fh_history_database_execute (database,
                                    "INSERT INTO run_words (run_words) VALUES ('optimize');"
                                    "PRAGMA incremental_vacuum; PRAGMA wal_checkpoint (TRUNCATE);",
                                    &error))
    g_debug ("Could not sweep the history: %s", error->message);
}

gboolean
fh_history_prune (FhHistoryDatabase *database,
                  gint64 hidden_before_us,
                  guint keep,
                  gboolean *changed,
                  GError **error)
{
  gint64 hidden = 0;
  gint64 surplus = 0;
  gboolean ok;

  *changed = FALSE;
  if (!fh_history_database_begin (database, error))
    return FALSE;
  ok = remove_hidden (database, hidden_before_us, &hidden, error) &&
       remove_surplus (database, keep, &surplus, error) &&
       (hidden + surplus == 0 || fh_history_database_execute (database, SAMPLES, error));
  if (!fh_history_database_end (database, ok, error))
    return FALSE;
  *changed = hidden > 0 || surplus > 0;
  /* Hidden runs were deleted by the user. Surplus runs are usually removed one by one, and their
   * room is used for new ones; it is only given back if there is much of it. */
  if (hidden > 0 || surplus >= MUCH_SURPLUS)
    sweep (database);
  return TRUE;
}
