/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* The only user of GtkFileChooserNative. Shows a dialog that is modal to the window of `widget`,
 * the callback's source object: OPEN chooses one or more files, SAVE one file, `name` being the
 * suggestion (nullable), and asks before a file is replaced; SELECT_FOLDER chooses one folder. It
 * begins in the folder of `name` if that is an absolute path, else where a file was chosen last. */
void fh_file_dialogs_show_async (GtkWidget *widget,
                                 GtkFileChooserAction action,
                                 const char *title,
                                 const char *name,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);

/* Finishes SAVE and SELECT_FOLDER. NULL with G_IO_ERROR_CANCELLED if the dialog was dismissed.
 * (transfer full) */
GFile *fh_file_dialogs_finish (GAsyncResult *result, GError **error);

/* Finishes OPEN in the same way, with all files. (transfer full) (element-type GFile) */
GListModel *fh_file_dialogs_finish_open (GAsyncResult *result, GError **error);
