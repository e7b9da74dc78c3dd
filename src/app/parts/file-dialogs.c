/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "parts/file-dialogs.h"

#include <glib/gi18n.h>

/* A native dialog has no owner: the task keeps it as its data until the answer. */
static GTask *
new_task (GtkFileChooserNative *dialog,
          GCancellable *cancellable,
          GAsyncReadyCallback callback,
          gpointer user_data,
          gpointer tag)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  g_task_set_task_data (task, g_object_ref (dialog), g_object_unref);
  return task;
}

static GtkFileChooserNative *
new_dialog (GtkWidget *widget, const char *title, GtkFileChooserAction action)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  GtkFileChooserNative *dialog =
      gtk_file_chooser_native_new (title,
                                   GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                                   action,
                                   NULL,
                                   NULL);

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  return dialog;
}

static void
return_dismissed (GTask *task)
{
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s", _ ("No file was chosen"));
}

static void
open_response_cb (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  if (response == GTK_RESPONSE_ACCEPT)
    g_task_return_pointer (task,
                           gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog)),
                           g_object_unref);
  else
    return_dismissed (task);
}

static void
file_response_cb (GtkNativeDialog *dialog, int response, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  if (response == GTK_RESPONSE_ACCEPT)
    g_task_return_pointer (task,
                           gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog)),
                           g_object_unref);
  else
    return_dismissed (task);
}

void
fh_file_dialogs_open_async (GtkWidget *widget,
                            const char *title,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GtkFileChooserNative) dialog = NULL;

  g_return_if_fail (GTK_IS_WIDGET (widget));

  dialog = new_dialog (widget, title, GTK_FILE_CHOOSER_ACTION_OPEN);
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (dialog), TRUE);
  g_signal_connect (
      dialog,
      "response",
      G_CALLBACK (open_response_cb),
      new_task (dialog, cancellable, callback, user_data, fh_file_dialogs_open_async));
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

GListModel *
fh_file_dialogs_open_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

void
fh_file_dialogs_save_async (GtkWidget *widget,
                            const char *title,
                            const char *name,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GtkFileChooserNative) dialog = NULL;

  g_return_if_fail (GTK_IS_WIDGET (widget));

  dialog = new_dialog (widget, title, GTK_FILE_CHOOSER_ACTION_SAVE);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (dialog), name);
  g_signal_connect (
      dialog,
      "response",
      G_CALLBACK (file_response_cb),
      new_task (dialog, cancellable, callback, user_data, fh_file_dialogs_save_async));
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

GFile *
fh_file_dialogs_save_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

void
fh_file_dialogs_choose_folder_async (GtkWidget *widget,
                                     const char *title,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data)
{
  g_autoptr (GtkFileChooserNative) dialog = NULL;

  g_return_if_fail (GTK_IS_WIDGET (widget));

  dialog = new_dialog (widget, title, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER);
  g_signal_connect (
      dialog,
      "response",
      G_CALLBACK (file_response_cb),
      new_task (dialog, cancellable, callback, user_data, fh_file_dialogs_choose_folder_async));
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

GFile *
fh_file_dialogs_choose_folder_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
