/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cells/set-variable-dialog.h"

#include <glib/gi18n.h>

#include "parts/calls.h"
#include "parts/file-dialogs.h"
#include "parts/text-file.h"

struct _FhSetVariableDialog
{
  AdwWindow parent_instance;

  GCancellable *cancellable;
  char *file_text; /* nullable: the value instead of what is typed */

  GtkEditable *name_entry;
  GtkTextBuffer *buffer;
  GtkWidget *value_label;
  GtkWidget *value_window;
  GtkLabel *file_label;
  GtkWidget *set_button;
};

G_DEFINE_FINAL_TYPE (FhSetVariableDialog, fh_set_variable_dialog, ADW_TYPE_WINDOW)

static guint set_signal;
static guint set_text_signal;

static char *
dup_value (FhSetVariableDialog *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  return g_strstrip (gtk_text_buffer_get_text (self->buffer, &start, &end, TRUE));
}

static void
update (FhSetVariableDialog *self)
{
  g_autofree char *value = dup_value (self);

  gtk_widget_set_sensitive (self->set_button,
                            *gtk_editable_get_text (self->name_entry) != '\0' &&
                                (self->file_text != NULL || *value != '\0'));
}

static void
set_cb (FhSetVariableDialog *self)
{
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (self->name_entry)));
  g_autofree char *value = dup_value (self);

  if (!gtk_widget_get_sensitive (self->set_button))
    return;
  if (self->file_text != NULL)
    g_signal_emit (self, set_text_signal, 0, name, self->file_text);
  else
    g_signal_emit (self, set_signal, 0, name, value);
  gtk_window_close (GTK_WINDOW (self));
}

static void
show_file (FhSetVariableDialog *self, const char *text)
{
  gtk_widget_set_visible (self->value_label, FALSE);
  gtk_widget_set_visible (self->value_window, FALSE);
  fh_show_text (self->file_label, text);
  update (self);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhSetVariableDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *told = NULL;
  g_autofree char *text = NULL;
  glong n;

  text = fh_text_file_load_finish (result, NULL, &error);
  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  if (text == NULL)
    {
      show_file (self, error->message);
      return;
    }
  n = g_utf8_strlen (text, -1);
  told = g_strdup_printf (ngettext ("The text of this file, %ld character",
                                    "The text of this file, %ld characters",
                                    (gulong) n),
                          n);
  g_free (self->file_text);
  self->file_text = g_steal_pointer (&text);
  show_file (self, told);
}

static void
file_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GListModel) files = fh_file_dialogs_finish_open (result, NULL);
  FhSetVariableDialog *self = FH_SET_VARIABLE_DIALOG (source);
  g_autoptr (GFile) file = files != NULL ? g_list_model_get_item (files, 0) : NULL;

  if (file != NULL)
    fh_text_file_load_async (file, self->cancellable, loaded_cb, g_object_ref (self));
}

static void
choose_file_cb (FhSetVariableDialog *self)
{
  fh_file_dialogs_show_async (GTK_WIDGET (self),
                              GTK_FILE_CHOOSER_ACTION_OPEN,
                              _ ("Text of a File"),
                              NULL,
                              self->cancellable,
                              file_chosen_cb,
                              NULL);
}

static void
fh_set_variable_dialog_dispose (GObject *object)
{
  g_cancellable_cancel (FH_SET_VARIABLE_DIALOG (object)->cancellable);
  G_OBJECT_CLASS (fh_set_variable_dialog_parent_class)->dispose (object);
}

static void
fh_set_variable_dialog_finalize (GObject *object)
{
  FhSetVariableDialog *self = FH_SET_VARIABLE_DIALOG (object);

  g_object_unref (self->cancellable);
  g_free (self->file_text);
  G_OBJECT_CLASS (fh_set_variable_dialog_parent_class)->finalize (object);
}

static void
fh_set_variable_dialog_class_init (FhSetVariableDialogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = fh_set_variable_dialog_dispose;
  object_class->finalize = fh_set_variable_dialog_finalize;
  set_signal = fh_signal_new ("set", type, 2, G_TYPE_STRING, G_TYPE_STRING);
  set_text_signal = fh_signal_new ("set-text", type, 2, G_TYPE_STRING, G_TYPE_STRING);
  fh_set_template (widget_class, "cells/set-variable-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, FhSetVariableDialog, name_entry);
  gtk_widget_class_bind_template_child (widget_class, FhSetVariableDialog, buffer);
  gtk_widget_class_bind_template_child (widget_class, FhSetVariableDialog, value_label);
  gtk_widget_class_bind_template_child (widget_class, FhSetVariableDialog, value_window);
  gtk_widget_class_bind_template_child (widget_class, FhSetVariableDialog, file_label);
  gtk_widget_class_bind_template_child (widget_class, FhSetVariableDialog, set_button);
  gtk_widget_class_bind_template_callback (widget_class, update);
  gtk_widget_class_bind_template_callback (widget_class, set_cb);
  gtk_widget_class_bind_template_callback (widget_class, choose_file_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
fh_set_variable_dialog_init (FhSetVariableDialog *self)
{
  self->cancellable = g_cancellable_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  update (self);
}

GtkWidget *
fh_set_variable_dialog_new (GtkWidget *widget)
{
  GtkRoot *root = gtk_widget_get_root (widget);

  return g_object_new (FH_TYPE_SET_VARIABLE_DIALOG,
                       "transient-for",
                       GTK_IS_WINDOW (root) ? root : NULL,
                       NULL);
}
