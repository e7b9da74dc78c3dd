/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>

#include "stored-run.h"

static void
count_swapped (guint *count)
{
  *count += 1;
}

static void
test_files_are_private (FhTestHistory *fixture, gconstpointer data)
{
  g_autofree char *state = g_path_get_dirname (fixture->path);
  static const char *const suffixes[] = { "", "-wal", "-shm" };
  struct stat info;

  fh_test_add (fixture->history, 0, "print (1)", "1\n");
  g_assert_cmpint (stat (state, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0700);
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *path = g_strconcat (fixture->path, suffixes[i], NULL);

      g_assert_cmpint (stat (path, &info), ==, 0);
      g_assert_cmpint (info.st_mode & 0777, ==, 0600);
    }
}

static void
test_rights_of_others_are_taken (FhTestHistory *fixture, gconstpointer data)
{
  g_autoptr (FhHistory) again = NULL;
  struct stat info;

  fh_test_add (fixture->history, 0, "print (1)", "1\n");
  g_assert_cmpint (g_chmod (fixture->path, 0644), ==, 0);
  again = fh_history_new (fixture->path);
  fh_test_add (again, 1, "print (2)", "2\n");
  g_assert_cmpint (stat (fixture->path, &info), ==, 0);
  g_assert_cmpint (info.st_mode & 0777, ==, 0600);
}

static void
test_what_is_added_comes_back (FhTestHistory *fixture, gconstpointer data)
{
  g_autoptr (FhRunRequest) request = fh_test_request ("\n\nimport os\nprint ('hello')\n");
  g_autoptr (FhRunResult) result = fh_test_result (5, "hello\n", "careful\n");
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunRequest) loaded = NULL;
  g_autoptr (FhRunResult) loaded_result = NULL;
  g_autofree char *out = NULL;
  g_autofree char *err = NULL;
  g_autofree char *moment = NULL;
  GError *error = NULL;
  gint64 id = fh_history_add (fixture->history, request, result, &error);

  g_assert_no_error (error);
  g_assert_true (fh_history_load (fixture->history, id, &entry, &loaded, &loaded_result, &error));
  g_assert_no_error (error);

  g_assert_cmpint (fh_history_entry_get_id (entry), ==, id);
  g_assert_cmpstr (fh_history_entry_get_title (entry),
                   ==,
                   fh_run_request_get_parts (request)->title);
  g_assert_cmpstr (fh_history_entry_get_snippet (entry), ==, "import os\nprint ('hello')");
  g_assert_cmpint (fh_history_entry_get_status (entry), ==, FH_RUN_STATUS_OK);
  g_assert_true (fh_history_entry_get_language (entry) == fh_language_lookup ("python"));
  g_assert_cmpuint (fh_history_entry_get_wall_us (entry), ==, 12345);
  g_assert_false (fh_history_entry_get_pinned (entry));
  moment = g_date_time_format_iso8601 (fh_history_entry_get_started_at (entry));
  g_assert_cmpstr (moment, ==, "2026-01-01T00:00:05Z");

  g_assert_true (g_bytes_equal (fh_run_request_get_parts (loaded)->source,
                                fh_run_request_get_parts (request)->source));
  g_assert_true (g_bytes_equal (fh_run_request_get_parts (loaded)->standard_input,
                                fh_run_request_get_parts (request)->standard_input));
  g_assert_cmpstrv ((gpointer) fh_run_request_get_parts (loaded)->arguments,
                    (gpointer) fh_run_request_get_parts (request)->arguments);
  g_assert_true (fh_run_limits_equal (&fh_run_request_get_parts (loaded)->limits,
                                      &fh_run_request_get_parts (request)->limits));

  out = fh_output_log_dup_text (fh_run_result_get_parts (loaded_result)->output, FH_STREAM_STDOUT);
  err = fh_output_log_dup_text (fh_run_result_get_parts (loaded_result)->output, FH_STREAM_STDERR);
  g_assert_cmpstr (out, ==, "hello\n");
  g_assert_cmpstr (err, ==, "careful\n");
  g_assert_cmpstr (fh_run_result_get_parts (loaded_result)->backend, ==, "native");
  g_assert_cmpstr (fh_run_result_get_parts (loaded_result)->tier, ==, "A");
  g_assert_cmpuint (fh_run_result_get_parts (loaded_result)->guards->len, ==, 1);
  g_assert_cmpuint (fh_run_result_get_parts (loaded_result)->outcome->memory_peak, ==, 9 << 20);
}

/* A run in a container is run again in one. */
static void
test_container_comes_back (FhTestHistory *fixture, gconstpointer data)
{
  static const char *const hosts[] = { "db:192.0.2.7", NULL };
  g_autoptr (GBytes) source = g_bytes_new_static ("print (1)", 9);
  g_autoptr (FhRunRequest) request = fh_run_request_new (
      &(FhRunRequestInit){
          .language = fh_language_lookup ("python"),
          .source = source,
          .limits = FH_RUN_LIMITS_DEFAULT,
          .interpreter = "pypy3",
          .container = &(FhContainerOptions){ .image = "plain", .is_kept = TRUE, .hosts = hosts },
      },
      NULL);
  g_autoptr (FhRunResult) result = fh_test_result (5, "1\n", "");
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunRequest) loaded = NULL;
  g_autoptr (FhRunResult) loaded_result = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  gint64 id = fh_history_add (fixture->history, request, result, NULL);
  const FhContainerOptions *container;

  g_assert_true (fh_history_load (fixture->history, id, &entry, &loaded, &loaded_result, NULL));
  container = fh_run_request_get_parts (loaded)->container;
  g_assert_nonnull (container);
  g_assert_cmpstr (container->image, ==, "plain");
  g_assert_true (container->is_kept);
  g_assert_cmpstr (container->hosts[0], ==, "db:192.0.2.7");
  g_assert_cmpstr (fh_run_request_get_parts (loaded)->interpreter, ==, "pypy3");

  /* The list shows its image, too, and no other. */
  fh_test_add (fixture->history, 7, "print (7)", "7\n");
  entries = fh_history_list (fixture->history, NULL, 0, 9, NULL);
  g_assert_cmpuint (entries->len, ==, 2);
  g_assert_null (fh_history_entry_get_image (g_ptr_array_index (entries, 0)));
  g_assert_cmpstr (fh_history_entry_get_image (g_ptr_array_index (entries, 1)), ==, "plain");
  g_assert_cmpstr (fh_history_entry_get_image (entry), ==, "plain");
}

static void
test_properties_of_an_entry (FhTestHistory *fixture, gconstpointer data)
{
  gint64 id = fh_test_add (fixture->history, 7, "print (7)", "7\n");
  g_autoptr (FhHistoryEntry) entry = NULL;
  guint notified = 0;

  g_assert_true (fh_history_load (fixture->history, id, &entry, NULL, NULL, NULL));
  g_assert_cmpint (fh_history_entry_get_id (entry), ==, id);
  g_assert_cmpstr (fh_history_entry_get_title (entry), ==, "print (7)");
  g_assert_cmpstr (fh_history_entry_get_snippet (entry), ==, "print (7)");
  g_assert_cmpint (g_date_time_get_second (fh_history_entry_get_started_at (entry)), ==, 7);
  g_assert_cmpint (fh_history_entry_get_status (entry), ==, FH_RUN_STATUS_OK);
  g_assert_true (fh_history_entry_get_language (entry) == fh_language_lookup ("python"));
  g_assert_cmpuint (fh_history_entry_get_wall_us (entry), ==, 12345);
  g_assert_false (fh_history_entry_get_pinned (entry));

  g_signal_connect_swapped (entry, "notify::pinned", G_CALLBACK (count_swapped), &notified);
  g_object_set (entry, "pinned", TRUE, NULL);
  g_object_set (entry, "pinned", TRUE, NULL);
  g_assert_cmpuint (notified, ==, 1);
  g_assert_true (fh_history_entry_get_pinned (entry));
}

static void
test_last_added_first_in_pages (FhTestHistory *fixture, gconstpointer data)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *none = NULL;

  fh_test_add (fixture->history, 30, "a", "");
  fh_test_add (fixture->history, 10, "b", "");
  fh_test_add (fixture->history, 20, "c", "");
  fh_test_add (fixture->history, 20, "d", "");
  fh_test_history_assert_listed (fixture, "4 3 2 1");
  first = fh_test_list_ids (fixture->history, "", 0, 3);
  g_assert_cmpstr (first, ==, "4 3 2");
  second = fh_test_list_ids (fixture->history, NULL, 3, 3);
  g_assert_cmpstr (second, ==, "1");
  none = fh_test_list_ids (fixture->history, NULL, 4, 3);
  g_assert_cmpstr (none, ==, "");
  g_assert_cmpuint (fixture->changes, ==, 4);
}

static void
test_delete_and_restore (FhTestHistory *fixture, gconstpointer data)
{
  gint64 id = fh_test_add (fixture->history, 1, "keep", "");
  g_autoptr (GError) error = NULL;
  g_autofree char *found = NULL;

  fh_test_add (fixture->history, 2, "gone", "word\n");
  g_assert_true (fh_test_history_delete (fixture->history, 2, NULL));
  fh_test_history_assert_listed (fixture, "1");
  found = fh_test_list_ids (fixture->history, "word", 0, 10);
  g_assert_cmpstr (found, ==, "");
  g_assert_false (fh_history_load (fixture->history, 2, NULL, NULL, NULL, &error));
  g_assert_error (error, FH_HISTORY_ERROR, FH_HISTORY_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_false (fh_test_history_delete (fixture->history, 2, &error));
  g_assert_error (error, FH_HISTORY_ERROR, FH_HISTORY_ERROR_NOT_FOUND);

  g_assert_true (fh_test_history_restore (fixture->history, 2, NULL));
  fh_test_history_assert_listed (fixture, "2 1");
  g_assert_true (fh_history_load (fixture->history, id, NULL, NULL, NULL, NULL));
}

static void
test_no_such_run (FhTestHistory *fixture, gconstpointer data)
{
  static const gint64 ids[] = { 0, -1, 77, G_MAXINT64, G_MININT64 };

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      GError *errors[4] = { NULL };

      g_assert_false (fh_history_load (fixture->history, ids[i], NULL, NULL, NULL, &errors[0]));
      g_assert_false (fh_test_history_delete (fixture->history, ids[i], &errors[1]));
      g_assert_false (fh_test_history_restore (fixture->history, ids[i], &errors[2]));
      g_assert_false (fh_test_history_set_pinned (fixture->history, ids[i], TRUE, &errors[3]));
      for (guint j = 0; j < G_N_ELEMENTS (errors); j++)
        {
          g_assert_error (errors[j], FH_HISTORY_ERROR, FH_HISTORY_ERROR_NOT_FOUND);
          g_clear_error (&errors[j]);
        }
    }
  g_assert_cmpuint (fixture->changes, ==, 0);
}

static void
test_prune_keeps_pinned (FhTestHistory *fixture, gconstpointer data)
{
  for (int i = 0; i < 6; i++)
    fh_test_add (fixture->history, i, "x", "");
  g_assert_true (fh_test_history_set_pinned (fixture->history, 2, TRUE, NULL));
  g_assert_true (fh_test_history_delete (fixture->history, 6, NULL));
  g_assert_true (fh_test_history_prune (fixture->history, 2, NULL));
  fh_test_history_assert_listed (fixture, "5 4 2");
  /* A deleted run can be restored until it is purged; its id is not used again. */
  g_assert_true (fh_test_history_restore (fixture->history, 6, NULL));
  g_assert_true (fh_test_history_delete (fixture->history, 6, NULL));
  g_assert_true (fh_history_purge (fixture->history, NULL));
  g_assert_false (fh_test_history_restore (fixture->history, 6, NULL));
  g_assert_cmpint (fh_test_add (fixture->history, 9, "y", ""), ==, 7);
  g_assert_true (fh_test_history_prune (fixture->history, 0, NULL));
  fh_test_history_assert_listed (fixture, "7 5 4 2");
}

static gboolean
file_holds (const char *path, const char *word)
{
  g_autofree char *data = NULL;
  gsize size;

  if (!g_file_get_contents (path, &data, &size, NULL))
    return FALSE;
  return memmem (data, size, word, strlen (word)) != NULL;
}

static void
test_purged_is_gone_from_the_disk (FhTestHistory *fixture, gconstpointer data)
{
  g_autofree char *wal = g_strconcat (fixture->path, "-wal", NULL);

  for (int i = 0; i < 20; i++)
    fh_test_add (fixture->history, i, "print ('harmless')", "harmless\n");
  fh_test_add (fixture->history, 99, "secret = 'xylophone'", "xylophone\n");
  g_assert_true (file_holds (fixture->path, "xylophone") || file_holds (wal, "xylophone"));
  g_assert_true (fh_test_history_delete (fixture->history, 21, NULL));
  g_assert_true (fh_history_purge (fixture->history, NULL));
  g_assert_false (file_holds (fixture->path, "xylophone"));
  g_assert_false (file_holds (wal, "xylophone"));
}

static void
test_opening_removes_old_deletions (FhTestHistory *fixture, gconstpointer data)
{
  sqlite3 *handle;

  fh_test_add (fixture->history, 1, "x", "");
  fh_test_add (fixture->history, 2, "y", "");
  g_assert_true (fh_test_history_delete (fixture->history, 1, NULL));
  g_assert_true (fh_test_history_delete (fixture->history, 2, NULL));
  g_assert_cmpint (sqlite3_open (fixture->path, &handle), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (handle,
                                 "UPDATE runs SET deleted_us = deleted_us - 3601000000"
                                 " WHERE id = 1",
                                 NULL,
                                 NULL,
                                 NULL),
                   ==,
                   SQLITE_OK);
  sqlite3_close (handle);
  g_assert_true (fh_test_history_open (fixture->history, NULL, NULL));
  g_assert_false (fh_test_history_restore (fixture->history, 1, NULL));
  g_assert_true (fh_test_history_restore (fixture->history, 2, NULL));
}

static void
test_opening_leaves_fresh_deletions (FhTestHistory *fixture, gconstpointer data)
{
  g_autofree char *notice = NULL;

  fh_test_add (fixture->history, 1, "x", "");
  g_assert_true (fh_test_history_delete (fixture->history, 1, NULL));
  g_assert_true (fh_test_history_open (fixture->history, &notice, NULL));
  g_assert_null (notice);
  g_assert_true (fh_test_history_restore (fixture->history, 1, NULL));
}

static void
test_hostile_bytes (FhTestHistory *fixture, gconstpointer data)
{
  static const char source[] =
      "print ('\0') # \xff\xfe \x1b[31m \xe2\x80\xae'; DROP TABLE runs; --";
  gsize size = 1 << 20;
  g_autofree char *noise = g_malloc (size);
  g_autoptr (FhRunRequest) request = fh_test_request_bytes (source, sizeof source - 1);
  g_autoptr (FhRunResult) result = NULL;
  g_autoptr (FhRunRequest) loaded = NULL;
  g_autoptr (FhRunResult) loaded_result = NULL;
  g_autoptr (GBytes) before = NULL;
  g_autoptr (GBytes) after = NULL;
  g_autofree char *ids = NULL;
  GError *error = NULL;
  gint64 id;

  for (gsize i = 0; i < size; i++)
    noise[i] = (char) g_test_rand_int ();
  result = fh_test_result_bytes (1, noise, size);
  id = fh_history_add (fixture->history, request, result, &error);
  g_assert_no_error (error);
  g_assert_true (fh_history_load (fixture->history, id, NULL, &loaded, &loaded_result, &error));
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (fh_run_request_get_parts (loaded)->source,
                                fh_run_request_get_parts (request)->source));
  before = fh_output_log_dup_bytes (fh_run_result_get_parts (result)->output, FH_STREAM_STDOUT);
  after =
      fh_output_log_dup_bytes (fh_run_result_get_parts (loaded_result)->output, FH_STREAM_STDOUT);
  g_assert_true (g_bytes_equal (before, after));
  ids = fh_test_list_ids (fixture->history, "drop table", 0, 10);
  g_assert_cmpstr (ids, ==, "1");
}

static void
test_empty_source (FhTestHistory *fixture, gconstpointer data)
{
  g_autoptr (FhHistoryEntry) entry = NULL;
  gint64 id = fh_test_add (fixture->history, 1, "", "");

  g_assert_true (fh_history_load (fixture->history, id, &entry, NULL, NULL, NULL));
  g_assert_cmpstr (fh_history_entry_get_snippet (entry), ==, "");
  g_assert_cmpstr (fh_history_entry_get_title (entry), !=, "");
}

static void
test_another_process_is_noticed (FhTestHistory *fixture, gconstpointer data)
{
  g_autoptr (FhHistory) other = fh_history_new (fixture->path);

  g_assert_true (fh_test_history_refresh (fixture->history, NULL));
  g_assert_true (fh_test_history_refresh (fixture->history, NULL));
  g_assert_cmpuint (fixture->changes, ==, 0);
  fh_test_add (other, 1, "x", "");
  g_assert_true (fh_test_history_refresh (fixture->history, NULL));
  g_assert_cmpuint (fixture->changes, ==, 1);
  g_assert_true (fh_test_history_refresh (fixture->history, NULL));
  g_assert_cmpuint (fixture->changes, ==, 1);
  /* Own changes have already been signalled. */
  fh_test_add (fixture->history, 2, "y", "");
  g_assert_cmpuint (fixture->changes, ==, 2);
  g_assert_true (fh_test_history_refresh (fixture->history, NULL));
  g_assert_cmpuint (fixture->changes, ==, 2);
}

static void
test_file_taken_away (FhTestHistory *fixture, gconstpointer data)
{
  g_autofree char *away = g_strconcat (fixture->path, ".away", NULL);

  fh_test_add (fixture->history, 1, "x", "");
  g_assert_cmpint (g_rename (fixture->path, away), ==, 0);
  fh_test_add (fixture->history, 2, "y", "");
  fh_test_history_assert_listed (fixture, "1");
  g_assert_true (g_file_test (fixture->path, G_FILE_TEST_IS_REGULAR));
}

/* A copy of the file alone is complete, as backups make one. */
static void
test_flushed (FhTestHistory *fixture, gconstpointer data)
{
  g_autofree char *wal = g_strconcat (fixture->path, "-wal", NULL);
  struct stat info;

  fh_test_add (fixture->history, 1, "print (1)", "1\n");
  g_assert_no_errno (stat (wal, &info));
  g_assert_cmpint (info.st_size, >, 0);
  fh_history_flush (fixture->history);
  g_assert_true (stat (wal, &info) != 0 || info.st_size == 0);
}

FH_FIXTURE_TESTS (FhTestHistory,
                  fh_test_history_set_up,
                  fh_test_history_tear_down,
                  { "/history/flushed", test_flushed },
                  { "/history/files-are-private", test_files_are_private },
                  { "/history/rights-of-others-are-taken", test_rights_of_others_are_taken },
                  { "/history/what-is-added-comes-back", test_what_is_added_comes_back },
                  { "/history/container-comes-back", test_container_comes_back },
                  { "/history/properties-of-an-entry", test_properties_of_an_entry },
                  { "/history/last-added-first-in-pages", test_last_added_first_in_pages },
                  { "/history/delete-and-restore", test_delete_and_restore },
                  { "/history/no-such-run", test_no_such_run },
                  { "/history/prune-keeps-pinned", test_prune_keeps_pinned },
                  { "/history/purged-is-gone-from-the-disk", test_purged_is_gone_from_the_disk },
                  { "/history/opening-removes-old-deletions", test_opening_removes_old_deletions },
                  { "/history/opening-leaves-fresh-deletions",
                    test_opening_leaves_fresh_deletions },
                  { "/history/hostile-bytes", test_hostile_bytes },
                  { "/history/empty-source", test_empty_source },
                  { "/history/another-process-is-noticed", test_another_process_is_noticed },
                  { "/history/file-taken-away", test_file_taken_away });
