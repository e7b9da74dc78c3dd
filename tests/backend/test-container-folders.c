/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-folders.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hostile-folder.h"
#include "kept-folder.h"
#include "own-folder.h"
#include "run-error.h"
#include "wire-policy.h"
#include "work-folder.h"

/* An engine of this computer, whose user 0 is the user here. */
static const FhEngineFacts here = { .kind = FH_ENGINE_DOCKER, .is_rootless = TRUE };

static void
assert_refused (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhOpenedPath) real = fh_work_folder_make (path, &error);

  g_test_message ("%s: %s", path, error != NULL ? error->message : "taken");
  g_assert_null (real);
  g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
}

static void
test_work_folder_is_made (void)
{
  g_autofree char *path = own_folder_path ("work/deep/er");
  g_autofree char *odd = own_folder_path ("work/./deep//er/../er/");
  g_autoptr (GError) error = NULL;
  g_autoptr (FhOpenedPath) real = fh_work_folder_make (path, &error);
  g_autoptr (FhOpenedPath) again = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (real->path, ==, path);
  g_assert_cmpuint (own_folder_mode_of (path), ==, 0700);
  again = fh_work_folder_make (odd, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (again->path, ==, path);
  g_assert_true (again->device == real->device && again->inode == real->inode);
}

static void
test_work_folder_that_holds_too_much (void)
{
  static const char *const wide[] = { "/",     "/home", "/tmp",      "/usr",      "/usr/share/x",
                                      "/etc",  "/proc", "/proc/1",   "/sys/fs",   "/dev",
                                      "/run",  "/var",  "/root/..",  "/var/lib",  "/dev/mapper",
                                      "//tmp", "/mnt",  "/run/user", "/bin/more", "relative" };
  g_autofree char *home = g_strdup (g_get_home_dir ());
  g_autofree char *above = g_path_get_dirname (home);
  g_autofree char *keys = g_build_filename (home, ".ssh", NULL);
  g_autofree char *new_keys = g_build_filename (keys, "new", NULL);
  g_autofree char *own = g_build_filename (g_get_user_cache_dir (), "fumehood", "x", NULL);
  g_autofree char *own_above = g_path_get_dirname (own);
  g_autofree char *below = g_build_filename (home, "work", NULL);
  g_autoptr (FhOpenedPath) real = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (wide); i++)
    assert_refused (wide[i]);
  assert_refused (home);
  assert_refused (above);
  g_assert_no_errno (g_mkdir_with_parents (keys, 0700));
  g_assert_no_errno (g_mkdir_with_parents (own_above, 0700));
  assert_refused (keys);
  assert_refused (new_keys);
  g_assert_false (g_file_test (new_keys, G_FILE_TEST_EXISTS));
  assert_refused (own);
  assert_refused (g_get_user_config_dir ());
  real = fh_work_folder_make (below, NULL);
  g_assert_cmpstr (real->path, ==, below);
}

/* Programs make links, too: none of the user's own is followed, wherever it leads. */
static void
test_work_folder_by_link (void)
{
  g_autofree char *folder = own_folder_path ("real");
  g_autofree char *link = own_folder_path ("link");
  g_autofree char *in_link = own_folder_path ("link/new");
  g_autofree char *wide = own_folder_path ("wide");
  g_autofree char *in_wide = own_folder_path ("wide/etc/x");
  g_autofree char *dangling = own_folder_path ("dangling");
  g_autofree char *file = own_folder_path ("file");
  g_autoptr (GError) error = NULL;

  g_assert_no_errno (g_mkdir (folder, 0755));
  g_assert_no_errno (symlink (folder, link));
  g_assert_no_errno (symlink ("/", wide));
  g_assert_no_errno (symlink ("/nonexistent/x", dangling));
  own_folder_put ("file", "");

  assert_refused (link);
  assert_refused (in_link);
  g_assert_false (g_file_test (in_link, G_FILE_TEST_EXISTS));
  assert_refused (wide);
  assert_refused (in_wide);
  assert_refused (dangling);
  g_assert_null (fh_work_folder_make (link, &error));
  g_assert_nonnull (strstr (error->message, link));
  g_clear_error (&error);
  g_assert_null (fh_work_folder_make (file, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY);
  g_test_message ("%s", error->message);
}

static FhContainerFolders *
folders_new (FhContainerOptions options, gboolean by_copy)
{
  g_autoptr (GError) error = NULL;
  FhContainerFolders *folders =
      fh_container_folders_new (&options, &here, "fh-test", by_copy, &error);

  g_assert_no_error (error);
  /* As at the end of a run. */
  fh_container_folders_unlock (folders);
  return folders;
}

/* Nor does the second run get anything else in their place. */
static void
test_folders_of_one_run (void)
{
  g_autofree char *work = own_folder_path ("work");
  const FhContainerOptions with_work = { .work_dir = work };
  const FhContainerOptions kept = { .is_kept = TRUE };
  g_autoptr (FhContainerFolders) first = NULL;
  g_autoptr (FhContainerFolders) second = NULL;
  g_autoptr (GError) error = NULL;

  first = fh_container_folders_new (&with_work, &here, "fh-one", FALSE, &error);
  g_assert_no_error (error);
  g_assert_null (fh_container_folders_new (&with_work, &here, "fh-two", TRUE, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_BUSY);
  g_clear_error (&error);
  second = fh_container_folders_new (&kept, &here, "fh-one", FALSE, &error);
  g_assert_no_error (error);
  g_assert_null (fh_container_folders_new (&kept, &here, "fh-one", FALSE, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_BUSY);
  g_clear_error (&error);
  /* Looking takes no lock. */
  g_clear_pointer (&second, fh_container_folders_free);
  second = fh_container_folders_new (&with_work, &here, NULL, FALSE, &error);
  g_assert_no_error (error);
}

static void
test_folders_are_decided (void)
{
  g_autofree char *work = own_folder_path ("work");
  g_autofree char *kept =
      g_build_filename (g_get_user_cache_dir (), "fumehood", "containers", "fh-test", NULL);
  g_autofree char *workspace = g_build_filename (kept, "workspace", NULL);
  g_autofree char *home = g_build_filename (kept, "home", NULL);
  g_autoptr (FhContainerFolders) none = folders_new ((FhContainerOptions){ 0 }, FALSE);
  g_autoptr (FhContainerFolders) own = folders_new ((FhContainerOptions){ .is_kept = TRUE }, FALSE);
  g_autoptr (FhContainerFolders) users =
      folders_new ((FhContainerOptions){ .is_kept = TRUE, .work_dir = work }, FALSE);
  g_autoptr (FhContainerFolders) elsewhere = folders_new (
      (FhContainerOptions){ .is_kept = TRUE, .work_dir = work, .bind_dir = "/data/x/" },
      FALSE);
  g_autoptr (FhContainerFolders) copied =
      folders_new ((FhContainerOptions){ .is_kept = TRUE, .work_dir = work }, TRUE);

  g_assert_null (none->workspace);
  g_assert_null (none->home);
  g_assert_cmpstr (own->workspace, ==, workspace);
  g_assert_cmpstr (own->home->path, ==, home);
  g_assert_cmpuint (own_folder_mode_of (workspace), ==, 0700);
  g_assert_cmpuint (own_folder_mode_of (home), ==, 0700);
  g_assert_cmpstr (users->workspace, ==, work);
  g_assert_cmpstr (users->home->path, ==, home);
  g_assert_cmpstr (elsewhere->workspace, ==, "/data/x");
  g_assert_null (elsewhere->home);
  g_assert_null (copied->workspace);
  g_assert_null (copied->home);

  g_assert_true (fh_kept_folder_remove ("fh-test"));
  g_assert_false (g_file_test (kept, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (work, G_FILE_TEST_IS_DIR));
  g_assert_true (fh_kept_folder_remove ("fh-test"));
}

/* User 0 of an engine that is the system's has the rights of root in what is bound. */
static void
test_root_gets_nothing_bound (void)
{
  const FhEngineFacts system = { .kind = FH_ENGINE_DOCKER };
  g_autofree char *work = own_folder_path ("work");
  const FhContainerOptions wishes[] = {
    { .is_root = TRUE, .work_dir = work, .files = FH_CONTAINER_FILES_BIND },
    { .is_root = TRUE, .is_kept = TRUE, .files = FH_CONTAINER_FILES_BIND },
    { .is_root = TRUE, .work_dir = work, .bind_dir = work },
  };

  for (guint i = 0; geteuid () != 0 && i < G_N_ELEMENTS (wishes); i++)
    {
      const gboolean by_copy = fh_container_folders_must_copy (&wishes[i], &system);
      g_autoptr (GError) error = NULL;

      g_assert_null (fh_container_folders_new (&wishes[i], &system, "fh-test", by_copy, &error));
      g_assert_error (error, FH_RUN_ERROR, FH_RUN_ERROR_INVALID);
      g_assert_false (g_file_test (work, G_FILE_TEST_EXISTS));
    }
}

/* What the runner has to find inside. */
static void
test_proofs (void)
{
  const FhEngineFacts own_port = { .is_remote = TRUE, .endpoint = "tcp://127.0.0.1:2375" };
  const FhEngineFacts elsewhere = { .is_remote = TRUE, .endpoint = "ssh://host" };
  g_autofree char *work = own_folder_path ("work");
  g_autofree char *data = own_folder_path ("data");
  g_autofree char *volume = g_strconcat (data, ":/data:rw", NULL);
  const char *const volumes[] = { volume, "/nonexistent/x:/x", NULL };
  const char *const there[] = { volume, NULL };
  FhContainerOptions options = { .is_kept = TRUE, .work_dir = work, .volumes = there };
  g_autoptr (FhContainerFolders) local = NULL;
  g_autoptr (FhContainerFolders) port = NULL;
  g_autoptr (FhContainerFolders) remote = NULL;
  struct fh_policy policy = { 0 };
  struct fh_policy *none = g_new0 (struct fh_policy, 1);
  struct stat status;

  own_folder_put ("data/file", "x");
  local = folders_new (options, FALSE);
  fh_container_folders_add_proofs (local, &policy);
  g_assert_cmpuint (policy.n_proofs, ==, 3);
  g_assert_cmpstr (policy.proof_kernel, ==, "");
  g_assert_cmpstr (policy.proofs[0].path, ==, "/workspace");
  g_assert_cmpstr (policy.proofs[1].path, ==, "/home/fumehood");
  g_assert_cmpstr (policy.proofs[2].path, ==, "/data");
  g_assert_no_errno (stat (data, &status));
  g_assert_cmpuint (policy.proofs[2].device, ==, status.st_dev);
  g_assert_cmpuint (policy.proofs[2].inode, ==, status.st_ino);
  for (gsize i = 0; i < policy.n_proofs; i++)
    free (policy.proofs[i].path);
  free (policy.proofs);
  free (policy.proof_kernel);

  /* It may be this computer's, and what is not here is proven by nothing. */
  options.volumes = volumes;
  port = fh_container_folders_new (&options, &own_port, "fh-test", TRUE, NULL);
  policy = (struct fh_policy){ 0 };
  fh_container_folders_add_proofs (port, &policy);
  fh_container_folders_unlock (port);
  g_assert_cmpuint (policy.n_proofs, ==, 1);
  g_assert_cmpuint (strlen (policy.proof_kernel), ==, 36);
  free (policy.proofs[0].path);
  free (policy.proofs);
  free (policy.proof_kernel);
  fh_container_folders_unlock (port);
  remote = fh_container_folders_new (&options, &elsewhere, "fh-test", TRUE, NULL);
  fh_container_folders_add_proofs (remote, none);
  g_assert_cmpuint (none->n_proofs, ==, 0);
  g_free (none);
  g_assert_cmpstr (remote->sources[1], ==, "/nonexistent/x");
  g_assert_true (fh_kept_folder_remove ("fh-test"));
}

static void
test_what_must_be_copied (void)
{
  const FhEngineFacts system = { .kind = FH_ENGINE_DOCKER };
  const FhEngineFacts rootless = { .kind = FH_ENGINE_DOCKER, .is_rootless = TRUE };
  const FhEngineFacts remote = { .kind = FH_ENGINE_DOCKER, .is_remote = TRUE };
  const FhContainerOptions none = { 0 };
  const FhContainerOptions copied = { .files = FH_CONTAINER_FILES_COPY };
  const FhContainerOptions bound = { .files = FH_CONTAINER_FILES_BIND, .bind_dir = "/data/x" };
  const FhContainerOptions elsewhere = { .work_dir = "/work", .bind_dir = "/data/x" };
  const FhContainerOptions root = { .is_root = TRUE };

  g_assert_false (fh_container_folders_must_copy (&none, &system));
  g_assert_true (fh_container_folders_must_copy (&none, &remote));
  g_assert_true (fh_container_folders_must_copy (&copied, &system));
  g_assert_false (fh_container_folders_must_copy (&bound, &remote));
  g_assert_true (fh_container_folders_must_copy (&elsewhere, &system));
  g_assert_cmpint (fh_container_folders_must_copy (&root, &system), ==, geteuid () != 0);
  g_assert_false (fh_container_folders_must_copy (&root, &rootless));
}

/* A program may close its folder, or put something else in its place while it can. */
static void
test_own_folders_are_mended (void)
{
  FhContainerOptions options = { .is_kept = TRUE };
  g_autofree char *kept =
      g_build_filename (g_get_user_cache_dir (), "fumehood", "containers", "fh-test", NULL);
  g_autofree char *workspace = g_build_filename (kept, "workspace", NULL);
  G_GNUC_UNUSED g_autoptr (FhContainerFolders) first = folders_new (options, FALSE);
  g_autoptr (FhContainerFolders) second = NULL;
  g_autoptr (FhContainerFolders) third = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_no_errno (chmod (workspace, 0));
  second = folders_new (options, FALSE);
  g_assert_cmpuint (own_folder_mode_of (workspace), ==, 0700);
  g_assert_no_errno (rmdir (workspace));
  g_assert_no_errno (symlink (own_folder (), workspace));
  third = fh_container_folders_new (&options, &here, "fh-test", FALSE, &error);
  g_assert_null (third);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_DIRECTORY);
  g_test_message ("%s", error->message);
  g_assert_true (fh_kept_folder_remove ("fh-test"));
  g_assert_true (g_file_test (own_folder (), G_FILE_TEST_IS_DIR));
}

static void
test_removal_of_a_hostile_tree (void)
{
  g_autofree char *victim = own_folder_path ("outside/victim");
  g_autofree char *outside = own_folder_path ("outside");
  g_autofree char *tree = own_folder_path ("tree");
  int top;
  int fd;

  own_folder_put ("outside/victim", "unhurt");
  own_folder_put ("tree/closed/in/file", "x");
  own_folder_put ("tree/moved-0", "in the way");
  top = open (tree, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_assert_no_errno (symlinkat (outside, top, "link"));
  g_assert_no_errno (symlinkat (victim, top, "link-to-file"));
  g_assert_no_errno (mkfifoat (top, "pipe", 0));
  for (guint i = 0; i < 3000; i++)
    {
      g_autofree char *name = g_strdup_printf ("\n%u\xff", i);

      close (openat (top, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0));
    }
  fd = dup (top);
  for (guint i = 0; i < 600; i++)
    {
      int next;

      g_assert_no_errno (mkdirat (fd, "d", 0700));
      next = openat (fd, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      g_assert_no_errno (next);
      g_assert_no_errno (symlinkat (outside, next, "out"));
      g_assert_no_errno (fchmod (fd, (i & 1) == 0 ? 0 : 0500));
      close (fd);
      fd = next;
    }
  close (fd);
  close (top);
  fd = open (own_folder (), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_assert_true (fh_hostile_folder_remove (fd, "tree", 60000));
  close (fd);
  g_assert_false (g_file_test (tree, G_FILE_TEST_EXISTS));
  own_folder_assert_content ("outside/victim", "unhurt");
}

/* Time that is over ends it, and what is left is told. */
static void
test_removal_is_bounded (void)
{
  int fd = open (own_folder (), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_autofree char *link = own_folder_path ("link");
  g_autofree char *tree = own_folder_path ("tree");

  own_folder_put ("tree/a/b/c", "x");
  g_assert_false (fh_hostile_folder_remove (fd, "tree", 0));
  g_assert_true (g_file_test (tree, G_FILE_TEST_IS_DIR));
  g_assert_no_errno (symlink (tree, link));
  g_assert_false (fh_hostile_folder_remove (fd, "link", 1000));
  g_assert_cmpint (errno, ==, ENOTDIR);
  g_assert_true (g_file_test (tree, G_FILE_TEST_IS_DIR));
  g_assert_true (fh_hostile_folder_remove (fd, "missing", 1000));
  close (fd);
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

/* Of these tests alone, before its place is asked for. */
static char *
make_home (void)
{
  static const char *const places[][2] = { { "HOME", "" },
                                           { "XDG_CACHE_HOME", ".cache" },
                                           { "XDG_CONFIG_HOME", ".config" },
                                           { "XDG_DATA_HOME", ".local/share" },
                                           { "XDG_STATE_HOME", ".local/state" } };
  char *home = g_dir_make_tmp ("fh-home-XXXXXX", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *path = g_canonicalize_filename (places[i][1], home);

      g_assert_no_errno (g_mkdir_with_parents (path, 0700));
      g_setenv (places[i][0], path, TRUE);
    }
  return home;
}

static void
remove_home (const char *home)
{
  g_autofree char *parent = g_path_get_dirname (home);
  g_autofree char *name = g_path_get_basename (home);
  int fd = open (parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  g_assert_true (fh_hostile_folder_remove (fd, name, 60000));
  close (fd);
}

int
main (int argc, char *argv[])
{
  static const Case cases[] = {
    { "/container-folders/work/made", test_work_folder_is_made },
    { "/container-folders/work/too-much", test_work_folder_that_holds_too_much },
    { "/container-folders/work/by-link", test_work_folder_by_link },
    { "/container-folders/root-gets-nothing-bound", test_root_gets_nothing_bound },
    { "/container-folders/proofs", test_proofs },
    { "/container-folders/decided", test_folders_are_decided },
    { "/container-folders/of-one-run", test_folders_of_one_run },
    { "/container-folders/copied", test_what_must_be_copied },
    { "/container-folders/mended", test_own_folders_are_mended },
    { "/container-folders/removal/hostile", test_removal_of_a_hostile_tree },
    { "/container-folders/removal/bounded", test_removal_is_bounded },
  };
  g_autofree char *home = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  home = make_home ();
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].name, &cases[i], run_case);
  status = g_test_run ();
  remove_home (home);
  return status;
}
