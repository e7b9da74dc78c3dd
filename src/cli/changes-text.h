/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "folder-changes.h"

/* The list of changes for a terminal: one line for each with its letter (A, M, D), name, sizes and
 * what is remarkable about it, then what is not in it. Every name is escaped. (transfer full) */
char *fh_changes_text (FhFolderChanges *changes);

/* Prints that on stderr after a run, and how to apply them. `id`: of the run in the history, or -1
 * if it is not there. */
void fh_changes_explain (FhFolderChanges *changes, gint64 id);

/* Returns the change as `diff -u` shows it, against the folder as it is. NULL with FH_FOLDER_ERROR
 * when that is no longer as it was. Not escaped. (transfer full) */
char *fh_changes_diff (FhFolderChanges *changes, FhFolderChange *change, GError **error);
