/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "folder-apply.h"
#include "folder-tree.h"
#include "opened-path.h"
#include "run-lock.h"

/* The project folder of a run, opened again. All functions block. */
typedef struct
{
  FhOpenedPath *folder;
  FhRunLock *lock; /* NULL: it is only looked at */
  int fd;          /* -1: it is not open */
} FhOpenedProject;

/* Whether two places are one folder. The number of a device can be another one after a restart of
 * the computer; the time of creation is not, and a folder that took the place of the old one has
 * another. */
gboolean fh_opened_project_is_same (const FhFolderPlace *a, const FhFolderPlace *b);

/* Opens the folder for writing and locks it, if it is still the one that `place` tells of. FALSE
 * with FH_FOLDER_ERROR_FOLDER. `project` has an fd of -1 before. */
gboolean
fh_opened_project_open (FhOpenedProject *project, const FhFolderPlace *place, GError **error);

/* The same without the lock, for reading only. */
gboolean fh_opened_project_open_to_look (FhOpenedProject *project, const FhFolderPlace *place);

void fh_opened_project_clear (FhOpenedProject *project);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FhOpenedProject, fh_opened_project_clear)

/* Reads one of its files, of at most `room` bytes; a missing folder means that there is no file.
 * FALSE with errno. */
gboolean fh_opened_project_read (const FhOpenedProject *project,
                                 const char *path,
                                 guint64 room,
                                 FhTreeFile *file);

/* Sets FH_FOLDER_ERROR: nothing was written, because of this file. Returns FALSE. */
gboolean
fh_opened_project_fail (GError **error, FhFolderError kind, const char *path, const char *reason);
