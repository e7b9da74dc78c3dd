/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "history-database.h"
#include "history-records.h"
#include "history-schema.h"
#include "stored-run.h"

/* A disk that is full or read-only. Changes of the whole process, such as its user or its limits,
 * are made in a child. */

/* The user "nobody", because root can write everywhere. */
#define ORDINARY_USER 65534

typedef void (*ChildFunc) (const char *path);

static void
run_in_child (ChildFunc func, const char *path, uid_t user)
{
  pid_t child = fork ();
  int status;

  if (child == 0)
    {
      if (user != getuid () && (setgid (user) != 0 || setuid (user) != 0))
        _exit (2);
      func (path);
      _exit (0);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
}

static uid_t
ordinary_user (void)
{
  return getuid () == 0 ? ORDINARY_USER : getuid ();
}

static void
assert_add_fails (FhHistory *history, FhHistoryError expected, gsize size)
{
  g_autofree char *output = g_strnfill (size, 'x');
  g_autoptr (FhRunRequest) request = fh_test_request ("x");
  g_autoptr (FhRunResult) result = fh_test_result (1, output, "");
  GError *error = NULL;

  g_assert_cmpint (fh_history_add (history, request, result, &error), ==, -1);
  g_assert_error (error, FH_HISTORY_ERROR, (int) expected);
  g_printerr ("# %s\n", error->message);
  g_clear_error (&error);
}

static guint
count_runs (FhHistory *history)
{
  GError *error = NULL;
  g_autoptr (GPtrArray) entries = fh_history_list (history, NULL, 0, 100000, &error);

  g_assert_no_error (error);
  return entries->len;
}

static void
read_but_not_write (const char *path)
{
  g_autoptr (FhHistory) history = fh_history_new (path);
  g_autofree char *notice = NULL;
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (GPtrArray) found = NULL;
  GError *error = NULL;

  g_assert_true (fh_test_history_open (history, &notice, &error));
  g_assert_no_error (error);
  g_assert_null (notice);
  g_assert_cmpuint (count_runs (history), ==, 3);
  g_assert_true (fh_history_load (history, 2, NULL, &request, NULL, &error));
  found = fh_history_list (history, "number2", 0, 10, &error);
  g_assert_cmpuint (found->len, ==, 1);
  assert_add_fails (history, FH_HISTORY_ERROR_READ_ONLY, 10);
  g_assert_false (fh_test_history_delete (history, 1, &error));
  g_assert_error (error, FH_HISTORY_ERROR, FH_HISTORY_ERROR_READ_ONLY);
  g_clear_error (&error);
  g_assert_false (fh_test_history_prune (history, 1, &error));
  g_assert_error (error, FH_HISTORY_ERROR, FH_HISTORY_ERROR_READ_ONLY);
  g_clear_error (&error);
  g_assert_cmpuint (count_runs (history), ==, 3);
}

static void
give_away (const char *path)
{
  if (getuid () == 0 && chown (path, ORDINARY_USER, ORDINARY_USER) != 0)
    g_assert_cmpint (errno, ==, ENOENT);
}

/* Three runs, in files that belong to the user who will read them. */
static char *
make_history (const char *folder)
{
  static const char *const suffixes[] = { "", "-wal", "-shm" };
  char *path = g_build_filename (folder, "history.db", NULL);
  g_autoptr (FhHistory) history = fh_history_new (path);

  for (int i = 1; i <= 3; i++)
    {
      g_autofree char *source = g_strdup_printf ("number%d", i);

      fh_test_add (history, i, source, "");
    }
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *file = g_strconcat (path, suffixes[i], NULL);

      give_away (file);
    }
  give_away (folder);
  return path;
}

static void
test_read_only_file (void)
{
  char *folder = fh_test_folder_new ();
  g_autofree char *path = make_history (folder);

  g_assert_cmpint (g_chmod (path, 0400), ==, 0);
  run_in_child (read_but_not_write, path, ordinary_user ());
  fh_test_folder_remove (folder);
}

/* An old format that cannot be migrated. */
static void
test_read_only_file_of_an_earlier_format (void)
{
  char *folder = fh_test_folder_new ();
  g_autofree char *path = make_history (folder);
  sqlite3 *handle;

  g_assert_cmpint (sqlite3_open (path, &handle), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (handle,
                                 FH_TEST_TO_FORMAT_2
                                 "DROP TABLE run_files; PRAGMA user_version = 1;"
                                 "PRAGMA wal_checkpoint (TRUNCATE)",
                                 NULL,
                                 NULL,
                                 NULL),
                   ==,
                   SQLITE_OK);
  sqlite3_close (handle);
  give_away (path);
  g_assert_cmpint (g_chmod (path, 0400), ==, 0);
  run_in_child (read_but_not_write, path, ordinary_user ());
  fh_test_folder_remove (folder);
}

static void
test_read_only_folder (void)
{
  char *folder = fh_test_folder_new ();
  g_autofree char *path = make_history (folder);
  g_autofree char *wal = g_strconcat (path, "-wal", NULL);
  g_autofree char *shm = g_strconcat (path, "-shm", NULL);

  g_assert_cmpint (g_chmod (path, 0400), ==, 0);
  g_assert_cmpint (g_chmod (wal, 0400), ==, 0);
  g_assert_cmpint (g_chmod (shm, 0400), ==, 0);
  g_assert_cmpint (g_chmod (folder, 0500), ==, 0);
  run_in_child (read_but_not_write, path, ordinary_user ());
  g_assert_cmpint (g_chmod (folder, 0700), ==, 0);
  fh_test_folder_remove (folder);
}

/* A copied file without its journals, in a folder where none can be created. */
static void
test_read_only_folder_without_journal (void)
{
  char *folder = fh_test_folder_new ();
  g_autofree char *path = make_history (folder);
  g_autofree char *wal = g_strconcat (path, "-wal", NULL);
  g_autofree char *shm = g_strconcat (path, "-shm", NULL);
  sqlite3 *handle;

  g_assert_cmpint (sqlite3_open (path, &handle), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (handle, "PRAGMA wal_checkpoint (TRUNCATE)", NULL, NULL, NULL),
                   ==,
                   SQLITE_OK);
  sqlite3_close (handle);
  g_remove (wal);
  g_remove (shm);
  g_assert_cmpint (g_chmod (path, 0400), ==, 0);
  g_assert_cmpint (g_chmod (folder, 0500), ==, 0);
  run_in_child (read_but_not_write, path, ordinary_user ());
  g_assert_cmpint (g_chmod (folder, 0700), ==, 0);
  fh_test_folder_remove (folder);
}

static void
cannot_create (const char *path)
{
  g_autoptr (FhHistory) history = fh_history_new (path);

  assert_add_fails (history, FH_HISTORY_ERROR_OPEN, 10);
}

static void
test_nothing_yet_in_a_read_only_folder (void)
{
  char *folder = fh_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "state", "history.db", NULL);

  give_away (folder);
  g_assert_cmpint (g_chmod (folder, 0500), ==, 0);
  run_in_child (cannot_create, path, ordinary_user ());
  g_assert_cmpint (g_chmod (folder, 0700), ==, 0);
  fh_test_folder_remove (folder);
}

/* The database may not grow, which SQLite reports as a full disk. */
static void
test_no_page_left (void)
{
  char *folder = fh_test_folder_new ();
  g_autofree char *path = make_history (folder);
  g_autoptr (FhHistoryDatabase) database = NULL;
  g_autofree char *output = g_strnfill (100000, 'x');
  g_autoptr (FhRunRequest) request = fh_test_request ("x");
  g_autoptr (FhRunResult) result = fh_test_result (1, output, "");
  GError *error = NULL;

  database = fh_history_schema_open (path, FALSE, &error);
  g_assert_no_error (error);
  g_assert_true (fh_history_database_execute (database, "PRAGMA max_page_count = 60", &error));
  for (int i = 0; i < 3; i++)
    {
      g_assert_cmpint (fh_history_record_add (database, 0, NULL, request, result, &error), ==, -1);
      g_assert_error (error, FH_HISTORY_ERROR, FH_HISTORY_ERROR_FULL);
      g_clear_error (&error);
    }
  g_assert_true (fh_history_database_execute (database, "PRAGMA max_page_count = 6000", &error));
  g_assert_cmpint (fh_history_record_add (database, 0, NULL, request, result, &error), ==, 4);
  g_clear_pointer (&database, fh_history_database_free);
  fh_test_assert_intact (path);
  fh_test_folder_remove (folder);
}

/* Writes up to a file size limit, which is handled as a full disk. */
static void
fill_up (const char *path)
{
  const struct rlimit limit = { .rlim_cur = 1 << 20, .rlim_max = RLIM_INFINITY };
  const struct rlimit none = { .rlim_cur = RLIM_INFINITY, .rlim_max = RLIM_INFINITY };
  g_autofree char *output = g_strnfill (50000, 'x');
  g_autoptr (FhHistory) history = fh_history_new (path);
  g_autoptr (FhRunRequest) request = fh_test_request ("x");
  g_autoptr (FhRunResult) result = fh_test_result (1, output, "");
  GError *error = NULL;
  guint count = 3;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  while (fh_history_add (history, request, result, &error) > 0)
    count++;
  g_assert_error (error, FH_HISTORY_ERROR, FH_HISTORY_ERROR_FULL);
  g_clear_error (&error);
  g_assert_cmpuint (count_runs (history), ==, count);
  assert_add_fails (history, FH_HISTORY_ERROR_FULL, 50000);
  g_assert_cmpuint (count_runs (history), ==, count);
  /* There is room again. */
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &none), ==, 0);
  g_assert_cmpint (fh_history_add (history, request, result, &error), >, 0);
  g_assert_no_error (error);
  g_assert_cmpuint (count_runs (history), ==, count + 1);
  g_printerr ("# %u runs until it was full\n", count);
  g_assert_cmpuint (count, >, 3);
}

static void
test_file_size_limit (void)
{
  char *folder = fh_test_folder_new ();
  g_autofree char *path = make_history (folder);

  run_in_child (fill_up, path, getuid ());
  fh_test_assert_intact (path);
  fh_test_folder_remove (folder);
}

/* A damaged history and no room for a new one: the message names the old one. */
static void
damaged_without_room (const char *path)
{
  const struct rlimit limit = { .rlim_cur = 0, .rlim_max = RLIM_INFINITY };
  g_autoptr (FhHistory) history = fh_history_new (path);
  GError *error = NULL;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_true (g_file_set_contents (path, "no database", -1, NULL));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  g_assert_false (fh_test_history_open (history, NULL, &error));
  g_assert_error (error, FH_HISTORY_ERROR, FH_HISTORY_ERROR_FULL);
  g_assert_nonnull (strstr (error->message, "history.db.damaged-"));
  g_clear_error (&error);
}

static void
test_damaged_on_a_full_disk (void)
{
  char *folder = fh_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "history.db", NULL);

  run_in_child (damaged_without_room, path, getuid ());
  fh_test_folder_remove (folder);
}

FH_TESTS ({ "/history-disk/read-only-file", test_read_only_file },
          { "/history-disk/read-only-file-of-an-earlier-format",
            test_read_only_file_of_an_earlier_format },
          { "/history-disk/read-only-folder", test_read_only_folder },
          { "/history-disk/read-only-folder-without-journal",
            test_read_only_folder_without_journal },
          { "/history-disk/nothing-yet-in-a-read-only-folder",
            test_nothing_yet_in_a_read_only_folder },
          { "/history-disk/no-page-left", test_no_page_left },
          { "/history-disk/file-size-limit", test_file_size_limit },
          { "/history-disk/damaged-on-a-full-disk", test_damaged_on_a_full_disk });
