/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cells/functions-dialog.h"

#include <glib/gi18n.h>

#include "parts/calls.h"

struct _FhFunctionsDialog
{
  AdwWindow parent_instance;

  GtkListBox *list;
  GtkWidget *list_frame;
  GtkEditable *name_row;
  GtkEditable *parameters_row;
  GtkEditable *doc_row;
  GtkEditable *command_row;
  GtkLabel *problem;
  GtkWidget *declare_button;
};

G_DEFINE_FINAL_TYPE (FhFunctionsDialog, fh_functions_dialog, ADW_TYPE_WINDOW)

static guint declare_signal;

static GtkWidget *
create_row_cb (gpointer item, gpointer user_data)
{
  FhSessionFunction *function = FH_SESSION_FUNCTION (item);
  const char *command = fh_session_function_get_command (function);
  GtkWidget *row = adw_action_row_new ();
  g_autofree char *title = g_strdup_printf ("%s(%s)",
                                            fh_session_function_get_name (function),
                                            fh_session_function_get_parameters (function));
  g_autofree char *escaped = g_markup_escape_text (title, -1);
  g_autofree char *subtitle = NULL;
  g_autofree char *escaped_subtitle = NULL;

  /* Translators: %s is a command */
  subtitle = command != NULL ? g_strdup_printf (_ ("Answered by “%s”"), command)
                             : g_strdup (_ ("Answered in the window"));
  escaped_subtitle = g_markup_escape_text (subtitle, -1);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), escaped);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), escaped_subtitle);
  return row;
}

static void
update (FhFunctionsDialog *self)
{
  gtk_widget_set_sensitive (self->declare_button, *gtk_editable_get_text (self->name_row) != '\0');
  fh_show_text (self->problem, NULL);
}

static void
declare_cb (FhFunctionsDialog *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FhSessionFunction) function =
      fh_session_function_new (gtk_editable_get_text (self->name_row),
                               gtk_editable_get_text (self->parameters_row),
                               gtk_editable_get_text (self->doc_row),
                               gtk_editable_get_text (self->command_row),
                               &error);

  if (function == NULL)
    {
      fh_show_text (self->problem, error->message);
      return;
    }
  g_signal_emit (self, declare_signal, 0, function);
  gtk_window_close (GTK_WINDOW (self));
}

static void
fh_functions_dialog_class_init (FhFunctionsDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  declare_signal =
      fh_signal_new ("declare", G_TYPE_FROM_CLASS (klass), 1, FH_TYPE_SESSION_FUNCTION);
  fh_set_template (widget_class, "cells/functions-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, FhFunctionsDialog, list);
  gtk_widget_class_bind_template_child (widget_class, FhFunctionsDialog, list_frame);
  gtk_widget_class_bind_template_child (widget_class, FhFunctionsDialog, name_row);
  gtk_widget_class_bind_template_child (widget_class, FhFunctionsDialog, parameters_row);
  gtk_widget_class_bind_template_child (widget_class, FhFunctionsDialog, doc_row);
  gtk_widget_class_bind_template_child (widget_class, FhFunctionsDialog, command_row);
  gtk_widget_class_bind_template_child (widget_class, FhFunctionsDialog, problem);
  gtk_widget_class_bind_template_child (widget_class, FhFunctionsDialog, declare_button);
  gtk_widget_class_bind_template_callback (widget_class, update);
  gtk_widget_class_bind_template_callback (widget_class, declare_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
fh_functions_dialog_init (FhFunctionsDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  update (self);
}

GtkWidget *
fh_functions_dialog_new (GtkWidget *widget, GListModel *functions)
{
  GtkRoot *root = gtk_widget_get_root (widget);
  FhFunctionsDialog *self;

  g_return_val_if_fail (G_IS_LIST_MODEL (functions), NULL);

  self = g_object_new (FH_TYPE_FUNCTIONS_DIALOG,
                       "transient-for",
                       GTK_IS_WINDOW (root) ? root : NULL,
                       NULL);
  gtk_list_box_bind_model (self->list, functions, create_row_cb, NULL, NULL);
  gtk_widget_set_visible (self->list_frame, g_list_model_get_n_items (functions) > 0);
  return GTK_WIDGET (self);
}
