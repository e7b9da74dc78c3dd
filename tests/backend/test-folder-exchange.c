/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder-exchange.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "container-copy.h"
#include "container-folders.h"
#include "own-folder.h"

static const FhEngineFacts here = { .kind = FH_ENGINE_DOCKER };

static FhContainerFolders *
folders_new (FhContainerOptions options, gboolean by_copy)
{
  g_autoptr (GError) error = NULL;
  FhContainerFolders *folders =
      fh_container_folders_new (&options, &here, "fh-test", by_copy, &error);

  g_assert_no_error (error);
  return folders;
}

static GPtrArray *
read_folder (FhContainerFolders *folders, GError **error)
{
  return fh_container_folders_read (folders, NULL, error);
}

static FhContainerFolders *
copying (void)
{
  g_autofree char *work = own_folder_path ("work");

  return folders_new ((FhContainerOptions){ .work_dir = work }, TRUE);
}

static void
test_reading (void)
{
  g_autoptr (FhContainerFolders) folders = copying ();
  g_autofree char *victim = own_folder_path ("outside/secret");
  g_autofree char *link = own_folder_path ("work/link");
  g_autofree char *link_to_folder = own_folder_path ("work/folder-link");
  g_autofree char *outside = own_folder_path ("outside");
  g_autofree char *pipe = own_folder_path ("work/pipe");
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (GError) error = NULL;
  const FhRunFile *file;

  own_folder_put ("outside/secret", "not yours");
  own_folder_put ("work/a.txt", "a");
  own_folder_put ("work/sub/deep/b.txt", "bb");
  own_folder_put ("work/empty", "");
  own_folder_put ("work/.env", "X=1");
  own_folder_put ("work/.git/config", "no");
  own_folder_put ("work/sub/node_modules/x/index.js", "no");
  own_folder_put ("work/my-venv/pyvenv.cfg", "no");
  own_folder_put ("work/my-venv/lib/x.py", "no");
  own_folder_put ("work/.fumehood-00000000", "no");
  g_assert_no_errno (symlink (victim, link));
  g_assert_no_errno (symlink (outside, link_to_folder));
  g_assert_no_errno (mkfifo (pipe, 0600));

  files = read_folder (folders, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (files->len, ==, 4);
  file = g_ptr_array_index (files, 0);
  g_assert_cmpstr (file->path, ==, ".env");
  file = g_ptr_array_index (files, 1);
  g_assert_cmpstr (file->path, ==, "a.txt");
  g_assert_cmpmem (g_bytes_get_data (file->content, NULL),
                   g_bytes_get_size (file->content),
                   "a",
                   1);
  file = g_ptr_array_index (files, 2);
  g_assert_cmpstr (file->path, ==, "empty");
  g_assert_cmpuint (g_bytes_get_size (file->content), ==, 0);
  file = g_ptr_array_index (files, 3);
  g_assert_cmpstr (file->path, ==, "sub/deep/b.txt");
}

static void
test_reading_nothing (void)
{
  g_autoptr (FhContainerFolders) none = folders_new ((FhContainerOptions){ 0 }, TRUE);
  g_autoptr (GPtrArray) files = read_folder (none, NULL);

  g_assert_nonnull (files);
  g_assert_cmpuint (files->len, ==, 0);
}

static void
test_reading_too_much (void)
{
  g_autoptr (FhContainerFolders) folders = copying ();
  g_autoptr (GPtrArray) files = NULL;
  g_autofree char *large = own_folder_path ("work/0");
  g_autofree char *more = own_folder_path ("work/more");
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < FH_EXCHANGE_FILES_MAX; i++)
    {
      g_autofree char *path = g_strdup_printf ("work/%u", i);

      own_folder_put (path, "");
    }
  files = read_folder (folders, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (files->len, ==, FH_EXCHANGE_FILES_MAX);
  own_folder_put ("work/more", "");
  g_assert_null (read_folder (folders, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  g_assert_nonnull (strstr (error->message, "256"));
  g_assert_nonnull (strstr (error->message, "64 MiB"));
  g_clear_error (&error);
  g_assert_no_errno (g_unlink (more));
  g_assert_no_errno (truncate (large, (off_t) FH_EXCHANGE_BYTES_MAX + 1));
  g_assert_null (read_folder (folders, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
}

static void
test_reading_too_deep (void)
{
  g_autoptr (FhContainerFolders) folders = copying ();
  g_autoptr (GString) path = g_string_new ("work");
  g_autoptr (GPtrArray) files = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < FH_EXCHANGE_DEPTH_MAX; i++)
    g_string_append (path, "/d");
  g_string_append (path, "/file");
  own_folder_put (path->str, "x");
  files = read_folder (folders, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (files->len, ==, 1);
  g_string_append (path, "s/file");
  own_folder_put (path->str, "x");
  g_assert_null (read_folder (folders, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FILENAME_TOO_LONG);
}

static void
test_reading_what_is_closed (void)
{
  g_autoptr (FhContainerFolders) folders = copying ();
  g_autofree char *closed = own_folder_path ("work/closed\n");
  g_autoptr (GError) error = NULL;

  if (geteuid () == 0)
    {
      g_test_skip ("nothing is closed to root");
      return;
    }
  own_folder_put ("work/closed\n", "x");
  g_assert_no_errno (chmod (closed, 0));
  g_assert_null (read_folder (folders, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
  g_test_message ("%s", error->message);
  g_assert_null (strchr (error->message, '\n'));
}

static void
add_result (FhResultFiles *files, FhResultFileFacts facts, const char *content)
{
  g_autoptr (GBytes) bytes = content != NULL ? g_bytes_new (content, strlen (content)) : NULL;
  g_autoptr (FhResultFile) file = NULL;

  facts.content = bytes;
  facts.size = content != NULL ? strlen (content) : 1 << 30;
  file = fh_result_file_new (&facts);
  g_assert_nonnull (file);
  fh_result_files_add (files, file);
}

static void
add_regular (FhResultFiles *files, const char *path, const char *content)
{
  add_result (files, (FhResultFileFacts){ .path = path, .is_program = TRUE }, content);
}

static guint
write_folder (FhContainerFolders *folders, FhResultFiles *files, GError **error)
{
  return fh_container_folders_write (folders, files, error);
}

static void
test_writing (void)
{
  g_autoptr (FhContainerFolders) folders = copying ();
  g_autoptr (FhResultFiles) files = fh_result_files_new ();
  g_autofree char *script = own_folder_path ("work/script.sh");
  g_autofree char *fresh = own_folder_path ("work/plots/new/a.txt");
  g_autofree char *same = own_folder_path ("work/same");
  g_autofree char *git = own_folder_path ("work/.git");
  g_autofree char *link = own_folder_path ("work/link");
  g_autoptr (GError) error = NULL;
  struct stat before;
  struct stat after;

  own_folder_put ("work/script.sh", "old");
  own_folder_put ("work/same", "same");
  own_folder_put ("work/lib.git/HEAD", "ref: refs/heads/main\n");
  own_folder_put ("work/lib.git/config", "[core]\n");
  g_assert_no_errno (chmod (script, 0750));
  g_assert_no_errno (lstat (same, &before));
  add_regular (files, "script.sh", "new");
  add_regular (files, "plots/new/a.txt", "plot");
  add_regular (files, "same", "same");
  add_regular (files, ".git/hooks/post-commit", "#!/bin/sh\n");
  add_regular (files, "sub/.GIT/config", "x");
  add_regular (files, "lib.git/config", "x");
  add_regular (files, "lib.git/hooks/post-update", "#!/bin/sh\n");
  add_result (files, (FhResultFileFacts){ .path = "link", .kind = FH_RESULT_FILE_LINK }, NULL);

  g_assert_cmpuint (write_folder (folders, files, &error), ==, 2);
  g_assert_no_error (error);
  own_folder_assert_content ("work/script.sh", "new");
  own_folder_assert_content ("work/plots/new/a.txt", "plot");
  own_folder_assert_content ("work/lib.git/config", "[core]\n");
  g_assert_cmpuint (own_folder_mode_of (script), ==, 0750);
  g_assert_cmpuint (own_folder_mode_of (fresh) & 07111, ==, 0);
  g_assert_no_errno (lstat (same, &after));
  g_assert_cmpuint (before.st_ino, ==, after.st_ino);
  g_assert_false (g_file_test (git, G_FILE_TEST_EXISTS));
  g_assert_cmpint (lstat (link, &after), ==, -1);
}

/* What stands in the way is told, is not followed and stays; the others are written. */
static void
test_writing_where_something_is (void)
{
  static const char *const paths[] = { "link", "link/file", "dangling",  "folder",
                                       "pipe", "file/sub",  "up/x/file", "protected" };
  g_autoptr (FhContainerFolders) folders = copying ();
  g_autofree char *outside = own_folder_path ("outside");
  g_autofree char *victim = own_folder_path ("outside/file");
  g_autofree char *made = own_folder_path ("made");
  g_autofree char *protected = own_folder_path ("work/protected");
  guint n_expected = geteuid () == 0 ? 1 : 0;
  struct
  {
    const char *path, *target;
  } links[] = { { "work/link", outside }, { "work/dangling", made }, { "work/up", ".." } };
  g_autofree char *folder = own_folder_path ("work/folder/x");
  g_autofree char *pipe = own_folder_path ("work/pipe");

  own_folder_put ("outside/file", "unhurt");
  own_folder_put ("work/file", "unhurt");
  own_folder_put ("work/protected", "unhurt");
  g_assert_no_errno (chmod (protected, 0444));
  for (guint i = 0; i < G_N_ELEMENTS (links); i++)
    {
      g_autofree char *path = own_folder_path (links[i].path);

      g_assert_no_errno (symlink (links[i].target, path));
    }
  g_assert_no_errno (g_mkdir_with_parents (folder, 0700));
  g_assert_no_errno (mkfifo (pipe, 0600));
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (FhResultFiles) files = fh_result_files_new ();
      g_autoptr (GError) error = NULL;

      add_regular (files, paths[i], "evil");
      add_regular (files, "zz", paths[i]);
      if (g_str_equal (paths[i], "protected") && n_expected == 1)
        continue;
      g_assert_cmpuint (write_folder (folders, files, &error), ==, 1);
      g_assert_nonnull (error);
      g_test_message ("%s", error->message);
      own_folder_assert_content ("work/zz", paths[i]);
    }
  own_folder_assert_content ("outside/file", "unhurt");
  own_folder_assert_content ("work/file", "unhurt");
  own_folder_assert_content ("work/protected", "unhurt");
  g_assert_false (g_file_test (made, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (victim, G_FILE_TEST_IS_REGULAR));
}

/* What could not come out is told, and what is there of that name stays. */
static void
test_writing_what_is_missing (void)
{
  g_autoptr (FhContainerFolders) folders = copying ();
  g_autoptr (FhResultFiles) files = fh_result_files_new ();
  g_autoptr (FhResultFiles) more = fh_result_files_new ();
  g_autofree char *large = own_folder_path ("work/large");
  g_autoptr (GError) error = NULL;

  own_folder_put ("work/old", "old");
  add_regular (files, "large", NULL);
  add_regular (files, "old", NULL);
  add_regular (files, "small", "x");
  g_assert_cmpuint (write_folder (folders, files, &error), ==, 1);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_FAILED);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, "large"));
  g_assert_false (g_file_test (large, G_FILE_TEST_EXISTS));
  own_folder_assert_content ("work/old", "old");
  own_folder_assert_content ("work/small", "x");

  g_clear_error (&error);
  add_regular (more, "small", "y");
  fh_result_files_set_left_out (more, 3, FALSE);
  g_assert_cmpuint (write_folder (folders, more, &error), ==, 1);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
  g_assert_nonnull (strchr (error->message, '3'));
  g_clear_error (&error);
  fh_result_files_set_left_out (more, 0, TRUE);
  g_assert_cmpuint (write_folder (folders, more, &error), ==, 0);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT);
}

/* What tar makes of it is what an engine makes of it. */
static void
test_archive (void)
{
  g_autofree char *runner = own_folder_path ("fumehood-runner");
  g_autofree char *guest = own_folder_path ("guest");
  g_autofree char *archive_path = own_folder_path ("archive.tar");
  g_autofree char *listed = NULL;
  g_autoptr (GBytes) archive = NULL;
  g_autoptr (GError) error = NULL;
  const char *argv[] = { "tar", "--list", "--verbose", "--numeric-owner", "--file", NULL, NULL };
  int status;

  own_folder_put ("fumehood-runner", "#!/bin/true\n");
  g_assert_no_errno (chmod (runner, 0700));
  own_folder_put ("guest/bootstrap.py", "print (1)\n");
  own_folder_put ("guest/sub/more.py", "");
  archive = fh_program_archive_new (runner, guest, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (archive) % 512, ==, 0);
  g_assert_true (g_file_set_contents (archive_path,
                                      g_bytes_get_data (archive, NULL),
                                      (gssize) g_bytes_get_size (archive),
                                      NULL));
  argv[5] = archive_path;
  g_assert_true (g_spawn_sync (NULL,
                               (char **) argv,
                               NULL,
                               G_SPAWN_SEARCH_PATH,
                               NULL,
                               NULL,
                               &listed,
                               NULL,
                               &status,
                               &error));
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, NULL));
  g_test_message ("%s", listed);
  g_assert_true (g_str_has_prefix (listed, "-rwxr-xr-x 65534/65534 "));
  g_assert_true (g_regex_match_simple ("drwxr-xr-x 65534/65534 +0 .* guest/\n", listed, 0, 0));
  g_assert_true (
      g_regex_match_simple ("-rw-r--r-- 65534/65534 +10 .* guest/bootstrap.py\n", listed, 0, 0));
  g_assert_true (
      g_regex_match_simple ("-rw-r--r-- 65534/65534 +0 .* guest/sub/more.py\n", listed, 0, 0));

  g_clear_pointer (&archive, g_bytes_unref);
  g_assert_no_errno (g_unlink (runner));
  g_assert_null (fh_program_archive_new (runner, guest, &error));
  g_assert_nonnull (error);
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
    { "/folder-exchange/reading/files", test_reading },
    { "/folder-exchange/reading/nothing", test_reading_nothing },
    { "/folder-exchange/reading/too-much", test_reading_too_much },
    { "/folder-exchange/reading/too-deep", test_reading_too_deep },
    { "/folder-exchange/reading/closed", test_reading_what_is_closed },
    { "/folder-exchange/writing/files", test_writing },
    { "/folder-exchange/writing/in-the-way", test_writing_where_something_is },
    { "/folder-exchange/writing/missing", test_writing_what_is_missing },
    { "/folder-exchange/archive", test_archive },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].name, &cases[i], run_case);
  return g_test_run ();
}
