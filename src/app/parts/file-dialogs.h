/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* The only user of GtkFileChooserNative. Each dialog stands over the window of `widget`; a dialog
 * that is dismissed ends with G_IO_ERROR_CANCELLED. */

/* Any number of files. (element-type GFile) (transfer full) */
void fh_file_dialogs_open_async (GtkWidget *widget,
                                 const char *title,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
GListModel *fh_file_dialogs_open_finish (GAsyncResult *result, GError **error);

/* `name`: what is suggested. Asks by itself before it replaces a file. (transfer full) */
void fh_file_dialogs_save_async (GtkWidget *widget,
                                 const char *title,
                                 const char *name,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
GFile *fh_file_dialogs_save_finish (GAsyncResult *result, GError **error);

/* (transfer full) */
void fh_file_dialogs_choose_folder_async (GtkWidget *widget,
                                          const char *title,
                                          GCancellable *cancellable,
                                          GAsyncReadyCallback callback,
                                          gpointer user_data);
GFile *fh_file_dialogs_choose_folder_finish (GAsyncResult *result, GError **error);

G_END_DECLS
