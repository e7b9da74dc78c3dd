/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "folder-apply.h"

#include <glib/gstdio.h>
#include <string.h>

#include "apply-backup.h"
#include "own-folder.h"
#include "project-room.h"

static void
test_changed_after_applying (void)
{
  g_autoptr (FhFolderChanges) changes = project_room_three_changes ();

  g_assert_cmpint (project_room_apply (changes, FALSE), ==, -1);
  own_folder_put ("p/sub/added", "mine");
  g_assert_cmpint (project_room_undo (), ==, FH_FOLDER_ERROR_CONFLICT);
  own_folder_assert_content ("p/changed", "new");
  own_folder_assert_content ("p/sub/added", "mine");
  own_folder_put ("p/sub/added", "new");
  own_folder_put ("p/sub/mine", "mine");
  g_assert_cmpint (project_room_undo (), ==, -1);
  own_folder_assert_content ("p/changed", "old");
  own_folder_assert_content ("p/sub/mine", "mine");
  g_assert_false (project_room_has ("p/sub/added"));
}

/* The computer stopped before the first of three files, or after it. */
static void
test_undo_of_a_part (void)
{
  g_autoptr (FhFolderChanges) changes = project_room_three_changes ();
  g_autofree char *added = own_folder_path ("p/sub/added");

  g_assert_cmpint (project_room_apply (changes, FALSE), ==, -1);
  own_folder_put ("p/gone", "old");
  own_folder_put ("p/changed", "old");
  g_assert_no_errno (g_unlink (added));
  g_assert_cmpuint (project_room_count_applied (changes), ==, 0);
  own_folder_put ("p/sub/added", "new");
  g_assert_cmpuint (project_room_count_applied (changes), ==, 1);
  g_assert_cmpint (project_room_undo (), ==, -1);
  project_room_assert_unchanged ();
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
      ProjectRun run = project_room_run ();
      g_autofree char *text = g_strdup_printf ("%u", i);
      g_autoptr (FhFolderChanges) changes = NULL;

      project_room_leave (&run, "file", text);
      changes = project_room_changes_of (&run);
      /* What was applied last is of another run. */
      g_assert_cmpuint (project_room_count_applied (changes), ==, 0);
      g_assert_cmpint (project_room_apply (changes, FALSE), ==, -1);
    }
  g_assert_cmpuint (count_backups (), ==, FH_APPLY_BACKUPS_MAX);
  g_assert_cmpuint (own_folder_mode_of (base), ==, 0700);
  for (guint i = 0; i < FH_APPLY_BACKUPS_MAX; i++)
    g_assert_cmpint (project_room_undo (), ==, -1);
  own_folder_assert_content ("p/file", "3");
  g_assert_cmpint (project_room_undo (), ==, FH_FOLDER_ERROR_NOTHING);
  g_assert_false (fh_folder_undo ("../../p", NULL, NULL, &error));
  g_assert_error (error, FH_FOLDER_ERROR, FH_FOLDER_ERROR_NOTHING);
}

static char *
last_backup (void)
{
  g_autoptr (GPtrArray) backups = fh_folder_list_backups ();

  g_assert_cmpuint (backups->len, >, 0);
  return g_strdup (((FhFolderBackup *) backups->pdata[0])->name);
}

/* Applies "file" with this text, of a run that sees what is there. */
static char *
apply_text (const char *text)
{
  ProjectRun run = project_room_run ();
  g_autoptr (FhFolderChanges) changes = NULL;

  project_room_leave (&run, "file", text);
  changes = project_room_changes_of (&run);
  g_assert_cmpint (project_room_apply (changes, FALSE), ==, -1);
  return last_backup ();
}

static void
put_backup (const char *name, const char *file)
{
  g_autofree char *folder =
      g_build_filename (g_get_user_state_dir (), "fumehood", "undo", name, NULL);
  g_autofree char *path = g_build_filename (folder, file, NULL);

  g_assert_no_errno (g_mkdir_with_parents (folder, 0700));
  g_assert_true (g_file_set_contents (path, "x", 1, NULL));
}

/* One that was never completed, under a hidden name or as they were named once, hides no other. */
static void
test_incomplete_backup (void)
{
  g_autofree char *name = NULL;

  own_folder_put ("p/file", "0");
  name = apply_text ("1");
  put_backup (".7-00000000", "0");
  put_backup ("99991231-235959-000000-00000000", "0");
  g_assert_cmpint (project_room_undo (), ==, -1);
  own_folder_assert_content ("p/file", "0");
  g_free (name);
  name = apply_text ("1");
  g_assert_cmpuint (count_backups (), ==, 1);
}

/* The order is not that of the clock, and an older one can be named. */
static void
test_order_of_backups (void)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autofree char *base = g_build_filename (g_get_user_state_dir (), "fumehood", "undo", NULL);
  g_autofree char *from = NULL;
  g_autofree char *to = g_build_filename (base, "30001231-235959-000000-00000000", NULL);
  g_autoptr (GPtrArray) backups = NULL;

  own_folder_put ("p/file", "0");
  first = apply_text ("1");
  /* The clock was set back after it. */
  from = g_build_filename (base, first, NULL);
  g_assert_no_errno (rename (from, to));
  second = apply_text ("2");
  backups = fh_folder_list_backups ();
  g_assert_cmpuint (backups->len, ==, 2);
  g_assert_cmpuint (((FhFolderBackup *) backups->pdata[0])->files->len, ==, 1);
  g_assert_cmpstr (((FhFolderBackup *) backups->pdata[0])->name, ==, second);
  g_assert_cmpint (project_room_undo (), ==, -1);
  own_folder_assert_content ("p/file", "1");
  g_assert_cmpint (project_room_undo (), ==, -1);
  own_folder_assert_content ("p/file", "0");
}

/* What is in conflict bars nothing else. */
static void
test_undo_by_name (void)
{
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_autoptr (FhFolderChanges) changes = NULL;
  g_autoptr (GError) error = NULL;
  ProjectRun run;

  own_folder_put ("p/file", "0");
  first = apply_text ("1");
  run = project_room_run ();
  project_room_leave (&run, "other", "new");
  changes = project_room_changes_of (&run);
  g_assert_cmpint (project_room_apply (changes, FALSE), ==, -1);
  second = last_backup ();
  own_folder_put ("p/other", "mine");
  g_assert_cmpint (project_room_undo (), ==, FH_FOLDER_ERROR_CONFLICT);
  g_assert_true (fh_folder_undo (first, NULL, NULL, &error));
  own_folder_assert_content ("p/file", "0");
  own_folder_assert_content ("p/other", "mine");
  g_assert_false (fh_folder_undo (first, NULL, NULL, &error));
  g_assert_error (error, FH_FOLDER_ERROR, FH_FOLDER_ERROR_NOTHING);
  g_assert_cmpuint (project_room_count_applied (changes), ==, 0);
  own_folder_put ("p/other", "new");
  g_assert_cmpuint (project_room_count_applied (changes), ==, 1);
}

/* Also if something else was applied after it. */
static void
test_applied_before (void)
{
  g_autoptr (FhFolderChanges) changes = project_room_three_changes ();
  g_autofree char *later = NULL;

  g_assert_cmpint (project_room_apply (changes, FALSE), ==, -1);
  own_folder_put ("p/file", "0");
  later = apply_text ("1");
  g_assert_cmpuint (project_room_count_applied (changes), ==, 3);
  own_folder_put ("p/changed", "mine");
  g_assert_cmpuint (project_room_count_applied (changes), ==, 2);
}

/* As a process leaves it that is killed in the middle of the edits: two files are exchanged or not,
 * one is not complete, one was changed by somebody else in that moment. */
static void
leave_in_the_middle (const FhFolderPlace *place, const char *foreign)
{
  static const struct
  {
    const char *path;
    const char *lies_there; /* under the temporary name */
    const char *suffix;
  } edits[] = {
    { "changed", "old", "" },       { "gone", "new", "" },           { "same", "n", "~" },
    { "edited", "somebody's", "" }, { "sub/deep/added", "new", "" },
  };
  g_autoptr (FhFolderBackup) backup = fh_apply_backup_new (place);
  g_autoptr (GBytes) content = g_bytes_new_static ("new", 3);
  g_autofree char *digest = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, content);

  for (guint i = 0; i < G_N_ELEMENTS (edits); i++)
    {
      const gboolean is_new = strchr (edits[i].path, '/') != NULL;
      g_autoptr (FhFolderEdit) edit = fh_folder_edit_new (edits[i].path, NULL, content, -1, -1);
      g_autoptr (GBytes) old = g_bytes_new_static ("old", 3);
      g_autofree char *folder = g_path_get_dirname (edits[i].path);
      g_autofree char *path = NULL;

      if (i == 3)
        {
          g_free (edit->temporary);
          edit->temporary = g_strdup (foreign);
        }
      path = g_strconcat ("p/", folder, "/", edit->temporary, edits[i].suffix, NULL);
      own_folder_put (path, edits[i].lies_there);
      fh_apply_backup_add (
          backup,
          edit,
          &(FhTreeFile){ .exists = !is_new, .mode = 0644, .content = is_new ? NULL : old },
          digest);
    }
  g_ptr_array_add (backup->made, g_strdup ("sub"));
  g_ptr_array_add (backup->made, g_strdup ("sub/deep"));
  g_assert_true (fh_apply_backup_save (backup, NULL));
}

static guint
count_entries (const char *path)
{
  g_autofree char *whole = own_folder_path (path);
  g_autoptr (GDir) dir = g_dir_open (whole, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
sweep_by (gboolean by_undo)
{
  ProjectRun run;
  g_autoptr (FhFolderChanges) changes = NULL;

  own_folder_put ("p/file", "0");
  own_folder_put ("p/changed", "new");
  own_folder_put ("p/gone", "old");
  own_folder_put ("p/same", "old");
  own_folder_put ("p/edited", "old");
  run = project_room_run ();
  project_room_leave (&run, "file", "1");
  changes = project_room_changes_of (&run);
  leave_in_the_middle (&fh_folder_changes_get_facts (changes)->place, ".fumehood-foreign");
  g_assert_cmpuint (count_entries ("p"), ==, 10);
  if (by_undo)
    g_assert_cmpint (project_room_undo (), ==, -1);
  else
    g_assert_cmpint (project_room_apply (changes, FALSE), ==, -1);
  /* The five files, and what is somebody else's. */
  g_assert_cmpuint (count_entries ("p"), ==, 6);
  own_folder_assert_content ("p/.fumehood-foreign", "somebody's");
  own_folder_assert_content ("p/changed", by_undo ? "old" : "new");
  own_folder_assert_content ("p/file", by_undo ? "0" : "1");
}

static void
test_sweep_by_undo (void)
{
  sweep_by (TRUE);
}

static void
test_sweep_by_apply (void)
{
  sweep_by (FALSE);
}

/* A backup that is damaged is used for nothing. */
static void
test_damaged_backup (void)
{
  g_autoptr (FhFolderChanges) changes = project_room_three_changes ();
  g_autoptr (GPtrArray) chosen = project_room_choose_all (changes);
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
  g_assert_cmpint (project_room_undo (), ==, FH_FOLDER_ERROR_FAILED);
  g_assert_true (g_file_set_contents (list, "{", -1, NULL));
  g_assert_cmpint (project_room_undo (), ==, FH_FOLDER_ERROR_FAILED);
  own_folder_assert_content ("p/changed", "new");
  g_assert_true (g_file_set_contents (list, text, -1, NULL));
  g_assert_cmpint (project_room_undo (), ==, -1);
  project_room_assert_unchanged ();
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
    { "/folder-undo/changed-after-applying", test_changed_after_applying },
    { "/folder-undo/part", test_undo_of_a_part },
    { "/folder-undo/backups", test_backups },
    { "/folder-undo/incomplete-backup", test_incomplete_backup },
    { "/folder-undo/order-of-backups", test_order_of_backups },
    { "/folder-undo/undo-by-name", test_undo_by_name },
    { "/folder-undo/applied-before", test_applied_before },
    { "/folder-undo/sweep-by-undo", test_sweep_by_undo },
    { "/folder-undo/sweep-by-apply", test_sweep_by_apply },
    { "/folder-undo/damaged-backup", test_damaged_backup },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].name, &cases[i], run_case);
  return g_test_run ();
}
