/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stored-run.h"

/* Several processes write at once and are killed while they do. Children are forked before this
 * process opens anything. */

#define WRITERS 6
#define RUNS    40
#define KILLS   50

static gboolean
add_quietly (FhHistory *history, int writer, int number)
{
  g_autofree char *source = g_strdup_printf ("writer %d number %d", writer, number);
  g_autofree char *output = g_strnfill (2000, 'x');
  g_autoptr (FhRunRequest) request = fh_test_request (source);
  g_autoptr (FhRunResult) result = fh_test_result (number, output, "");
  g_autoptr (GError) error = NULL;

  if (fh_history_add (history, request, result, &error) > 0)
    return TRUE;
  g_printerr ("# %s\n", error->message);
  return FALSE;
}

static void
write_all (const char *path, int writer)
{
  g_autoptr (FhHistory) history = fh_history_new (path);

  for (int i = 0; i < RUNS; i++)
    {
      if (!add_quietly (history, writer, i))
        _exit (1);
    }
}

static void
test_several_writers (void)
{
  char *folder = fh_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "new", "history.db", NULL);
  pid_t writers[WRITERS];
  GError *error = NULL;

  /* The database does not exist: they also race to create it. */
  for (int i = 0; i < WRITERS; i++)
    {
      writers[i] = fork ();
      if (writers[i] == 0)
        {
          write_all (path, i);
          _exit (0);
        }
    }
  for (int i = 0; i < WRITERS; i++)
    {
      int status;

      g_assert_cmpint (waitpid (writers[i], &status, 0), ==, writers[i]);
      g_assert_cmpint (status, ==, 0);
    }
  {
    g_autoptr (FhHistory) history = fh_history_new (path);
    g_autoptr (GPtrArray) entries = fh_history_list (history, NULL, 0, 10000, &error);

    g_assert_no_error (error);
    g_assert_cmpuint (entries->len, ==, WRITERS * RUNS);
  }
  fh_test_assert_intact (path);
  fh_test_folder_remove (folder);
}

/* Adds run after run and reports each id over the pipe. */
static void
write_until_killed (const char *path, int writer, int report)
{
  g_autoptr (FhHistory) history = fh_history_new (path);

  for (int i = 0;; i++)
    {
      if (!add_quietly (history, writer, i))
        _exit (1);
      if (write (report, &i, sizeof i) != sizeof i)
        _exit (2);
    }
}

/* Waits until the writer has reported a few runs, and then until something of the next one is in
 * the file. In the long suite it waits for some time instead. */
static int
wait_for_the_moment (const char *path, int writer, int report)
{
  g_autofree char *wal = g_strconcat (path, "-wal", NULL);
  struct stat before, now;
  int number;

  for (int i = 0; i <= writer % 4; i++)
    g_assert_cmpint (read (report, &number, sizeof number), ==, sizeof number);
  if (g_getenv ("FH_RANDOM_KILLS") != NULL)
    {
      g_usleep ((gulong) g_test_rand_int_range (1, 60000));
      return writer % 4 + 1;
    }
  g_assert_cmpint (stat (wal, &before), ==, 0);
  do
    g_assert_cmpint (stat (wal, &now), ==, 0);
  while (writer % 2 != 0 && now.st_size == before.st_size &&
         now.st_mtim.tv_nsec == before.st_mtim.tv_nsec);
  return writer % 4 + 1;
}

/* Returns how many runs the writer reported before it was killed. */
static int
kill_a_writer (const char *path, int writer)
{
  int pipe_fds[2];
  int number;
  int count;
  int status;
  pid_t child;

  g_assert_cmpint (pipe (pipe_fds), ==, 0);
  child = fork ();
  if (child == 0)
    {
      close (pipe_fds[0]);
      write_until_killed (path, writer, pipe_fds[1]);
    }
  close (pipe_fds[1]);
  count = wait_for_the_moment (path, writer, pipe_fds[0]);
  g_assert_cmpint (kill (child, SIGKILL), ==, 0);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFSIGNALED (status));
  while (read (pipe_fds[0], &number, sizeof number) == sizeof number)
    count++;
  close (pipe_fds[0]);
  return count;
}

static void
test_killed_writers (void)
{
  char *folder = fh_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "history.db", NULL);
  int reported[KILLS];
  int total = 0;
  GError *error = NULL;

  for (int i = 0; i < KILLS; i++)
    {
      reported[i] = kill_a_writer (path, i);
      total += reported[i];
    }
  g_test_message ("%d runs reported as added by %d killed writers", total, KILLS);
  g_assert_cmpint (total, >, KILLS);
  {
    g_autoptr (FhHistory) history = fh_history_new (path);

    for (int i = 0; i < KILLS; i++)
      {
        g_autofree char *search = g_strdup_printf ("\"writer %d number\"", i);
        g_autofree char *prefix = g_strdup_printf ("writer %d ", i);
        g_autoptr (GPtrArray) entries = fh_history_list (history, search, 0, 100000, &error);
        int found = 0;

        g_assert_no_error (error);
        for (guint j = 0; j < entries->len; j++)
          found += g_str_has_prefix (fh_history_entry_get_title (g_ptr_array_index (entries, j)),
                                     prefix);
        /* The last one may have been added without having been reported. */
        g_assert_cmpint (found, >=, reported[i]);
        g_assert_cmpint (found, <=, reported[i] + 1);
      }
  }
  fh_test_assert_intact (path);
  fh_test_folder_remove (folder);
}

/* All find the same damage at once: the file is renamed once, and no added run is lost. */
static void
test_damage_found_by_several (void)
{
  char *folder = fh_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "history.db", NULL);
  pid_t writers[WRITERS];
  g_autoptr (GDir) dir = NULL;
  const char *name;
  int aside = 0;
  GError *error = NULL;

  g_assert_true (g_file_set_contents (path, "no database", -1, NULL));
  for (int i = 0; i < WRITERS; i++)
    {
      writers[i] = fork ();
      if (writers[i] == 0)
        {
          write_all (path, i);
          _exit (0);
        }
    }
  for (int i = 0; i < WRITERS; i++)
    {
      int status;

      g_assert_cmpint (waitpid (writers[i], &status, 0), ==, writers[i]);
      g_assert_cmpint (status, ==, 0);
    }
  dir = g_dir_open (folder, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL)
    aside += strstr (name, ".damaged-") != NULL;
  g_assert_cmpint (aside, ==, 1);
  {
    g_autoptr (FhHistory) history = fh_history_new (path);
    g_autoptr (GPtrArray) entries = fh_history_list (history, NULL, 0, 10000, &error);

    g_assert_no_error (error);
    g_assert_cmpuint (entries->len, ==, WRITERS * RUNS);
  }
  fh_test_assert_intact (path);
  fh_test_folder_remove (folder);
}

FH_TESTS ({ "/history-writers/several-writers", test_several_writers },
          { "/history-writers/killed-writers", test_killed_writers },
          { "/history-writers/damage-found-by-several", test_damage_found_by_several });
