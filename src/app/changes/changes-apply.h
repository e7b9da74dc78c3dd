/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "folder-changes.h"

/* The lines that a change makes different, as rows for an FhDiffView. Reads the user's file.
 * NULL with a sentence. (transfer full) (element-type FhDiffRow) */
void fh_changes_diff_async (FhFolderChanges *changes,
                            FhFolderChange *change,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);
GPtrArray *fh_changes_diff_finish (GAsyncResult *result, GError **error);

/* Asks whether these changes (element-type FhFolderChange) are to be written to the folder, also
 * those that conflict with what was changed there since the run, and writes them. The toast that
 * tells so has an Undo button, after which `undone` is called while `widget` lives. The finish
 * function returns FALSE if they were not written. */
void fh_changes_apply_async (GtkWidget *widget,
                             FhFolderChanges *changes,
                             GPtrArray *chosen,
                             GCallback undone,
                             GAsyncReadyCallback callback);
gboolean fh_changes_apply_finish (GAsyncResult *result);
/* The changes that were to be written. (element-type FhFolderChange), borrowed */
GPtrArray *fh_changes_apply_get_chosen (GAsyncResult *result);

/* Looks for those of these changes that were applied last and can be taken back: NULL if there are
 * none. `backup`: what to take back (transfer full). (transfer full) (element-type FhFolderChange)
 */
void fh_changes_find_applied_async (FhFolderChanges *changes,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
GPtrArray *fh_changes_find_applied_finish (GAsyncResult *result, char **backup);

/* Takes back what `backup` names, and tells so; then `undone` is called with the widget, while it
 * lives, and these changes. */
void fh_changes_undo (GtkWidget *widget, const char *backup, GPtrArray *applied, GCallback undone);
