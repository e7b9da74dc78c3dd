/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/file-saving.h"

#include <glib/gstdio.h>

#include "fh-test.h"
#include "run-error.h"

static FhResultFile *
new_file (const char *path, const char *content, FhResultFileKind kind)
{
  g_autoptr (GBytes) bytes = content != NULL ? g_bytes_new (content, strlen (content)) : NULL;
  FhResultFileFacts facts = {
    .path = path,
    .kind = kind,
    .size = content != NULL ? strlen (content) : 0,
    .is_program = TRUE,
    .content = bytes,
  };

  return fh_result_file_new (&facts);
}

static guint
save_all (FhResultFiles *files, const char *folder, GError **error)
{
  g_autoptr (GFile) place = g_file_new_for_path (folder);
  g_autoptr (GAsyncResult) result =
      FH_AWAIT (fh_file_saving_save_all_async (files, place, NULL, FH_RESULT));
  return fh_file_saving_save_all_finish (result, error);
}

static void
assert_content (const char *folder, const char *name, const char *expected)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *content = NULL;
  g_autoptr (GError) error = NULL;
  GStatBuf status;

  g_file_get_contents (path, &content, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (content, ==, expected);
  g_assert_cmpint (g_lstat (path, &status), ==, 0);
  g_assert_cmpuint (status.st_mode & 0111, ==, 0);
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_tree (child);
    }
  g_remove (path);
}

static void
add (FhResultFiles *files, const char *path, const char *content, FhResultFileKind kind)
{
  g_autoptr (FhResultFile) file = new_file (path, content, kind);

  g_assert_nonnull (file);
  fh_result_files_add (files, file);
}

static void
test_all (void)
{
  g_autoptr (FhResultFiles) files = fh_result_files_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("fumehood-files-XXXXXX", NULL);
  g_autofree char *taken = g_build_filename (folder, "plot.png", NULL);

  g_assert_true (g_file_set_contents (taken, "the user's own", -1, NULL));
  add (files, "plot.png", "picture", FH_RESULT_FILE_REGULAR);
  add (files, "deep/er/data.csv", "1,2", FH_RESULT_FILE_REGULAR);
  add (files, ".bashrc", "evil", FH_RESULT_FILE_REGULAR);
  add (files, "link", NULL, FH_RESULT_FILE_LINK);
  add (files, "pipe", NULL, FH_RESULT_FILE_SPECIAL);
  add (files, "huge", NULL, FH_RESULT_FILE_REGULAR);
  g_assert_cmpuint (save_all (files, folder, &error), ==, 3);
  g_assert_no_error (error);
  assert_content (folder, "plot.png", "the user's own");
  assert_content (folder, "plot (2).png", "picture");
  assert_content (folder, "deep/er/data.csv", "1,2");
  assert_content (folder, "_.bashrc", "evil");

  /* Once more: everything finds a name of its own, nothing is lost. */
  g_assert_cmpuint (save_all (files, folder, &error), ==, 3);
  assert_content (folder, "plot (3).png", "picture");
  assert_content (folder, "deep/er/data (2).csv", "1,2");
  remove_tree (folder);
}

/* A link that stands where a file would go is not written through. */
static void
test_links (void)
{
  g_autoptr (FhResultFiles) files = fh_result_files_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("fumehood-files-XXXXXX", NULL);
  g_autofree char *target = g_build_filename (folder, "precious", NULL);
  g_autofree char *link = g_build_filename (folder, "out.txt", NULL);

  g_assert_true (g_file_set_contents (target, "precious", -1, NULL));
  g_assert_cmpint (symlink (target, link), ==, 0);
  add (files, "out.txt", "new", FH_RESULT_FILE_REGULAR);
  g_assert_cmpuint (save_all (files, folder, &error), ==, 1);
  assert_content (folder, "precious", "precious");
  assert_content (folder, "out (2).txt", "new");
  remove_tree (folder);
}

/* Nor is one that stands for a folder, inside or as the whole. */
static void
test_links_to_folders (void)
{
  g_autoptr (FhResultFiles) files = fh_result_files_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("fumehood-files-XXXXXX", NULL);
  g_autofree char *other = g_dir_make_tmp ("fumehood-files-XXXXXX", NULL);
  g_autofree char *link = g_build_filename (folder, "deep", NULL);
  g_autofree char *outside = g_build_filename (other, "data.csv", NULL);
  g_autoptr (GFile) elsewhere = g_file_new_for_uri ("test://host/folder");
  g_autoptr (GAsyncResult) result = NULL;

  g_assert_cmpint (symlink (other, link), ==, 0);
  add (files, "deep/data.csv", "1,2", FH_RESULT_FILE_REGULAR);
  g_assert_cmpuint (save_all (files, folder, &error), ==, 0);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY);
  g_clear_error (&error);
  g_assert_cmpuint (save_all (files, link, &error), ==, 0);
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (g_file_test (outside, G_FILE_TEST_EXISTS));

  result = FH_AWAIT (fh_file_saving_save_all_async (files, elsewhere, NULL, FH_RESULT));
  g_assert_cmpuint (fh_file_saving_save_all_finish (result, &error), ==, 0);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  remove_tree (folder);
  remove_tree (other);
}

static void
test_error (void)
{
  g_autoptr (FhResultFiles) files = fh_result_files_new ();
  g_autoptr (GError) error = NULL;

  add (files, "plot.png", "picture", FH_RESULT_FILE_REGULAR);
  g_assert_cmpuint (save_all (files, "/proc/no/such/folder", &error), ==, 0);
  g_assert_nonnull (error);
  g_assert_true (g_str_has_prefix (error->message, "Could not save “plot.png”: "));
}

static void
save_one (FhResultFile *file, const char *path)
{
  g_autoptr (GFile) place = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GAsyncResult) result =
      FH_AWAIT (fh_file_saving_save_async (file, place, NULL, FH_RESULT));
  g_assert_true (fh_file_saving_save_finish (result, &error));
  g_assert_no_error (error);
}

static void
test_one (void)
{
  g_autoptr (FhResultFile) file = new_file ("a.out", "ELF", FH_RESULT_FILE_REGULAR);
  g_autoptr (FhResultFile) empty = new_file ("a.out", "", FH_RESULT_FILE_REGULAR);
  g_autoptr (FhResultFile) link = new_file ("link", NULL, FH_RESULT_FILE_LINK);
  g_autofree char *folder = g_dir_make_tmp ("fumehood-files-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.out", NULL);

  g_assert_true (fh_file_saving_is_possible (file));
  g_assert_false (fh_file_saving_is_possible (link));
  /* What the user agreed to replace was a program; what replaces it is none. */
  g_assert_true (g_file_set_contents (path, "old", -1, NULL));
  g_assert_cmpint (g_chmod (path, 0755), ==, 0);
  save_one (file, path);
  assert_content (folder, "a.out", "ELF");
  save_one (empty, path);
  assert_content (folder, "a.out", "");
  remove_tree (folder);
}

FH_TESTS ({ "/file-saving/all", test_all },
          { "/file-saving/links", test_links },
          { "/file-saving/links-to-folders", test_links_to_folders },
          { "/file-saving/error", test_error },
          { "/file-saving/one", test_one });
