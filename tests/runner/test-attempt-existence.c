/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-existence.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

struct fixture
{
  char *folder;
};

static char *
at (struct fixture *fixture, const char *name)
{
  return g_build_filename (fixture->folder, name, NULL);
}

static void
make_link (struct fixture *fixture, const char *target, const char *name)
{
  g_autofree char *path = at (fixture, name);

  g_assert_cmpint (symlink (target, path), ==, 0);
}

static void
set_up (struct fixture *fixture, const void *data)
{
  g_autofree char *folder = NULL;
  g_autofree char *file = NULL;

  fixture->folder = g_dir_make_tmp ("existence-XXXXXX", NULL);
  folder = at (fixture, "one/two");
  file = at (fixture, "one/two/file");
  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
  make_link (fixture, "one/two", "relative");
  make_link (fixture, folder, "absolute");
  make_link (fixture, "../relative", "one/up");
  make_link (fixture, "loop", "loop");
  make_link (fixture, "nowhere", "broken");
}

static void
tear_down (struct fixture *fixture, const void *data)
{
  static const char *const files[] = { "one/two/file", "relative", "absolute",
                                       "one/up",       "loop",     "broken" };
  g_autofree char *one = at (fixture, "one");
  g_autofree char *two = at (fixture, "one/two");

  for (size_t i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = at (fixture, files[i]);

      g_unlink (path);
    }
  g_rmdir (two);
  g_rmdir (one);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
}

static int
result_for (struct fixture *fixture, const char *name)
{
  g_autofree char *path = at (fixture, name);
  int handle = existence_open_outside (path);

  if (handle < 0)
    return handle;
  close (handle);
  return 0;
}

static void
test_outside (struct fixture *fixture, const void *data)
{
  g_assert_cmpint (result_for (fixture, "one"), ==, 0);
  g_assert_cmpint (result_for (fixture, "one/two/file"), ==, 0);
  g_assert_cmpint (result_for (fixture, "one/two/none"), ==, -ENOENT);
  g_assert_cmpint (result_for (fixture, "none/two/file"), ==, -ENOENT);
  g_assert_cmpint (result_for (fixture, "one/two/file/more"), ==, -ENOTDIR);
  g_assert_cmpint (existence_open_outside ("/none-of-these"), ==, -ENOENT);
}

static void
test_links (struct fixture *fixture, const void *data)
{
  g_assert_cmpint (result_for (fixture, "relative/file"), ==, 0);
  g_assert_cmpint (result_for (fixture, "absolute/file"), ==, 0);
  g_assert_cmpint (result_for (fixture, "one/up/file"), ==, 0);
  g_assert_cmpint (result_for (fixture, "one/up/none"), ==, -ENOENT);
  g_assert_cmpint (result_for (fixture, "loop/file"), ==, -ELOOP);
  /* A last link is there, wherever it leads. */
  g_assert_cmpint (result_for (fixture, "loop"), ==, 0);
  g_assert_cmpint (result_for (fixture, "broken"), ==, 0);
  g_assert_cmpint (result_for (fixture, "broken/file"), ==, -ENOENT);
}

static void
test_home (struct fixture *fixture, const void *data)
{
  int home = open (fixture->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

  g_assert_cmpint (home, >=, 0);
  g_assert_cmpint (existence_of (existence_open_in_home (home, "")), ==, EXISTENCE_THERE);
  g_assert_cmpint (existence_of (existence_open_in_home (home, "one/two/file")),
                   ==,
                   EXISTENCE_THERE);
  g_assert_cmpint (existence_of (existence_open_in_home (home, "relative/file")),
                   ==,
                   EXISTENCE_THERE);
  g_assert_cmpint (existence_of (existence_open_in_home (home, "broken")), ==, EXISTENCE_THERE);
  g_assert_cmpint (existence_of (existence_open_in_home (home, "none")), ==, EXISTENCE_MISSING);
  g_assert_cmpint (existence_of (existence_open_in_home (home, "one/two/file/x")),
                   ==,
                   EXISTENCE_MISSING);
  /* What leads out of the home, or may not be looked into, says nothing. */
  g_assert_cmpint (existence_of (-EXDEV), ==, EXISTENCE_UNKNOWN);
  g_assert_cmpint (existence_of (-EACCES), ==, EXISTENCE_UNKNOWN);
  close (home);
}

/* A filesystem that is not of this computer is not walked into, such as /dev/pts. */
static void
test_other_filesystems (void)
{
  struct stat status;

  if (stat ("/dev/pts/ptmx", &status) < 0)
    {
      g_test_skip ("there is no /dev/pts");
      return;
    }
  g_assert_cmpint (existence_open_outside ("/dev/pts/ptmx"), ==, -EXDEV);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/attempt-existence/outside", struct fixture, NULL, set_up, test_outside, tear_down);
  g_test_add ("/attempt-existence/links", struct fixture, NULL, set_up, test_links, tear_down);
  g_test_add ("/attempt-existence/home", struct fixture, NULL, set_up, test_home, tear_down);
  g_test_add_func ("/attempt-existence/other-filesystems", test_other_filesystems);
  return g_test_run ();
}
