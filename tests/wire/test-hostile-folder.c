/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever a program has made of its folder, all of it goes and nothing else. */
#include "hostile-folder.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

struct place
{
  char *base_path;
  int base;
  int folder;
};

static struct place
make_place (void)
{
  struct place place = { .base_path = g_dir_make_tmp ("fh-hostile-XXXXXX", NULL) };

  place.base = open (place.base_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_assert_cmpint (mkdirat (place.base, "run", 0700), ==, 0);
  place.folder = openat (place.base, "run", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_assert_cmpint (place.folder, >=, 0);
  return place;
}

static bool
remove_all (struct place *place)
{
  return fh_hostile_folder_remove (place->base, "run", 20000);
}

static void
clear_place (struct place *place)
{
  close (place->folder);
  close (place->base);
  g_assert_cmpint (g_rmdir (place->base_path), ==, 0);
  g_free (place->base_path);
}

static void
make_file (int folder, const char *name)
{
  int fd = openat (folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  close (fd);
}

static void
test_empty (void)
{
  struct place place = make_place ();

  g_assert_true (remove_all (&place));
  g_assert_true (remove_all (&place));
  clear_place (&place);
}

static void
test_all_kinds (void)
{
  struct place place = make_place ();
  char name[32];

  for (int i = 0; i < 500; i++)
    {
      g_snprintf (name, sizeof name, "file-%d", i);
      make_file (place.folder, name);
    }
  g_assert_cmpint (mkfifoat (place.folder, "fifo", 0), ==, 0);
  g_assert_cmpint (symlinkat ("nowhere", place.folder, "broken"), ==, 0);
  g_assert_cmpint (mkdirat (place.folder, "moved-0", 0700), ==, 0);
  make_file (place.folder, "moved-1");
  g_assert_cmpint (mkdirat (place.folder, "outer", 0700), ==, 0);
  g_assert_cmpint (mkdirat (place.folder, "outer/inner", 0700), ==, 0);
  make_file (place.folder, "outer/inner/file");
  g_assert_true (remove_all (&place));
  clear_place (&place);
}

static void
test_closed_folders (void)
{
  struct place place = make_place ();

  g_assert_cmpint (mkdirat (place.folder, "a", 0700), ==, 0);
  g_assert_cmpint (mkdirat (place.folder, "a/b", 0700), ==, 0);
  g_assert_cmpint (mkdirat (place.folder, "a/b/c", 0700), ==, 0);
  make_file (place.folder, "a/b/c/file");
  g_assert_cmpint (fchmodat (place.folder, "a/b/c", 0, 0), ==, 0);
  g_assert_cmpint (fchmodat (place.folder, "a/b", 0, 0), ==, 0);
  g_assert_cmpint (fchmodat (place.folder, "a", 0, 0), ==, 0);
  g_assert_cmpint (fchmod (place.folder, 0500), ==, 0);
  g_assert_true (remove_all (&place));
  clear_place (&place);
}

static void
test_depth (void)
{
  struct place place = make_place ();
  int at = dup (place.folder);

  for (int i = 0; i < 5000; i++)
    {
      int next;

      g_assert_cmpint (mkdirat (at, "d", 0700), ==, 0);
      next = openat (at, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      close (at);
      at = next;
    }
  make_file (at, "deep");
  close (at);
  g_assert_true (remove_all (&place));
  clear_place (&place);
}

/* What links lead to is left alone. */
static void
test_links_to_elsewhere (void)
{
  struct place place = make_place ();
  g_autofree char *elsewhere = g_dir_make_tmp ("fh-elsewhere-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (elsewhere, "file", NULL);
  struct stat status;

  g_assert_true (g_file_set_contents (file, "kept", -1, NULL));
  g_assert_cmpint (g_chmod (elsewhere, 0500), ==, 0);
  g_assert_cmpint (symlinkat (elsewhere, place.folder, "link"), ==, 0);
  g_assert_cmpint (mkdirat (place.folder, "folder", 0700), ==, 0);
  g_assert_cmpint (symlinkat (elsewhere, place.folder, "folder/link"), ==, 0);
  g_assert_true (remove_all (&place));
  clear_place (&place);
  g_assert_cmpint (stat (elsewhere, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0500);
  g_assert_cmpint (access (file, F_OK), ==, 0);
  g_chmod (elsewhere, 0700);
  g_unlink (file);
  g_rmdir (elsewhere);
}

static void
test_no_time (void)
{
  struct place place = make_place ();

  make_file (place.folder, "file");
  g_assert_false (fh_hostile_folder_remove (place.base, "run", 0));
  g_assert_true (remove_all (&place));
  clear_place (&place);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hostile-folder/empty", test_empty);
  g_test_add_func ("/hostile-folder/all-kinds", test_all_kinds);
  g_test_add_func ("/hostile-folder/closed-folders", test_closed_folders);
  g_test_add_func ("/hostile-folder/depth", test_depth);
  g_test_add_func ("/hostile-folder/links-to-elsewhere", test_links_to_elsewhere);
  g_test_add_func ("/hostile-folder/no-time", test_no_time);
  return g_test_run ();
}
