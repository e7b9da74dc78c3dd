/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cells/set-variable-dialog.h"

#include <glib/gi18n.h>

#include "parts/calls.h"

struct _FhSetVariableDialog
{
  AdwWindow parent_instance;

  GtkEditable *name_entry;
  GtkTextBuffer *buffer;
  GtkWidget *set_button;
};

G_DEFINE_FINAL_TYPE (FhSetVariableDialog, fh_set_variable_dialog, ADW_TYPE_WINDOW)

static guint set_signal;

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
                            *gtk_editable_get_text (self->name_entry) != '\0' && *value != '\0');
}

static void
set_cb (FhSetVariableDialog *self)
{
  g_autofree char *name = g_strstrip (g_strdup (gtk_editable_get_text (self->name_entry)));
  g_autofree char *value = dup_value (self);

  if (!gtk_widget_get_sensitive (self->set_button))
    return;
  g_signal_emit (self, set_signal, 0, name, value);
  gtk_window_close (GTK_WINDOW (self));
}

static void
fh_set_variable_dialog_class_init (FhSetVariableDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  set_signal = fh_signal_new ("set", G_TYPE_FROM_CLASS (klass), 2, G_TYPE_STRING, G_TYPE_STRING);
  fh_set_template (widget_class, "cells/set-variable-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, FhSetVariableDialog, name_entry);
  gtk_widget_class_bind_template_child (widget_class, FhSetVariableDialog, buffer);
  gtk_widget_class_bind_template_child (widget_class, FhSetVariableDialog, set_button);
  gtk_widget_class_bind_template_callback (widget_class, update);
  gtk_widget_class_bind_template_callback (widget_class, set_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
fh_set_variable_dialog_init (FhSetVariableDialog *self)
{
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
