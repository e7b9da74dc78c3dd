/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stored-run.h"

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>

#define YEAR_2026 G_GINT64_CONSTANT (1767225600)

char *
fh_test_folder_new (void)
{
  GError *error = NULL;
  char *folder = g_dir_make_tmp ("fumehood-store-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

static void
remove_tree (const char *path)
{
  GDir *dir = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_tree (child);
    }
  g_clear_pointer (&dir, g_dir_close);
  g_remove (path);
}

void
fh_test_folder_remove (char *folder)
{
  remove_tree (folder);
  g_free (folder);
}

FhRunRequest *
fh_test_request_bytes (const void *source, gsize size)
{
  const char *const arguments[] = { "--name", "caf\xe9", NULL };
  g_autoptr (GBytes) bytes = g_bytes_new (source, size);
  g_autoptr (GBytes) input = g_bytes_new_static ("in\0put\xff", 7);
  const FhRunRequestInit init = {
    .language = fh_language_lookup ("python"),
    .source = bytes,
    .arguments = arguments,
    .standard_input = input,
    .limits = FH_RUN_LIMITS_DEFAULT,
  };
  GError *error = NULL;
  FhRunRequest *request = fh_run_request_new (&init, &error);

  g_assert_no_error (error);
  return request;
}

FhRunRequest *
fh_test_request (const char *source)
{
  return fh_test_request_bytes (source, strlen (source));
}

static FhRunResult *
result_with_log (gint64 second, FhOutputLog *log)
{
  const FhRunOutcome outcome = {
    .status = FH_RUN_STATUS_OK,
    .exit_code = 0,
    .signal = -1,
    .wall_us = 12345,
    .memory_peak = 9 << 20,
    .processes_peak = 1,
  };
  g_autoptr (GDateTime) moment = g_date_time_new_from_unix_utc (YEAR_2026 + second);
  g_autoptr (GPtrArray) guards = g_ptr_array_new_with_free_func (g_object_unref);

  g_ptr_array_add (
      guards,
      fh_guard_state_new (FH_GUARD_NETWORK, FH_GUARD_LEVEL_ACTIVE, "network namespace", NULL));
  return fh_run_result_new (&(FhRunResultParts){
      .outcome = &outcome,
      .output = log,
      .guards = guards,
      .started_at = moment,
      .backend = "native",
      .tier = "A",
  });
}

FhRunResult *
fh_test_result_bytes (gint64 second, const void *out, gsize size)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();

  fh_output_log_append (log, FH_STREAM_STDOUT, 1000, out, size);
  return result_with_log (second, log);
}

FhRunResult *
fh_test_result (gint64 second, const char *out, const char *err)
{
  g_autoptr (FhOutputLog) log = fh_output_log_new ();

  fh_output_log_append (log, FH_STREAM_STDOUT, 1000, out, strlen (out));
  fh_output_log_append (log, FH_STREAM_STDERR, 2000, err, strlen (err));
  return result_with_log (second, log);
}

gint64
fh_test_add (FhHistory *history, gint64 second, const char *source, const char *out)
{
  g_autoptr (FhRunRequest) request = fh_test_request (source);
  g_autoptr (FhRunResult) result = fh_test_result (second, out, "");
  GError *error = NULL;
  gint64 id = fh_history_add (history, request, result, &error);

  g_assert_no_error (error);
  g_assert_cmpint (id, >, 0);
  return id;
}

char *
fh_test_list_ids (FhHistory *history, const char *search, guint offset, guint limit)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) entries = fh_history_list (history, search, offset, limit, &error);
  GString *ids = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < entries->len; i++)
    g_string_append_printf (ids,
                            "%s%" G_GINT64_FORMAT,
                            i ? " " : "",
                            fh_history_entry_get_id (g_ptr_array_index (entries, i)));
  return g_string_free (ids, FALSE);
}

static void
count_change (FhHistory *history, gpointer data)
{
  guint *count = data;

  *count += 1;
}

void
fh_test_history_set_up (FhTestHistory *self, gconstpointer data)
{
  self->folder = fh_test_folder_new ();
  self->path = g_build_filename (self->folder, "state", "history.db", NULL);
  self->history = fh_history_new (self->path);
  g_signal_connect (self->history, "changed", G_CALLBACK (count_change), &self->changes);
}

void
fh_test_history_tear_down (FhTestHistory *self, gconstpointer data)
{
  if (self->history != NULL)
    {
      gpointer alive = self->history;

      fh_history_flush (self->history);
      g_object_add_weak_pointer (alive, &alive);
      g_object_unref (self->history);
      /* The thread of the queue unrefs its last task after the callback. */
      FH_AWAIT_TRUE (alive == NULL);
    }
  if (g_file_test (self->path, G_FILE_TEST_IS_REGULAR))
    fh_test_assert_intact (self->path);
  g_free (self->path);
  fh_test_folder_remove (self->folder);
}

void
fh_test_history_assert_listed (FhTestHistory *self, const char *expected_ids)
{
  g_autofree char *ids = fh_test_list_ids (self->history, NULL, 0, 100);

  g_assert_cmpstr (ids, ==, expected_ids);
}

/* In a context of its own, so that other threads can wait at the same time. */
#define WAIT_FOR(...)                                                                              \
  ({                                                                                               \
    g_autoptr (GMainContext) context_ = g_main_context_new ();                                     \
    GAsyncResult *found_;                                                                          \
                                                                                                   \
    g_main_context_push_thread_default (context_);                                                 \
    found_ = FH_AWAIT (__VA_ARGS__);                                                               \
    g_main_context_pop_thread_default (context_);                                                  \
    found_;                                                                                        \
  })

gboolean
fh_test_history_open (FhHistory *history, char **notice, GError **error)
{
  g_autoptr (GAsyncResult) result = WAIT_FOR (fh_history_open_async (history, NULL, FH_RESULT));

  return fh_history_open_finish (history, result, notice, error);
}

gboolean
fh_test_history_set_pinned (FhHistory *history, gint64 id, gboolean pinned, GError **error)
{
  g_autoptr (GAsyncResult) result =
      WAIT_FOR (fh_history_set_pinned_async (history, id, pinned, NULL, FH_RESULT));

  return fh_history_change_finish (history, result, error);
}

gboolean
fh_test_history_delete (FhHistory *history, gint64 id, GError **error)
{
  g_autoptr (GAsyncResult) result =
      WAIT_FOR (fh_history_set_deleted_async (history, id, TRUE, NULL, FH_RESULT));

  return fh_history_change_finish (history, result, error);
}

gboolean
fh_test_history_restore (FhHistory *history, gint64 id, GError **error)
{
  g_autoptr (GAsyncResult) result =
      WAIT_FOR (fh_history_set_deleted_async (history, id, FALSE, NULL, FH_RESULT));

  return fh_history_change_finish (history, result, error);
}

gboolean
fh_test_history_prune (FhHistory *history, guint keep, GError **error)
{
  g_autoptr (GAsyncResult) result =
      WAIT_FOR (fh_history_prune_async (history, keep, NULL, FH_RESULT));

  return fh_history_change_finish (history, result, error);
}

gboolean
fh_test_history_refresh (FhHistory *history, GError **error)
{
  g_autoptr (GAsyncResult) result = WAIT_FOR (fh_history_refresh_async (history, NULL, FH_RESULT));

  return fh_history_change_finish (history, result, error);
}

void
fh_test_assert_intact (const char *path)
{
  sqlite3 *handle;
  sqlite3_stmt *statement;

  g_assert_cmpint (sqlite3_open_v2 (path, &handle, SQLITE_OPEN_READWRITE, NULL), ==, SQLITE_OK);
  sqlite3_busy_timeout (handle, 10000);
  g_assert_cmpint (sqlite3_prepare_v2 (handle, "PRAGMA integrity_check", -1, &statement, NULL),
                   ==,
                   SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  g_assert_cmpstr ((const char *) sqlite3_column_text (statement, 0), ==, "ok");
  sqlite3_finalize (statement);
  /* The search index must match the rows. */
  g_assert_cmpint (
      sqlite3_exec (handle,
                    "INSERT INTO run_words (run_words, rank) VALUES ('integrity-check', 1)",
                    NULL,
                    NULL,
                    NULL),
      ==,
      SQLITE_OK);
  g_assert_cmpint (
      sqlite3_prepare_v2 (handle,
                          "SELECT count (*) FROM runs FULL JOIN run_contents USING (id)"
                          " FULL JOIN run_words ON run_words.rowid = id"
                          " WHERE runs.id IS NULL OR request IS NULL"
                          " OR (run_words.rowid IS NULL) != (batch IS NOT NULL)",
                          -1,
                          &statement,
                          NULL),
      ==,
      SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  g_assert_cmpint (sqlite3_column_int (statement, 0), ==, 0);
  sqlite3_finalize (statement);
  sqlite3_close (handle);
}
