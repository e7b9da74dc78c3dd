/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "folder-changes.h"
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

typedef struct
{
  char *name;   /* NULL before it is saved */
  char *folder; /* the path in `place` */
  FhFolderPlace place;
  gint64 applied_us; /* 0: it is not known */
  GPtrArray *files;  /* FhBackupFile */
  GPtrArray *made;   /* filename: folders that were created, or may be, outer ones first */
} FhApplyBackup;

/* `files` and `made` are empty. */
FhApplyBackup *fh_apply_backup_new (const FhFolderPlace *place);
void fh_apply_backup_free (FhApplyBackup *backup);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhApplyBackup, fh_apply_backup_free)

/* Adds a file as it is read from the folder, and what is done to it; `new_sha256` is nullable. */
void fh_apply_backup_add (FhApplyBackup *backup,
                          const FhFolderEdit *edit,
                          const FhTreeFile *old,
                          const char *new_sha256);

/* Writes it and removes backups beyond the limits, or writes its list anew if it was saved before.
 * FALSE with a GIOError or GFileError. */
gboolean fh_apply_backup_save (FhApplyBackup *backup, GError **error);

/* Notes that no edit is on its way any more, and which folders were really made (nullable: as many
 * as were known). */
void fh_apply_backup_settle (FhApplyBackup *backup, GPtrArray *made);

/* Removes what edits of this folder have left in it, open as `root` and locked, because their
 * process was killed. */
void fh_apply_backup_sweep (const FhFolderPlace *place, int root);

/* Reads that of this name, or with NULL the newest. NULL with FH_FOLDER_ERROR_NOTHING if there is
 * none, or FH_FOLDER_ERROR_FAILED if it cannot be used. */
FhApplyBackup *fh_apply_backup_load (const char *name, GError **error);

/* Reads the lists of all that can be read, without contents, the newest first. (transfer full)
 * (element-type FhApplyBackup) */
GPtrArray *fh_apply_backup_list (void);

void fh_apply_backup_remove (const char *name);
