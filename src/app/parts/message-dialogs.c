/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "parts/message-dialogs.h"

#include <adwaita.h>
#include <glib/gi18n.h>

static void
response_cb (AdwMessageDialog *dialog, const char *response, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  g_task_return_pointer (task, g_strdup (response), g_free);
}

void
fh_message_dialogs_ask_async (GtkWidget *widget,
                              const char *heading,
                              const char *body,
                              const FhMessageChoice *choices,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  GtkRoot *root;
  AdwMessageDialog *dialog;
  GTask *task;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (heading != NULL);
  g_return_if_fail (choices != NULL && choices[0].id != NULL);

  root = gtk_widget_get_root (widget);
  dialog = ADW_MESSAGE_DIALOG (
      adw_message_dialog_new (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, heading, body));
  adw_message_dialog_add_response (dialog, "cancel", _ ("_Cancel"));
  for (const FhMessageChoice *choice = choices; choice->id != NULL; choice++)
    {
      adw_message_dialog_add_response (dialog, choice->id, choice->label);
      adw_message_dialog_set_response_appearance (dialog,
                                                  choice->id,
                                                  choice->destructive ? ADW_RESPONSE_DESTRUCTIVE
                                                                      : ADW_RESPONSE_DEFAULT);
      if (choice[1].id == NULL)
        {
          adw_message_dialog_set_default_response (dialog,
                                                   choice->deliberate ? "cancel" : choice->id);
          if (!choice->destructive)
            adw_message_dialog_set_response_appearance (dialog, choice->id, ADW_RESPONSE_SUGGESTED);
        }
    }
  adw_message_dialog_set_close_response (dialog, "cancel");

  task = g_task_new (widget, cancellable, callback, user_data);
  g_task_set_source_tag (task, fh_message_dialogs_ask_async);
  g_signal_connect (dialog, "response", G_CALLBACK (response_cb), task);
  gtk_window_present (GTK_WINDOW (dialog));
}

char *
fh_message_dialogs_ask_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (G_IS_TASK (result), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
