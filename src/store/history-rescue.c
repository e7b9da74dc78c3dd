/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-rescue.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "history-file.h"
#include "history-records.h"
#include "history-schema.h"
#include "history.h"

/* So many tries in a row that fail are the end: they reach over millions of ids, and without the
 * first page of the table there are none. */
#define MAX_TRIES 200

/* A larger id is damage itself. */
#define MAX_ID 10000000

/* The next id from `id` on. FALSE if that cannot be read, with 0 if there is none. (Asked for what
 * is after the one before, SQLite would begin in the page of that, which may be the damaged one.)
 */
static gboolean
find_next (FhHistoryDatabase *database, gint64 id, gint64 *next)
{
  g_autofree char *question = g_strdup_printf (
      "SELECT ifnull (min (id), 0) FROM run_contents WHERE id >= %" G_GINT64_FORMAT,
      id);

  *next = 0;
  return fh_history_database_read_int (database, question, next, NULL);
}

/* Copies from id to id, because each page can be damaged: what is beyond one is found again by
 * trying ids, first one by one, then in steps of a part of what is lost anyway. */
static gint64
copy_readable (FhHistoryDatabase *from, FhHistoryDatabase *to)
{
  gint64 count = 0;
  gint64 id = 1;
  gint64 gap = 0;
  guint tries = 0;
  gboolean ok = TRUE;

  if (!fh_history_database_begin (to, NULL))
    return 0;
  while (ok && tries < MAX_TRIES)
    {
      gint64 next;
      gboolean copied;

      if (!find_next (from, id, &next) || next > MAX_ID)
        {
          const gint64 step = 1 + gap / 16;

          id += step;
          gap += step;
          tries++;
          continue;
        }
      /* The end was reached, or a damaged page tells anything. */
      if (next < id)
        break;
      ok = fh_history_record_copy (from, to, next, &copied, NULL);
      count += copied;
      id = next + 1;
      gap = 0;
      tries = 0;
    }
  return fh_history_database_end (to, ok, NULL) ? count : 0;
}

static char *
describe (const char *aside, gint64 count)
{
  g_autofree char *name = g_filename_display_name (aside);

  if (count == 0)
    return g_strdup_printf (
        _ ("The history was damaged and could not be read. It was moved to “%s”, and a new one was "
           "begun."),
        name);
  return g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE,
                   "The history was damaged. %d run was saved from it; the damaged "
                   "file was moved to “%s”.",
                   "The history was damaged. %d runs were saved from it; the "
                   "damaged file was moved to “%s”.",
                   (gulong) count),
      (int) count,
      name);
}

static FhHistoryDatabase *
replace (const char *path, char **notice, GError **error)
{
  g_autofree char *aside = NULL;
  g_autoptr (FhHistoryDatabase) old = NULL;
  g_autoptr (FhHistoryDatabase) new = NULL;
  gint64 count = 0;

  if (!fh_history_file_set_aside (path, &aside, error))
    return NULL;
  new = fh_history_schema_open (path, TRUE, error);
  if (new == NULL)
    {
      g_autofree char *name = g_filename_display_name (aside);

      g_prefix_error (error, _ ("The history was damaged and was moved to “%s”. "), name);
      return NULL;
    }
  old = fh_history_database_connect_damaged (aside, NULL);
  if (old)
    count = copy_readable (old, new);
  *notice = describe (aside, count);
  return g_steal_pointer (&new);
}

FhHistoryDatabase *
fh_history_rescue (const char *path, FhHistoryDatabase *damaged, char **notice, GError **error)
{
  FhHistoryDatabase *database = NULL;
  g_autoptr (GError) local = NULL;
  int lock;

  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (notice != NULL, NULL);

  *notice = NULL;
  lock = fh_history_file_lock (path, TRUE);
  /* The previous owner of the lock may have replaced the file. */
  if (damaged == NULL || fh_history_database_has_moved (damaged))
    database = fh_history_schema_open (path, TRUE, &local);
  g_clear_pointer (&damaged, fh_history_database_free);
  if (database == NULL &&
      (local == NULL || g_error_matches (local, FH_HISTORY_ERROR, FH_HISTORY_ERROR_DAMAGED)))
    database = replace (path, notice, error);
  else if (database == NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  if (lock >= 0)
    close (lock);
  return database;
}
