/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "folder-changes.h"
#include "folder-tree.h"

G_BEGIN_DECLS

/* What is needed to take back what was written to a project folder: a folder of its own below
 * $XDG_STATE_HOME/fumehood/undo, mode 0700, written before the project is. The newest
 * FH_APPLY_BACKUPS_MAX are kept, of at most FH_APPLY_BACKUPS_MAX_BYTES together. All functions
 * block. */
#define FH_APPLY_BACKUPS_MAX       20
#define FH_APPLY_BACKUPS_MAX_BYTES ((guint64) 512 << 20)
#define FH_APPLY_BACKUP_MAX_BYTES  ((guint64) 256 << 20) /* of one */

/* One file: what was there, and what was put there. */
typedef struct
{
  char *path;
  GBytes *old_content; /* NULL: there was nothing */
  guint old_mode;
  gint64 old_changed_ns;
  char *new_sha256; /* NULL: it was deleted */
} FhBackupFile;

typedef struct
{
  char *name;
  char *folder; /* the path in `place` */
  FhFolderPlace place;
  GPtrArray *files; /* FhBackupFile */
  GPtrArray *made;  /* filename: folders that were created, outer ones first */
} FhApplyBackup;

/* `files` and `made` are empty. */
FhApplyBackup *fh_apply_backup_new (const FhFolderPlace *place);
void fh_apply_backup_free (FhApplyBackup *backup);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhApplyBackup, fh_apply_backup_free)

/* Adds a file as it is read from the folder; `new_sha256` is nullable. */
void fh_apply_backup_add (FhApplyBackup *backup,
                          const char *path,
                          const FhTreeFile *old,
                          const char *new_sha256);

/* Writes it, or writes its list anew when `made` has changed, and removes backups beyond the
 * limits. FALSE with a GIOError or GFileError. */
gboolean fh_apply_backup_save (FhApplyBackup *backup, GError **error);

/* Reads that of this name, or with NULL the newest. NULL with FH_FOLDER_ERROR_NOTHING if there is
 * none, or FH_FOLDER_ERROR_FAILED if it cannot be used. */
FhApplyBackup *fh_apply_backup_load (const char *name, GError **error);

void fh_apply_backup_remove (const char *name);

G_END_DECLS
