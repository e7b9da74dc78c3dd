/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-lock.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "own-folder.h"

static FhRunLock *
new_lock (void)
{
  g_autoptr (GError) error = NULL;
  FhRunLock *lock = fh_run_lock_new (&error);

  g_assert_no_error (error);
  return lock;
}

static gboolean
take (FhRunLock *lock, const char *path)
{
  g_autoptr (GError) error = NULL;
  int fd = open (path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  g_autoptr (FhOpenedPath) opened = fh_opened_path_new_from_fd (fd, path);
  gboolean ok;

  g_assert_nonnull (opened);
  ok = fh_run_lock_take_folder (lock, opened, &error);
  close (fd);
  if (ok)
    g_assert_no_error (error);
  else
    {
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_BUSY);
      g_assert_nonnull (strstr (error->message, path));
    }
  return ok;
}

/* Whether another run could have the folder now. */
static gboolean
is_free (const char *path)
{
  g_autoptr (FhRunLock) lock = new_lock ();

  return take (lock, path);
}

static void
test_container (void)
{
  g_autoptr (FhRunLock) one = new_lock ();
  g_autoptr (FhRunLock) other = new_lock ();
  g_autoptr (GError) error = NULL;

  g_assert_true (fh_run_lock_take_container (one, "box", &error));
  g_assert_no_error (error);
  g_assert_false (fh_run_lock_take_container (other, "box", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_BUSY);
  g_assert_nonnull (strstr (error->message, "box"));
  g_clear_error (&error);
  g_assert_true (fh_run_lock_take_container (other, "box2", &error));
  g_clear_pointer (&one, fh_run_lock_free);
  g_assert_true (fh_run_lock_take_container (other, "box", &error));
  g_assert_no_error (error);
}

static void
test_folders (void)
{
  g_autofree char *base = g_build_filename (g_get_user_cache_dir (), "folders", NULL);
  g_autofree char *work = g_build_filename (base, "work", NULL);
  g_autofree char *inner = g_build_filename (work, "deep", "inner", NULL);
  g_autofree char *beside = g_build_filename (base, "beside", NULL);
  g_autofree char *alias = g_build_filename (base, "alias", NULL);
  g_autoptr (FhRunLock) lock = new_lock ();

  g_assert_cmpint (g_mkdir_with_parents (inner, 0700), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (beside, 0700), ==, 0);
  g_assert_cmpint (symlink (work, alias), ==, 0);
  g_assert_true (take (lock, work));
  g_assert_false (is_free (work));
  g_assert_false (is_free (inner));
  g_assert_false (is_free (base));
  g_assert_false (is_free (alias));
  g_assert_true (is_free (beside));
  /* Names are no way around it. */
  g_assert_cmpint (g_rename (inner, beside), ==, 0);
  g_assert_true (is_free (beside));
  g_clear_pointer (&lock, fh_run_lock_free);
  g_assert_true (is_free (base));
}

static void
test_no_place_for_it (void)
{
  g_autofree char *folder = g_build_filename (g_get_user_state_dir (), "fumehood", NULL);
  g_autofree char *path = g_build_filename (folder, "run-locks", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_remove (path) == 0 || errno == ENOENT);
  g_assert_cmpint (symlink ("elsewhere", path), ==, 0);
  g_assert_null (fh_run_lock_new (&error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_TOO_MANY_LINKS);
  g_assert_nonnull (strstr (error->message, path));
  g_assert_cmpint (g_remove (path), ==, 0);
}

/* A process that was forked meanwhile keeps the file open until it executes its program. */
static void
test_forked (void)
{
  FhRunLock *one = new_lock ();
  g_autoptr (FhRunLock) other = new_lock ();
  g_autoptr (GError) error = NULL;
  int ends[2];
  pid_t child;

  g_assert_true (fh_run_lock_take_container (one, "forked", &error));
  g_assert_cmpint (pipe2 (ends, O_CLOEXEC), ==, 0);
  child = fork ();
  if (child == 0)
    {
      char byte;

      close (ends[1]);
      _exit (read (ends[0], &byte, 1) != 0);
    }
  fh_run_lock_free (one);
  g_assert_true (fh_run_lock_take_container (other, "forked", &error));
  g_assert_no_error (error);
  close (ends[0]);
  close (ends[1]);
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
}

int
main (int argc, char **argv)
{
  int status;

  own_folder_be_home ();
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/run-lock/container", test_container);
  g_test_add_func ("/run-lock/forked", test_forked);
  g_test_add_func ("/run-lock/folders", test_folders);
  g_test_add_func ("/run-lock/no-place-for-it", test_no_place_for_it);
  status = g_test_run ();
  own_folder_end ();
  return status;
}
