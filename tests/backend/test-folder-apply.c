/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder-apply.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "own-folder.h"
#include "project-room.h"
#include "run-lock.h"

static void
test_list (void)
{
  g_autoptr (FhFolderChanges) changes = NULL;
  g_autofree char *link = own_folder_path ("p/link");
  ProjectRun run;

  own_folder_put ("p/tool", "old");
  own_folder_put ("p/.git/config", "x");
  own_folder_put ("p/a/node_modules/x", "x");
  g_assert_no_errno (symlink ("/etc", link));
  {
    g_autofree char *tool = own_folder_path ("p/tool");

    g_assert_no_errno (g_chmod (tool, 0755));
  }
  run = project_room_run ();
  project_room_leave (&run, "tool", "new");
  project_room_leave (&run, ".git/hooks/x", "x");
  project_room_leave (&run, "__pycache__/x.pyc", "x");
  project_room_leave_kind (&run, "l", FH_RESULT_FILE_LINK);
  project_room_leave_kind (&run, "s", FH_RESULT_FILE_SPECIAL);
  project_room_leave_kind (&run, "big", FH_RESULT_FILE_REGULAR);
  g_ptr_array_add (run.gone, g_strdup ("not-ours"));
  fh_result_files_set_left_out (run.left, 3, FALSE);
  changes = project_room_changes_of (&run);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (changes)), ==, 5);
  for (guint i = 0; i < 5; i++)
    g_assert_true (fh_folder_change_is_applicable (fh_folder_changes_get (changes, i)) == (i == 4));
  g_assert_true (
      fh_folder_change_get_facts (fh_folder_changes_find (changes, "tool"))->was_program);
  g_assert_cmpint (fh_folder_change_get_facts (fh_folder_changes_find (changes, "big"))->problem,
                   ==,
                   FH_FOLDER_CHANGE_TOO_LARGE);
  g_assert_cmpuint (fh_folder_changes_get_facts (changes)->n_cached, ==, 1);
  g_assert_cmpuint (fh_folder_changes_get_facts (changes)->n_left_out, ==, 3);
  g_assert_cmpstr (fh_folder_changes_get_facts (changes)->hidden[0], ==, ".git");
  g_assert_cmpuint (fh_folder_changes_get_facts (changes)->n_hidden, ==, 3);
  g_assert_cmpint (project_room_apply (changes, TRUE), ==, FH_FOLDER_ERROR_REFUSED);
  own_folder_assert_content ("p/tool", "old");
}

/* Of a run before this one in the same answer. */
static void
test_handed_on (void)
{
  g_autofree char *path = own_folder_path ("p");
  g_autoptr (GBytes) content = g_bytes_new_static ("first", 5);
  g_autoptr (GPtrArray) handed = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_run_file_free);
  g_autoptr (GPtrArray) listed = NULL;
  g_autoptr (FhFolderChanges) changes = NULL;
  ProjectRun run = { .left = fh_result_files_new (),
                     .gone = g_ptr_array_new_with_free_func (g_free) };

  own_folder_put ("p/a", "old");
  own_folder_put ("p/b", "old");
  g_ptr_array_add (handed, fh_run_file_new ("a", content));
  g_ptr_array_add (handed, fh_run_file_new ("n", content));
  g_ptr_array_add (handed, fh_run_file_new ("d", content));
  run.copy = fh_project_copy_new (path, handed, FALSE, NULL, NULL);
  listed = fh_project_copy_list (run.copy);
  g_assert_cmpuint (listed->len, ==, 4);
  project_room_leave (&run, "n", "second");
  g_ptr_array_add (run.gone, g_strdup ("d"));
  changes = project_room_changes_of (&run);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (changes)), ==, 2);
  g_assert_cmpstr (fh_folder_change_get_letter (fh_folder_changes_find (changes, "a")), ==, "M");
  g_assert_cmpuint (fh_folder_change_get_facts (fh_folder_changes_find (changes, "n"))->new_size,
                    ==,
                    6);
}

static void
test_apply_and_undo (void)
{
  g_autoptr (FhFolderChanges) changes = project_room_three_changes ();
  g_autofree char *path = own_folder_path ("p/changed");
  GStatBuf before;
  GStatBuf after;

  g_assert_no_errno (g_chmod (path, 0640));
  g_assert_no_errno (g_lstat (path, &before));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (changes)), ==, 3);
  g_assert_cmpuint (project_room_count_applied (changes), ==, 0);
  g_assert_cmpint (project_room_apply (changes, FALSE), ==, -1);
  g_assert_cmpuint (project_room_count_applied (changes), ==, 3);
  own_folder_assert_content ("p/changed", "new");
  own_folder_assert_content ("p/sub/added", "new");
  own_folder_assert_content ("p/same", "same");
  g_assert_false (project_room_has ("p/gone"));
  g_assert_false (project_room_has ("p/fumehood-1-main.py"));
  /* Again: it is like that already, and there is no second backup. */
  g_assert_cmpint (project_room_apply (changes, FALSE), ==, -1);
  g_assert_cmpint (project_room_undo (), ==, -1);
  project_room_assert_unchanged ();
  g_assert_no_errno (g_lstat (path, &after));
  g_assert_cmpuint (after.st_mode, ==, before.st_mode);
  g_assert_true (after.st_mtim.tv_sec == before.st_mtim.tv_sec &&
                 after.st_mtim.tv_nsec == before.st_mtim.tv_nsec);
  g_assert_cmpint (project_room_undo (), ==, FH_FOLDER_ERROR_NOTHING);
}

static FhFolderChangeProblem
problem_of (FhFolderChanges *changes, const char *path)
{
  return fh_folder_change_get_facts (fh_folder_changes_find (changes, path))->problem;
}

/* What a folder has decides, not its name: nothing is written to a repository. */
static void
test_repositories (void)
{
  static const char *const in_one[] = { "lib.git/config", "lib.git/hooks/post-update", "data/x" };
  static const char *const in_none[] = { "lib.git.txt", "docs/x", "docs/HEADER" };
  ProjectRun run;
  g_autoptr (FhFolderChanges) changes = NULL;

  own_folder_put ("p/lib.git/HEAD", "ref: refs/heads/main\n");
  own_folder_put ("p/lib.git/config", "[core]\n");
  own_folder_put ("p/data/HEAD", "0123456789012345678901234567890123456789\n");
  own_folder_put ("p/docs/HEAD", "A heading\n");
  run = project_room_run ();
  for (guint i = 0; i < G_N_ELEMENTS (in_one); i++)
    project_room_leave (&run, in_one[i], "x");
  for (guint i = 0; i < G_N_ELEMENTS (in_none); i++)
    project_room_leave (&run, in_none[i], "x");
  project_room_leave (&run, "new/config", "x");
  changes = project_room_changes_of (&run);
  for (guint i = 0; i < G_N_ELEMENTS (in_one); i++)
    g_assert_cmpint (problem_of (changes, in_one[i]), ==, FH_FOLDER_CHANGE_VERSION_CONTROL);
  for (guint i = 0; i < G_N_ELEMENTS (in_none); i++)
    g_assert_cmpint (problem_of (changes, in_none[i]), ==, FH_FOLDER_CHANGE_FINE);
  g_assert_cmpint (problem_of (changes, "new/config"), ==, FH_FOLDER_CHANGE_FINE);
  own_folder_assert_content ("p/lib.git/config", "[core]\n");
}

/* It became one after the run, and its head is a link. */
static void
test_later_repository (void)
{
  ProjectRun run;
  g_autoptr (FhFolderChanges) changes = NULL;
  g_autofree char *head = own_folder_path ("p/new/HEAD");

  own_folder_put ("p/new/refs/x", "x");
  run = project_room_run ();
  project_room_leave (&run, "new/config", "x");
  changes = project_room_changes_of (&run);
  g_assert_no_errno (symlink ("refs/heads/main", head));
  g_assert_cmpint (project_room_apply (changes, TRUE), ==, FH_FOLDER_ERROR_REFUSED);
  g_assert_false (project_room_has ("p/new/config"));
  g_assert_no_errno (unlink (head));
  g_assert_cmpint (project_room_apply (changes, FALSE), ==, -1);
}

static void
test_conflicts (void)
{
  g_autoptr (FhFolderChanges) changes = project_room_three_changes ();
  g_autoptr (GPtrArray) chosen = project_room_choose_all (changes);
  g_autoptr (GPtrArray) conflicts = NULL;
  g_autoptr (GBytes) original = NULL;
  g_autoptr (GError) error = NULL;
  FhFolderChange *changed = fh_folder_changes_find (changes, "changed");

  original = fh_folder_read_original (changes, changed, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (original, NULL), g_bytes_get_size (original), "old", 3);
  own_folder_put ("p/changed", "mine");
  own_folder_put ("p/sub/added", "mine");
  g_assert_null (fh_folder_read_original (changes, changed, &error));
  g_assert_error (error, FH_FOLDER_ERROR, FH_FOLDER_ERROR_CONFLICT);
  conflicts = fh_folder_find_conflicts (changes, chosen, NULL, NULL);
  g_assert_cmpuint (conflicts->len, ==, 2);
  g_assert_true (conflicts->pdata[0] == changed);
  g_assert_cmpint (project_room_apply (changes, FALSE), ==, FH_FOLDER_ERROR_CONFLICT);
  own_folder_assert_content ("p/changed", "mine");
  own_folder_assert_content ("p/gone", "old");
  g_assert_cmpint (project_room_apply (changes, TRUE), ==, -1);
  own_folder_assert_content ("p/changed", "new");
  own_folder_assert_content ("p/sub/added", "new");
  g_assert_cmpint (project_room_undo (), ==, -1);
  own_folder_assert_content ("p/changed", "mine");
  own_folder_assert_content ("p/sub/added", "mine");
  own_folder_assert_content ("p/gone", "old");
}

/* Another folder has taken the place, or a link to one. */
static void
test_replaced_folder (void)
{
  g_autoptr (FhFolderChanges) changes = project_room_three_changes ();
  g_autofree char *p = own_folder_path ("p");
  g_autofree char *away = own_folder_path ("away");
  g_autofree char *other = own_folder_path ("other");

  own_folder_put ("other/changed", "old");
  own_folder_put ("other/gone", "old");
  g_assert_no_errno (rename (p, away));
  g_assert_cmpint (project_room_apply (changes, TRUE), ==, FH_FOLDER_ERROR_FOLDER);
  g_assert_no_errno (rename (other, p));
  g_assert_cmpint (project_room_apply (changes, TRUE), ==, FH_FOLDER_ERROR_FOLDER);
  project_room_assert_unchanged ();
  g_assert_no_errno (rename (p, other));
  g_assert_no_errno (symlink ("away", p));
  g_assert_cmpint (project_room_apply (changes, TRUE), ==, FH_FOLDER_ERROR_FOLDER);
  own_folder_assert_content ("away/changed", "old");
  g_assert_no_errno (unlink (p));
  g_assert_no_errno (rename (away, p));
  g_assert_cmpint (project_room_apply (changes, FALSE), ==, -1);
  g_assert_no_errno (rename (p, away));
  g_assert_no_errno (rename (other, p));
  g_assert_cmpint (project_room_undo (), ==, FH_FOLDER_ERROR_FOLDER);
  project_room_assert_unchanged ();
  g_assert_no_errno (rename (p, other));
  g_assert_no_errno (rename (away, p));
  g_assert_cmpint (project_room_undo (), ==, -1);
  project_room_assert_unchanged ();
}

/* A folder that is made anew often gets the number of the old one. */
static void
test_born_again (void)
{
  g_autoptr (FhFolderChanges) changes = project_room_three_changes ();
  FhFolderPlace place = fh_folder_changes_get_facts (changes)->place;
  g_autoptr (FhFolderChanges) later = NULL;

  if (place.born_us == 0)
    {
      g_test_skip ("this file system does not tell when a folder was created");
      return;
    }
  place.born_us--;
  later = fh_folder_changes_new (&place);
  for (guint i = 0; i < 3; i++)
    fh_folder_changes_add (later, fh_folder_changes_get (changes, i));
  g_assert_cmpint (project_room_apply (later, TRUE), ==, FH_FOLDER_ERROR_FOLDER);
  project_room_assert_unchanged ();
}

static void
test_busy (void)
{
  g_autoptr (FhFolderChanges) changes = project_room_three_changes ();
  g_autofree char *p = own_folder_path ("p");
  g_autoptr (FhOpenedPath) folder = fh_opened_path_new (p, NULL, NULL);
  g_autoptr (FhRunLock) lock = fh_run_lock_new (NULL);

  g_assert_true (fh_run_lock_take_folder (lock, folder, NULL));
  g_assert_cmpint (project_room_apply (changes, TRUE), ==, FH_FOLDER_ERROR_FOLDER);
  project_room_assert_unchanged ();
  g_clear_pointer (&lock, fh_run_lock_free);
  g_assert_cmpint (project_room_apply (changes, FALSE), ==, -1);
  g_assert_cmpint (project_room_undo (), ==, -1);
}

static gboolean
is_special (FhFolderChanges *changes)
{
  g_autoptr (GPtrArray) chosen = project_room_choose_all (changes);
  g_autoptr (GPtrArray) special = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GPtrArray) conflicts = fh_folder_find_conflicts (changes, chosen, special, NULL);

  g_assert_nonnull (conflicts);
  return special->len > 0;
}

/* What taking back does not bring back is known before. */
static void
test_special (void)
{
  g_autofree char *path = own_folder_path ("p/changed");
  g_autofree char *other = own_folder_path ("p/other");
  g_autoptr (FhFolderChanges) changes = project_room_three_changes ();

  g_assert_false (is_special (changes));
  g_assert_no_errno (link (path, other));
  g_assert_true (is_special (changes));
  g_assert_no_errno (unlink (other));
  g_assert_no_errno (g_chmod (path, 04755));
  g_assert_true (is_special (changes));
  g_assert_no_errno (g_chmod (path, 0755));
  g_assert_false (is_special (changes));
  if (setxattr (path, "user.fumehood", "x", 1, 0) == 0)
    g_assert_true (is_special (changes));
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

  project_room_begin ();
  one->function ();
  own_folder_end ();
}

int
main (int argc, char *argv[])
{
  static const Case cases[] = {
    { "/folder-apply/list", test_list },
    { "/folder-apply/handed-on", test_handed_on },
    { "/folder-apply/apply-and-undo", test_apply_and_undo },
    { "/folder-apply/repositories", test_repositories },
    { "/folder-apply/later-repository", test_later_repository },
    { "/folder-apply/conflicts", test_conflicts },
    { "/folder-apply/replaced-folder", test_replaced_folder },
    { "/folder-apply/born-again", test_born_again },
    { "/folder-apply/busy", test_busy },
    { "/folder-apply/special", test_special },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].name, &cases[i], run_case);
  return g_test_run ();
}
