/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "folder-change.h"

/* A folder as it was opened for a run. Applying later compares it with what its path leads to. */
typedef struct
{
  const char *path;
  guint64 device;
  guint64 inode;
  gint64 born_us; /* when it was created, since 1970; 0: the file system does not tell */
} FhFolderPlace;

/* All changes that a program made in its copy of a project folder: a GListModel of FhFolderChange,
 * sorted by path, immutable once it is in a result. */
#define FH_TYPE_FOLDER_CHANGES (fh_folder_changes_get_type ())
G_DECLARE_FINAL_TYPE (FhFolderChanges, fh_folder_changes, FH, FOLDER_CHANGES, GObject)

FhFolderChanges *fh_folder_changes_new (const FhFolderPlace *place);
const FhFolderPlace *fh_folder_changes_get_place (FhFolderChanges *self);
/* Sorts it in. A second change of the same path is ignored. */
void fh_folder_changes_add (FhFolderChanges *self, FhFolderChange *change);
FhFolderChange *fh_folder_changes_get (FhFolderChanges *self, guint position); /* (transfer none) */
/* Finds a change by its exact path, or returns NULL. (transfer none) */
FhFolderChange *fh_folder_changes_find (FhFolderChanges *self, const char *path);

/* Names below the folder that the program did not get, such as ".git" (file name bytes): at most
 * FH_FOLDER_HIDDEN_MAX of them, and how many there were. */
#define FH_FOLDER_HIDDEN_MAX 64
void fh_folder_changes_set_hidden (FhFolderChanges *self, GStrv names, guint n_hidden);
const char *const *fh_folder_changes_get_hidden (FhFolderChanges *self, guint *n_hidden);

/* Counts what is not in the list: files in caches and folders of packages, which are not applied,
 * and more than could be collected. */
void fh_folder_changes_set_left_out (FhFolderChanges *self, guint n_cached, guint n_left_out);
guint fh_folder_changes_get_n_cached (FhFolderChanges *self);
guint fh_folder_changes_get_n_left_out (FhFolderChanges *self);

/* The same list with the contents of these files; a change without one becomes NOT_KEPT, one with
 * it FINE again. (transfer full) */
FhFolderChanges *fh_folder_changes_with_files (FhFolderChanges *self, FhResultFiles *files);
