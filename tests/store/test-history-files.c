/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of a run are stored up to the limits, and removed with the run. */
#include <sqlite3.h>
#include <string.h>

#include "history-files.h"
#include "stored-run.h"

static void
add_file (FhResultFiles *files, const char *path, const void *bytes, gsize size)
{
  g_autoptr (GBytes) content = bytes != NULL ? g_bytes_new (bytes, size) : NULL;
  g_autoptr (FhResultFile) file = fh_result_file_new (&(FhResultFileFacts){
      .path = path,
      .size = size,
      .is_program = path[0] == 'p',
      .is_changed = path[0] == 'c',
      .content = content,
  });

  fh_result_files_add (files, file);
}

static gint64
add_run (FhTestHistory *fixture, FhResultFiles *files)
{
  g_autoptr (FhRunRequest) request = fh_test_request ("open ('a', 'w')");
  g_autoptr (FhRunResult) plain = fh_test_result (1, "out", "");
  FhRunResultParts parts = *fh_run_result_get_parts (plain);
  g_autoptr (FhRunResult) result = NULL;
  GError *error = NULL;
  gint64 id;

  parts.files = files;
  result = fh_run_result_new (&parts);
  id = fh_history_add (fixture->history, request, result, &error);
  g_assert_no_error (error);
  return id;
}

static FhResultFiles *
load_files (FhTestHistory *fixture, gint64 id)
{
  g_autoptr (FhRunResult) result = NULL;
  GError *error = NULL;

  fh_history_load (fixture->history, id, NULL, NULL, &result, &error);
  g_assert_no_error (error);
  return g_object_ref (fh_run_result_get_parts (result)->files);
}

static const FhResultFileFacts *
facts_of (FhResultFiles *files, guint position)
{
  return fh_result_file_get_facts (fh_result_files_get (files, position));
}

static void
change (FhTestHistory *fixture, const char *sql)
{
  sqlite3 *handle;
  char *message = NULL;

  g_assert_cmpint (sqlite3_open (fixture->path, &handle), ==, SQLITE_OK);
  sqlite3_exec (handle, sql, NULL, NULL, &message);
  g_assert_cmpstr (message, ==, NULL);
  sqlite3_close (handle);
}

static gint64
count (FhTestHistory *fixture)
{
  sqlite3 *handle;
  sqlite3_stmt *statement;
  gint64 rows;

  g_assert_cmpint (sqlite3_open (fixture->path, &handle), ==, SQLITE_OK);
  g_assert_cmpint (
      sqlite3_prepare_v2 (handle, "SELECT count (*) FROM run_files", -1, &statement, NULL),
      ==,
      SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  rows = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  sqlite3_close (handle);
  return rows;
}

static void
test_round_trip (FhTestHistory *fixture, gconstpointer data)
{
  g_autoptr (FhResultFiles) files = fh_result_files_new ();
  g_autoptr (FhResultFiles) loaded = NULL;
  gint64 id;

  add_file (files, "binary\n\xff", "a\0b", 3);
  add_file (files, "changed", NULL, 5);
  add_file (files, "empty", "", 0);
  add_file (files, "program", "#!", 2);
  fh_result_files_set_left_out (files, 12, TRUE);
  id = add_run (fixture, files);
  loaded = load_files (fixture, id);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (loaded)), ==, 4);
  g_assert_cmpstr (facts_of (loaded, 0)->path, ==, "binary\n\xff");
  g_assert_cmpmem (g_bytes_get_data (facts_of (loaded, 0)->content, NULL), 3, "a\0b", 3);
  g_assert_null (facts_of (loaded, 1)->content);
  g_assert_cmpuint (facts_of (loaded, 1)->size, ==, 5);
  g_assert_true (facts_of (loaded, 1)->is_changed);
  g_assert_cmpuint (g_bytes_get_size (facts_of (loaded, 2)->content), ==, 0);
  g_assert_true (facts_of (loaded, 3)->is_program);
  g_assert_cmpuint (fh_result_files_get_facts (loaded)->n_left_out, ==, 12);
  g_assert_true (fh_result_files_get_facts (loaded)->is_incomplete);
}

static void
test_limits (FhTestHistory *fixture, gconstpointer data)
{
  g_autofree guint8 *bytes = g_malloc0 (FH_HISTORY_FILE_MAX + 1);
  g_autoptr (FhResultFiles) files = fh_result_files_new ();
  g_autoptr (FhResultFiles) loaded = NULL;
  gint64 id;

  add_file (files, "0", bytes, FH_HISTORY_FILE_MAX + 1);
  add_file (files, "1", bytes, FH_HISTORY_FILE_MAX);
  add_file (files, "2", bytes, FH_HISTORY_FILE_MAX - 1);
  add_file (files, "3", bytes, FH_HISTORY_FILE_MAX);
  add_file (files, "4", bytes, FH_HISTORY_FILE_MAX);
  add_file (files, "5", bytes, 2);
  add_file (files, "6", bytes, 1);
  id = add_run (fixture, files);
  loaded = load_files (fixture, id);
  for (guint i = 0; i < 7; i++)
    {
      const FhResultFileFacts *facts = facts_of (loaded, i);

      g_assert_cmpuint (facts->size, ==, facts_of (files, i)->size);
      g_assert_cmpint (facts->content != NULL, ==, i != 0 && i != 5);
      if (facts->content != NULL)
        g_assert_cmpuint (g_bytes_get_size (facts->content), ==, facts->size);
    }
  /* The caller's list is unchanged. */
  g_assert_nonnull (facts_of (files, 0)->content);
}

static gint64
add_small (FhTestHistory *fixture, const char *content)
{
  g_autoptr (FhResultFiles) files = fh_result_files_new ();

  add_file (files, "a", content, strlen (content));
  return add_run (fixture, files);
}

static gboolean
file_holds (const char *path, const char *text)
{
  g_autofree char *bytes = NULL;
  gsize size;

  return g_file_get_contents (path, &bytes, &size, NULL) &&
         memmem (bytes, size, text, strlen (text)) != NULL;
}

static void
test_delete_restore_purge (FhTestHistory *fixture, gconstpointer data)
{
  g_autofree char *wal = g_strconcat (fixture->path, "-wal", NULL);
  gint64 id = add_small (fixture, "a secret of the run");
  g_autoptr (FhResultFiles) loaded = NULL;

  g_assert_true (fh_test_history_delete (fixture->history, id, NULL));
  g_assert_true (fh_test_history_restore (fixture->history, id, NULL));
  loaded = load_files (fixture, id);
  g_assert_nonnull (facts_of (loaded, 0)->content);
  g_assert_true (file_holds (wal, "a secret of the run"));
  g_assert_true (fh_test_history_delete (fixture->history, id, NULL));
  g_assert_true (fh_history_purge (fixture->history, NULL));
  g_assert_cmpint (count (fixture), ==, 0);
  g_assert_false (file_holds (wal, "a secret of the run"));
  g_assert_false (file_holds (fixture->path, "a secret of the run"));
}

static void
test_retention (FhTestHistory *fixture, gconstpointer data)
{
  for (int i = 0; i < 5; i++)
    add_small (fixture, "x");
  g_assert_cmpint (count (fixture), ==, 5);
  g_assert_true (fh_test_history_prune (fixture->history, 2, NULL));
  g_assert_cmpint (count (fixture), ==, 2);
}

/* A run from before files were stored. */
#define DOWNGRADE                                                                                  \
  "UPDATE run_contents SET result = CAST (json_remove (CAST (result AS TEXT), '$.files',"          \
  " '$.files_left_out', '$.files_incomplete') AS BLOB);" FH_TEST_TO_FORMAT_2                       \
  "DROP TABLE run_files; PRAGMA user_version = 1"

static void
test_migration (FhTestHistory *fixture, gconstpointer data)
{
  gint64 old = add_small (fixture, "gone");
  g_autoptr (FhResultFiles) files = NULL;
  g_autoptr (FhResultFiles) more = NULL;
  g_autofree char *ids = NULL;
  gint64 new;

  g_clear_object (&fixture->history);
  change (fixture, DOWNGRADE);
  fixture->history = fh_history_new (fixture->path);
  files = load_files (fixture, old);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (files)), ==, 0);
  new = add_small (fixture, "here");
  more = load_files (fixture, new);
  g_assert_nonnull (facts_of (more, 0)->content);
  ids = fh_test_list_ids (fixture->history, NULL, 0, 10);
  g_assert_cmpstr (ids, ==, "2 1");
}

/* Two processes find an old format at once; one of them migrates it. */
static gpointer
open_one (gpointer path)
{
  g_autoptr (FhHistory) history = fh_history_new (path);
  GError *error = NULL;

  fh_test_history_open (history, NULL, &error);
  g_assert_no_error (error);
  return NULL;
}

static void
test_migration_by_many (FhTestHistory *fixture, gconstpointer data)
{
  GThread *threads[6];
  gint64 id = add_small (fixture, "gone");

  g_clear_object (&fixture->history);
  change (fixture, DOWNGRADE);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("open", open_one, fixture->path);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  fixture->history = fh_history_new (fixture->path);
  g_object_unref (load_files (fixture, id));
  g_assert_cmpint (count (fixture), ==, 0);
}

/* A content of the wrong size is ignored; the run is loaded. */
static void
test_contents_that_do_not_fit (FhTestHistory *fixture, gconstpointer data)
{
  gint64 id = add_small (fixture, "hello");
  g_autoptr (FhResultFiles) files = NULL;

  change (fixture,
          "UPDATE run_files SET content = x'00';"
          "INSERT INTO run_files SELECT run, position + 7, content FROM run_files;"
          "INSERT INTO run_files SELECT run, -1, content FROM run_files WHERE position = 0;"
          "INSERT INTO run_files SELECT run, 1 << 40, content FROM run_files WHERE position = 0");
  files = load_files (fixture, id);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (files)), ==, 1);
  g_assert_null (facts_of (files, 0)->content);
  g_assert_cmpuint (facts_of (files, 0)->size, ==, 5);
}

/* A missing table is damage, and the runs are rescued. */
static void
test_rescue_without_files (FhTestHistory *fixture, gconstpointer data)
{
  gint64 id = add_small (fixture, "hello");
  g_autofree char *notice = NULL;
  g_autoptr (FhResultFiles) files = NULL;

  g_clear_object (&fixture->history);
  change (fixture, "DROP TABLE run_files");
  fixture->history = fh_history_new (fixture->path);
  g_assert_true (fh_test_history_open (fixture->history, &notice, NULL));
  g_assert_nonnull (notice);
  files = load_files (fixture, id);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (files)), ==, 1);
  g_assert_null (facts_of (files, 0)->content);
}

static void
test_rescue_with_files (FhTestHistory *fixture, gconstpointer data)
{
  gint64 id = add_small (fixture, "hello");
  g_autofree char *notice = NULL;
  g_autoptr (FhResultFiles) files = NULL;

  g_clear_object (&fixture->history);
  change (fixture, "DROP TABLE run_words");
  fixture->history = fh_history_new (fixture->path);
  g_assert_true (fh_test_history_open (fixture->history, &notice, NULL));
  g_assert_nonnull (notice);
  files = load_files (fixture, id);
  g_assert_cmpmem (g_bytes_get_data (facts_of (files, 0)->content, NULL), 5, "hello", 5);
}

FH_FIXTURE_TESTS (FhTestHistory,
                  fh_test_history_set_up,
                  fh_test_history_tear_down,
                  { "/history-files/round-trip", test_round_trip },
                  { "/history-files/limits", test_limits },
                  { "/history-files/delete-restore-purge", test_delete_restore_purge },
                  { "/history-files/retention", test_retention },
                  { "/history-files/migration", test_migration },
                  { "/history-files/migration-by-many", test_migration_by_many },
                  { "/history-files/contents-that-do-not-fit", test_contents_that_do_not_fit },
                  { "/history-files/rescue-without-files", test_rescue_without_files },
                  { "/history-files/rescue-with-files", test_rescue_with_files });
