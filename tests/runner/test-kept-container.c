/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders are opened for all, nothing else is, and what went wrong is told. */
#include "kept-container.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

static mode_t
mode_of (const char *path)
{
  struct stat status;

  g_assert_no_errno (lstat (path, &status));
  return status.st_mode & 07777;
}

static void
test_folders (void)
{
  g_autofree char *base = g_dir_make_tmp ("fh-open-XXXXXX", NULL);
  g_autofree char *one = g_build_filename (base, "one", NULL);
  g_autofree char *other = g_build_filename (base, "other", NULL);
  g_autofree char *link = g_build_filename (base, "link", NULL);
  g_autofree char *missing = g_build_filename (base, "missing", NULL);
  char *const both[] = { one, other, NULL };
  char *const with_link[] = { link, NULL };
  char *const with_missing[] = { missing, one, NULL };

  g_assert_no_errno (g_mkdir (one, 0755));
  g_assert_no_errno (g_mkdir (other, 0700));
  g_assert_no_errno (symlink (base, link));

  g_assert_cmpint (kept_container_open (both), ==, 0);
  g_assert_cmpuint (mode_of (one), ==, 01777);
  g_assert_cmpuint (mode_of (other), ==, 01777);
  g_assert_cmpint (kept_container_open (with_link), ==, 1);
  g_assert_cmpuint (mode_of (base), ==, 0700);
  g_assert_no_errno (g_chmod (one, 0700));
  g_assert_cmpint (kept_container_open (with_missing), ==, 1);
  g_assert_cmpuint (mode_of (one), ==, 01777);

  g_assert_no_errno (g_unlink (link));
  g_assert_no_errno (g_rmdir (one));
  g_assert_no_errno (g_rmdir (other));
  g_assert_no_errno (g_rmdir (base));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kept-container/folders", test_folders);
  return g_test_run ();
}
