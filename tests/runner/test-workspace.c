/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
add (struct workspace *workspace, const char *path, const void *data, size_t size)
{
  struct fh_file_piece piece = {
    .path = strdup (path),
    .data = data,
    .size = size,
    .mode = g_str_has_suffix (path, ".sh") ? 0751 : 0,
  };
  int result = workspace_add (workspace, &piece);

  free (piece.path);
  return result;
}

static void
test_pieces_are_joined (void)
{
  struct workspace workspace = { 0 };

  g_assert_cmpint (add (&workspace, "a", "one ", 4), ==, 0);
  g_assert_cmpint (add (&workspace, "a", "two", 3), ==, 0);
  g_assert_cmpint (add (&workspace, "b", "", 0), ==, 0);
  g_assert_cmpuint (workspace.n_files, ==, 2);
  g_assert_cmpmem (workspace.files[0].data, workspace.files[0].size, "one two", 7);
  g_assert_cmpuint (workspace.files[1].size, ==, 0);
  g_assert_cmpuint (workspace.total, ==, 7);
  workspace_clear (&workspace);
  g_assert_cmpuint (workspace.n_files, ==, 0);
}

static void
test_bounds (void)
{
  struct workspace workspace = { 0 };
  g_autofree uint8_t *data = g_malloc0 (1 << 20);
  char name[16];

  /* So much was added before, which the test does not spend. */
  workspace.total = WORKSPACE_MAX_BYTES - (1 << 20);
  g_assert_cmpint (add (&workspace, "large", data, 1 << 20), ==, 0);
  g_assert_cmpint (add (&workspace, "large", data, 1), ==, -EFBIG);
  workspace_clear (&workspace);
  for (int i = 0; i < WORKSPACE_MAX_FILES; i++)
    {
      g_snprintf (name, sizeof name, "%d", i);
      g_assert_cmpint (add (&workspace, name, "x", 1), ==, 0);
    }
  g_assert_cmpint (add (&workspace, "one-more", "x", 1), ==, -EFBIG);
  workspace_clear (&workspace);
}

static void
test_write (void)
{
  struct workspace workspace = { 0 };
  g_autofree char *folder = g_dir_make_tmp ("fh-workspace-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "file", NULL);
  g_autofree char *link = g_build_filename (folder, "link", NULL);
  g_autofree char *content = NULL;
  int fd = open (folder, O_RDONLY | O_DIRECTORY);
  struct stat status;

  add (&workspace, "file", "content", 7);
  add (&workspace, "file.sh", "", 0);
  workspace.files[1].modified_us = G_GUINT64_CONSTANT (1700000000123456);
  g_assert_cmpint (workspace_write (&workspace, fd, -1, false), ==, 0);
  g_assert_cmpint (access (file, X_OK), ==, -1);
  g_assert_cmpint (fstatat (fd, "file.sh", &status, 0), ==, 0);
  g_assert_cmpint (status.st_mode & 07777, ==, 0751);
  g_assert_cmpint (status.st_mtim.tv_sec, ==, 1700000000);
  g_assert_cmpint (status.st_mtim.tv_nsec, ==, 123456000);
  g_assert_cmpint (unlinkat (fd, "file.sh", 0), ==, 0);
  g_assert_true (g_file_get_contents (file, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, "content");
  g_assert_cmpint (workspace_write (&workspace, fd, -1, false), ==, -EEXIST);

  /* A link in its place is not followed. */
  workspace_clear (&workspace);
  add (&workspace, "link", "evil", 4);
  g_assert_cmpint (symlink ("file", link), ==, 0);
  g_assert_cmpint (workspace_write (&workspace, fd, -1, false), ==, -EEXIST);

  workspace_clear (&workspace);
  close (fd);
  g_unlink (file);
  g_unlink (link);
  g_rmdir (folder);
}

static void
test_folders (void)
{
  struct workspace workspace = { 0 };
  g_autofree char *folder = g_dir_make_tmp ("fh-workspace-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "a", "b", "file", NULL);
  g_autofree char *parent = g_build_filename (folder, "a", "b", NULL);
  g_autofree char *top = g_build_filename (folder, "a", NULL);
  g_autofree char *link = g_build_filename (folder, "link", NULL);
  g_autofree char *content = NULL;
  int fd = open (folder, O_RDONLY | O_DIRECTORY);

  add (&workspace, "a/b/file", "content", 7);
  g_assert_cmpint (workspace_write (&workspace, fd, -1, false), ==, 0);
  g_assert_true (g_file_get_contents (file, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, "content");

  /* A folder that is a link leads to nowhere, and neither does a file in the place of one. */
  workspace_clear (&workspace);
  g_assert_cmpint (symlink ("a", link), ==, 0);
  add (&workspace, "link/b/other", "evil", 4);
  g_assert_cmpint (workspace_write (&workspace, fd, -1, false), ==, -ENOTDIR);
  workspace_clear (&workspace);
  add (&workspace, "a/b/file/other", "evil", 4);
  g_assert_cmpint (workspace_write (&workspace, fd, -1, false), ==, -ENOTDIR);

  workspace_clear (&workspace);
  close (fd);
  g_unlink (file);
  g_unlink (link);
  g_rmdir (parent);
  g_rmdir (top);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
add_folder (struct workspace *workspace, const char *path)
{
  struct fh_file_piece piece = { .path = strdup (path), .kind = FH_FILE_FOLDER };

  g_assert_cmpint (workspace_add (workspace, &piece), ==, 0);
}

/* A folder may be there, but neither a file nor a link can be in its place. */
static void
test_empty_folders (void)
{
  struct workspace workspace = { 0 };
  g_autofree char *folder = g_dir_make_tmp ("fh-workspace-XXXXXX", NULL);
  int fd = open (folder, O_RDONLY | O_DIRECTORY);

  add_folder (&workspace, "a/b");
  add_folder (&workspace, "a");
  g_assert_cmpint (workspace_write (&workspace, fd, -1, false), ==, 0);
  g_assert_false (workspace_is_same (&workspace.files[0], fd, 0));
  workspace_make_room (&workspace, fd);
  g_assert_null (workspace.files[1].aside);
  workspace_clear (&workspace);
  g_assert_cmpint (symlinkat ("a", fd, "link"), ==, 0);
  add_folder (&workspace, "link");
  g_assert_cmpint (workspace_write (&workspace, fd, -1, false), ==, -ENOTDIR);
  workspace_clear (&workspace);
  g_assert_cmpint (unlinkat (fd, "link", 0), ==, 0);
  g_assert_cmpint (unlinkat (fd, "a/b", AT_REMOVEDIR), ==, 0);
  g_assert_cmpint (unlinkat (fd, "a", AT_REMOVEDIR), ==, 0);
  close (fd);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static int
add_of_kind (struct workspace *workspace,
             const char *path,
             uint8_t kind,
             bool is_in_tmp,
             const char *content)
{
  struct fh_file_piece piece = { .path = strdup (path),
                                 .kind = kind,
                                 .is_in_tmp = is_in_tmp,
                                 .data = (const uint8_t *) content,
                                 .size = strlen (content) };
  int result = workspace_add (workspace, &piece);

  free (piece.path);
  return result;
}

/* One path can be in both folders. A link's target is written as it is, and never followed. */
static void
test_both_folders (void)
{
  struct workspace workspace = { 0 };
  g_autofree char *folder = g_dir_make_tmp ("fh-workspace-XXXXXX", NULL);
  g_autofree char *tmp = g_dir_make_tmp ("fh-workspace-XXXXXX", NULL);
  g_autofree char *first = g_build_filename (folder, "a", "b", NULL);
  g_autofree char *second = g_build_filename (tmp, "a", "b", NULL);
  g_autofree char *link = g_build_filename (tmp, "link", NULL);
  g_autofree char *target = NULL, *text = NULL, *other = NULL;
  int fds[] = { open (folder, O_RDONLY | O_DIRECTORY), open (tmp, O_RDONLY | O_DIRECTORY) };

  g_assert_cmpint (add_of_kind (&workspace, "a/b", FH_FILE_REGULAR, false, "1"), ==, 0);
  g_assert_cmpint (add_of_kind (&workspace, "a/b", FH_FILE_REGULAR, true, "2"), ==, 0);
  g_assert_cmpint (add_of_kind (&workspace, "link", FH_FILE_LINK, true, "../etc"), ==, 0);
  g_assert_cmpint (add_of_kind (&workspace, "link", FH_FILE_LINK, true, "more"), ==, -EINVAL);
  g_assert_cmpint (workspace_write (&workspace, fds[0], fds[1], false), ==, 0);
  g_assert_true (g_file_get_contents (first, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "1");
  g_assert_true (g_file_get_contents (second, &other, NULL, NULL));
  g_assert_cmpstr (other, ==, "2");
  target = g_file_read_link (link, NULL);
  g_assert_cmpstr (target, ==, "../etc");
  g_assert_true (workspace_find (&workspace, "a/b", false) == &workspace.files[0]);
  g_assert_true (workspace_find (&workspace, "a/b", true) == &workspace.files[1]);
  g_assert_null (workspace_find (&workspace, "link", false));
  g_assert_true (workspace_is_same_link (&workspace.files[2], "../etc", 6));
  g_assert_false (workspace_is_same_link (&workspace.files[2], "../etC", 6));
  g_assert_false (workspace_is_same_link (&workspace.files[2], "../et", 5));
  g_assert_false (workspace_is_same_link (&workspace.files[0], "1", 1));
  g_assert_false (workspace_is_same (&workspace.files[2], -1, 6));

  /* A file that would be in the folder to which the link leads. */
  g_assert_cmpint (add_of_kind (&workspace, "link/c", FH_FILE_REGULAR, true, "3"), ==, 0);
  g_unlink (first);
  g_unlink (second);
  g_unlink (link);
  g_assert_cmpint (workspace_write (&workspace, fds[0], fds[1], false), ==, -ENOTDIR);
  workspace_clear (&workspace);
  for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
    {
      unlinkat (fds[i], "link", 0);
      unlinkat (fds[i], "a/b", 0);
      unlinkat (fds[i], "a", AT_REMOVEDIR);
      close (fds[i]);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_assert_cmpint (g_rmdir (tmp), ==, 0);
}

static char *
read_link (const char *path)
{
  g_autofree char *target = g_file_read_link (path, NULL);

  return g_steal_pointer (&target);
}

/* What is in the way comes back, whatever it is, and is never followed. */
static void
test_make_room (void)
{
  struct workspace workspace = { 0 };
  g_autofree char *folder = g_dir_make_tmp ("fh-workspace-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "file", NULL);
  g_autofree char *link = g_build_filename (folder, "link", NULL);
  g_autofree char *left = g_build_filename (folder, ".file.before-0", NULL);
  g_autofree char *text = NULL;
  g_autofree char *target = NULL;
  int fd = open (folder, O_RDONLY | O_DIRECTORY);

  g_assert_true (g_file_set_contents (file, "before", -1, NULL));
  g_assert_true (g_file_set_contents (left, "long before", -1, NULL));
  g_assert_cmpint (symlink ("file", link), ==, 0);
  add (&workspace, "file", "new", 3);
  add (&workspace, "link", "newer", 5);
  add (&workspace, "a/b", "b", 1);
  workspace_make_room (&workspace, fd);
  g_assert_cmpint (workspace_write (&workspace, fd, -1, false), ==, 0);
  g_assert_true (workspace_is_aside (&workspace, ".file.before-1"));
  g_assert_false (workspace_is_aside (&workspace, ".file.before-0"));
  g_assert_false (workspace_is_aside (&workspace, "a/.file.before-1"));
  g_assert_true (g_file_get_contents (link, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "newer");
  workspace_remove (&workspace, fd);

  g_clear_pointer (&text, g_free);
  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "before");
  target = read_link (link);
  g_assert_cmpstr (target, ==, "file");
  g_clear_pointer (&text, g_free);
  g_assert_true (g_file_get_contents (left, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "long before");

  workspace_clear (&workspace);
  close (fd);
  g_unlink (file);
  g_unlink (link);
  g_unlink (left);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_changed_meanwhile (void)
{
  struct workspace workspace = { 0 };
  g_autofree char *folder = g_dir_make_tmp ("fh-workspace-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (folder, "file", NULL);
  g_autofree char *gone = g_build_filename (folder, "gone", NULL);
  g_autofree char *text = NULL;
  int fd = open (folder, O_RDONLY | O_DIRECTORY);

  g_assert_true (g_file_set_contents (file, "before", -1, NULL));
  g_assert_true (g_file_set_contents (gone, "before", -1, NULL));
  add (&workspace, "file", "new", 3);
  add (&workspace, "gone", "new", 3);
  workspace_make_room (&workspace, fd);
  g_assert_cmpint (workspace_write (&workspace, fd, -1, false), ==, 0);
  g_assert_true (g_file_set_contents (file, "newer", -1, NULL));
  g_unlink (gone);
  workspace_remove (&workspace, fd);
  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "newer");
  g_clear_pointer (&text, g_free);
  g_assert_true (g_file_get_contents (gone, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "before");

  workspace_clear (&workspace);
  close (fd);
  g_unlink (file);
  g_unlink (gone);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_forget (void)
{
  struct workspace workspace = { 0 };
  g_autofree guint8 *data = g_malloc (1 << 20);

  memset (data, 'x', 1 << 20);
  add (&workspace, "large", data, 1 << 20);
  add (&workspace, "small", "x", 1);
  add (&workspace, "empty", "", 0);
  workspace_forget (&workspace);
  /* Its ends may lie on a page with something else. */
  g_assert_cmpint (workspace.files[0].data[1 << 19], ==, 0);
  g_assert_cmpint (workspace.files[1].data[0], ==, 'x');
  workspace_clear (&workspace);
}

static void
test_seal_last (void)
{
  struct workspace workspace = { 0 };
  char text[16] = "";
  int fd = workspace_seal_last (&workspace);

  g_assert_cmpint (fd, ==, -1);
  g_assert_cmpint (errno, ==, ENOENT);
  add (&workspace, "data", "no", 2);
  add (&workspace, "main.py", "print (1)", 9);
  fd = workspace_seal_last (&workspace);
  g_assert_cmpint (read (fd, text, sizeof text), ==, 9);
  g_assert_cmpmem (text, 9, "print (1)", 9);
  g_assert_cmpint (pwrite (fd, "x", 1, 0), ==, -1);
  g_assert_cmpint (errno, ==, EPERM);
  g_assert_cmpint (ftruncate (fd, 0), ==, -1);
  close (fd);
  workspace_clear (&workspace);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/workspace/pieces-are-joined", test_pieces_are_joined);
  g_test_add_func ("/workspace/bounds", test_bounds);
  g_test_add_func ("/workspace/write", test_write);
  g_test_add_func ("/workspace/folders", test_folders);
  g_test_add_func ("/workspace/empty-folders", test_empty_folders);
  g_test_add_func ("/workspace/both-folders", test_both_folders);
  g_test_add_func ("/workspace/make-room", test_make_room);
  g_test_add_func ("/workspace/changed-meanwhile", test_changed_meanwhile);
  g_test_add_func ("/workspace/forget", test_forget);
  g_test_add_func ("/workspace/seal-last", test_seal_last);
  return g_test_run ();
}
