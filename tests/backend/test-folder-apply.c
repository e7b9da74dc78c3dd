/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder-apply.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apply-backup.h"
#include "own-folder.h"
#include "project-copy.h"
#include "run-lock.h"

/* What a run gives: "p" is read, and the program leaves what `left` is told. */
typedef struct
{
  FhProjectCopy *copy;
  FhResultFiles *left;
  GPtrArray *gone;
} Run;

static Run
run_new (void)
{
  g_autofree char *path = own_folder_path ("p");
  g_autoptr (GError) error = NULL;
  Run run = { .copy = fh_project_copy_new (path, NULL, NULL, &error),
              .left = fh_result_files_new (),
              .gone = g_ptr_array_new_with_free_func (g_free) };

  g_assert_no_error (error);
  return run;
}

static void
leave (Run *run, const char *path, const char *text)
{
  g_autoptr (GBytes) content = g_bytes_new (text, strlen (text));
  g_autoptr (FhResultFile) file = fh_result_file_new (
      &(FhResultFileFacts){ .path = path, .size = strlen (text), .content = content });

  fh_result_files_add (run->left, file);
}

static void
leave_kind (Run *run, const char *path, FhResultFileKind kind)
{
  g_autoptr (FhResultFile) file =
      fh_result_file_new (&(FhResultFileFacts){ .path = path, .kind = kind, .size = 1 });

  fh_result_files_add (run->left, file);
}

/* Ends the run. */
static FhFolderChanges *
changes_of (Run *run)
{
  FhFolderChanges *changes;

  fh_result_files_set_gone (run->left, run->gone);
  changes = fh_project_copy_find_changes (run->copy, run->left, "fumehood-1-main.py");
  g_clear_pointer (&run->copy, fh_project_copy_free);
  g_clear_object (&run->left);
  g_clear_pointer (&run->gone, g_ptr_array_unref);
  return changes;
}

/* A file changed, one added, one deleted. */
static FhFolderChanges *
three_changes (void)
{
  Run run;

  own_folder_put ("p/changed", "old");
  own_folder_put ("p/gone", "old");
  own_folder_put ("p/same", "same");
  run = run_new ();
  leave (&run, "changed", "new");
  leave (&run, "sub/added", "new");
  leave (&run, "same", "same");
  leave (&run, "fumehood-1-main.py", "the program");
  g_ptr_array_add (run.gone, g_strdup ("gone"));
  return changes_of (&run);
}

static GPtrArray *
choose_all (FhFolderChanges *changes)
{
  GPtrArray *chosen = g_ptr_array_new ();

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (changes)); i++)
    g_ptr_array_add (chosen, fh_folder_changes_get (changes, i));
  return chosen;
}

/* An error's code, or -1 for none. */
static int
apply (FhFolderChanges *changes, gboolean forced)
{
  g_autoptr (GPtrArray) chosen = choose_all (changes);
  g_auto (FhFolderApplied) applied = { 0 };
  g_autoptr (GError) error = NULL;

  if (fh_folder_apply (changes, chosen, forced ? chosen : NULL, &applied, &error))
    return -1;
  g_assert_true (error->domain == FH_FOLDER_ERROR);
  g_assert_null (applied.backup);
  return error->code;
}

static int
undo (void)
{
  g_autoptr (GError) error = NULL;

  if (fh_folder_undo (NULL, NULL, NULL, &error))
    return -1;
  g_assert_true (error->domain == FH_FOLDER_ERROR);
  return error->code;
}

static gboolean
exists (const char *path)
{
  g_autofree char *whole = own_folder_path (path);
  GStatBuf info;

  return g_lstat (whole, &info) == 0;
}

static void
assert_unchanged (void)
{
  own_folder_assert_content ("p/changed", "old");
  own_folder_assert_content ("p/gone", "old");
  g_assert_false (exists ("p/sub"));
}

static void
test_list (void)
{
  g_autoptr (FhFolderChanges) changes = NULL;
  g_autofree char *link = own_folder_path ("p/link");
  guint n_hidden;
  Run run;

  own_folder_put ("p/tool", "old");
  own_folder_put ("p/.git/config", "x");
  own_folder_put ("p/a/node_modules/x", "x");
  g_assert_no_errno (symlink ("/etc", link));
  {
    g_autofree char *tool = own_folder_path ("p/tool");

    g_assert_no_errno (g_chmod (tool, 0755));
  }
  run = run_new ();
  leave (&run, "tool", "new");
  leave (&run, ".git/hooks/x", "x");
  leave (&run, "__pycache__/x.pyc", "x");
  leave_kind (&run, "l", FH_RESULT_FILE_LINK);
  leave_kind (&run, "s", FH_RESULT_FILE_SPECIAL);
  leave_kind (&run, "big", FH_RESULT_FILE_REGULAR);
  g_ptr_array_add (run.gone, g_strdup ("not-ours"));
  fh_result_files_set_left_out (run.left, 3, FALSE);
  changes = changes_of (&run);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (changes)), ==, 5);
  for (guint i = 0; i < 5; i++)
    g_assert_true (fh_folder_change_is_applicable (fh_folder_changes_get (changes, i)) == (i == 4));
  g_assert_true (
      fh_folder_change_get_facts (fh_folder_changes_find (changes, "tool"))->was_program);
  g_assert_cmpint (fh_folder_change_get_facts (fh_folder_changes_find (changes, "big"))->problem,
                   ==,
                   FH_FOLDER_CHANGE_TOO_LARGE);
  g_assert_cmpuint (fh_folder_changes_get_n_cached (changes), ==, 1);
  g_assert_cmpuint (fh_folder_changes_get_n_left_out (changes), ==, 3);
  g_assert_cmpstr (fh_folder_changes_get_hidden (changes, &n_hidden)[0], ==, ".git");
  g_assert_cmpuint (n_hidden, ==, 3);
  g_assert_cmpint (apply (changes, TRUE), ==, FH_FOLDER_ERROR_REFUSED);
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
  Run run = { .left = fh_result_files_new (), .gone = g_ptr_array_new_with_free_func (g_free) };

  own_folder_put ("p/a", "old");
  own_folder_put ("p/b", "old");
  g_ptr_array_add (handed, fh_run_file_new ("a", content));
  g_ptr_array_add (handed, fh_run_file_new ("n", content));
  g_ptr_array_add (handed, fh_run_file_new ("d", content));
  run.copy = fh_project_copy_new (path, handed, NULL, NULL);
  listed = fh_project_copy_list (run.copy);
  g_assert_cmpuint (listed->len, ==, 4);
  leave (&run, "n", "second");
  g_ptr_array_add (run.gone, g_strdup ("d"));
  changes = changes_of (&run);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (changes)), ==, 2);
  g_assert_cmpstr (fh_folder_change_get_letter (fh_folder_changes_find (changes, "a")), ==, "M");
  g_assert_cmpuint (fh_folder_change_get_facts (fh_folder_changes_find (changes, "n"))->new_size,
                    ==,
                    6);
}

/* How many of them were applied last. */
static guint
count_applied (FhFolderChanges *changes)
{
  g_autofree char *backup = NULL;
  g_autoptr (GPtrArray) applied = fh_folder_find_applied (changes, &backup);

  g_assert_true ((applied != NULL) == (backup != NULL));
  return applied != NULL ? applied->len : 0;
}

static void
test_apply_and_undo (void)
{
  g_autoptr (FhFolderChanges) changes = three_changes ();
  g_autofree char *path = own_folder_path ("p/changed");
  GStatBuf before;
  GStatBuf after;

  g_assert_no_errno (g_chmod (path, 0640));
  g_assert_no_errno (g_lstat (path, &before));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (changes)), ==, 3);
  g_assert_cmpuint (count_applied (changes), ==, 0);
  g_assert_cmpint (apply (changes, FALSE), ==, -1);
  g_assert_cmpuint (count_applied (changes), ==, 3);
  own_folder_assert_content ("p/changed", "new");
  own_folder_assert_content ("p/sub/added", "new");
  own_folder_assert_content ("p/same", "same");
  g_assert_false (exists ("p/gone"));
  g_assert_false (exists ("p/fumehood-1-main.py"));
  /* Again: it is like that already, and there is no second backup. */
  g_assert_cmpint (apply (changes, FALSE), ==, -1);
  g_assert_cmpint (undo (), ==, -1);
  assert_unchanged ();
  g_assert_no_errno (g_lstat (path, &after));
  g_assert_cmpuint (after.st_mode, ==, before.st_mode);
  g_assert_true (after.st_mtim.tv_sec == before.st_mtim.tv_sec &&
                 after.st_mtim.tv_nsec == before.st_mtim.tv_nsec);
  g_assert_cmpint (undo (), ==, FH_FOLDER_ERROR_NOTHING);
}

static void
test_conflicts (void)
{
  g_autoptr (FhFolderChanges) changes = three_changes ();
  g_autoptr (GPtrArray) chosen = choose_all (changes);
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
  conflicts = fh_folder_find_conflicts (changes, chosen, NULL);
  g_assert_cmpuint (conflicts->len, ==, 2);
  g_assert_true (conflicts->pdata[0] == changed);
  g_assert_cmpint (apply (changes, FALSE), ==, FH_FOLDER_ERROR_CONFLICT);
  own_folder_assert_content ("p/changed", "mine");
  own_folder_assert_content ("p/gone", "old");
  g_assert_cmpint (apply (changes, TRUE), ==, -1);
  own_folder_assert_content ("p/changed", "new");
  own_folder_assert_content ("p/sub/added", "new");
  g_assert_cmpint (undo (), ==, -1);
  own_folder_assert_content ("p/changed", "mine");
  own_folder_assert_content ("p/sub/added", "mine");
  own_folder_assert_content ("p/gone", "old");
}

static void
test_changed_after_applying (void)
{
  g_autoptr (FhFolderChanges) changes = three_changes ();

  g_assert_cmpint (apply (changes, FALSE), ==, -1);
  own_folder_put ("p/sub/added", "mine");
  g_assert_cmpint (undo (), ==, FH_FOLDER_ERROR_CONFLICT);
  own_folder_assert_content ("p/changed", "new");
  own_folder_assert_content ("p/sub/added", "mine");
  own_folder_put ("p/sub/added", "new");
  own_folder_put ("p/sub/mine", "mine");
  g_assert_cmpint (undo (), ==, -1);
  own_folder_assert_content ("p/changed", "old");
  own_folder_assert_content ("p/sub/mine", "mine");
  g_assert_false (exists ("p/sub/added"));
}

/* The computer stopped before the first of three files, or after it. */
static void
test_undo_of_a_part (void)
{
  g_autoptr (FhFolderChanges) changes = three_changes ();
  g_autofree char *added = own_folder_path ("p/sub/added");

  g_assert_cmpint (apply (changes, FALSE), ==, -1);
  own_folder_put ("p/gone", "old");
  own_folder_put ("p/changed", "old");
  g_assert_no_errno (g_unlink (added));
  g_assert_cmpuint (count_applied (changes), ==, 0);
  own_folder_put ("p/sub/added", "new");
  g_assert_cmpuint (count_applied (changes), ==, 1);
  g_assert_cmpint (undo (), ==, -1);
  assert_unchanged ();
}

/* Another folder has taken the place, or a link to one. */
static void
test_replaced_folder (void)
{
  g_autoptr (FhFolderChanges) changes = three_changes ();
  g_autofree char *p = own_folder_path ("p");
  g_autofree char *away = own_folder_path ("away");
  g_autofree char *other = own_folder_path ("other");

  own_folder_put ("other/changed", "old");
  own_folder_put ("other/gone", "old");
  g_assert_no_errno (rename (p, away));
  g_assert_cmpint (apply (changes, TRUE), ==, FH_FOLDER_ERROR_FOLDER);
  g_assert_no_errno (rename (other, p));
  g_assert_cmpint (apply (changes, TRUE), ==, FH_FOLDER_ERROR_FOLDER);
  assert_unchanged ();
  g_assert_no_errno (rename (p, other));
  g_assert_no_errno (symlink ("away", p));
  g_assert_cmpint (apply (changes, TRUE), ==, FH_FOLDER_ERROR_FOLDER);
  own_folder_assert_content ("away/changed", "old");
  g_assert_no_errno (unlink (p));
  g_assert_no_errno (rename (away, p));
  g_assert_cmpint (apply (changes, FALSE), ==, -1);
  g_assert_no_errno (rename (p, away));
  g_assert_no_errno (rename (other, p));
  g_assert_cmpint (undo (), ==, FH_FOLDER_ERROR_FOLDER);
  assert_unchanged ();
  g_assert_no_errno (rename (p, other));
  g_assert_no_errno (rename (away, p));
  g_assert_cmpint (undo (), ==, -1);
  assert_unchanged ();
}

/* A folder that is made anew often gets the number of the old one. */
static void
test_born_again (void)
{
  g_autoptr (FhFolderChanges) changes = three_changes ();
  FhFolderPlace place = *fh_folder_changes_get_place (changes);
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
  g_assert_cmpint (apply (later, TRUE), ==, FH_FOLDER_ERROR_FOLDER);
  assert_unchanged ();
}

static void
test_busy (void)
{
  g_autoptr (FhFolderChanges) changes = three_changes ();
  g_autofree char *p = own_folder_path ("p");
  g_autoptr (FhOpenedPath) folder = fh_opened_path_new (p, NULL, NULL);
  g_autoptr (FhRunLock) lock = fh_run_lock_new (NULL);

  g_assert_true (fh_run_lock_take_folder (lock, folder, NULL));
  g_assert_cmpint (apply (changes, TRUE), ==, FH_FOLDER_ERROR_FOLDER);
  assert_unchanged ();
  g_clear_pointer (&lock, fh_run_lock_free);
  g_assert_cmpint (apply (changes, FALSE), ==, -1);
  g_assert_cmpint (undo (), ==, -1);
}

static guint
count_backups (void)
{
  g_autofree char *base = g_build_filename (g_get_user_state_dir (), "fumehood", "undo", NULL);
  g_autoptr (GDir) dir = g_dir_open (base, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
test_backups (void)
{
  g_autofree char *base = g_build_filename (g_get_user_state_dir (), "fumehood", "undo", NULL);
  g_autoptr (GError) error = NULL;

  own_folder_put ("p/file", "0");
  for (guint i = 1; i <= FH_APPLY_BACKUPS_MAX + 3; i++)
    {
      Run run = run_new ();
      g_autofree char *text = g_strdup_printf ("%u", i);
      g_autoptr (FhFolderChanges) changes = NULL;

      leave (&run, "file", text);
      changes = changes_of (&run);
      /* What was applied last is of another run. */
      g_assert_cmpuint (count_applied (changes), ==, 0);
      g_assert_cmpint (apply (changes, FALSE), ==, -1);
    }
  g_assert_cmpuint (count_backups (), ==, FH_APPLY_BACKUPS_MAX);
  g_assert_cmpuint (own_folder_mode_of (base), ==, 0700);
  for (guint i = 0; i < FH_APPLY_BACKUPS_MAX; i++)
    g_assert_cmpint (undo (), ==, -1);
  own_folder_assert_content ("p/file", "3");
  g_assert_cmpint (undo (), ==, FH_FOLDER_ERROR_NOTHING);
  g_assert_false (fh_folder_undo ("../../p", NULL, NULL, &error));
  g_assert_error (error, FH_FOLDER_ERROR, FH_FOLDER_ERROR_NOTHING);
}

/* A backup that is damaged is used for nothing. */
static void
test_damaged_backup (void)
{
  g_autoptr (FhFolderChanges) changes = three_changes ();
  g_autoptr (GPtrArray) chosen = choose_all (changes);
  g_auto (FhFolderApplied) applied = { 0 };
  g_autofree char *list = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GString) broken = NULL;

  g_assert_true (fh_folder_apply (changes, chosen, NULL, &applied, NULL));
  list = g_build_filename (g_get_user_state_dir (),
                           "fumehood",
                           "undo",
                           applied.backup,
                           "list.json",
                           NULL);
  g_assert_true (g_file_get_contents (list, &text, NULL, NULL));
  broken = g_string_new (text);
  g_assert_cmpuint (g_string_replace (broken, "\"changed\"", "\"../changed\"", 1), ==, 1);
  g_assert_true (g_file_set_contents (list, broken->str, -1, NULL));
  g_assert_cmpint (undo (), ==, FH_FOLDER_ERROR_FAILED);
  g_assert_true (g_file_set_contents (list, "{", -1, NULL));
  g_assert_cmpint (undo (), ==, FH_FOLDER_ERROR_FAILED);
  own_folder_assert_content ("p/changed", "new");
  g_assert_true (g_file_set_contents (list, text, -1, NULL));
  g_assert_cmpint (undo (), ==, -1);
  assert_unchanged ();
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
    { "/folder-apply/list", test_list },
    { "/folder-apply/handed-on", test_handed_on },
    { "/folder-apply/apply-and-undo", test_apply_and_undo },
    { "/folder-apply/conflicts", test_conflicts },
    { "/folder-apply/changed-after-applying", test_changed_after_applying },
    { "/folder-apply/undo-of-a-part", test_undo_of_a_part },
    { "/folder-apply/replaced-folder", test_replaced_folder },
    { "/folder-apply/born-again", test_born_again },
    { "/folder-apply/busy", test_busy },
    { "/folder-apply/backups", test_backups },
    { "/folder-apply/damaged-backup", test_damaged_backup },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].name, &cases[i], run_case);
  return g_test_run ();
}
