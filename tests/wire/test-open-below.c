/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is opened below a folder is in it, and a descriptor is closed when its variable ends. */
#include "open-below.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "descriptor.h"

static char *place;
static int root;

static void
begin (void)
{
  place = g_dir_make_tmp ("fh-below-XXXXXX", NULL);
  root = open (place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_assert_no_errno (root);
  g_assert_no_errno (mkdirat (root, "folder", 0700));
  g_assert_no_errno (mkdirat (root, "folder/inner", 0700));
  g_assert_no_errno (symlinkat ("inner", root, "folder/link"));
}

static void
end (void)
{
  unlinkat (root, "folder/link", 0);
  unlinkat (root, "folder/inner", AT_REMOVEDIR);
  unlinkat (root, "folder", AT_REMOVEDIR);
  close (root);
  g_assert_no_errno (g_rmdir (place));
  g_free (place);
}

static void
assert_refused (const char *path, uint64_t flags, int code)
{
  fh_autofd int folder = openat (root, "folder", O_PATH | O_CLOEXEC);
  fh_autofd int fd = fh_open_below (folder, path, flags);

  g_assert_cmpint (fd, ==, -1);
  g_assert_cmpint (errno, ==, code);
}

static void
test_ways (void)
{
  fh_autofd int inner = -1;

  begin ();
  inner = fh_open_below (root, "folder/inner", O_PATH | O_DIRECTORY);
  g_assert_no_errno (inner);
  g_assert_cmpint (fcntl (inner, F_GETFD), ==, FD_CLOEXEC);
  assert_refused ("..", O_PATH, EXDEV);
  assert_refused ("inner/../..", O_PATH, EXDEV);
  assert_refused (place, O_PATH, EXDEV);
  assert_refused ("link", O_RDONLY, ELOOP);
  assert_refused ("link/.", O_PATH, ELOOP);
  assert_refused ("nothing", O_PATH, ENOENT);
  end ();
}

/* With O_PATH a link itself is opened, and never what it leads to. */
static void
test_link_itself (void)
{
  fh_autofd int link = -1;
  struct stat info;

  begin ();
  link = fh_open_below (root, "folder/link", O_PATH);
  g_assert_no_errno (link);
  g_assert_no_errno (fstat (link, &info));
  g_assert_true (S_ISLNK (info.st_mode));
  end ();
}

static void
test_other_mounts (void)
{
  fh_autofd int top = open ("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

  g_assert_cmpint (fh_open_below (top, "proc/version", O_RDONLY), ==, -1);
  g_assert_cmpint (errno, ==, EXDEV);
}

/* How far a way leads is told, also where it ends; what is missing is made on demand only. */
static void
test_parents (void)
{
  static const struct
  {
    const char *path;
    mode_t mode;
    unsigned int depth;
    int code;
  } ways[] = {
    { "x", 0, 0, 0 },
    { "folder/inner/x", 0, 2, 0 },
    { "folder/new/x", 0, 1, ENOENT },
    { "folder/link/x", 0700, 1, ENOTDIR },
    { "folder//x", 0700, 1, ENOENT },
    { "folder/new/x", 0700, 2, 0 },
    { "folder/new/x", 0, 2, 0 },
  };
  g_autofree char *long_name = g_strnfill (NAME_MAX + 1, 'n');
  g_autofree char *too_long = g_strconcat (long_name, "/x", NULL);
  const char *name;

  begin ();
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      unsigned int depth = 9;
      fh_autofd int parent = fh_open_parent (root, ways[i].path, ways[i].mode, &name, &depth);

      g_assert_cmpuint (depth, ==, ways[i].depth);
      g_assert_cmpint (parent < 0 ? errno : 0, ==, ways[i].code);
      if (parent >= 0)
        g_assert_cmpstr (name, ==, "x");
    }
  g_assert_cmpint (fh_open_parent (root, too_long, 0700, &name, NULL), ==, -1);
  g_assert_cmpint (errno, ==, ENAMETOOLONG);
  g_assert_no_errno (unlinkat (root, "folder/new", AT_REMOVEDIR));
  end ();
}

static void
test_entries (void)
{
  fh_autofd int folder = -1;

  begin ();
  folder = openat (root, "folder", O_PATH | O_DIRECTORY | O_CLOEXEC);
  for (int i = 0; i < 2; i++)
    {
      DIR *entries = fh_open_entries (folder);
      int n = 0;

      g_assert_nonnull (entries);
      while (readdir (entries) != NULL)
        n++;
      closedir (entries);
      g_assert_cmpint (n, ==, 4);
    }
  g_assert_null (fh_open_entries (-1));
  g_assert_cmpint (errno, ==, EBADF);
  end ();
}

static int
open_and_leave (bool is_kept)
{
  fh_autofd int fd = open ("/", O_PATH | O_CLOEXEC);

  errno = EDOM;
  return is_kept ? fh_steal_fd (&fd) : fd;
}

static void
test_descriptors (void)
{
  const int closed = open_and_leave (false);
  int kept;

  g_assert_cmpint (errno, ==, EDOM);
  g_assert_cmpint (fcntl (closed, F_GETFD), ==, -1);
  kept = open_and_leave (true);
  g_assert_no_errno (fcntl (kept, F_GETFD));
  close (kept);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/open-below/ways", test_ways);
  g_test_add_func ("/open-below/link-itself", test_link_itself);
  g_test_add_func ("/open-below/other-mounts", test_other_mounts);
  g_test_add_func ("/open-below/parents", test_parents);
  g_test_add_func ("/open-below/entries", test_entries);
  g_test_add_func ("/open-below/descriptors", test_descriptors);
  return g_test_run ();
}
