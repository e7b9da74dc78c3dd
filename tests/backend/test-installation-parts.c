/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is shown of made-up installations: never what lies beside them, wherever links lead. */
#include "installation.h"

#include <glib/gstdio.h>
#include <unistd.h>

typedef struct
{
  char *folder;
  char *prefix;
} Fixture;

static void
make_file (Fixture *fixture, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (fixture->prefix, name, NULL);
  g_autofree char *parent = g_path_get_dirname (path);

  g_assert_cmpint (g_mkdir_with_parents (parent, 0755), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
make_link (Fixture *fixture, const char *target, const char *name)
{
  g_autofree char *path = g_build_filename (fixture->prefix, name, NULL);

  g_assert_cmpint (symlink (target, path), ==, 0);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("parts-XXXXXX", NULL);
  fixture->prefix = g_build_filename (fixture->folder, "project", NULL);
  make_file (fixture, "pyvenv.cfg", "home = /usr/bin\n");
  make_file (fixture, "bin/python3", "");
  make_file (fixture, "lib/python3.12/site-packages/module.py", "");
  make_file (fixture, ".env", "secret");
  make_file (fixture, "src/package/module.py", "");
  make_file (fixture, "../outside/letter.txt", "");
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_tree (child);
    }
  g_remove (path);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  remove_tree (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->prefix);
}

/* `names`: below the prefix, with a space between each two. */
static void
assert_parts (Fixture *fixture, const char *names)
{
  g_auto (GStrv) parts = fh_installation_list_parts (fixture->prefix);
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_assert_true (g_str_has_prefix (parts[i], fixture->prefix));
      g_string_append_printf (found,
                              "%s%s",
                              i > 0 ? " " : "",
                              parts[i] + strlen (fixture->prefix) + 1);
    }
  g_assert_cmpstr (found->str, ==, names);
}

static void
test_environment (Fixture *fixture, gconstpointer data)
{
  assert_parts (fixture, "bin lib pyvenv.cfg");
  make_file (fixture, "include/a.h", "");
  make_link (fixture, "lib", "lib64");
  make_file (fixture, "etc/settings", "");
  assert_parts (fixture, "bin include lib lib64 pyvenv.cfg");
}

static void
test_installation (Fixture *fixture, gconstpointer data)
{
  g_autofree char *mark = g_build_filename (fixture->prefix, "pyvenv.cfg", NULL);

  g_unlink (mark);
  make_file (fixture, "etc/settings", "");
  make_file (fixture, "conda-meta/history", "");
  assert_parts (fixture, "bin conda-meta etc lib");
}

/* A project may come with any links. */
static void
test_links (Fixture *fixture, gconstpointer data)
{
  g_autofree char *mark = g_build_filename (fixture->prefix, "pyvenv.cfg", NULL);

  make_link (fixture, "../outside", "include");
  make_link (fixture, "src", "share");
  make_link (fixture, ".", "lib64");
  make_link (fixture, "nowhere", "lib32");
  g_unlink (mark);
  make_link (fixture, "bin/python3", "pyvenv.cfg");
  assert_parts (fixture, "bin lib");
}

static void
test_named_folders (Fixture *fixture, gconstpointer data)
{
  g_autofree char *lines = NULL;

  make_link (fixture, "../outside", "away");
  make_file (fixture, ".hidden/module.py", "");
  make_file (fixture, "src/.hidden/module.py", "");
  lines = g_strdup_printf ("# a comment\nimport os\n\n%1$s/src\n%1$s\n%1$s/.hidden\n"
                           "%1$s/src/.hidden\n%1$s/away\n%1$s/../outside\n%1$s/missing\n"
                           "%2$s/outside\nsrc/package\n/\n%1$s/.env\n%1$s/lib/python3.12\n",
                           fixture->prefix,
                           fixture->folder);
  make_file (fixture, "lib/python3.12/site-packages/editable.pth", lines);
  assert_parts (fixture, "bin lib pyvenv.cfg src");
}

static void
test_many_named_folders (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) lines = g_string_new (NULL);
  g_auto (GStrv) parts = NULL;

  for (int i = 0; i < 50; i++)
    {
      g_autofree char *name = g_strdup_printf ("packages/%d/module.py", i);

      make_file (fixture, name, "");
      g_string_append_printf (lines, "%s/packages/%d\n", fixture->prefix, i);
    }
  make_file (fixture, "lib/python3.12/site-packages/editable.pth", lines->str);
  parts = fh_installation_list_parts (fixture->prefix);
  g_assert_cmpuint (g_strv_length (parts), ==, 3 + 8);
}

static void
test_nothing (Fixture *fixture, gconstpointer data)
{
  g_auto (GStrv) parts = fh_installation_list_parts ("/nowhere/at/all");

  g_assert_cmpuint (g_strv_length (parts), ==, 0);
}

#define ADD(name, function) g_test_add (name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/installation-parts/environment", test_environment);
  ADD ("/installation-parts/installation", test_installation);
  ADD ("/installation-parts/links", test_links);
  ADD ("/installation-parts/named-folders", test_named_folders);
  ADD ("/installation-parts/many-named-folders", test_many_named_folders);
  ADD ("/installation-parts/nothing", test_nothing);
  return g_test_run ();
}
