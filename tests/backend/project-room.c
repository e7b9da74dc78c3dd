/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "project-room.h"

#include <glib/gstdio.h>
#include <string.h>

#include "apply-backup.h"
#include "own-folder.h"

void
project_room_begin (void)
{
  g_autoptr (GPtrArray) backups = fh_folder_list_backups ();

  own_folder_begin ();
  for (guint i = 0; i < backups->len; i++)
    fh_apply_backup_remove (((FhFolderBackup *) backups->pdata[i])->name);
}

ProjectRun
project_room_run (void)
{
  g_autofree char *path = own_folder_path ("p");
  g_autoptr (GError) error = NULL;
  ProjectRun run = { .copy = fh_project_copy_new (path, NULL, FALSE, NULL, &error),
                     .left = fh_result_files_new (),
                     .gone = g_ptr_array_new_with_free_func (g_free) };

  g_assert_no_error (error);
  return run;
}

void
project_room_leave (ProjectRun *run, const char *path, const char *text)
{
  g_autoptr (GBytes) content = g_bytes_new (text, strlen (text));
  g_autoptr (FhResultFile) file = fh_result_file_new (
      &(FhResultFileFacts){ .path = path, .size = strlen (text), .content = content });

  fh_result_files_add (run->left, file);
}

void
project_room_leave_kind (ProjectRun *run, const char *path, FhResultFileKind kind)
{
  g_autoptr (FhResultFile) file =
      fh_result_file_new (&(FhResultFileFacts){ .path = path, .kind = kind, .size = 1 });

  fh_result_files_add (run->left, file);
}

/* Ends the run. */
FhFolderChanges *
project_room_changes_of (ProjectRun *run)
{
  FhFolderChanges *changes;

  fh_result_files_set_handed_on (run->left, run->gone, NULL, FALSE);
  changes = fh_project_copy_find_changes (run->copy, run->left, "fumehood-1-main.py");
  g_clear_pointer (&run->copy, fh_project_copy_free);
  g_clear_object (&run->left);
  g_clear_pointer (&run->gone, g_ptr_array_unref);
  return changes;
}

/* A file changed, one added, one deleted. */
FhFolderChanges *
project_room_three_changes (void)
{
  ProjectRun run;

  own_folder_put ("p/changed", "old");
  own_folder_put ("p/gone", "old");
  own_folder_put ("p/same", "same");
  run = project_room_run ();
  project_room_leave (&run, "changed", "new");
  project_room_leave (&run, "sub/added", "new");
  project_room_leave (&run, "same", "same");
  project_room_leave (&run, "fumehood-1-main.py", "the program");
  g_ptr_array_add (run.gone, g_strdup ("gone"));
  return project_room_changes_of (&run);
}

GPtrArray *
project_room_choose_all (FhFolderChanges *changes)
{
  GPtrArray *chosen = g_ptr_array_new ();

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (changes)); i++)
    g_ptr_array_add (chosen, fh_folder_changes_get (changes, i));
  return chosen;
}

/* An error's code, or -1 for none. */
int
project_room_apply (FhFolderChanges *changes, gboolean forced)
{
  g_autoptr (GPtrArray) chosen = project_room_choose_all (changes);
  g_auto (FhFolderApplied) applied = { 0 };
  g_autoptr (GError) error = NULL;

  if (fh_folder_apply (changes, chosen, forced ? chosen : NULL, &applied, &error))
    return -1;
  g_assert_true (error->domain == FH_FOLDER_ERROR);
  g_assert_null (applied.backup);
  return error->code;
}

int
project_room_undo (void)
{
  g_autoptr (GError) error = NULL;

  if (fh_folder_undo (NULL, NULL, NULL, &error))
    return -1;
  g_assert_true (error->domain == FH_FOLDER_ERROR);
  return error->code;
}

/* How many of them were applied last. */
guint
project_room_count_applied (FhFolderChanges *changes)
{
  g_autofree char *backup = NULL;
  g_autoptr (GPtrArray) applied = fh_folder_find_applied (changes, &backup);

  g_assert_true ((applied != NULL) == (backup != NULL));
  return applied != NULL ? applied->len : 0;
}

gboolean
project_room_has (const char *path)
{
  g_autofree char *whole = own_folder_path (path);
  GStatBuf info;

  return g_lstat (whole, &info) == 0;
}

void
project_room_assert_unchanged (void)
{
  own_folder_assert_content ("p/changed", "old");
  own_folder_assert_content ("p/gone", "old");
  g_assert_false (project_room_has ("p/sub"));
}
