/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history-records.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "history-contents.h"
#include "history-entry-private.h"
#include "history-files.h"
#include "history-schema.h"
#include "history.h"

#define RESERVED_US (30 * G_TIME_SPAN_DAY) /* longer than any batch takes */

static const char *
column_text (sqlite3_stmt *row, int column)
{
  const char *text = (const char *) sqlite3_column_text (row, column);

  return text ? text : "";
}

static char *
column_valid_text (sqlite3_stmt *row, int column)
{
  return g_utf8_make_valid (column_text (row, column), -1);
}

static GBytes *
column_bytes (sqlite3_stmt *row, int column)
{
  const void *data = sqlite3_column_blob (row, column);

  return g_bytes_new (data, (gsize) sqlite3_column_bytes (row, column));
}

static FhRunStatus
column_status (sqlite3_stmt *row, int column)
{
  gint64 status = sqlite3_column_int64 (row, column);

  if (status < FH_RUN_STATUS_OK || status > FH_RUN_STATUS_OPERATION_LIMIT)
    return FH_RUN_STATUS_INTERNAL_ERROR;
  return (FhRunStatus) status;
}

FhHistoryEntry *
fh_history_record_entry (sqlite3_stmt *row)
{
  gboolean has_image = sqlite3_column_type (row, 8) != SQLITE_NULL;
  g_autofree char *image = has_image ? column_valid_text (row, 8) : NULL;
  gboolean has_verdict = sqlite3_column_type (row, 9) != SQLITE_NULL;
  g_autofree char *verdict = has_verdict ? column_valid_text (row, 9) : NULL;
  g_autofree char *title = column_valid_text (row, 2);
  g_autofree char *snippet = column_valid_text (row, 3);
  const FhHistoryRow values = {
    .id = sqlite3_column_int64 (row, 0),
    .started_us = sqlite3_column_int64 (row, 1),
    .title = title,
    .snippet = snippet,
    .language = column_text (row, 4),
    .status = column_status (row, 5),
    .wall_us = (guint64) MAX (sqlite3_column_int64 (row, 6), 0),
    .pinned = sqlite3_column_int (row, 7) != 0,
    .image = image,
    .verdict = verdict,
    .memory_peak = (guint64) MAX (sqlite3_column_int64 (row, 10), 0),
    .n_stopped = (guint) CLAMP (sqlite3_column_int64 (row, 11), 0, G_MAXUINT),
    .n_samples = (guint) CLAMP (sqlite3_column_int64 (row, 12), 0, G_MAXUINT),
  };

  return fh_history_entry_new (&values);
}

/* The text is not copied, and must live until the statement is reset. */
static void
bind_text (sqlite3_stmt *statement, int index, const char *text)
{
  sqlite3_bind_text64 (statement, index, text, strlen (text), SQLITE_STATIC, SQLITE_UTF8);
}

static void
bind_bytes (sqlite3_stmt *statement, int index, GBytes *bytes)
{
  gsize size;
  const void *data = g_bytes_get_data (bytes, &size);

  sqlite3_bind_blob64 (statement, index, data ? data : "", size, SQLITE_STATIC);
}

static gint64
started_us (FhRunResult *result)
{
  GDateTime *moment = fh_run_result_get_parts (result)->started_at;

  return g_date_time_to_unix (moment) * G_USEC_PER_SEC + g_date_time_get_microsecond (moment);
}

/* The columns of a row beside its request and result; zero for a new run. */
typedef struct
{
  gint64 id;           /* 0: a new one */
  gint64 deleted_us;   /* 0: shown */
  gint64 batch;        /* that it is a sample of; 0: none */
  const char *verdict; /* of a sample or a batch */
  gboolean pinned;
} RowState;

static void
bind_usage (sqlite3_stmt *statement, int index, FhRunResult *result)
{
  guint64 peak = fh_run_result_get_parts (result)->outcome->memory_peak;

  sqlite3_bind_int64 (statement, index, (gint64) MIN (peak, (guint64) G_MAXINT64));
  sqlite3_bind_int64 (statement,
                      index + 1,
                      fh_attempt_log_get_n_stopped (fh_run_result_get_parts (result)->attempts));
}

static gboolean
insert_row (FhHistoryDatabase *database,
            const RowState *state,
            FhRunRequest *request,
            FhRunResult *result,
            const char *source,
            GError **error)
{
  g_autoptr (sqlite3_stmt) statement = fh_history_database_prepare (
      database,
      "INSERT INTO runs (id, started_us, title, snippet, language, status, wall_us,"
      " pinned, deleted_us, batch, image, verdict, memory_peak, stopped)"
      " VALUES (nullif (?, 0), ?, ?, ?, ?, ?, ?, ?, nullif (?, 0), nullif (?, 0), ?, ?, ?, ?)",
      error);
  g_autofree char *blocks = fh_block_runs_dup_text (fh_run_result_get_parts (result)->blocks);
  g_autofree char *snippet =
      blocks != NULL ? g_steal_pointer (&blocks) : fh_history_contents_snippet (source);
  const FhRunOutcome *outcome = fh_run_result_get_parts (result)->outcome;
  const FhContainerOptions *container = fh_run_request_get_parts (request)->container;

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, state->id);
  sqlite3_bind_int64 (statement, 2, started_us (result));
  bind_text (statement, 3, fh_run_request_get_parts (request)->title);
  bind_text (statement, 4, snippet);
  bind_text (statement, 5, fh_run_request_get_parts (request)->language->id);
  sqlite3_bind_int (statement, 6, (int) outcome->status);
  sqlite3_bind_int64 (statement,
                      7,
                      (gint64) MIN (fh_run_outcome_own_us (outcome), (guint64) G_MAXINT64));
  sqlite3_bind_int (statement, 8, state->pinned);
  sqlite3_bind_int64 (statement, 9, state->deleted_us);
  sqlite3_bind_int64 (statement, 10, state->batch);
  if (container != NULL)
    bind_text (statement, 11, fh_container_options_image (container));
  if (state->verdict != NULL)
    bind_text (statement, 12, state->verdict);
  bind_usage (statement, 13, result);
  return fh_history_database_finish (database, statement, error);
}

static gboolean
insert_contents (FhHistoryDatabase *database,
                 gint64 id,
                 const FhHistoryContents *contents,
                 GError **error)
{
  g_autoptr (sqlite3_stmt) statement = fh_history_database_prepare (
      database,
      "INSERT INTO run_contents (id, request, result, output) VALUES (?, ?, ?, ?)",
      error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, id);
  bind_bytes (statement, 2, contents->request);
  bind_bytes (statement, 3, contents->result);
  bind_bytes (statement, 4, contents->output);
  return fh_history_database_finish (database, statement, error);
}

static gboolean
insert_words (FhHistoryDatabase *database,
              gint64 id,
              FhRunRequest *request,
              FhRunResult *result,
              const char *source,
              GError **error)
{
  g_autoptr (sqlite3_stmt) statement = fh_history_database_prepare (
      database,
      "INSERT INTO run_words (rowid, title, source, output) VALUES (?, ?, ?, ?)",
      error);
  FhOutputLog *output = fh_run_result_get_parts (result)->output;
  g_autofree char *out = fh_output_log_dup_text (output, FH_STREAM_STDOUT);
  g_autofree char *err = fh_output_log_dup_text (output, FH_STREAM_STDERR);
  g_autofree char *both = g_strconcat (out, "\n", err, NULL);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, id);
  bind_text (statement, 2, fh_run_request_get_parts (request)->title);
  bind_text (statement, 3, source);
  bind_text (statement, 4, both);
  return fh_history_database_finish (database, statement, error);
}

static gint64
insert (FhHistoryDatabase *database,
        const RowState *state,
        FhRunRequest *request,
        FhRunResult *result,
        const FhHistoryContents *contents,
        GError **error)
{
  g_autofree char *source = fh_run_request_dup_source_text (request);
  gint64 id;

  if (!insert_row (database, state, request, result, source, error))
    return -1;
  id = fh_history_database_last_id (database);
  if (!insert_contents (database, id, contents, error) ||
      (contents->files != NULL &&
       !fh_history_files_insert (database, id, contents->files, error)) ||
      (state->batch == 0 && !insert_words (database, id, request, result, source, error)))
    return -1;
  return id;
}

static gboolean
fail_not_found (gint64 id, GError **error)
{
  g_set_error (error,
               FH_HISTORY_ERROR,
               FH_HISTORY_ERROR_NOT_FOUND,
               _ ("There is no run %" PRId64 " in the history."),
               id);
  return FALSE;
}

/* TRUE with the row in `statement`. */
static gboolean
find (FhHistoryDatabase *database,
      const char *sql,
      gint64 id,
      sqlite3_stmt **statement,
      GError **error)
{
  g_autoptr (GError) local = NULL;

  *statement = fh_history_database_prepare (database, sql, error);
  if (*statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (*statement, 1, id);
  if (fh_history_database_step (database, *statement, &local))
    return TRUE;
  if (local == NULL)
    return fail_not_found (id, error);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* A reserved row has no language until the first time that it is written. It is gone if the user
 * has cleared the history since, or if the database was replaced: then the id may belong to another
 * run, which has started at another time. What a person has done with it meanwhile holds. FALSE if
 * it is gone. */
static gboolean
find_reserved (FhHistoryDatabase *database, gint64 id, FhRunResult *result, RowState *state)
{
  g_autoptr (sqlite3_stmt) statement = NULL;

  if (id == 0 || !find (database,
                        "SELECT language = '', started_us, pinned, deleted_us FROM runs"
                        " WHERE id = ?",
                        id,
                        &statement,
                        NULL))
    return FALSE;
  if (sqlite3_column_int (statement, 0))
    {
      state->id = id;
      return TRUE;
    }
  if (sqlite3_column_int64 (statement, 1) != started_us (result))
    return FALSE;
  state->id = id;
  state->pinned = sqlite3_column_int (statement, 2) != 0;
  state->deleted_us = sqlite3_column_int64 (statement, 3);
  return TRUE;
}

/* Whether samples may be added to a row: it is reserved, or was written and has some already. */
static gboolean
takes_samples (FhHistoryDatabase *database, gint64 id)
{
  g_autoptr (sqlite3_stmt) statement = NULL;

  return find (database,
               "SELECT 1 FROM runs WHERE id = ? AND (language = '' OR EXISTS"
               " (SELECT 1 FROM runs AS sample WHERE sample.batch = runs.id))",
               id,
               &statement,
               NULL);
}

static gboolean
delete_row (FhHistoryDatabase *database, const char *sql, gint64 id, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = fh_history_database_prepare (database, sql, error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, id);
  return fh_history_database_finish (database, statement, error);
}

static gboolean
give_up (FhHistoryDatabase *database, gint64 id, GError **error)
{
  return delete_row (database, "DELETE FROM run_words WHERE rowid = ?", id, error) &&
         delete_row (database, "DELETE FROM runs WHERE id = ?", id, error);
}

gint64
fh_history_record_add (FhHistoryDatabase *database,
                       gint64 reserved,
                       const char *verdict,
                       FhRunRequest *request,
                       FhRunResult *result,
                       GError **error)
{
  g_auto (FhHistoryContents) contents = { 0 };
  RowState state = { .verdict = verdict };
  gint64 id = -1;

  /* The contents are encoded before the transaction, which makes other processes wait. */
  fh_history_contents_encode (request, result, &contents);
  if (!fh_history_database_begin (database, error))
    return -1;
  if (!find_reserved (database, reserved, result, &state) || give_up (database, reserved, error))
    id = insert (database, &state, request, result, &contents, error);
  return fh_history_database_end (database, id >= 0, error) ? id : -1;
}

gboolean
fh_history_record_insert_sample (FhHistoryDatabase *database,
                                 gint64 batch,
                                 const char *verdict,
                                 FhRunRequest *request,
                                 FhRunResult *result,
                                 GError **error)
{
  const RowState state = { .batch = batch, .verdict = verdict };
  g_auto (FhHistoryContents) contents = { 0 };

  fh_history_contents_encode (request, result, &contents);
  return (takes_samples (database, batch) || fail_not_found (batch, error)) &&
         insert (database, &state, request, result, &contents, error) >= 0;
}

/* If nothing is written to it, it goes with its samples like any deleted run, but not while a batch
 * may still be running. */
gint64
fh_history_record_reserve (FhHistoryDatabase *database, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = fh_history_database_prepare (
      database,
      "INSERT INTO runs (started_us, title, snippet, language, status, wall_us, deleted_us)"
      " VALUES (0, '', '', '', 0, 0, ?)",
      error);

  if (statement == NULL)
    return -1;
  sqlite3_bind_int64 (statement, 1, g_get_real_time () + RESERVED_US);
  if (!fh_history_database_finish (database, statement, error))
    return -1;
  return fh_history_database_last_id (database);
}

/* The columns request, result and output. */
static void
read_contents (sqlite3_stmt *row, int first, FhHistoryContents *contents)
{
  contents->request = column_bytes (row, first++);
  contents->result = column_bytes (row, first++);
  contents->output = column_bytes (row, first);
}

gboolean
fh_history_record_load (FhHistoryDatabase *database,
                        gint64 id,
                        FhHistoryEntry **entry,
                        FhRunRequest **request,
                        FhRunResult **result,
                        GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_auto (FhHistoryContents) contents = { 0 };
  g_autoptr (GError) local = NULL;
  g_autofree char *sql = g_strconcat ("SELECT ",
                                      fh_history_schema_columns (database),
                                      ", request, result, output FROM runs"
                                      " JOIN run_contents USING (id)"
                                      " WHERE runs.id = ? AND deleted_us IS NULL",
                                      NULL);

  if (!find (database, sql, id, &statement, error))
    return FALSE;
  read_contents (statement, FH_HISTORY_N_COLUMNS, &contents);
  contents.files = result != NULL ? fh_history_files_load (database, id, &local) : NULL;
  /* A read-only history can have a format without files. */
  if (local != NULL && !fh_history_database_is_read_only (database))
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  g_clear_error (&local);
  if (!fh_history_contents_decode (&contents, request, result, &local))
    {
      g_set_error (error,
                   FH_HISTORY_ERROR,
                   FH_HISTORY_ERROR_DAMAGED,
                   /* Translators: a number, then the reason. */
                   _ ("Run %" PRId64 " of the history is damaged: %s"),
                   id,
                   local->message);
      return FALSE;
    }
  if (entry)
    *entry = fh_history_record_entry (statement);
  return TRUE;
}

/* Unknown values are those of a new run, so that the run is listed. `verdict` keeps the text. */
static void
read_state (FhHistoryDatabase *database, RowState *state, char **verdict)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_autoptr (sqlite3_stmt) sample = NULL;

  /* Earlier formats have no samples. */
  if (find (database,
            "SELECT batch, verdict FROM runs WHERE id = ? AND coalesce (batch, verdict) NOT NULL",
            state->id,
            &sample,
            NULL))
    {
      state->batch = sqlite3_column_int64 (sample, 0);
      state->verdict = *verdict = column_valid_text (sample, 1);
    }
  if (!find (database,
             "SELECT pinned, deleted_us FROM runs WHERE id = ?",
             state->id,
             &statement,
             NULL))
    return;
  state->pinned = sqlite3_column_int (statement, 0) != 0;
  state->deleted_us = sqlite3_column_int64 (statement, 1);
}

gboolean
fh_history_record_copy (FhHistoryDatabase *from,
                        FhHistoryDatabase *to,
                        gint64 id,
                        gboolean *copied,
                        GError **error)
{
  g_autoptr (sqlite3_stmt) statement = NULL;
  g_auto (FhHistoryContents) contents = { 0 };
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (FhRunResult) result = NULL;
  g_autofree char *verdict = NULL;
  RowState state = { .id = id };

  *copied = FALSE;
  if (!find (from,
             "SELECT request, result, output FROM run_contents WHERE id = ?",
             id,
             &statement,
             NULL))
    return TRUE;
  read_contents (statement, 0, &contents);
  /* A run without its files is better than none; earlier formats have no such table. */
  contents.files = fh_history_files_load (from, id, NULL);
  if (!fh_history_contents_decode (&contents, &request, &result, NULL))
    return TRUE;
  read_state (from, &state, &verdict);
  *copied = insert (to, &state, request, result, &contents, error) >= 0;
  return *copied;
}

/* One change of one row; `sql` takes `value`, then `id`. */
static gboolean
update (FhHistoryDatabase *database, const char *sql, gint64 value, gint64 id, GError **error)
{
  g_autoptr (sqlite3_stmt) statement = fh_history_database_prepare (database, sql, error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, value);
  sqlite3_bind_int64 (statement, 2, id);
  if (!fh_history_database_finish (database, statement, error))
    return FALSE;
  return fh_history_database_changes (database) > 0 || fail_not_found (id, error);
}

gboolean
fh_history_record_set_pinned (FhHistoryDatabase *database,
                              gint64 id,
                              gboolean pinned,
                              GError **error)
{
  return update (database,
                 "UPDATE runs SET pinned = ? WHERE id = ? AND deleted_us IS NULL",
                 pinned,
                 id,
                 error);
}

gboolean
fh_history_record_hide (FhHistoryDatabase *database, gint64 id, GError **error)
{
  return update (database,
                 "UPDATE runs SET deleted_us = ? WHERE id = ? AND deleted_us IS NULL",
                 g_get_real_time (),
                 id,
                 error);
}

gboolean
fh_history_record_show (FhHistoryDatabase *database, gint64 id, GError **error)
{
  return update (database, "UPDATE runs SET deleted_us = nullif (?, 0) WHERE id = ?", 0, id, error);
}
