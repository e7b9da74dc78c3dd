/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "files/table-columns.h"

/* Characters; longer cells are cut, and shown whole by their tooltip. */
#define MAX_WIDTH 40

/* A row of the view is no more than its number. */
static const char table_key[] = "fh-file-table";

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MAX_WIDTH);
  gtk_label_set_single_line_mode (GTK_LABEL (label), TRUE);
  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

/* Plain text: the program has written it. */
static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
  const FhFileTable *table = g_object_get_data (G_OBJECT (factory), table_key);
  GtkWidget *label = gtk_list_item_get_child (item);
  const char *text =
      fh_file_table_get (table, gtk_list_item_get_position (item) + 1, GPOINTER_TO_UINT (column));

  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, g_utf8_strlen (text, -1) > MAX_WIDTH ? text : NULL);
}

static void
add_column (GtkColumnView *view, const FhFileTable *table, guint number)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column =
      gtk_column_view_column_new (fh_file_table_get (table, 0, number), factory);

  /* The view keeps the table longer than its columns. */
  g_object_set_data (G_OBJECT (factory), table_key, (gpointer) table);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), GUINT_TO_POINTER (number));
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_append_column (view, column);
}

static void
clear (GtkColumnView *view)
{
  GListModel *columns = gtk_column_view_get_columns (view);

  gtk_column_view_set_model (view, NULL);
  while (g_list_model_get_n_items (columns) > 0)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, 0);

      gtk_column_view_remove_column (view, column);
    }
  g_object_set_data (G_OBJECT (view), table_key, NULL);
}

void
fh_table_columns_show (GtkColumnView *view, FhFileTable *table)
{
  GtkStringList *rows;
  GtkSelectionModel *selection;

  g_return_if_fail (GTK_IS_COLUMN_VIEW (view));

  clear (view);
  if (table == NULL)
    return;
  g_object_set_data_full (G_OBJECT (view), table_key, table, (GDestroyNotify) fh_file_table_free);
  for (guint i = 0; i < table->n_columns; i++)
    add_column (view, table, i);
  rows = gtk_string_list_new (NULL);
  for (guint i = 1; i < table->rows->len; i++)
    gtk_string_list_append (rows, "");
  selection = GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (rows)));
  gtk_column_view_set_model (view, selection);
  g_object_unref (selection);
}
