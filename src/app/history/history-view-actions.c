/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "history/history-view-private.h"
#include "parts/calls.h"
#include "parts/toasts.h"

/* A toast; that the history is read-only is also shown above the list. */
static void
show_error (FhHistoryView *self, const GError *error)
{
  fh_toast_show_problem (GTK_WIDGET (self), error->message);
  if (g_error_matches (error, FH_HISTORY_ERROR, FH_HISTORY_ERROR_READ_ONLY))
    fh_notice_bar_set_text (self->notice, error->message);
}

FhHistoryEntry *
fh_history_view_get_entry (FhHistoryView *self)
{
  return gtk_single_selection_get_selected_item (self->selection);
}

static void
activate_in_window (GtkWidget *widget, const char *action)
{
  FhHistoryEntry *entry = fh_history_view_get_entry (FH_HISTORY_VIEW (widget));

  if (entry != NULL)
    gtk_widget_activate_action (widget, action, "x", fh_history_entry_get_id (entry));
}

static void
open_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  activate_in_window (widget, "win.history-open");
}

static void
run_again_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  activate_in_window (widget, "win.history-run");
}

static void
pinned_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhHistoryView) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!fh_history_change_finish (FH_HISTORY (source), result, &error))
    show_error (self, error);
}

static void
pin_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhHistoryView *self = FH_HISTORY_VIEW (widget);
  FhHistoryEntry *entry = fh_history_view_get_entry (self);

  if (entry != NULL)
    fh_history_set_pinned_async (self->history,
                                 fh_history_entry_get_id (entry),
                                 g_str_equal (name, "history.pin"),
                                 NULL,
                                 pinned_cb,
                                 g_object_ref (self));
}

typedef struct
{
  FhHistoryView *view;
  gint64 id;
} Deletion;

static void
deletion_free (gpointer data)
{
  Deletion *deletion = data;

  g_object_unref (deletion->view);
  g_free (deletion);
}

static Deletion *
deletion_new (FhHistoryView *view, gint64 id)
{
  Deletion *deletion = g_new0 (Deletion, 1);

  deletion->view = g_object_ref (view);
  deletion->id = id;
  return deletion;
}

static void
restored_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhHistoryView) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!fh_history_change_finish (FH_HISTORY (source), result, &error))
    show_error (self, error);
}

static void
undo_cb (gpointer user_data)
{
  Deletion *deletion = user_data;

  fh_history_set_deleted_async (deletion->view->history,
                                deletion->id,
                                FALSE,
                                NULL,
                                restored_cb,
                                g_object_ref (deletion->view));
}

/* Selects the next run, so that Delete can be pressed again. */
static void
remove_run (FhHistoryView *self, gint64 id)
{
  guint position = gtk_single_selection_get_selected (self->selection);
  guint count;

  fh_history_model_remove (self->model, id);
  count = g_list_model_get_n_items (G_LIST_MODEL (self->model));
  if (position != GTK_INVALID_LIST_POSITION && count > 0)
    gtk_single_selection_set_selected (self->selection, MIN (position, count - 1));
}

static void
deleted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Deletion *deletion = user_data;
  FhHistoryView *self = deletion->view;
  g_autoptr (GError) error = NULL;

  if (!fh_history_change_finish (FH_HISTORY (source), result, &error))
    {
      show_error (self, error);
      deletion_free (deletion);
      return;
    }
  remove_run (self, deletion->id);
  fh_toast_show_undo (GTK_WIDGET (self), _ ("Run deleted"), undo_cb, deletion, deletion_free);
}

static void
delete_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhHistoryView *self = FH_HISTORY_VIEW (widget);
  FhHistoryEntry *entry = fh_history_view_get_entry (self);
  gint64 id;

  if (entry == NULL)
    return;
  id = fh_history_entry_get_id (entry);
  fh_history_set_deleted_async (self->history, id, TRUE, NULL, deleted_cb, deletion_new (self, id));
}

void
fh_history_view_update_actions (FhHistoryView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  FhHistoryEntry *entry = fh_history_view_get_entry (self);
  gboolean pinned = entry != NULL && fh_history_entry_get_pinned (entry);

  gtk_widget_action_set_enabled (widget, "history.open", entry != NULL);
  /* A batch is run again by its command, outside of a sandbox. */
  gtk_widget_action_set_enabled (widget,
                                 "history.run-again",
                                 entry != NULL && fh_history_entry_get_n_samples (entry) == 0);
  gtk_widget_action_set_enabled (widget,
                                 "history.compare",
                                 entry != NULL && fh_history_entry_get_n_samples (entry) == 0);
  gtk_widget_action_set_enabled (widget, "history.export", entry != NULL);
  gtk_widget_action_set_enabled (widget, "history.delete", entry != NULL);
  gtk_widget_action_set_enabled (widget, "history.pin", entry != NULL && !pinned);
  gtk_widget_action_set_enabled (widget, "history.unpin", pinned);
}

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

/* NULL if the entry is scrolled out of sight. */
static FhHistoryRow *
find_row (FhHistoryView *self, FhHistoryEntry *entry)
{
  for (GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (self->list)); item != NULL;
       item = gtk_widget_get_next_sibling (item))
    {
      GtkWidget *row = gtk_widget_get_first_child (item);

      if (FH_IS_HISTORY_ROW (row) && fh_history_row_get_entry (FH_HISTORY_ROW (row)) == entry)
        return FH_HISTORY_ROW (row);
    }
  return NULL;
}

static gboolean
menu_key_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  FhHistoryView *self = FH_HISTORY_VIEW (widget);
  FhHistoryEntry *entry = fh_history_view_get_entry (self);
  FhHistoryRow *row = entry != NULL ? find_row (self, entry) : NULL;

  if (row == NULL)
    return FALSE;
  popup_menu (self,
              GTK_WIDGET (row),
              gtk_widget_get_width (GTK_WIDGET (row)) / 2.0,
              gtk_widget_get_height (GTK_WIDGET (row)));
  return TRUE;
}

static void
select_entry (FhHistoryView *self, FhHistoryEntry *entry)
{
  guint count = g_list_model_get_n_items (G_LIST_MODEL (self->model));

  for (guint i = 0; i < count; i++)
    {
      g_autoptr (FhHistoryEntry) candidate = g_list_model_get_item (G_LIST_MODEL (self->model), i);

      if (candidate == entry)
        gtk_single_selection_set_selected (self->selection, i);
    }
}

void
fh_history_view_popup_menu (FhHistoryView *self, double x, double y, FhHistoryRow *row)
{
  select_entry (self, fh_history_row_get_entry (row));
  popup_menu (self, GTK_WIDGET (row), x, y);
}

void
fh_history_view_show_row (FhHistoryView *self, FhHistoryRow *row)
{
  select_entry (self, fh_history_row_get_entry (row));
  if (!fh_history_view_choose (self, fh_history_row_get_entry (row)))
    activate_in_window (GTK_WIDGET (self), "win.history-show");
}

/* Returns the focus to the row. */
static void
closed_cb (FhHistoryView *self)
{
  FhHistoryEntry *entry = fh_history_view_get_entry (self);
  FhHistoryRow *row = entry != NULL ? find_row (self, entry) : NULL;

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
  fh_connect (self->popover, "closed", closed_cb, self);
}

void
fh_history_view_class_install_actions (GtkWidgetClass *widget_class)
{
  static const struct
  {
    const char *name;
    GtkWidgetActionActivateFunc func;
  } actions[] = {
    { "history.open", open_action },
    { "history.run-again", run_again_action },
    { "history.pin", pin_action },
    { "history.unpin", pin_action },
    { "history.delete", delete_action },
    { "history.compare", fh_history_view_compare_action },
    { "history.export", fh_history_view_export_action },
    { "history.cancel-compare", fh_history_view_compare_action },
  };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i].name, NULL, actions[i].func);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Menu, 0, menu_key_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, menu_key_cb, NULL);
  /* Menus show the key that is added last, so Delete comes after KP_Delete. */
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_KP_Delete, 0, "history.delete", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Delete, 0, "history.delete", NULL);
}
