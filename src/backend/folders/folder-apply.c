/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "folder-apply.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "apply-backup.h"
#include "folder-edit.h"
#include "folder-tree.h"
#include "project-copy.h"
#include "readable-text.h"
#include "run-lock.h"
#include "work-folder.h"

G_DEFINE_QUARK (fh - folder - error, fh_folder_error)

/* A folder that is open for writing, and locked. */
typedef struct
{
  FhOpenedPath *folder;
  FhRunLock *lock;
  int fd;
} Opened;

static void
opened_clear (Opened *opened)
{
  g_clear_pointer (&opened->lock, fh_run_lock_free);
  g_clear_pointer (&opened->folder, fh_opened_path_unref);
  if (opened->fd >= 0)
    close (opened->fd);
  opened->fd = -1;
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Opened, opened_clear)

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

/* The number of a device can be another one after a restart of the computer; the time of creation
 * is not, and a folder that took the place of the old one has another. */
static gboolean
is_same_place (const FhFolderPlace *a, const FhFolderPlace *b)
{
  if (a->inode != b->inode)
    return FALSE;
  return a->born_us != 0 && b->born_us != 0 ? a->born_us == b->born_us : a->device == b->device;
}

static gboolean
check_folder (Opened *opened, const FhFolderPlace *place, GError **error)
{
  const FhFolderPlace now = fh_folder_place_of (opened->folder);
  g_autoptr (GError) reason = NULL;

  if (!S_ISDIR (opened->folder->mode) || !is_same_place (place, &now))
    return fail_folder (error,
                        place->path,
                        _ ("It is no longer the folder of that run: it was moved, replaced or "
                           "restored."));
  if (!fh_work_folder_check (opened->folder, &reason))
    return fail_folder (error, place->path, reason->message);
  opened->lock = fh_run_lock_new (&reason);
  if (opened->lock == NULL || !fh_run_lock_take_folder (opened->lock, opened->folder, &reason))
    return fail_folder (error, place->path, reason->message);
  opened->fd = fh_opened_path_read_folder (opened->folder);
  return opened->fd >= 0 || fail_folder (error, place->path, g_strerror (errno));
}

static gboolean
open_folder (const FhFolderPlace *place, Opened *opened, GError **error)
{
  g_autoptr (GError) reason = NULL;

  opened->folder = fh_opened_path_new (place->path, NULL, &reason);
  return opened->folder != NULL ? check_folder (opened, place, error)
                                : fail_folder (error, place->path, reason->message);
}

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

/* FALSE with errno. A missing folder means that there is no file. */
static gboolean
look (int root, const char *path, guint64 room, FhTreeFile *file)
{
  const char *name;
  int parent = fh_tree_open_parent (root, path, NULL, &name);
  gboolean ok;
  int code;

  *file = (FhTreeFile){ 0 };
  if (parent < 0)
    return errno == ENOENT;
  ok = fh_tree_read (parent, name, room, file);
  code = errno;
  close (parent);
  errno = code;
  return ok;
}

static char *
digest_of (GBytes *content)
{
  return content != NULL ? g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, content) : NULL;
}

static gboolean
is_conflict (const FhFolderChangeFacts *facts, const FhTreeFile *now)
{
  return g_strcmp0 (facts->old_sha256, now->digest) != 0;
}

/* What is to be done for the chosen changes. */
typedef struct
{
  Opened opened;
  GPtrArray *edits; /* FhFolderEdit */
  FhApplyBackup *backup;
  guint64 n_bytes; /* in the backup */
  guint n_written;
  guint n_deleted;
} Plan;

static void
plan_clear (Plan *plan)
{
  opened_clear (&plan->opened);
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
  g_ptr_array_add (plan->edits,
                   fh_folder_edit_new (facts->path, now->digest, facts->content, -1, -1));
  fh_apply_backup_add (plan->backup, facts->path, now, digest);
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
                   fh_folder_change_get_name (change),
                   fh_folder_change_get_remark (change));
      return FALSE;
    }
  if (!look (plan->opened.fd, facts->path, room, &now))
    return fail_file (error, FH_FOLDER_ERROR_REFUSED, facts->path, fh_tree_reason (errno));
  digest = facts->kind != FH_FOLDER_CHANGE_DELETED ? digest_of (facts->content) : NULL;
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
has (GPtrArray *changes, FhFolderChange *change)
{
  return changes != NULL && g_ptr_array_find (changes, change, NULL);
}

static gboolean
plan_changes (Plan *plan, GPtrArray *chosen, GPtrArray *forced, GError **error)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < chosen->len; i++)
    {
      FhFolderChange *change = chosen->pdata[i];

      if (g_hash_table_add (seen, (gpointer) fh_folder_change_get_facts (change)->path) &&
          !plan_change (plan, change, has (forced, change), error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
save_backup (Plan *plan, GError **error)
{
  g_autoptr (GError) reason = NULL;

  if (fh_apply_backup_save (plan->backup, &reason))
    return TRUE;
  g_set_error (error,
               FH_FOLDER_ERROR,
               FH_FOLDER_ERROR_FAILED,
               _ ("Nothing was written, because the old files could not be saved: %s."),
               reason->message);
  return FALSE;
}

/* The backup comes first, so that a crash leaves nothing that cannot be taken back. */
static gboolean
write_plan (Plan *plan, GError **error)
{
  if (!save_backup (plan, error))
    return FALSE;
  if (!fh_folder_edit_all (plan->opened.fd, plan->edits, plan->backup->made, error))
    {
      fh_apply_backup_remove (plan->backup->name);
      return FALSE;
    }
  if (plan->backup->made->len > 0)
    fh_apply_backup_save (plan->backup, NULL);
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
  place = fh_folder_changes_get_place (changes);
  plan_init (&plan);
  plan.backup = fh_apply_backup_new (place);
  if (!open_folder (place, &plan.opened, error) || !plan_changes (&plan, chosen, forced, error))
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
fh_folder_find_conflicts (FhFolderChanges *changes, GPtrArray *chosen, GError **error)
{
  g_autoptr (GPtrArray) conflicts = g_ptr_array_new_with_free_func (g_object_unref);
  g_auto (Opened) opened = { .fd = -1 };

  g_return_val_if_fail (FH_IS_FOLDER_CHANGES (changes), NULL);
  g_return_val_if_fail (chosen != NULL, NULL);

  if (!open_folder (fh_folder_changes_get_place (changes), &opened, error))
    return NULL;
  for (guint i = 0; i < chosen->len; i++)
    {
      FhFolderChange *change = chosen->pdata[i];
      const FhFolderChangeFacts *facts = fh_folder_change_get_facts (change);
      g_autofree char *digest = digest_of (facts->content);
      g_auto (FhTreeFile) now = { 0 };

      if (!look (opened.fd, facts->path, FH_FOLDER_EDIT_MAX, &now) ||
          (is_conflict (facts, &now) && g_strcmp0 (digest, now.digest) != 0))
        g_ptr_array_add (conflicts, g_object_ref (change));
    }
  return g_steal_pointer (&conflicts);
}

GBytes *
fh_folder_read_original (FhFolderChanges *changes, FhFolderChange *change, GError **error)
{
  const FhFolderChangeFacts *facts;
  g_auto (Opened) opened = { .fd = -1 };
  g_auto (FhTreeFile) now = { 0 };

  g_return_val_if_fail (FH_IS_FOLDER_CHANGES (changes), NULL);
  g_return_val_if_fail (FH_IS_FOLDER_CHANGE (change), NULL);

  facts = fh_folder_change_get_facts (change);
  if (facts->old_sha256 == NULL)
    return g_bytes_new_static ("", 0);
  if (!open_folder (fh_folder_changes_get_place (changes), &opened, error))
    return NULL;
  if (look (opened.fd, facts->path, FH_FOLDER_EDIT_MAX, &now) && !is_conflict (facts, &now))
    return g_bytes_ref (now.content);
  g_set_error (error,
               FH_FOLDER_ERROR,
               FH_FOLDER_ERROR_CONFLICT,
               /* Translators: the name of a file. */
               _ ("“%s” is no longer as it was at the run."),
               fh_folder_change_get_name (change));
  return NULL;
}

/* What was never written, because the computer stopped in between, is as it was. */
static gboolean
plan_undo (Plan *plan, const FhBackupFile *file, GError **error)
{
  g_autofree char *digest = digest_of (file->old_content);
  g_auto (FhTreeFile) now = { 0 };

  if (!look (plan->opened.fd, file->path, FH_FOLDER_EDIT_MAX, &now))
    return fail_file (error, FH_FOLDER_ERROR_REFUSED, file->path, fh_tree_reason (errno));
  if (g_strcmp0 (now.digest, digest) == 0)
    return TRUE;
  if (g_strcmp0 (now.digest, file->new_sha256) != 0)
    return fail_file (error,
                      FH_FOLDER_ERROR_CONFLICT,
                      file->path,
                      _ ("it was changed after it was applied"));
  g_ptr_array_add (plan->edits,
                   fh_folder_edit_new (file->path,
                                       now.digest,
                                       file->old_content,
                                       file->old_content != NULL ? (int) file->old_mode : -1,
                                       file->old_content != NULL ? file->old_changed_ns : -1));
  return TRUE;
}

gboolean
fh_folder_undo (const char *backup, char **folder, guint *n_files, GError **error)
{
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func (g_free);
  g_auto (Plan) plan = { 0 };

  plan_init (&plan);
  plan.backup = fh_apply_backup_load (backup, error);
  if (plan.backup == NULL || !open_folder (&plan.backup->place, &plan.opened, error))
    return FALSE;
  for (guint i = 0; i < plan.backup->files->len; i++)
    {
      if (!plan_undo (&plan, plan.backup->files->pdata[i], error))
        return FALSE;
    }
  if (!fh_folder_edit_all (plan.opened.fd, plan.edits, made, error))
    return FALSE;
  fh_folder_unmake (plan.opened.fd, plan.backup->made);
  if (folder != NULL)
    *folder = g_strdup (plan.backup->folder);
  if (n_files != NULL)
    *n_files = plan.edits->len;
  fh_apply_backup_remove (plan.backup->name);
  return TRUE;
}

static gboolean
is_of (const FhFolderPlace *place, const FhFolderPlace *other)
{
  return place->device == other->device && place->inode == other->inode &&
         place->born_us == other->born_us;
}

/* Without the lock: it is only read. */
static gboolean
open_to_look (const FhFolderPlace *place, Opened *opened)
{
  FhFolderPlace now;

  opened->folder = fh_opened_path_new (place->path, NULL, NULL);
  if (opened->folder == NULL)
    return FALSE;
  now = fh_folder_place_of (opened->folder);
  opened->fd = is_same_place (place, &now) ? fh_opened_path_read_folder (opened->folder) : -1;
  return opened->fd >= 0;
}

/* The backup is older than what it tells of: after a crash a file may still be as it was. */
static gboolean
was_written (const Opened *opened, const FhBackupFile *file)
{
  g_autofree char *digest = digest_of (file->old_content);
  g_auto (FhTreeFile) now = { 0 };

  return !look (opened->fd, file->path, FH_FOLDER_EDIT_MAX, &now) ||
         g_strcmp0 (now.digest, digest) != 0;
}

GPtrArray *
fh_folder_find_applied (FhFolderChanges *changes, char **backup)
{
  g_autoptr (FhApplyBackup) last = fh_apply_backup_load (NULL, NULL);
  g_autoptr (GPtrArray) applied = g_ptr_array_new_with_free_func (g_object_unref);
  g_auto (Opened) opened = { .fd = -1 };

  g_return_val_if_fail (FH_IS_FOLDER_CHANGES (changes) && backup != NULL, NULL);

  if (last == NULL || !is_of (&last->place, fh_folder_changes_get_place (changes)) ||
      !open_to_look (&last->place, &opened))
    return NULL;
  for (guint i = 0; i < last->files->len; i++)
    {
      const FhBackupFile *file = last->files->pdata[i];
      FhFolderChange *change = fh_folder_changes_find (changes, file->path);
      g_autofree char *digest =
          change != NULL ? digest_of (fh_folder_change_get_facts (change)->content) : NULL;

      if (change == NULL || g_strcmp0 (digest, file->new_sha256) != 0)
        return NULL;
      if (was_written (&opened, file))
        g_ptr_array_add (applied, g_object_ref (change));
    }
  if (applied->len == 0)
    return NULL;
  *backup = g_strdup (last->name);
  return g_steal_pointer (&applied);
}
