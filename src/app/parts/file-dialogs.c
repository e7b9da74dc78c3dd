/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/file-dialogs.h"

#include <glib/gi18n.h>

#include "parts/calls.h"

/* This is the folder of the file that was chosen last; nullable. */
static GFile *last_folder;

static void
remember_folder (GtkFileChooser *chooser)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (chooser);

  g_clear_object (&last_folder);
  last_folder = g_file_get_parent (file);
}

static void
propose (GtkFileChooser *chooser, const char *name)
{
  const gboolean has_folder = name != NULL && g_path_is_absolute (name);
  g_autofree char *path = has_folder ? g_path_get_dirname (name) : NULL;
  g_autoptr (GFile) folder = has_folder ? g_file_new_for_path (path) : NULL;
  g_autofree char *shown = name != NULL ? g_filename_display_basename (name) : NULL;

  if (has_folder || last_folder != NULL)
    gtk_file_chooser_set_current_folder (chooser, has_folder ? folder : last_folder, NULL);
  if (shown != NULL)
    gtk_file_chooser_set_current_name (chooser, shown);
}

static void
response_cb (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);

  /* The task's callback may close the window, which would be a second response. */
  g_signal_handlers_disconnect_by_func (dialog, response_cb, task);
  if (response == GTK_RESPONSE_ACCEPT)
    remember_folder (chooser);
  if (response != GTK_RESPONSE_ACCEPT)
    g_task_return_new_error (task,
                             G_IO_ERROR,
                             G_IO_ERROR_CANCELLED,
                             "%s",
                             _ ("No file was chosen"));
  else if (gtk_file_chooser_get_select_multiple (chooser))
    g_task_return_pointer (task, gtk_file_chooser_get_files (chooser), g_object_unref);
  else
    g_task_return_pointer (task, gtk_file_chooser_get_file (chooser), g_object_unref);
}

/* A dialog that goes with its window does not respond. */
static void
window_gone_cb (GtkNativeDialog *dialog)
{
  g_signal_emit_by_name (dialog, "response", GTK_RESPONSE_CANCEL);
}

/* The task owns the dialog, which has no other owner. */
void
fh_file_dialogs_show_async (GtkWidget *widget,
                            GtkFileChooserAction action,
                            const char *title,
                            const char *name,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GTask *task;
  GtkRoot *root;
  GtkFileChooserNative *dialog;

  g_return_if_fail (GTK_IS_WIDGET (widget));

  task = g_task_new (widget, cancellable, callback, user_data);
  root = gtk_widget_get_root (widget);
  dialog = gtk_file_chooser_native_new (title,
                                        GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                                        action,
                                        NULL,
                                        NULL);
  g_task_set_source_tag (task, fh_file_dialogs_show_async);
  g_task_set_task_data (task, dialog, g_object_unref);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (dialog),
                                        action == GTK_FILE_CHOOSER_ACTION_OPEN);
  propose (GTK_FILE_CHOOSER (dialog), name);
  g_signal_connect (dialog, "response", G_CALLBACK (response_cb), task);
  if (root != NULL)
    fh_connect (root, "destroy", window_gone_cb, dialog);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

GFile *
fh_file_dialogs_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, fh_file_dialogs_show_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

GListModel *
fh_file_dialogs_finish_open (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, fh_file_dialogs_show_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
