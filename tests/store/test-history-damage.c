/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stored-run.h"

#define RUNS 60

typedef struct
{
  char *folder;
  char *path;
} Fixture;

/* A history of RUNS runs, all in the main file. */
static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhHistory) history = NULL;
  g_autofree char *wal = NULL;

  fixture->folder = fh_test_folder_new ();
  fixture->path = g_build_filename (fixture->folder, "history.db", NULL);
  wal = g_strconcat (fixture->path, "-wal", NULL);
  history = fh_history_new (fixture->path);
  for (int i = 1; i <= RUNS; i++)
    {
      g_autofree char *source = g_strdup_printf ("print ('run %d')\n%0*d\n", i, 3000, i);

      fh_test_add (history, i, source, "output\n");
    }
  /* Makes a checkpoint. */
  fh_test_add (history, 99, "gone", "");
  g_assert_true (fh_test_history_delete (history, RUNS + 1, NULL));
  g_assert_true (fh_history_purge (history, NULL));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_free (fixture->path);
  fh_test_folder_remove (fixture->folder);
}

/* Names of renamed damaged files, without journals. */
static guint
count_aside (Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;
  guint count = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      if (g_str_has_prefix (name, "history.db.damaged-") && !g_str_has_suffix (name, "-wal") &&
          !g_str_has_suffix (name, "-shm"))
        count++;
    }
  return count;
}

static gsize
size_of (const char *path)
{
  struct stat info;

  g_assert_cmpint (stat (path, &info), ==, 0);
  return (gsize) info.st_size;
}

static void
put (const char *path, gsize offset, const guint8 *bytes, gsize size)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC);

  g_assert_cmpint (pwrite (fd, bytes, size, (off_t) offset), ==, (gssize) size);
  close (fd);
}

static void
overwrite (const char *path, gsize offset, gsize size)
{
  g_autofree guint8 *noise = g_malloc (size);

  for (gsize i = 0; i < size; i++)
    noise[i] = (guint8) g_test_rand_int ();
  put (path, offset, noise, size);
}

/* The app starts: it opens, lists and adds. Returns how many old runs were found. */
static guint
start (Fixture *fixture, char **notice)
{
  g_autoptr (FhHistory) history = fh_history_new (fixture->path);
  g_autoptr (GPtrArray) entries = NULL;
  GError *error = NULL;
  guint readable = 0;

  g_assert_true (fh_test_history_open (history, notice, &error));
  g_assert_no_error (error);
  entries = fh_history_list (history, NULL, 0, 1000, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < entries->len; i++)
    {
      gint64 id = fh_history_entry_get_id (g_ptr_array_index (entries, i));
      g_autoptr (FhRunRequest) request = NULL;
      g_autofree char *source = NULL;
      g_autofree char *begin = g_strdup_printf ("print ('run %d')\n", (int) id);

      if (!fh_history_load (history, id, NULL, &request, NULL, NULL))
        continue;
      source = fh_run_request_dup_source_text (request);
      readable += g_str_has_prefix (source, begin);
    }
  g_assert_cmpint (fh_test_add (history, 1000, "new", ""), >, 0);
  return readable;
}

static void
test_undamaged (Fixture *fixture, gconstpointer data)
{
  g_autofree char *notice = NULL;

  g_assert_cmpuint (start (fixture, &notice), ==, RUNS);
  g_assert_null (notice);
  g_assert_cmpuint (count_aside (fixture), ==, 0);
  fh_test_assert_intact (fixture->path);
}

static void
change (const char *path, const char *sql)
{
  sqlite3 *handle;

  g_assert_cmpint (sqlite3_open (path, &handle), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (handle, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (handle);
}

static void
assert_replaced (Fixture *fixture, const char *notice)
{
  g_assert_nonnull (notice);
  g_test_message ("%s", notice);
  g_assert_nonnull (strstr (notice, "history.db.damaged-"));
  g_assert_cmpuint (count_aside (fixture), ==, 1);
  fh_test_assert_intact (fixture->path);
}

static void
test_header_overwritten (Fixture *fixture, gconstpointer data)
{
  g_autofree char *notice = NULL;

  overwrite (fixture->path, 0, 100);
  g_assert_cmpuint (start (fixture, &notice), ==, 0);
  assert_replaced (fixture, notice);
}

/* SQLite calls an unknown format of the schema an error of the statement. */
static void
test_format_overwritten (Fixture *fixture, gconstpointer data)
{
  static const guint8 unknown[] = { 0, 0, 0, 99 };
  g_autofree char *notice = NULL;

  put (fixture->path, 44, unknown, sizeof unknown);
  g_assert_cmpuint (start (fixture, &notice), ==, 0);
  assert_replaced (fixture, notice);
}

static void
test_no_database_at_all (Fixture *fixture, gconstpointer data)
{
  g_autofree char *notice = NULL;

  g_assert_true (g_file_set_contents (fixture->path, "Dear diary, ...", -1, NULL));
  g_assert_cmpuint (start (fixture, &notice), ==, 0);
  assert_replaced (fixture, notice);
}

static void
test_truncated (Fixture *fixture, gconstpointer data)
{
  g_autofree char *notice = NULL;
  guint readable;

  g_assert_cmpint (truncate (fixture->path, (off_t) (size_of (fixture->path) * 3 / 4)), ==, 0);
  readable = start (fixture, &notice);
  assert_replaced (fixture, notice);
  g_test_message ("%u of %d runs were saved", readable, RUNS);
  g_assert_cmpuint (readable, >, 0);
}

static void
test_truncated_in_a_page (Fixture *fixture, gconstpointer data)
{
  g_autofree char *notice = NULL;

  g_assert_cmpint (truncate (fixture->path, 5000), ==, 0);
  start (fixture, &notice);
  assert_replaced (fixture, notice);
}

static void
test_emptied (Fixture *fixture, gconstpointer data)
{
  g_autofree char *notice = NULL;

  g_assert_cmpint (truncate (fixture->path, 0), ==, 0);
  g_assert_cmpuint (start (fixture, &notice), ==, 0);
  fh_test_assert_intact (fixture->path);
}

/* Pages all over the file: runs that are shown must be correct, and most must survive. */
static void
test_random_bytes (Fixture *fixture, gconstpointer data)
{
  gsize size = size_of (fixture->path);
  g_autofree char *good = NULL;
  guint replaced = 0;
  guint fewest = RUNS;

  g_assert_true (g_file_get_contents (fixture->path, &good, NULL, NULL));
  for (gsize offset = 4096; offset < size; offset += 4 * 4096)
    {
      g_autofree char *notice = NULL;
      guint readable;

      fh_test_folder_remove (g_steal_pointer (&fixture->folder));
      fixture->folder = g_path_get_dirname (fixture->path);
      g_assert_cmpint (g_mkdir (fixture->folder, 0700), ==, 0);
      g_assert_true (g_file_set_contents (fixture->path, good, (gssize) size, NULL));
      overwrite (fixture->path, offset, 4096);
      readable = start (fixture, &notice);
      fewest = MIN (fewest, readable);
      if (count_aside (fixture) > 0)
        {
          replaced++;
          fh_test_assert_intact (fixture->path);
        }
    }
  g_test_message ("%u times replaced, never fewer than %u of %d runs", replaced, fewest, RUNS);
  g_assert_cmpuint (replaced, >, 0);
}

/* Every fourth block of the disk: what is readable is saved, whatever is lost at the end. */
static void
test_lost_blocks (Fixture *fixture, gconstpointer data)
{
  static const char nothing[4096];
  gsize size = size_of (fixture->path);
  g_autofree char *good = NULL;

  change (fixture->path, "DELETE FROM sqlite_sequence; PRAGMA wal_checkpoint (TRUNCATE)");
  g_assert_true (g_file_get_contents (fixture->path, &good, NULL, NULL));
  for (gsize first = 1; first <= 4; first++)
    {
      g_autofree char *notice = NULL;
      guint readable;
      int fd;

      fh_test_folder_remove (g_steal_pointer (&fixture->folder));
      fixture->folder = g_path_get_dirname (fixture->path);
      g_assert_cmpint (g_mkdir (fixture->folder, 0700), ==, 0);
      g_assert_true (g_file_set_contents (fixture->path, good, (gssize) size, NULL));
      fd = open (fixture->path, O_WRONLY | O_CLOEXEC);
      for (gsize block = first; (block + 1) * sizeof nothing <= size; block += 4)
        g_assert_cmpint (pwrite (fd, nothing, sizeof nothing, (off_t) (block * sizeof nothing)),
                         ==,
                         sizeof nothing);
      close (fd);
      readable = start (fixture, &notice);
      g_test_message ("from block %" G_GSIZE_FORMAT ": %u of %d runs", first, readable, RUNS);
      /* Without the first page of the contents nothing leads to the others. */
      g_assert_true (first == 2 || readable > RUNS / 4);
    }
}

static void
keep_notice (FhHistory *history, const char *sentence, char **place)
{
  g_free (*place);
  *place = g_strdup (sentence);
}

static void
test_found_while_in_use (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhHistory) history = fh_history_new (fixture->path);
  g_autofree char *notice = NULL;
  gsize size = size_of (fixture->path);

  g_signal_connect (history, "notice", G_CALLBACK (keep_notice), &notice);
  g_assert_true (fh_test_history_open (history, NULL, NULL));
  overwrite (fixture->path, 8192, size - 8192);
  fh_test_add (history, 1000, "new", "");
  assert_replaced (fixture, notice);
}

static void
assert_refused (Fixture *fixture, FhHistoryError expected)
{
  g_autoptr (FhHistory) history = fh_history_new (fixture->path);
  g_autoptr (FhRunRequest) request = fh_test_request ("x");
  g_autoptr (FhRunResult) result = fh_test_result (1, "", "");
  g_autofree char *notice = NULL;
  GError *error = NULL;

  g_assert_false (fh_test_history_open (history, &notice, &error));
  g_assert_error (error, FH_HISTORY_ERROR, (int) expected);
  g_test_message ("%s", error->message);
  g_clear_error (&error);
  g_assert_null (notice);
  g_assert_cmpint (fh_history_add (history, request, result, &error), ==, -1);
  g_assert_error (error, FH_HISTORY_ERROR, (int) expected);
  g_clear_error (&error);
  g_assert_null (fh_history_list (history, NULL, 0, 10, &error));
  g_assert_error (error, FH_HISTORY_ERROR, (int) expected);
  g_clear_error (&error);
  g_assert_cmpuint (count_aside (fixture), ==, 0);
}

static void
test_folder_in_its_place (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (g_unlink (fixture->path), ==, 0);
  g_assert_cmpint (g_mkdir (fixture->path, 0700), ==, 0);
  assert_refused (fixture, FH_HISTORY_ERROR_OPEN);
}

static void
test_pipe_in_its_place (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (g_unlink (fixture->path), ==, 0);
  g_assert_cmpint (mkfifo (fixture->path, 0600), ==, 0);
  assert_refused (fixture, FH_HISTORY_ERROR_OPEN);
}

static void
test_file_in_the_place_of_the_folder (Fixture *fixture, gconstpointer data)
{
  g_autofree char *inside = g_build_filename (fixture->path, "history.db", NULL);

  g_free (fixture->path);
  fixture->path = g_steal_pointer (&inside);
  assert_refused (fixture, FH_HISTORY_ERROR_OPEN);
}

static void
test_newer_version (Fixture *fixture, gconstpointer data)
{
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  gsize before_size;
  gsize after_size;

  change (fixture->path, "PRAGMA user_version = 5; PRAGMA wal_checkpoint (TRUNCATE)");
  g_assert_true (g_file_get_contents (fixture->path, &before, &before_size, NULL));
  assert_refused (fixture, FH_HISTORY_ERROR_OPEN);
  g_assert_true (g_file_get_contents (fixture->path, &after, &after_size, NULL));
  g_assert_cmpmem (before, before_size, after, after_size);
}

static void
test_database_of_another_program (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpint (g_unlink (fixture->path), ==, 0);
  change (fixture->path, "CREATE TABLE cookies (value)");
  assert_refused (fixture, FH_HISTORY_ERROR_OPEN);
  change (fixture->path, "SELECT * FROM cookies");
}

static void
test_tables_missing (Fixture *fixture, gconstpointer data)
{
  g_autofree char *notice = NULL;

  change (fixture->path, "DROP TABLE run_contents");
  g_assert_cmpuint (start (fixture, &notice), ==, 0);
  assert_replaced (fixture, notice);
}

static void
test_one_row_makes_no_sense (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhHistory) history = NULL;
  GError *error = NULL;

  change (fixture->path,
          "UPDATE run_contents SET request = x'7b' WHERE id = 1;"
          "UPDATE run_contents SET result = x'5b5d' WHERE id = 2;"
          "UPDATE run_contents SET output = x'00ff' WHERE id = 3;"
          "UPDATE runs SET started_us = 9223372036854775807, status = 99, wall_us = -5,"
          " language = 'klingon' WHERE id = 4");
  history = fh_history_new (fixture->path);
  for (gint64 id = 1; id <= 3; id++)
    {
      g_autoptr (FhRunRequest) request = NULL;
      g_autoptr (FhRunResult) result = NULL;

      g_assert_false (fh_history_load (history, id, NULL, &request, &result, &error));
      g_assert_error (error, FH_HISTORY_ERROR, FH_HISTORY_ERROR_DAMAGED);
      g_test_message ("%s", error->message);
      g_clear_error (&error);
    }
  {
    g_autoptr (GPtrArray) entries = fh_history_list (history, NULL, 0, 100, &error);

    g_assert_no_error (error);
    g_assert_cmpuint (entries->len, ==, RUNS);
    g_assert_cmpint (fh_history_entry_get_status (g_ptr_array_index (entries, RUNS - 4)),
                     ==,
                     FH_RUN_STATUS_INTERNAL_ERROR);
    g_assert_null (fh_history_entry_get_language (g_ptr_array_index (entries, RUNS - 4)));
    g_assert_nonnull (fh_history_entry_get_started_at (g_ptr_array_index (entries, RUNS - 4)));
  }
  g_assert_cmpuint (count_aside (fixture), ==, 0);
}

static void
test_what_was_pinned_deleted_or_a_sample_stays_so (Fixture *fixture, gconstpointer data)
{
  g_autofree char *notice = NULL;
  g_autoptr (FhHistory) history = NULL;
  g_autoptr (FhHistoryEntry) entry = NULL;
  GError *error = NULL;

  change (fixture->path,
          "UPDATE runs SET pinned = 1 WHERE id = 2;"
          "UPDATE runs SET deleted_us = 9000000000000000 WHERE id = 3;"
          "UPDATE runs SET batch = 2, verdict = 'passed' WHERE id = 4;"
          "UPDATE runs SET verdict = '1/4' WHERE id = 2");
  g_assert_cmpint (truncate (fixture->path, (off_t) size_of (fixture->path) - 4096), ==, 0);
  g_assert_cmpuint (start (fixture, &notice), >, RUNS / 2);
  assert_replaced (fixture, notice);
  history = fh_history_new (fixture->path);
  g_assert_true (fh_history_load (history, 2, &entry, NULL, NULL, &error));
  g_assert_true (fh_history_entry_get_pinned (entry));
  g_assert_cmpuint (fh_history_entry_get_n_samples (entry), ==, 1);
  g_assert_cmpuint (fh_history_entry_get_score (entry)->n_passed, ==, 1);
  g_assert_false (fh_history_load (history, 3, NULL, NULL, NULL, NULL));
  g_assert_true (fh_test_history_restore (history, 3, &error));
}

FH_FIXTURE_TESTS (Fixture,
                  set_up,
                  tear_down,
                  { "/history-damage/undamaged", test_undamaged },
                  { "/history-damage/header-overwritten", test_header_overwritten },
                  { "/history-damage/format-overwritten", test_format_overwritten },
                  { "/history-damage/lost-blocks", test_lost_blocks },
                  { "/history-damage/no-database-at-all", test_no_database_at_all },
                  { "/history-damage/truncated", test_truncated },
                  { "/history-damage/truncated-in-a-page", test_truncated_in_a_page },
                  { "/history-damage/emptied", test_emptied },
                  { "/history-damage/random-bytes", test_random_bytes },
                  { "/history-damage/found-while-in-use", test_found_while_in_use },
                  { "/history-damage/folder-in-its-place", test_folder_in_its_place },
                  { "/history-damage/pipe-in-its-place", test_pipe_in_its_place },
                  { "/history-damage/file-in-the-place-of-the-folder",
                    test_file_in_the_place_of_the_folder },
                  { "/history-damage/newer-version", test_newer_version },
                  { "/history-damage/database-of-another-program",
                    test_database_of_another_program },
                  { "/history-damage/tables-missing", test_tables_missing },
                  { "/history-damage/one-row-makes-no-sense", test_one_row_makes_no_sense },
                  { "/history-damage/what-was-pinned-deleted-or-a-sample-stays-so",
                    test_what_was_pinned_deleted_or_a_sample_stays_so });
