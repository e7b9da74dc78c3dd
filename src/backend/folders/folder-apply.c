/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "folder-apply.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>

#include "apply-backup.h"
#include "descriptor.h"
#include "folder-edit.h"
#include "folder-exchange.h"
#include "folder-tree.h"
#include "project-copy.h"
#include "readable-text.h"
#include "run-lock.h"
#include "work-folder.h"

G_DEFINE_QUARK (fh - folder - error, fh_folder_error)

/* The project folder of a run, opened again. */
typedef struct
{
  FhOpenedPath *folder;
  FhRunLock *lock; /* NULL: it is only looked at */
  int fd;          /* -1: it is not open */
} Project;

static void
project_clear (Project *project)
{
  g_clear_pointer (&project->lock, fh_run_lock_free);
  g_clear_pointer (&project->folder, fh_opened_path_unref);
  fh_clear_fd (&project->fd);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Project, project_clear)

static gboolean
fail_folder (GError **error, const char *path, const char *reason)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error,
               FH_FOLDER_ERROR,
               FH_FOLDER_ERROR_FOLDER,
               /* Translators: the path of a folder, then a reason, a sentence. */
               _ ("Nothing was written to “%s”. %s"),
               name,
               reason);
  return FALSE;
}

/* Nothing was written, because of this file. */
static gboolean
fail_file (GError **error, FhFolderError kind, const char *path, const char *reason)
{
  g_autofree char *name = fh_readable_text_new (path, strlen (path));

  g_set_error (error,
               FH_FOLDER_ERROR,
               (int) kind,
               /* Translators: the name of a file, then a reason. */
               _ ("Nothing was written, because of “%s”: %s."),
               name,
               reason);
  return FALSE;
}

static gboolean
check_folder (Project *project, const FhFolderPlace *place, GError **error)
{
  const FhFolderPlace now = fh_folder_place_of (project->folder);
  g_autoptr (GError) reason = NULL;

  if (!S_ISDIR (project->folder->mode) || !fh_folder_place_is_same (place, &now))
    return fail_folder (error,
                        place->path,
                        _ ("It is no longer the folder of that run: it was moved, replaced or "
                           "restored."));
  if (!fh_work_folder_check (project->folder, &reason))
    return fail_folder (error, place->path, reason->message);
  project->lock = fh_run_lock_new (&reason);
  if (project->lock == NULL || !fh_run_lock_take_folder (project->lock, project->folder, &reason))
    return fail_folder (error, place->path, reason->message);
  project->fd = fh_opened_path_read_folder (project->folder);
  return project->fd >= 0 || fail_folder (error, place->path, g_strerror (errno));
}

/* Opens the folder for writing and locks it, if it is still the one that `place` tells of.
 * `project` has an fd of -1 before. */
static gboolean
open_project (Project *project, const FhFolderPlace *place, GError **error)
{
  g_autoptr (GError) reason = NULL;

  project->folder = fh_opened_path_new (place->path, NULL, &reason);
  return project->folder != NULL ? check_folder (project, place, error)
                                 : fail_folder (error, place->path, reason->message);
}

/* The same without the lock, for reading only. */
static gboolean
open_to_look (Project *project, const FhFolderPlace *place)
{
  FhFolderPlace now;

  project->folder = fh_opened_path_new (place->path, NULL, NULL);
  if (project->folder == NULL)
    return FALSE;
  now = fh_folder_place_of (project->folder);
  if (fh_folder_place_is_same (place, &now))
    project->fd = fh_opened_path_read_folder (project->folder);
  return project->fd >= 0;
}

/* Reads one of its files, of at most `room` bytes; a missing folder means that there is no file.
 * FALSE with errno. */
static gboolean
read_file (const Project *project, const char *path, guint64 room, FhTreeFile *file)
{
  const char *name;
  fh_autofd int parent = fh_tree_open_parent (project->fd, path, NULL, &name);

  *file = (FhTreeFile){ 0 };
  return parent >= 0 ? fh_tree_read (parent, name, room, file) : errno == ENOENT;
}

/* Applying */

static gboolean
is_conflict (const FhFolderChangeFacts *facts, const FhTreeFile *now)
{
  return g_strcmp0 (facts->old_sha256, now->digest) != 0;
}

/* The work that the chosen changes need. */
typedef struct
{
  Project opened;
  GPtrArray *edits; /* FhFolderEdit */
  FhFolderBackup *backup;
  guint64 n_bytes; /* in the backup */
  guint n_written;
  guint n_deleted;
} Plan;

static void
plan_clear (Plan *plan)
{
  project_clear (&plan->opened);
  g_clear_pointer (&plan->edits, g_ptr_array_unref);
  g_clear_pointer (&plan->backup, fh_apply_backup_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plan, plan_clear)

static void
plan_init (Plan *plan)
{
  *plan = (Plan){ .opened.fd = -1 };
  plan->edits = g_ptr_array_new_with_free_func ((GDestroyNotify) fh_folder_edit_free);
}

static void
add_edit (Plan *plan, const FhFolderChangeFacts *facts, const FhTreeFile *now, const char *digest)
{
  FhFolderEdit *edit = fh_folder_edit_new (facts->path, now->digest, facts->content, -1, -1);

  g_ptr_array_add (plan->edits, edit);
  fh_apply_backup_add (plan->backup, edit, now, digest);
  if (digest != NULL)
    fh_tree_find_missing (plan->opened.fd, facts->path, plan->backup->made);
  if (now->exists)
    plan->n_bytes += g_bytes_get_size (now->content);
  if (digest != NULL)
    plan->n_written++;
  else
    plan->n_deleted++;
}

static gboolean
plan_change (Plan *plan, FhFolderChange *change, gboolean is_forced, GError **error)
{
  const FhFolderChangeFacts *facts = fh_folder_change_get_facts (change);
  const guint64 room = MIN (FH_FOLDER_EDIT_MAX, FH_APPLY_BACKUP_MAX_BYTES - plan->n_bytes);
  g_autofree char *digest = NULL;
  g_auto (FhTreeFile) now = { 0 };

  if (!fh_folder_change_is_applicable (change))
    {
      g_set_error (error,
                   FH_FOLDER_ERROR,
                   FH_FOLDER_ERROR_REFUSED,
                   /* Translators: the name of a file, then a sentence. */
                   _ ("Nothing was written, because of “%s”. %s"),
                   fh_folder_change_get_facts (change)->name,
                   fh_folder_change_get_remark (change));
      return FALSE;
    }
  /* It may have become one after the run. */
  if (fh_repository_folder_holds (plan->opened.fd, facts->path))
    return fail_file (error,
                      FH_FOLDER_ERROR_REFUSED,
                      facts->path,
                      _ ("it belongs to version control"));
  if (!read_file (&plan->opened, facts->path, room, &now))
    return fail_file (error, FH_FOLDER_ERROR_REFUSED, facts->path, fh_tree_reason (errno));
  digest = facts->kind != FH_FOLDER_CHANGE_DELETED ? fh_tree_digest (facts->content) : NULL;
  if (g_strcmp0 (digest, now.digest) == 0)
    return TRUE;
  if (is_conflict (facts, &now) && !is_forced)
    return fail_file (error,
                      FH_FOLDER_ERROR_CONFLICT,
                      facts->path,
                      now.exists ? _ ("it was changed after the run")
                                 : _ ("it was deleted after the run"));
  add_edit (plan, facts, &now, digest);
  return TRUE;
}

static gboolean
plan_changes (Plan *plan, GPtrArray *chosen, GPtrArray *forced, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < chosen->len; i++)
    {
      FhFolderChange *change = chosen->pdata[i];

      if (g_hash_table_add (seen, (gpointer) fh_folder_change_get_facts (change)->path) &&
          !plan_change (plan,
                        change,
                        forced != NULL && g_ptr_array_find (forced, change, NULL),
                        error))
        return FALSE;
    }
  return TRUE;
}

/* The backup comes first, so that a crash leaves nothing that cannot be taken back, and nothing
 * that is not known. */
static gboolean
write_plan (Plan *plan, GError **error)
{
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) reason = NULL;

  if (!fh_apply_backup_save (plan->backup, &reason))
    {
      g_set_error (error,
                   FH_FOLDER_ERROR,
                   FH_FOLDER_ERROR_FAILED,
                   _ ("Nothing was written, because the old files could not be saved: %s."),
                   reason->message);
      return FALSE;
    }
  if (!fh_folder_edit_all (plan->opened.fd, plan->edits, made, error))
    {
      fh_apply_backup_remove (plan->backup->name);
      return FALSE;
    }
  fh_apply_backup_settle (plan->backup, made);
  return TRUE;
}

gboolean
fh_folder_apply (FhFolderChanges *changes,
                 GPtrArray *chosen,
                 GPtrArray *forced,
                 FhFolderApplied *applied,
                 GError **error)
{
  const FhFolderPlace *place;
  g_auto (Plan) plan = { 0 };

  g_return_val_if_fail (FH_IS_FOLDER_CHANGES (changes), FALSE);
  g_return_val_if_fail (chosen != NULL && applied != NULL, FALSE);

  *applied = (FhFolderApplied){ 0 };
  place = &fh_folder_changes_get_facts (changes)->place;
  plan_init (&plan);
  plan.backup = fh_apply_backup_new (place);
  if (!open_project (&plan.opened, place, error))
    return FALSE;
  fh_apply_backup_sweep (place, plan.opened.fd);
  if (!plan_changes (&plan, chosen, forced, error))
    return FALSE;
  if (plan.edits->len == 0)
    return TRUE;
  if (!write_plan (&plan, error))
    return FALSE;
  applied->n_written = plan.n_written;
  applied->n_deleted = plan.n_deleted;
  applied->backup = g_strdup (plan.backup->name);
  return TRUE;
}

void
fh_folder_applied_clear (FhFolderApplied *applied)
{
  g_clear_pointer (&applied->backup, g_free);
}

GPtrArray *
fh_folder_find_conflicts (FhFolderChanges *changes,
                          GPtrArray *chosen,
                          GPtrArray *special,
                          GError **error)
{
  g_autoptr (GPtrArray) conflicts = g_ptr_array_new_with_free_func (g_object_unref);
  g_auto (Project) opened = { .fd = -1 };

  g_return_val_if_fail (FH_IS_FOLDER_CHANGES (changes), NULL);
  g_return_val_if_fail (chosen != NULL, NULL);

  if (!open_project (&opened, &fh_folder_changes_get_facts (changes)->place, error))
    return NULL;
  for (guint i = 0; i < chosen->len; i++)
    {
      FhFolderChange *change = chosen->pdata[i];
      const FhFolderChangeFacts *facts = fh_folder_change_get_facts (change);
      g_autofree char *digest = fh_tree_digest (facts->content);
      g_auto (FhTreeFile) now = { 0 };

      if (!read_file (&opened, facts->path, FH_FOLDER_EDIT_MAX, &now))
        g_ptr_array_add (conflicts, g_object_ref (change));
      else if (g_strcmp0 (digest, now.digest) == 0)
        continue;
      else if (is_conflict (facts, &now))
        g_ptr_array_add (conflicts, g_object_ref (change));
      if (now.is_special && special != NULL)
        g_ptr_array_add (special, g_object_ref (change));
    }
  return g_steal_pointer (&conflicts);
}

GBytes *
fh_folder_read_original (FhFolderChanges *changes, FhFolderChange *change, GError **error)
{
  const FhFolderChangeFacts *facts;
  g_auto (Project) opened = { .fd = -1 };
  g_auto (FhTreeFile) now = { 0 };

  g_return_val_if_fail (FH_IS_FOLDER_CHANGES (changes), NULL);
  g_return_val_if_fail (FH_IS_FOLDER_CHANGE (change), NULL);

  facts = fh_folder_change_get_facts (change);
  if (facts->old_sha256 == NULL)
    return g_bytes_new_static ("", 0);
  if (!open_project (&opened, &fh_folder_changes_get_facts (changes)->place, error))
    return NULL;
  if (read_file (&opened, facts->path, FH_FOLDER_EDIT_MAX, &now) && !is_conflict (facts, &now))
    return g_bytes_ref (now.content);
  g_set_error (error,
               FH_FOLDER_ERROR,
               FH_FOLDER_ERROR_CONFLICT,
               /* Translators: the name of a file. */
               _ ("“%s” is no longer as it was at the run."),
               fh_folder_change_get_facts (change)->name);
  return NULL;
}

/* Taking back */

/* A file that was never written, because the computer stopped in between, is as it was. */
static gboolean
plan_file (const Project *project,
           FhFolderBackup *backup,
           FhBackupFile *file,
           GPtrArray *edits,
           GError **error)
{
  const gboolean existed = file->old_content != NULL;
  g_autofree char *digest = fh_tree_digest (file->old_content);
  g_auto (FhTreeFile) now = { 0 };
  FhFolderEdit *edit;

  if (!read_file (project, file->path, FH_FOLDER_EDIT_MAX, &now))
    return fail_file (error, FH_FOLDER_ERROR_REFUSED, file->path, fh_tree_reason (errno));
  if (g_strcmp0 (now.digest, digest) == 0)
    return TRUE;
  if (g_strcmp0 (now.digest, file->new_sha256) != 0)
    return fail_file (error,
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
static FhFolderBackup *
open_and_load (const char *name, Project *project, GError **error)
{
  g_autoptr (FhFolderBackup) first = fh_apply_backup_load (name, error);

  if (first == NULL || !open_project (project, &first->place, error))
    return NULL;
  fh_apply_backup_sweep (&first->place, project->fd);
  return fh_apply_backup_load (first->name, error);
}

/* That the list cannot be written, on a full disk, is no reason to leave the folder as it is. */
static gboolean
write_back (const Project *project, FhFolderBackup *backup, GPtrArray *edits, GError **error)
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
  g_auto (Project) project = { .fd = -1 };
  g_autoptr (FhFolderBackup) backup = open_and_load (name, &project, error);

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
is_applied (const Project *project, const FhBackupFile *file)
{
  g_auto (FhTreeFile) now = { 0 };

  return read_file (project, file->path, FH_FOLDER_EDIT_MAX, &now) &&
         g_strcmp0 (now.digest, file->new_sha256) == 0;
}

/* NULL if something else was applied with that backup. */
static GPtrArray *
find_in (FhFolderBackup *backup, FhFolderChanges *changes)
{
  g_autoptr (GPtrArray) applied = g_ptr_array_new_with_free_func (g_object_unref);
  g_auto (Project) project = { .fd = -1 };

  if (!fh_folder_place_is_same (&backup->place, &fh_folder_changes_get_facts (changes)->place) ||
      !open_to_look (&project, &backup->place))
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

  backups = fh_folder_list_backups ();
  for (guint i = 0; applied == NULL && i < backups->len; i++)
    {
      applied = find_in (backups->pdata[i], changes);
      if (applied != NULL)
        *backup = g_strdup (((FhFolderBackup *) backups->pdata[i])->name);
    }
  return applied;
}
