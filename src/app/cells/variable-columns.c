/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cells/variable-columns.h"

#include <glib/gi18n.h>

#include "parts/calls.h"

const char *
fh_variable_column_get (FhVariable *variable, FhVariableColumn column)
{
  switch (column)
    {
    case FH_VARIABLE_COLUMN_NAME:
      return fh_variable_get_name (variable);
    case FH_VARIABLE_COLUMN_TYPE:
      return fh_variable_get_type_name (variable);
    case FH_VARIABLE_COLUMN_SIZE:
      return fh_variable_get_size (variable);
    case FH_VARIABLE_COLUMN_VALUE:
      return fh_variable_get_text (variable);
    case FH_N_VARIABLE_COLUMNS:
    default:
      g_return_val_if_reached ("");
    }
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer column)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_single_line_mode (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  if (GPOINTER_TO_UINT (column) == FH_VARIABLE_COLUMN_VALUE)
    gtk_label_set_width_chars (GTK_LABEL (label), 24);
  /* Room for "float". */
  if (GPOINTER_TO_UINT (column) == FH_VARIABLE_COLUMN_TYPE)
    gtk_label_set_width_chars (GTK_LABEL (label), 5);
  else
    gtk_widget_add_css_class (label, "monospace");
  gtk_box_append (GTK_BOX (box), label);
  if (GPOINTER_TO_UINT (column) == FH_VARIABLE_COLUMN_NAME)
    {
      GtkWidget *icon = gtk_image_new ();

      gtk_label_set_width_chars (GTK_LABEL (label), 10);
      gtk_box_append (GTK_BOX (box), icon);
    }
  gtk_list_item_set_child (cell, box);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer column)
{
  FhVariable *variable = FH_VARIABLE (gtk_list_item_get_item (cell));
  GtkWidget *label = gtk_widget_get_first_child (gtk_list_item_get_child (cell));
  GtkWidget *icon = gtk_widget_get_next_sibling (label);
  const char *state = fh_variable_get_state_title (variable);

  gtk_label_set_text (GTK_LABEL (label),
                      fh_variable_column_get (variable, GPOINTER_TO_UINT (column)));
  if (icon == NULL)
    return;
  gtk_image_set_from_icon_name (GTK_IMAGE (icon),
                                fh_variable_get_state (variable) == FH_VARIABLE_NEW
                                    ? "starred-symbolic"
                                    : "document-edit-symbolic");
  gtk_widget_set_visible (icon, *state != '\0');
  gtk_widget_set_tooltip_text (icon, state);
  fh_set_accessible_label (icon, state);
}

void
fh_variable_columns_add (GtkColumnView *view)
{
  const char *const titles[FH_N_VARIABLE_COLUMNS] = {
    /* Translators: headings of a table of variables */
    [FH_VARIABLE_COLUMN_NAME] = C_ ("variables", "Name"),
    [FH_VARIABLE_COLUMN_TYPE] = C_ ("variables", "Type"),
    [FH_VARIABLE_COLUMN_SIZE] = C_ ("variables", "Size"),
    [FH_VARIABLE_COLUMN_VALUE] = C_ ("variables", "Value"),
  };

  for (guint i = 0; i < FH_N_VARIABLE_COLUMNS; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkColumnViewColumn) column = NULL;

      g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), GUINT_TO_POINTER (i));
      g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), GUINT_TO_POINTER (i));
      column = gtk_column_view_column_new (titles[i], factory);
      gtk_column_view_column_set_expand (column, i == FH_VARIABLE_COLUMN_VALUE);
      gtk_column_view_column_set_resizable (column, TRUE);
      gtk_column_view_append_column (view, column);
    }
}
