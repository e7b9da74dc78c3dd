/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "folder-changes.h"
#include "folder-exchange.h"

/* The copy of a project folder that a run gets, and what its program changed in it. In a sandbox
 * that mounts the folder below a layer of its own the copy is empty, and what the program changed
 * is compared with the folder. All functions block; one thread at a time. */
typedef struct
{
  FhOpenedPath *folder;
  GPtrArray *files; /* FhRunFile: as they are in the folder; none if it is mounted */
  gboolean is_mounted;
  gint64 opened_us;      /* if it is mounted: when, since 1970 */
  GPtrArray *handed;     /* FhRunFile: those that the run begins with instead; nullable */
  GStrv removed;         /* paths that it is not to find; nullable */
  FhExchangeNotes notes; /* private */
} FhProjectCopy;

/* Opens a folder, which must exist and be one that programs may work in, and reads it unless the
 * sandbox mounts it: then it may be of any size. `handed` (nullable): files that a run before this
 * one has added or changed. NULL with a sentence. */
FhProjectCopy *fh_project_copy_new (const char *path,
                                    GPtrArray *handed,
                                    gboolean is_mounted,
                                    GCancellable *cancellable,
                                    GError **error);
void fh_project_copy_free (FhProjectCopy *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhProjectCopy, fh_project_copy_free)

/* The folder as it is now, for comparing it later. Its path is the folder's. */
FhFolderPlace fh_folder_place_of (FhOpenedPath *folder);

/* Whether two places are one folder. The number of a device can be another one after a restart of
 * the computer; the time of creation is not, and a folder that took the place of the old one has
 * another. */
gboolean fh_folder_place_is_same (const FhFolderPlace *a, const FhFolderPlace *b);

/* What lies in the workspace when the run begins. (transfer full) (element-type FhRunFile) */
GPtrArray *fh_project_copy_list (FhProjectCopy *self);

/* Compares what the program left (FhResultFiles with its list of deleted ones) with the folder.
 * `program` is the run's own file, which does not count. (transfer full) */
FhFolderChanges *
fh_project_copy_find_changes (FhProjectCopy *self, FhResultFiles *left, const char *program);
