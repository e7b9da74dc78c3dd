/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder-edit.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder-apply.h"
#include "folder-tree.h"
#include "own-folder.h"

/* "p" is the folder; "outside" is beside it, and nothing may reach it. */

static int
open_root (void)
{
  g_autofree char *path = own_folder_path ("p");
  int root = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  g_assert_cmpint (root, >=, 0);
  return root;
}

static char *
digest_of (const char *text)
{
  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
}

/* `before`, `after`: texts; NULL: there is no file. */
static void
add (GPtrArray *edits, const char *path, const char *before, const char *after)
{
  g_autofree char *digest = before != NULL ? digest_of (before) : NULL;
  g_autoptr (GBytes) content = after != NULL ? g_bytes_new (after, strlen (after)) : NULL;

  g_ptr_array_add (edits, fh_folder_edit_new (path, digest, content, -1, -1));
}

static GPtrArray *
edits_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) fh_folder_edit_free);
}

static gboolean
make (GPtrArray *edits, GError **error)
{
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func (g_free);
  int root = open_root ();
  gboolean ok = fh_folder_edit_all (root, edits, made, error);

  close (root);
  return ok;
}

static gboolean
make_one (const char *path, const char *before, const char *after, GError **error)
{
  g_autoptr (GPtrArray) edits = edits_new ();

  add (edits, path, before, after);
  return make (edits, error);
}

static guint
count (const char *path)
{
  g_autofree char *folder = own_folder_path (path);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  g_assert_nonnull (dir);
  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static gboolean
exists (const char *path)
{
  g_autofree char *whole = own_folder_path (path);
  GStatBuf info;

  return g_lstat (whole, &info) == 0;
}

static void
set_mode (const char *path, guint mode)
{
  g_autofree char *whole = own_folder_path (path);

  g_assert_no_errno (g_chmod (whole, (int) mode));
}

static guint
mode_of (const char *path)
{
  g_autofree char *whole = own_folder_path (path);

  return own_folder_mode_of (whole);
}

static void
test_all (void)
{
  g_autoptr (GPtrArray) edits = edits_new ();
  g_autoptr (GError) error = NULL;

  own_folder_put ("p/changed", "old");
  own_folder_put ("p/gone", "old");
  own_folder_put ("p/other", "other");
  set_mode ("p/changed", 04750);
  add (edits, "changed", "old", "new");
  add (edits, "gone", "old", NULL);
  add (edits, "a/b/new", NULL, "new");
  g_assert_true (make (edits, &error));
  g_assert_no_error (error);
  own_folder_assert_content ("p/changed", "new");
  own_folder_assert_content ("p/a/b/new", "new");
  own_folder_assert_content ("p/other", "other");
  g_assert_false (exists ("p/gone"));
  g_assert_cmpuint (mode_of ("p/changed"), ==, 0750);
  g_assert_cmpuint (mode_of ("p/a/b/new") & 07111, ==, 0);
  g_assert_cmpuint (count ("p"), ==, 3);
  g_assert_cmpuint (count ("p/a/b"), ==, 1);
}

/* The last one fails, so that the others are put back: the same files, not copies. */
static void
test_all_or_nothing (void)
{
  g_autofree char *path = NULL;
  g_autoptr (GPtrArray) edits = edits_new ();
  g_autoptr (GError) error = NULL;
  GStatBuf before;
  GStatBuf after;

  own_folder_put ("p/changed", "old");
  own_folder_put ("p/gone", "old");
  own_folder_put ("p/last", "changed meanwhile");
  path = own_folder_path ("p/changed");
  g_assert_no_errno (g_lstat (path, &before));
  add (edits, "changed", "old", "new");
  add (edits, "gone", "old", NULL);
  add (edits, "a/b/new", NULL, "new");
  add (edits, "last", "old", "new");
  g_assert_false (make (edits, &error));
  g_assert_error (error, FH_FOLDER_ERROR, FH_FOLDER_ERROR_CONFLICT);
  g_assert_nonnull (strstr (error->message, "last"));
  own_folder_assert_content ("p/changed", "old");
  own_folder_assert_content ("p/gone", "old");
  own_folder_assert_content ("p/last", "changed meanwhile");
  g_assert_no_errno (g_lstat (path, &after));
  g_assert_true (before.st_ino == after.st_ino);
  g_assert_cmpuint (count ("p"), ==, 3);
}

/* What is there is not what was expected. */
static void
test_conflicts (void)
{
  static const char *const cases[][3] = {
    { "file", "other", "new" }, { "file", NULL, "new" },   { "missing", "old", "new" },
    { "missing", "old", NULL }, { "file", "other", NULL }, { "no/folder", "old", "new" },
  };

  own_folder_put ("p/file", "old");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (make_one (cases[i][0], cases[i][1], cases[i][2], &error));
      g_assert_error (error, FH_FOLDER_ERROR, FH_FOLDER_ERROR_CONFLICT);
      own_folder_assert_content ("p/file", "old");
      g_assert_cmpuint (count ("p"), ==, 1);
    }
}

/* Something else lies in the place of a file, or on the way to it. */
static void
test_in_the_way (void)
{
  static const char *const paths[] = {
    "link",   "dangling",        "folder-link/witness", "pipe",      "folder",
    "file/x", "folder-link/new", "up/witness",          "self/self", "dangling/x"
  };
  g_autofree char *outside = own_folder_path ("outside");
  g_autofree char *witness = own_folder_path ("outside/witness");
  g_autofree char *link = own_folder_path ("p/link");
  g_autofree char *dangling = own_folder_path ("p/dangling");
  g_autofree char *folder_link = own_folder_path ("p/folder-link");
  g_autofree char *up = own_folder_path ("p/up");
  g_autofree char *self = own_folder_path ("p/self");
  g_autofree char *pipe = own_folder_path ("p/pipe");
  g_autofree char *missing = own_folder_path ("outside/missing");

  own_folder_put ("outside/witness", "old");
  own_folder_put ("p/file", "old");
  own_folder_put ("p/folder/file", "old");
  g_assert_no_errno (symlink (witness, link));
  g_assert_no_errno (symlink (missing, dangling));
  g_assert_no_errno (symlink (outside, folder_link));
  g_assert_no_errno (symlink ("../outside", up));
  g_assert_no_errno (symlink ("/proc/self/cwd", self));
  g_assert_no_errno (mkfifo (pipe, 0600));
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      static const char *const texts[][2] = { { "old", "new" }, { NULL, "new" }, { "old", NULL } };

      for (guint j = 0; j < G_N_ELEMENTS (texts); j++)
        {
          g_autoptr (GError) error = NULL;

          g_assert_false (make_one (paths[i], texts[j][0], texts[j][1], &error));
          g_assert_nonnull (error);
          g_assert_true (error->domain == FH_FOLDER_ERROR);
        }
    }
  own_folder_assert_content ("outside/witness", "old");
  own_folder_assert_content ("p/file", "old");
  g_assert_cmpuint (count ("outside"), ==, 1);
  g_assert_cmpuint (count ("p"), ==, 8);
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_assert_cmpuint (count ("p/folder"), ==, 1);
}

/* Another name of the same file keeps its content. */
static void
test_hard_link (void)
{
  g_autofree char *witness = own_folder_path ("outside/witness");
  g_autofree char *file = own_folder_path ("p/file");
  g_autoptr (GError) error = NULL;

  own_folder_put ("outside/witness", "old");
  own_folder_put ("p/other", "x");
  g_assert_no_errno (link (witness, file));
  g_assert_true (make_one ("file", "old", "new", &error));
  g_assert_no_error (error);
  own_folder_assert_content ("p/file", "new");
  own_folder_assert_content ("outside/witness", "old");
  g_assert_cmpuint (count ("outside"), ==, 1);
}

static void
test_protected (void)
{
  g_autoptr (GError) error = NULL;

  if (geteuid () == 0)
    {
      g_test_skip ("root may write everything");
      return;
    }
  own_folder_put ("p/file", "old");
  own_folder_put ("p/folder/file", "old");
  set_mode ("p/file", 0400);
  g_assert_false (make_one ("file", "old", "new", &error));
  g_assert_error (error, FH_FOLDER_ERROR, FH_FOLDER_ERROR_FAILED);
  g_clear_error (&error);
  g_assert_false (make_one ("file", "old", NULL, &error));
  g_assert_error (error, FH_FOLDER_ERROR, FH_FOLDER_ERROR_FAILED);
  g_clear_error (&error);
  set_mode ("p/folder", 0500);
  g_assert_false (make_one ("folder/file", "old", "new", &error));
  g_assert_error (error, FH_FOLDER_ERROR, FH_FOLDER_ERROR_FAILED);
  g_clear_error (&error);
  g_assert_false (make_one ("folder/new/x", NULL, "new", &error));
  g_assert_error (error, FH_FOLDER_ERROR, FH_FOLDER_ERROR_FAILED);
  set_mode ("p/folder", 0700);
  own_folder_assert_content ("p/file", "old");
  own_folder_assert_content ("p/folder/file", "old");
  g_assert_cmpuint (count ("p/folder"), ==, 1);
}

static void
test_names (void)
{
  g_autofree char *longest = g_strnfill (255, 'x');
  g_autofree char *too_long = g_strnfill (256, 'x');
  const char *const names[] = { "a\nb", "a\u202eb", "\xff\xfe", "-rf", " ", "%s%n", longest };
  g_autoptr (GPtrArray) edits = edits_new ();
  g_autoptr (GError) error = NULL;

  own_folder_put ("p/folder/file", "old");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    add (edits, names[i], NULL, names[i]);
  g_assert_true (make (edits, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename ("p", names[i], NULL);

      own_folder_assert_content (path, names[i]);
    }
  g_assert_false (make_one (too_long, NULL, "new", &error));
  g_assert_error (error, FH_FOLDER_ERROR, FH_FOLDER_ERROR_FAILED);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_cmpuint (count ("p"), ==, G_N_ELEMENTS (names) + 1);
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
    { "/folder-edit/all", test_all },
    { "/folder-edit/all-or-nothing", test_all_or_nothing },
    { "/folder-edit/conflicts", test_conflicts },
    { "/folder-edit/in-the-way", test_in_the_way },
    { "/folder-edit/hard-link", test_hard_link },
    { "/folder-edit/protected", test_protected },
    { "/folder-edit/names", test_names },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].name, &cases[i], run_case);
  return g_test_run ();
}
