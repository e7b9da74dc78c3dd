/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes back what folder-apply.c has written. */
#include "config.h"

#include "folder-apply.h"

#include <errno.h>
#include <glib/gi18n-lib.h>

#include "apply-backup.h"
#include "folder-edit.h"
#include "folder-tree.h"
#include "opened-project.h"

/* What was never written, because the computer stopped in between, is as it was. */
static gboolean
plan_file (const FhOpenedProject *project,
           FhApplyBackup *backup,
           FhBackupFile *file,
           GPtrArray *edits,
           GError **error)
{
  const gboolean existed = file->old_content != NULL;
  g_autofree char *digest = fh_tree_digest (file->old_content);
  g_auto (FhTreeFile) now = { 0 };
  FhFolderEdit *edit;

  if (!fh_opened_project_read (project, file->path, FH_FOLDER_EDIT_MAX, &now))
    return fh_opened_project_fail (error,
                                   FH_FOLDER_ERROR_REFUSED,
                                   file->path,
                                   fh_tree_reason (errno));
  if (g_strcmp0 (now.digest, digest) == 0)
    return TRUE;
  if (g_strcmp0 (now.digest, file->new_sha256) != 0)
    return fh_opened_project_fail (error,
                                   FH_FOLDER_ERROR_CONFLICT,
                                   file->path,
                                   _ ("it was changed after it was applied"));
  edit = fh_folder_edit_new (file->path,
                             now.digest,
                             file->old_content,
                             existed ? (int) file->old_mode : -1,
                             existed ? file->old_changed_ns : -1);
  g_ptr_array_add (edits, edit);
  file->temporary = g_strdup (edit->temporary);
  if (existed)
    fh_tree_find_missing (project->fd, file->path, backup->made);
  return TRUE;
}

/* The folder is locked first and the backup is read after that, because until then another process
 * may undo the same one. */
static FhApplyBackup *
open_and_load (const char *name, FhOpenedProject *project, GError **error)
{
  g_autoptr (FhApplyBackup) first = fh_apply_backup_load (name, error);

  if (first == NULL || !fh_opened_project_open (project, &first->place, error))
    return NULL;
  fh_apply_backup_sweep (&first->place, project->fd);
  return fh_apply_backup_load (first->name, error);
}

/* That the list cannot be written, on a full disk, is no reason to leave the folder as it is. */
static gboolean
write_back (const FhOpenedProject *project, FhApplyBackup *backup, GPtrArray *edits, GError **error)
{
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func (g_free);

  if (edits->len > 0)
    fh_apply_backup_save (backup, NULL);
  if (fh_folder_edit_all (project->fd, edits, made, error))
    return TRUE;
  fh_apply_backup_settle (backup, NULL);
  return FALSE;
}

gboolean
fh_folder_undo (const char *name, char **folder, guint *n_files, GError **error)
{
  g_autoptr (GPtrArray) edits =
      g_ptr_array_new_with_free_func ((GDestroyNotify) fh_folder_edit_free);
  g_auto (FhOpenedProject) project = { .fd = -1 };
  g_autoptr (FhApplyBackup) backup = open_and_load (name, &project, error);

  if (backup == NULL)
    return FALSE;
  for (guint i = 0; i < backup->files->len; i++)
    {
      if (!plan_file (&project, backup, backup->files->pdata[i], edits, error))
        return FALSE;
    }
  if (!write_back (&project, backup, edits, error))
    return FALSE;
  fh_folder_unmake (project.fd, backup->made);
  if (folder != NULL)
    *folder = g_strdup (backup->folder);
  if (n_files != NULL)
    *n_files = edits->len;
  fh_apply_backup_remove (backup->name);
  return TRUE;
}

static void
free_backup (gpointer data)
{
  FhFolderBackup *backup = data;

  g_free (backup->name);
  g_free (backup->folder);
  g_free (backup);
}

GPtrArray *
fh_folder_list_backups (void)
{
  g_autoptr (GPtrArray) backups = fh_apply_backup_list ();
  GPtrArray *list = g_ptr_array_new_with_free_func (free_backup);

  for (guint i = 0; i < backups->len; i++)
    {
      const FhApplyBackup *backup = backups->pdata[i];
      FhFolderBackup *entry = g_new0 (FhFolderBackup, 1);

      entry->name = g_strdup (backup->name);
      entry->folder = g_strdup (backup->folder);
      entry->applied_us = backup->applied_us;
      entry->n_files = backup->files->len;
      g_ptr_array_add (list, entry);
    }
  return list;
}

/* Finds the change that gave `file` its content. NULL if none of them did. */
static FhFolderChange *
find_change (FhFolderChanges *changes, const FhBackupFile *file)
{
  FhFolderChange *change = fh_folder_changes_find (changes, file->path);
  g_autofree char *digest =
      change != NULL ? fh_tree_digest (fh_folder_change_get_facts (change)->content) : NULL;

  return change != NULL && g_strcmp0 (digest, file->new_sha256) == 0 ? change : NULL;
}

/* The backup is older than what it tells of: after a crash a file may still be as it was, and
 * somebody may have changed one since. */
static gboolean
is_applied (const FhOpenedProject *project, const FhBackupFile *file)
{
  g_auto (FhTreeFile) now = { 0 };

  return fh_opened_project_read (project, file->path, FH_FOLDER_EDIT_MAX, &now) &&
         g_strcmp0 (now.digest, file->new_sha256) == 0;
}

/* NULL if something else was applied with that backup. */
static GPtrArray *
find_in (FhApplyBackup *backup, FhFolderChanges *changes)
{
  g_autoptr (GPtrArray) applied = g_ptr_array_new_with_free_func (g_object_unref);
  g_auto (FhOpenedProject) project = { .fd = -1 };

  if (!fh_opened_project_is_same (&backup->place, fh_folder_changes_get_place (changes)) ||
      !fh_opened_project_open_to_look (&project, &backup->place))
    return NULL;
  for (guint i = 0; i < backup->files->len; i++)
    {
      const FhBackupFile *file = backup->files->pdata[i];
      FhFolderChange *change = find_change (changes, file);

      if (change == NULL)
        return NULL;
      if (is_applied (&project, file))
        g_ptr_array_add (applied, g_object_ref (change));
    }
  return applied->len > 0 ? g_steal_pointer (&applied) : NULL;
}

GPtrArray *
fh_folder_find_applied (FhFolderChanges *changes, char **backup)
{
  g_autoptr (GPtrArray) backups = NULL;
  GPtrArray *applied = NULL;

  g_return_val_if_fail (FH_IS_FOLDER_CHANGES (changes) && backup != NULL, NULL);

  backups = fh_apply_backup_list ();
  for (guint i = 0; applied == NULL && i < backups->len; i++)
    {
      applied = find_in (backups->pdata[i], changes);
      if (applied != NULL)
        *backup = g_strdup (((FhApplyBackup *) backups->pdata[i])->name);
    }
  return applied;
}
