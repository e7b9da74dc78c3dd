/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "folder-changes.h"

/* Writes changes of a run back to its project folder, and takes that back.
 *
 * The folder is opened anew and must be the one of the run, by device, inode and time of creation.
 * Everything below it is reached from there by openat2 (RESOLVE_BENEATH and without links or other
 * mounts), so nothing outside it is written, whatever is put into it meanwhile. All is checked
 * before anything is written: a file that is no longer as it was at the run is a conflict. Each
 * file is then exchanged in one step (renameat2) and what came out is compared again; if anything
 * fails, all are put back. Existing files keep their permissions, a new one cannot be executed.
 *
 * All functions block. */

#define FH_FOLDER_ERROR (fh_folder_error_quark ())

typedef enum
{
  FH_FOLDER_ERROR_FOLDER,   /* it cannot be opened, or is another one now; nothing was written */
  FH_FOLDER_ERROR_CONFLICT, /* a file was changed meanwhile; nothing was written */
  FH_FOLDER_ERROR_REFUSED,  /* a change cannot be applied; nothing was written */
  FH_FOLDER_ERROR_FAILED,  /* the system refused; all was put back, or the sentence says what not */
  FH_FOLDER_ERROR_NOTHING, /* there is nothing to take back */
} FhFolderError;

GQuark fh_folder_error_quark (void);

typedef struct
{
  guint n_written;
  guint n_deleted;
  char *backup; /* the name of what can be taken back */
} FhFolderApplied;

void fh_folder_applied_clear (FhFolderApplied *applied);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FhFolderApplied, fh_folder_applied_clear)

/* Finds which of the chosen changes (element-type FhFolderChange) conflict with what lies in the
 * folder now. NULL with FH_FOLDER_ERROR. (transfer full) (element-type FhFolderChange)
 *
 * To `special` (nullable, element-type FhFolderChange, owned) are added those whose file has what
 * taking back does not bring back: other names (hard links), a set-user-id bit or the like, or
 * extended attributes. */
GPtrArray *fh_folder_find_conflicts (FhFolderChanges *changes,
                                     GPtrArray *chosen,
                                     GPtrArray *special,
                                     GError **error);

/* Applies the chosen changes, all or none. `forced` (nullable): those that are written in spite of
 * a conflict. FALSE with FH_FOLDER_ERROR, a sentence. */
gboolean fh_folder_apply (FhFolderChanges *changes,
                          GPtrArray *chosen,
                          GPtrArray *forced,
                          FhFolderApplied *applied,
                          GError **error);

/* The user's file before the change, for a comparison. NULL with FH_FOLDER_ERROR_CONFLICT if it is
 * no longer as it was at the run. (transfer full) */
GBytes *fh_folder_read_original (FhFolderChanges *changes, FhFolderChange *change, GError **error);

/* Takes back what was applied last, or what `backup` names: files get their content, permissions
 * (0777) and time of change back, added ones are removed. Refuses if one has been changed since.
 * `folder` (nullable) is set to the path of the folder (transfer full). */
gboolean fh_folder_undo (const char *backup, char **folder, guint *n_files, GError **error);

/* What was applied once and can be taken back. */
typedef struct
{
  char *name;   /* for fh_folder_undo */
  char *folder; /* the path in `place` */
  FhFolderPlace place;
  gint64 applied_us; /* since 1970; 0: it is not known */
  GPtrArray *files;  /* one for each file; what they are is private */
  GPtrArray *made;   /* filename: folders that were created, or may be, outer ones first */
} FhFolderBackup;

/* All that can be read, the last one first, in the order in which they were applied. (transfer
 * full) (element-type FhFolderBackup) */
GPtrArray *fh_folder_list_backups (void);

/* Finds which of these changes lie in the folder as they were applied, the last time that only
 * changes of these were: fh_folder_undo takes that back, by the name that `backup` is set to
 * (transfer full). NULL if there are none, or the folder cannot be read. (transfer full)
 * (element-type FhFolderChange) */
GPtrArray *fh_folder_find_applied (FhFolderChanges *changes, char **backup);
