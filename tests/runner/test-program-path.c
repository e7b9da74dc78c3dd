/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program-path.h"

#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <unistd.h>

static char *folder;

static void
make (const char *name, int mode)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0755), ==, 0);
  g_assert_true (g_file_set_contents (path, "#!/bin/sh\n", -1, NULL));
  g_assert_cmpint (g_chmod (path, mode), ==, 0);
}

/* Returns what is found below the folder, or NULL with errno. */
static const char *
find (const char *name, const char *format)
{
  static char path[PATH_MAX];
  g_auto (GStrv) parts = g_strsplit (format, "%", -1);
  g_autofree char *folders = g_strjoinv (folder, parts);
  g_autofree char *variable = g_strconcat ("PATH=", folders, NULL);
  char *env[] = { (char *) "OTHER=1", variable, NULL };

  errno = 0;
  if (!program_path_find (name, env, path, sizeof path))
    return NULL;
  return g_str_has_prefix (path, folder) ? path + strlen (folder) : path;
}

static void
test_found (void)
{
  g_assert_cmpstr (find ("one", "%/a:%/b"), ==, "/a/one");
  g_assert_cmpstr (find ("two", "%/a:%/b"), ==, "/b/two");
  g_assert_cmpstr (find ("two", "::%/none:%/b:"), ==, "/b/two");
  g_assert_cmpstr (find ("true", "/bin"), ==, "/bin/true");
}

/* What a program can have put there itself does not hide what the system has. */
static void
test_own (void)
{
  const gboolean is_root = geteuid () == 0;

  g_assert_cmpstr (find ("true", "%/a:/bin"), ==, is_root ? "/a/true" : "/bin/true");
  g_assert_cmpstr (find ("one", "%/a:/bin"), ==, "/a/one");
}

static void
test_not_found (void)
{
  g_assert_null (find ("none", "%/a:%/b"));
  g_assert_cmpint (errno, ==, ENOENT);
  g_assert_null (find ("one", ""));
  g_assert_cmpint (errno, ==, ENOENT);
  /* The working folder is the program's, and no place for programs of the system. */
  g_assert_null (find ("sh", "bin:."));
  g_assert_cmpint (errno, ==, ENOENT);
}

static void
test_no_program (void)
{
  g_assert_cmpstr (find ("text", "%/a:%/b"), ==, "/b/text");
  g_assert_null (find ("text", "%/a"));
  g_assert_cmpint (errno, ==, EACCES);
  /* A folder is none. */
  g_assert_null (find ("a", "%"));
  g_assert_cmpint (errno, ==, EACCES);
}

static void
test_long (void)
{
  g_autofree char *name = g_strnfill (PATH_MAX, 'x');

  g_assert_null (find (name, "%/a"));
  g_assert_cmpint (errno, ==, ENOENT);
}

static void
test_without_a_path (void)
{
  char *env[] = { NULL };
  char path[PATH_MAX];

  g_assert_true (program_path_find ("sh", env, path, sizeof path));
  g_assert_true (g_str_has_suffix (path, "bin/sh"));
}

int
main (int argc, char *argv[])
{
  const char *const files[] = { "a/one", "a/true", "b/one", "b/two", "b/text", "a/text" };
  int result;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("fh-path-XXXXXX", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    make (files[i], g_str_equal (files[i], "a/text") ? 0644 : 0755);
  g_test_add_func ("/program-path/found", test_found);
  g_test_add_func ("/program-path/own", test_own);
  g_test_add_func ("/program-path/not-found", test_not_found);
  g_test_add_func ("/program-path/no-program", test_no_program);
  g_test_add_func ("/program-path/long", test_long);
  g_test_add_func ("/program-path/without-a-path", test_without_a_path);
  result = g_test_run ();
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (folder, files[i], NULL);

      g_unlink (path);
    }
  for (const char *name = "ab"; *name != '\0'; name++)
    {
      g_autofree char *path = g_strdup_printf ("%s/%c", folder, *name);

      g_rmdir (path);
    }
  g_rmdir (folder);
  g_free (folder);
  return result;
}
