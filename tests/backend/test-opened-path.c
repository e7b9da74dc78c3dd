/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "opened-path.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "own-folder.h"
#include "run-error.h"

static FhOpenedPath *
open_own (const char *path, GError **error)
{
  g_autofree char *whole = own_folder_path (path);

  return fh_opened_path_new (whole, NULL, error);
}

static void
assert_error (const char *path, GQuark domain, int code)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *whole = path[0] == '/' ? g_strdup (path) : own_folder_path (path);

  g_assert_null (fh_opened_path_new (whole, NULL, &error));
  g_test_message ("%s: %s", path, error->message);
  g_assert_error (error, domain, code);
}

static void
test_what_is_there (void)
{
  g_autofree char *whole = own_folder_path ("a/b/file");
  g_autoptr (GError) error = NULL;
  g_autoptr (FhOpenedPath) file = NULL;
  g_autoptr (FhOpenedPath) folder = NULL;
  g_autoptr (FhOpenedPath) root = fh_opened_path_new ("/", NULL, &error);
  struct stat status;

  own_folder_put ("a/b/file", "x");
  file = open_own ("a/./b//c/../file", &error);
  g_assert_no_error (error);
  folder = open_own ("a/b/", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (file->path, ==, whole);
  g_assert_cmpstr (root->path, ==, "/");
  g_assert_no_errno (lstat (whole, &status));
  g_assert_true (file->device == status.st_dev && file->inode == status.st_ino);
  g_assert_true (S_ISREG (file->mode));
  g_assert_true (S_ISDIR (folder->mode));
  g_assert_cmpint (fcntl (file->fd, F_GETFL) & O_PATH, !=, 0);
  g_assert_cmpint (fcntl (file->fd, F_GETFD) & FD_CLOEXEC, !=, 0);
  g_assert_cmpint (fh_opened_path_read_folder (file), ==, -1);
}

static void
test_what_is_not_there (void)
{
  g_autofree char *whole = own_folder_path ("a/new/er/x");
  g_autofree char *missing = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (FhOpenedPath) known = NULL;
  g_autoptr (FhOpenedPath) made = NULL;
  g_autoptr (FhOpenedPath) again = NULL;
  struct stat status;

  own_folder_put ("a/file", "x");
  assert_error ("a/new", G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
  assert_error ("a/file/x", G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY);
  known = fh_opened_path_new (whole, &missing, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (missing, ==, "new/er/x");
  made = fh_opened_path_make (known, missing, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (made->path, ==, whole);
  g_assert_no_errno (lstat (whole, &status));
  g_assert_true (made->device == status.st_dev && made->inode == status.st_ino);
  g_assert_cmpuint (status.st_mode & 07777, ==, 0700);
  g_assert_true (fh_opened_path_lies_in (made, known->path));
  again = fh_opened_path_make (known, missing, &error);
  g_assert_no_error (error);
  g_assert_true (again->device == made->device && again->inode == made->inode);
}

/* Something else has come to be there meanwhile. */
static void
test_making_follows_nothing (void)
{
  g_autofree char *place = own_folder_path ("a/new");
  g_autofree char *whole = own_folder_path ("a/new/x");
  g_autofree char *outside = own_folder_path ("outside");
  g_autofree char *in_outside = own_folder_path ("outside/x");
  g_autofree char *missing = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (FhOpenedPath) known = NULL;

  own_folder_put ("a/file", "x");
  own_folder_put ("outside/file", "x");
  known = fh_opened_path_new (whole, &missing, &error);
  g_assert_no_error (error);
  g_assert_no_errno (symlink (outside, place));
  g_assert_null (fh_opened_path_make (known, missing, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY);
  g_assert_false (g_file_test (in_outside, G_FILE_TEST_EXISTS));
  g_clear_error (&error);
  g_assert_null (fh_opened_path_make (known, "file", &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY);
}

static void
put_link (const char *name, const char *target)
{
  g_autofree char *path = own_folder_path (name);

  g_assert_no_errno (symlink (target, path));
}

static void
test_links (void)
{
  static const char *const names[] = { "to-file", "to-folder",   "to-folder/file",
                                       "to-root", "to-root/etc", "dangling",
                                       "loop" };
  g_autofree char *target = own_folder_path ("a");

  own_folder_put ("a/file", "x");
  put_link ("to-file", "a/file");
  put_link ("to-folder", target);
  put_link ("to-root", "/");
  put_link ("dangling", "none");
  put_link ("loop", "loop");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    assert_error (names[i], FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  /* Magic ones are the user's as well. */
  assert_error ("/proc/self/cwd", FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  assert_error ("/proc/self/root/etc", FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
}

static void
test_links_of_root (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhOpenedPath) link = NULL;
  g_autoptr (FhOpenedPath) direct = NULL;
  g_autofree char *missing = NULL;

  if (!g_file_test ("/var/run", G_FILE_TEST_IS_SYMLINK) || geteuid () == 0)
    {
      g_test_skip ("no such link for this user");
      return;
    }
  link = fh_opened_path_new ("/var/run/new/x", &missing, &error);
  g_assert_no_error (error);
  direct = fh_opened_path_new ("/run", NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (link->path, ==, "/run");
  g_assert_cmpstr (missing, ==, "new/x");
  g_assert_true (link->device == direct->device && link->inode == direct->inode);
}

/* Renamed while it is open, it is what it was. */
static void
test_another_in_its_place (void)
{
  g_autofree char *work = own_folder_path ("work");
  g_autofree char *moved = own_folder_path ("moved");
  g_autofree char *other = own_folder_path ("other");
  g_autoptr (GError) error = NULL;
  g_autoptr (FhOpenedPath) opened = NULL;
  struct stat status;
  int fd;

  own_folder_put ("work/a", "x");
  own_folder_put ("other/b", "x");
  opened = open_own ("work", &error);
  g_assert_no_error (error);
  g_assert_no_errno (rename (work, moved));
  g_assert_no_errno (symlink (other, work));
  fd = fh_opened_path_read_folder (opened);
  g_assert_no_errno (fstatat (fd, "a", &status, 0));
  close (fd);
}

static void
test_places (void)
{
  g_autofree char *inner = own_folder_path ("a/b");
  g_autofree char *new = own_folder_path ("a/b/new/er");
  g_autofree char *outer = own_folder_path ("a");
  g_autofree char *other = own_folder_path ("other");
  g_autofree char *link = own_folder_path ("link");
  g_autoptr (GError) error = NULL;
  g_autoptr (FhOpenedPath) opened = NULL;
  g_autoptr (FhOpenedPath) named = NULL;
  int fd;

  own_folder_put ("a/b/file", "x");
  own_folder_put ("other/file", "x");
  g_assert_no_errno (symlink ("a/b", link));
  opened = open_own ("a/b", &error);
  g_assert_no_error (error);
  g_assert_true (fh_opened_path_lies_in (opened, outer));
  g_assert_true (fh_opened_path_lies_in (opened, inner));
  g_assert_true (fh_opened_path_lies_in (opened, link));
  g_assert_false (fh_opened_path_lies_in (opened, other));
  g_assert_false (fh_opened_path_lies_in (opened, new));
  g_assert_true (fh_opened_path_holds (opened, inner));
  g_assert_true (fh_opened_path_holds (opened, link));
  g_assert_true (fh_opened_path_holds (opened, new));
  g_assert_false (fh_opened_path_holds (opened, outer));
  g_assert_false (fh_opened_path_holds (opened, other));

  fd = fh_opened_path_read_folder (opened);
  named = fh_opened_path_new_from_fd (fd, "/name");
  close (fd);
  g_assert_cmpstr (named->path, ==, "/name");
  g_assert_true (named->device == opened->device && named->inode == opened->inode);
  g_assert_true (fh_opened_path_holds (named, new));
  g_assert_null (fh_opened_path_new_from_fd (-1, "/name"));
}

typedef struct
{
  const char *name;
  GTestFunc function;
} Case;

static void
run_case (gconstpointer data)
{
  const Case *one = data;

  own_folder_begin ();
  one->function ();
  own_folder_end ();
}

int
main (int argc, char *argv[])
{
  static const Case cases[] = {
    { "/opened-path/what-is-there", test_what_is_there },
    { "/opened-path/what-is-not-there", test_what_is_not_there },
    { "/opened-path/making-follows-nothing", test_making_follows_nothing },
    { "/opened-path/links", test_links },
    { "/opened-path/links-of-root", test_links_of_root },
    { "/opened-path/another-in-its-place", test_another_in_its_place },
    { "/opened-path/places", test_places },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].name, &cases[i], run_case);
  return g_test_run ();
}
