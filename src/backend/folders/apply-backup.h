/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "folder-apply.h"
#include "folder-edit.h"
#include "folder-tree.h"

/* What is needed to take back what was written to a project folder: a folder of its own below
 * $XDG_STATE_HOME/fumehood/undo, mode 0700, written before the project is. It gets its name when it
 * is complete, NUMBER-RANDOM: the number is larger than those of all others, whatever the clock
 * says. The newest FH_APPLY_BACKUPS_MAX are kept, of at most FH_APPLY_BACKUPS_MAX_BYTES together.
 *
 * It also tells the temporary names that are used on the way, and the folders that are made, so
 * that what a killed process leaves in the project can be removed. All functions block. */
#define FH_APPLY_BACKUPS_MAX       20
#define FH_APPLY_BACKUPS_MAX_BYTES ((guint64) 512 << 20)
#define FH_APPLY_BACKUP_MAX_BYTES  ((guint64) 256 << 20) /* of one */

/* One file: what was there, and what was put there. */
typedef struct
{
  char *path;
  gboolean existed;
  GBytes *old_content; /* NULL: there was nothing, or it was not loaded */
  guint old_mode;
  gint64 old_changed_ns;
  char *new_sha256; /* NULL: it was deleted */
  char *temporary;  /* of an edit that may be on its way; NULL: there is none */
} FhBackupFile;

/* `name` is NULL before it is saved, `files` (element-type FhBackupFile) and `made` are empty. */
FhFolderBackup *fh_apply_backup_new (const FhFolderPlace *place);
void fh_apply_backup_free (FhFolderBackup *backup);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhFolderBackup, fh_apply_backup_free)

/* Adds a file as it is read from the folder, and what is done to it; `new_sha256` is nullable. */
void fh_apply_backup_add (FhFolderBackup *backup,
                          const FhFolderEdit *edit,
                          const FhTreeFile *old,
                          const char *new_sha256);

/* Writes it and removes backups beyond the limits, or writes its list anew if it was saved before.
 * FALSE with a GIOError or GFileError. */
gboolean fh_apply_backup_save (FhFolderBackup *backup, GError **error);

/* Notes that no edit is on its way any more, and which folders were really made (nullable: as many
 * as were known). */
void fh_apply_backup_settle (FhFolderBackup *backup, GPtrArray *made);

/* Removes what edits of this folder have left in it, open as `root` and locked, because their
 * process was killed. */
void fh_apply_backup_sweep (const FhFolderPlace *place, int root);

/* Reads that of this name, or with NULL the newest. NULL with FH_FOLDER_ERROR_NOTHING if there is
 * none, or FH_FOLDER_ERROR_FAILED if it cannot be used. */
FhFolderBackup *fh_apply_backup_load (const char *name, GError **error);

void fh_apply_backup_remove (const char *name);
