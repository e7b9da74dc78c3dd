/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "history/history-view-private.h"
#include "parts/toasts.h"

/* A sentence in passing; what will go on hindering is also kept over the list. */
static void
tell_error (FhHistoryView *self, const GError *error)
{
  fh_toast_show_problem (GTK_WIDGET (self), error->message);
  if (g_error_matches (error, FH_HISTORY_ERROR, FH_HISTORY_ERROR_READ_ONLY))
    fh_history_view_set_notice (self, error->message);
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

  if (!fh_history_set_pinned_finish (FH_HISTORY (source), result, &error))
    tell_error (self, error);
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

  if (!fh_history_restore_finish (FH_HISTORY (source), result, &error))
    tell_error (self, error);
}

static void
undo_cb (gpointer user_data)
{
  Deletion *deletion = user_data;

  fh_history_restore_async (deletion->view->history,
                            deletion->id,
                            NULL,
                            restored_cb,
                            g_object_ref (deletion->view));
}

/* The run below takes the place of the one that went, so that Delete can be pressed again. */
static void
take_out (FhHistoryView *self, gint64 id)
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

  if (!fh_history_delete_finish (FH_HISTORY (source), result, &error))
    {
      tell_error (self, error);
      deletion_free (deletion);
      return;
    }
  take_out (self, deletion->id);
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
  fh_history_delete_async (self->history, id, NULL, deleted_cb, deletion_new (self, id));
}

void
fh_history_view_update_actions (FhHistoryView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  FhHistoryEntry *entry = fh_history_view_get_entry (self);
  gboolean pinned = entry != NULL && fh_history_entry_get_pinned (entry);

  gtk_widget_action_set_enabled (widget, "history.open", entry != NULL);
  gtk_widget_action_set_enabled (widget, "history.run-again", entry != NULL);
  gtk_widget_action_set_enabled (widget, "history.delete", entry != NULL);
  gtk_widget_action_set_enabled (widget, "history.pin", entry != NULL && !pinned);
  gtk_widget_action_set_enabled (widget, "history.unpin", pinned);
}

void
fh_history_view_class_install_actions (GtkWidgetClass *widget_class)
{
  static const struct
  {
    const char *name;
    GtkWidgetActionActivateFunc func;
  } actions[] = {
    { "history.open", open_action },     { "history.run-again", run_again_action },
    { "history.pin", pin_action },       { "history.unpin", pin_action },
    { "history.delete", delete_action },
  };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i].name, NULL, actions[i].func);
}
