/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "folder-apply.h"

#include <errno.h>
#include <glib/gi18n-lib.h>

#include "apply-backup.h"
#include "folder-edit.h"
#include "folder-tree.h"
#include "opened-project.h"
#include "repository-folder.h"

G_DEFINE_QUARK (fh - folder - error, fh_folder_error)

static gboolean
is_conflict (const FhFolderChangeFacts *facts, const FhTreeFile *now)
{
  return g_strcmp0 (facts->old_sha256, now->digest) != 0;
}

/* The work that the chosen changes need. */
typedef struct
{
  FhOpenedProject opened;
  GPtrArray *edits; /* FhFolderEdit */
  FhApplyBackup *backup;
  guint64 n_bytes; /* in the backup */
  guint n_written;
  guint n_deleted;
} Plan;

static void
plan_clear (Plan *plan)
{
  fh_opened_project_clear (&plan->opened);
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
                   fh_folder_change_get_name (change),
                   fh_folder_change_get_remark (change));
      return FALSE;
    }
  /* It may have become one after the run. */
  if (fh_repository_folder_holds (plan->opened.fd, facts->path))
    return fh_opened_project_fail (error,
                                   FH_FOLDER_ERROR_REFUSED,
                                   facts->path,
                                   _ ("it belongs to version control"));
  if (!fh_opened_project_read (&plan->opened, facts->path, room, &now))
    return fh_opened_project_fail (error,
                                   FH_FOLDER_ERROR_REFUSED,
                                   facts->path,
                                   fh_tree_reason (errno));
  digest = facts->kind != FH_FOLDER_CHANGE_DELETED ? fh_tree_digest (facts->content) : NULL;
  if (g_strcmp0 (digest, now.digest) == 0)
    return TRUE;
  if (is_conflict (facts, &now) && !is_forced)
    return fh_opened_project_fail (error,
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

/* The backup comes first, so that a crash leaves nothing that cannot be taken back, and nothing
 * that is not known. */
static gboolean
write_plan (Plan *plan, GError **error)
{
  g_autoptr (GPtrArray) made = g_ptr_array_new_with_free_func (g_free);

  if (!save_backup (plan, error))
    return FALSE;
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
  place = fh_folder_changes_get_place (changes);
  plan_init (&plan);
  plan.backup = fh_apply_backup_new (place);
  if (!fh_opened_project_open (&plan.opened, place, error))
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
  g_auto (FhOpenedProject) opened = { .fd = -1 };

  g_return_val_if_fail (FH_IS_FOLDER_CHANGES (changes), NULL);
  g_return_val_if_fail (chosen != NULL, NULL);

  if (!fh_opened_project_open (&opened, fh_folder_changes_get_place (changes), error))
    return NULL;
  for (guint i = 0; i < chosen->len; i++)
    {
      FhFolderChange *change = chosen->pdata[i];
      const FhFolderChangeFacts *facts = fh_folder_change_get_facts (change);
      g_autofree char *digest = fh_tree_digest (facts->content);
      g_auto (FhTreeFile) now = { 0 };

      if (!fh_opened_project_read (&opened, facts->path, FH_FOLDER_EDIT_MAX, &now))
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
  g_auto (FhOpenedProject) opened = { .fd = -1 };
  g_auto (FhTreeFile) now = { 0 };

  g_return_val_if_fail (FH_IS_FOLDER_CHANGES (changes), NULL);
  g_return_val_if_fail (FH_IS_FOLDER_CHANGE (change), NULL);

  facts = fh_folder_change_get_facts (change);
  if (facts->old_sha256 == NULL)
    return g_bytes_new_static ("", 0);
  if (!fh_opened_project_open (&opened, fh_folder_changes_get_place (changes), error))
    return NULL;
  if (fh_opened_project_read (&opened, facts->path, FH_FOLDER_EDIT_MAX, &now) &&
      !is_conflict (facts, &now))
    return g_bytes_ref (now.content);
  g_set_error (error,
               FH_FOLDER_ERROR,
               FH_FOLDER_ERROR_CONFLICT,
               /* Translators: the name of a file. */
               _ ("“%s” is no longer as it was at the run."),
               fh_folder_change_get_name (change));
  return NULL;
}
