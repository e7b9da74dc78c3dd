/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history/history-view-private.h"

static void
popup_menu (FhHistoryView *self, GtkWidget *row, double x, double y)
{
  graphene_point_t point;
  GdkRectangle place;

  if (!gtk_widget_compute_point (row,
                                 GTK_WIDGET (self),
                                 &GRAPHENE_POINT_INIT ((float) x, (float) y),
                                 &point))
    return;
  fh_history_view_update_actions (self);
  place = (GdkRectangle){ (int) point.x, (int) point.y, 1, 1 };
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover), &place);
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

static FhHistoryRow *
row_of_entry (FhHistoryView *self, FhHistoryEntry *entry)
{
  for (guint i = 0; i < self->rows->len; i++)
    if (fh_history_row_get_entry (g_ptr_array_index (self->rows, i)) == entry)
      return g_ptr_array_index (self->rows, i);
  return NULL;
}

/* The menu key: at the chosen row. */
static gboolean
menu_key_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  FhHistoryView *self = FH_HISTORY_VIEW (widget);
  FhHistoryEntry *entry = fh_history_view_get_entry (self);
  FhHistoryRow *row = entry != NULL ? row_of_entry (self, entry) : NULL;

  if (row == NULL)
    return FALSE;
  popup_menu (self,
              GTK_WIDGET (row),
              gtk_widget_get_width (GTK_WIDGET (row)) / 2.0,
              gtk_widget_get_height (GTK_WIDGET (row)));
  return TRUE;
}

void
fh_history_view_menu_requested_cb (FhHistoryView *self, double x, double y, FhHistoryRow *row)
{
  FhHistoryEntry *entry = fh_history_row_get_entry (row);
  guint count = g_list_model_get_n_items (G_LIST_MODEL (self->model));

  for (guint i = 0; i < count; i++)
    {
      g_autoptr (FhHistoryEntry) candidate = g_list_model_get_item (G_LIST_MODEL (self->model), i);

      if (candidate != entry)
        continue;
      gtk_single_selection_set_selected (self->selection, i);
      popup_menu (self, GTK_WIDGET (row), x, y);
      return;
    }
}

/* Back to the row, so that the keyboard goes on where it was. */
static void
closed_cb (FhHistoryView *self)
{
  FhHistoryEntry *entry = fh_history_view_get_entry (self);
  FhHistoryRow *row = entry != NULL ? row_of_entry (self, entry) : NULL;

  if (row != NULL)
    gtk_widget_grab_focus (gtk_widget_get_parent (GTK_WIDGET (row)));
}

void
fh_history_view_init_menu (FhHistoryView *self)
{
  self->popover = gtk_popover_menu_new_from_model (self->menu);
  gtk_popover_set_has_arrow (GTK_POPOVER (self->popover), FALSE);
  gtk_widget_set_halign (self->popover, GTK_ALIGN_START);
  gtk_widget_set_parent (self->popover, GTK_WIDGET (self));
  g_signal_connect_object (self->popover,
                           "closed",
                           G_CALLBACK (closed_cb),
                           self,
                           G_CONNECT_SWAPPED);
}

void
fh_history_view_class_install_menu (GtkWidgetClass *widget_class)
{
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Menu, 0, menu_key_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, menu_key_cb, NULL);
}
