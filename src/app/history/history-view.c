/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history/history-view.h"

#include <glib/gi18n.h>

#include "history/history-model.h"
#include "history/history-row.h"
#include "parts/calls.h"
#include "parts/file-dialogs.h"
#include "parts/notice-bar.h"
#include "parts/run-labels.h"
#include "parts/text-file.h"
#include "parts/toasts.h"

struct _FhHistoryView
{
  AdwBin parent_instance;
  FhHistory *history;
  FhHistoryModel *model;
  GtkSingleSelection *selection;
  GtkWidget *popover;
  GArray *deleted; /* (element-type gint64) runs that Ctrl+Z brings back, the last one first */
  AdwToast *toast; /* weak: tells of the last `n_told` of them */
  guint n_told;
  gint64 compared;      /* the run that the next one is compared with; 0: none */
  gboolean is_searched; /* the search has changed, and what it finds is not shown yet */

  GtkSearchEntry *search_entry;
  FhNoticeBar *notice;
  FhNoticeBar *compare_notice;
  GtkStack *stack;
  GtkListView *list;
  GMenuModel *menu;
};

G_DEFINE_FINAL_TYPE (FhHistoryView, fh_history_view, ADW_TYPE_BIN)

/* The selected run, or NULL. */
static FhHistoryEntry *
get_entry (FhHistoryView *self)
{
  return gtk_single_selection_get_selected_item (self->selection);
}

/* A run while it is deleted, or written to a file for which it is loaded first. */
typedef struct
{
  FhHistoryView *view;
  gint64 id;
  GFile *file; /* nullable */
} Work;

static void
work_free (Work *work)
{
  g_object_unref (work->view);
  g_clear_object (&work->file);
  g_free (work);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Work, work_free)

static Work *
work_new (FhHistoryView *view, gint64 id)
{
  Work *work = g_new0 (Work, 1);

  work->view = g_object_ref (view);
  work->id = id;
  return work;
}

static void
saved_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Work) work = user_data;
  g_autoptr (GError) error = NULL;

  if (fh_text_file_save_finish (result, &error))
    fh_toast_show (GTK_WIDGET (work->view), _ ("Run exported"));
  else
    fh_toast_show_problem (GTK_WIDGET (work->view), error->message);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Work) work = user_data;
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (FhRunResult) run_result = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  GFile *file = work->file;

  if (!fh_history_load_finish (FH_HISTORY (source), result, &entry, &request, &run_result, &error))
    {
      fh_toast_show_problem (GTK_WIDGET (work->view), error->message);
      return;
    }
  text = fh_history_entry_export (entry, request, run_result);
  fh_text_file_save_async (file, text, NULL, NULL, saved_cb, g_steal_pointer (&work));
}

void
fh_history_view_export (FhHistoryView *self, gint64 id, GFile *file)
{
  Work *work = work_new (self, id);

  work->file = g_object_ref (file);
  fh_history_load_async (self->history, id, NULL, loaded_cb, work);
}

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GFile) file = fh_file_dialogs_finish (result, NULL);
  g_autofree gint64 *id = user_data;

  if (file != NULL)
    fh_history_view_export (FH_HISTORY_VIEW (source), *id, file);
}

static void
export_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhHistoryEntry *entry = get_entry (FH_HISTORY_VIEW (widget));
  g_autofree char *file_name = NULL;
  gint64 id;

  if (entry == NULL)
    return;
  id = fh_history_entry_get_id (entry);
  file_name = g_strdup_printf ("run-%" G_GINT64_FORMAT ".json", id);
  fh_file_dialogs_show_async (widget,
                              GTK_FILE_CHOOSER_ACTION_SAVE,
                              _ ("Export Run"),
                              file_name,
                              NULL,
                              chosen_cb,
                              g_memdup2 (&id, sizeof id));
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

static void
focus_selected (FhHistoryView *self)
{
  FhHistoryEntry *entry = get_entry (self);
  FhHistoryRow *row = entry != NULL ? find_row (self, entry) : NULL;

  if (row != NULL)
    gtk_widget_grab_focus (gtk_widget_get_parent (GTK_WIDGET (row)));
  else
    gtk_widget_child_focus (GTK_WIDGET (self->list), GTK_DIR_TAB_FORWARD);
}

/* A run is chosen, then the one that it is compared with: by a click or with Enter. */

static void
set_compared (FhHistoryView *self, FhHistoryEntry *entry)
{
  g_autofree char *text = NULL;

  self->compared = entry != NULL ? fh_history_entry_get_id (entry) : 0;
  if (entry != NULL)
    {
      g_autoptr (GDateTime) now = g_date_time_new_now_local ();
      g_autofree char *time = fh_run_label_time (fh_history_entry_get_started_at (entry), now);

      /* Translators: the title of a run, and when it began */
      text = g_strdup_printf (_ ("Choose the run to compare “%s” (%s) with."),
                              fh_history_entry_get_title (entry),
                              time);
    }
  fh_notice_bar_set_text (self->compare_notice, text);
}

static void
compare_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhHistoryView *self = FH_HISTORY_VIEW (widget);
  gboolean begins = g_str_equal (name, "history.compare");

  set_compared (self, begins ? get_entry (self) : NULL);
  focus_selected (self);
}

static gboolean
choose (FhHistoryView *self, FhHistoryEntry *entry)
{
  gint64 compared = self->compared;
  gint64 id = fh_history_entry_get_id (entry);

  if (compared == 0 || id == compared)
    return compared != 0;
  set_compared (self, NULL);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.history-compare", "(xx)", compared, id);
  return TRUE;
}

/* A toast; that the history is read-only is also shown above the list. */
static void
show_error (FhHistoryView *self, const GError *error)
{
  fh_toast_show_problem (GTK_WIDGET (self), error->message);
  if (g_error_matches (error, FH_HISTORY_ERROR, FH_HISTORY_ERROR_READ_ONLY))
    fh_notice_bar_set_text (self->notice, error->message);
}

static void
activate_in_window (GtkWidget *widget, const char *action)
{
  FhHistoryEntry *entry = get_entry (FH_HISTORY_VIEW (widget));

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
changed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
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
  FhHistoryEntry *entry = get_entry (self);

  if (entry != NULL)
    fh_history_set_pinned_async (self->history,
                                 fh_history_entry_get_id (entry),
                                 g_str_equal (name, "history.pin"),
                                 NULL,
                                 changed_cb,
                                 g_object_ref (self));
}

static void
restore_last (FhHistoryView *self)
{
  const gint64 id = g_array_index (self->deleted, gint64, self->deleted->len - 1);

  g_array_set_size (self->deleted, self->deleted->len - 1);
  fh_history_set_deleted_async (self->history, id, FALSE, NULL, changed_cb, g_object_ref (self));
}

static void
restore_told (GtkWidget *widget)
{
  FhHistoryView *self = FH_HISTORY_VIEW (widget);

  for (; self->n_told > 0; self->n_told--)
    restore_last (self);
}

/* One toast tells of runs that were deleted or brought back while it is shown. */
static void
tell_deleted (FhHistoryView *self, gboolean is_back)
{
  g_autofree char *text = NULL;

  if (self->toast == NULL)
    self->n_told = 0;
  if (!is_back)
    self->n_told++;
  else if (self->n_told > 0)
    self->n_told--;
  text =
      g_strdup_printf (ngettext ("%u run deleted", "%u runs deleted", self->n_told), self->n_told);
  fh_toast_replace (&self->toast,
                    self->n_told > 0
                        ? fh_toast_show_button (GTK_WIDGET (self), text, _ ("_Undo"), restore_told)
                        : NULL);
}

static void
undo_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhHistoryView *self = FH_HISTORY_VIEW (widget);

  if (self->deleted->len == 0)
    return;
  restore_last (self);
  tell_deleted (self, TRUE);
}

/* Selects the next run, so that Delete can be pressed again. */
static void
remove_run (FhHistoryView *self, gint64 id)
{
  const gboolean has_focus = gtk_widget_get_focus_child (GTK_WIDGET (self->list)) != NULL;
  guint position = gtk_single_selection_get_selected (self->selection);
  guint count;

  fh_history_model_remove (self->model, id);
  count = g_list_model_get_n_items (G_LIST_MODEL (self->model));
  if (position != GTK_INVALID_LIST_POSITION && count > 0)
    gtk_single_selection_set_selected (self->selection, MIN (position, count - 1));
  if (has_focus)
    focus_selected (self);
}

static void
deleted_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Work) work = user_data;
  FhHistoryView *self = work->view;
  g_autoptr (GError) error = NULL;

  if (!fh_history_change_finish (FH_HISTORY (source), result, &error))
    {
      show_error (self, error);
      return;
    }
  remove_run (self, work->id);
  g_array_append_val (self->deleted, work->id);
  tell_deleted (self, FALSE);
}

static void
delete_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhHistoryView *self = FH_HISTORY_VIEW (widget);
  FhHistoryEntry *entry = get_entry (self);
  gint64 id;

  if (entry == NULL)
    return;
  id = fh_history_entry_get_id (entry);
  fh_history_set_deleted_async (self->history, id, TRUE, NULL, deleted_cb, work_new (self, id));
}

static void
update_actions (FhHistoryView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  FhHistoryEntry *entry = get_entry (self);
  const gboolean pinned = entry != NULL && fh_history_entry_get_pinned (entry);
  /* A batch is run again by its command, outside of a sandbox. */
  const gboolean is_batch = entry != NULL && fh_history_entry_get_score (entry) != NULL;

  gtk_widget_action_set_enabled (widget, "history.open", entry != NULL);
  gtk_widget_action_set_enabled (widget, "history.run-again", entry != NULL && !is_batch);
  gtk_widget_action_set_enabled (widget, "history.compare", entry != NULL && !is_batch);
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
  update_actions (self);
  place = (GdkRectangle){ (int) point.x, (int) point.y, 1, 1 };
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover), &place);
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

static gboolean
menu_key_cb (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  FhHistoryView *self = FH_HISTORY_VIEW (widget);
  FhHistoryEntry *entry = get_entry (self);
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

static void
menu_requested_cb (FhHistoryView *self, double x, double y, FhHistoryRow *row)
{
  select_entry (self, fh_history_row_get_entry (row));
  popup_menu (self, GTK_WIDGET (row), x, y);
}

static void
show_row (FhHistoryView *self, FhHistoryRow *row)
{
  select_entry (self, fh_history_row_get_entry (row));
  if (!choose (self, fh_history_row_get_entry (row)))
    activate_in_window (GTK_WIDGET (self), "win.history-show");
}

static void
init_menu (FhHistoryView *self)
{
  self->popover = gtk_popover_menu_new_from_model (self->menu);
  gtk_popover_set_has_arrow (GTK_POPOVER (self->popover), FALSE);
  gtk_widget_set_halign (self->popover, GTK_ALIGN_START);
  gtk_widget_set_parent (self->popover, GTK_WIDGET (self));
  fh_connect (self->popover, "closed", focus_selected, self);
  /* Else the tooltip of the row below the pointer would cover the menu. */
  g_object_bind_property (self->popover,
                          "visible",
                          self->list,
                          "can-target",
                          G_BINDING_SYNC_CREATE | G_BINDING_INVERT_BOOLEAN);
}

static void
class_install_actions (GtkWidgetClass *widget_class)
{
  static const struct
  {
    const char *name;
    GtkWidgetActionActivateFunc func;
  } actions[] = {
    { "history.open", open_action },     { "history.run-again", run_again_action },
    { "history.pin", pin_action },       { "history.unpin", pin_action },
    { "history.delete", delete_action }, { "history.compare", compare_action },
    { "history.export", export_action }, { "history.cancel-compare", compare_action },
    { "history.undo", undo_action },
  };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i].name, NULL, actions[i].func);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Menu, 0, menu_key_cb, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, menu_key_cb, NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "win.next-pane", NULL);
  gtk_widget_class_add_binding_action (widget_class,
                                       GDK_KEY_z,
                                       GDK_CONTROL_MASK,
                                       "history.undo",
                                       NULL);
  /* Menus show the key that is added last, so Delete comes after KP_Delete. */
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_KP_Delete, 0, "history.delete", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Delete, 0, "history.delete", NULL);
}

/* The next page is loaded when fewer screens than this are left below. */
#define SCREENS_AHEAD 2

/* The rows connect to this signal, as the list creates and destroys them. */
static guint time_passed_signal;

/* The list stays where it was scrolled to, and new runs would be above what one sees. */
static void
show_newest (FhHistoryView *self)
{
  gtk_adjustment_set_value (gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list)), 0);
}

static void
update_page (FhHistoryView *self)
{
  const char *page = "list";

  if (!fh_history_model_is_loaded (self->model))
    page = "blank";
  else if (g_list_model_get_n_items (G_LIST_MODEL (self->model)) == 0)
    page = *fh_history_model_get_search (self->model) == '\0' ? "no-runs" : "nothing-found";
  gtk_stack_set_visible_child_name (self->stack, page);
  if (!self->is_searched)
    return;
  self->is_searched = FALSE;
  show_newest (self);
}

static void
problem_cb (FhHistoryView *self)
{
  const char *problem = fh_history_model_get_problem (self->model);

  if (problem != NULL)
    fh_notice_bar_set_text (self->notice, problem);
}

static void
search_changed_cb (FhHistoryView *self)
{
  self->is_searched = TRUE;
  show_newest (self);
  fh_history_model_set_search (self->model,
                               gtk_editable_get_text (GTK_EDITABLE (self->search_entry)));
}

static void
focus_list_cb (FhHistoryView *self)
{
  if (get_entry (self) == NULL)
    gtk_single_selection_set_selected (self->selection, 0);
  focus_selected (self);
}

static gboolean
search_key_cb (FhHistoryView *self, guint keyval, guint keycode, GdkModifierType state)
{
  /* The entry would take it, where the focus is when the last run was deleted. */
  if (keyval == GDK_KEY_z && (state & GDK_CONTROL_MASK) != 0 &&
      *gtk_editable_get_text (GTK_EDITABLE (self->search_entry)) == '\0')
    return gtk_widget_activate_action (GTK_WIDGET (self), "history.undo", NULL);
  if (keyval != GDK_KEY_Down && keyval != GDK_KEY_KP_Down)
    return GDK_EVENT_PROPAGATE;
  focus_list_cb (self);
  return GDK_EVENT_STOP;
}

static void
stop_search_cb (FhHistoryView *self)
{
  gtk_editable_set_text (GTK_EDITABLE (self->search_entry), "");
  focus_list_cb (self);
}

static void
activate_cb (FhHistoryView *self, guint position)
{
  gtk_single_selection_set_selected (self->selection, position);
  if (!choose (self, get_entry (self)))
    gtk_widget_activate_action (GTK_WIDGET (self), "history.open", NULL);
}

static void
scrolled_cb (FhHistoryView *self, GtkAdjustment *adjustment)
{
  double page = gtk_adjustment_get_page_size (adjustment);

  if (gtk_adjustment_get_value (adjustment) + (1 + SCREENS_AHEAD) * page >=
      gtk_adjustment_get_upper (adjustment))
    fh_history_model_load_more (self->model);
}

/* Delete removes the selected run, so the selection follows the keyboard, however that has come
 * there. */
static void
focus_cb (FhHistoryView *self)
{
  GtkWidget *item = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  GtkWidget *row = item != NULL ? gtk_widget_get_first_child (item) : NULL;

  if (FH_IS_HISTORY_ROW (row))
    select_entry (self, fh_history_row_get_entry (FH_HISTORY_ROW (row)));
}

/* Other processes may have added runs. */
static void
active_cb (FhHistoryView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (!GTK_IS_WINDOW (root) || !gtk_window_is_active (GTK_WINDOW (root)))
    return;
  fh_history_refresh_async (self->history, NULL, NULL, NULL);
  g_signal_emit (self, time_passed_signal, 0);
}

static void
setup_cb (FhHistoryView *self, GtkListItem *item)
{
  GtkWidget *row = g_object_new (FH_TYPE_HISTORY_ROW, NULL);

  fh_connect (self, "time-passed", fh_history_row_update_time, row);
  fh_connect (row, "clicked", show_row, self);
  fh_connect (row, "menu-requested", menu_requested_cb, self);
  gtk_list_item_set_child (item, row);
}

static void
bind_cb (FhHistoryView *self, GtkListItem *item)
{
  FhHistoryEntry *entry = gtk_list_item_get_item (item);

  fh_history_row_set_entry (FH_HISTORY_ROW (gtk_list_item_get_child (item)),
                            entry,
                            fh_history_is_running (self->history, fh_history_entry_get_id (entry)));
}

static void
unbind_cb (FhHistoryView *self, GtkListItem *item)
{
  fh_history_row_set_entry (FH_HISTORY_ROW (gtk_list_item_get_child (item)), NULL, FALSE);
}

static GtkListItemFactory *
new_factory (FhHistoryView *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  fh_connect (factory, "setup", setup_cb, self);
  fh_connect (factory, "bind", bind_cb, self);
  fh_connect (factory, "unbind", unbind_cb, self);
  return factory;
}

static void
fh_history_view_root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fh_history_view_parent_class)->root (widget);
  fh_connect (gtk_widget_get_root (widget), "notify::is-active", active_cb, widget);
  fh_connect (gtk_widget_get_root (widget), "notify::focus-widget", focus_cb, widget);
}

static void
fh_history_view_unroot (GtkWidget *widget)
{
  g_signal_handlers_disconnect_by_func (gtk_widget_get_root (widget), active_cb, widget);
  g_signal_handlers_disconnect_by_func (gtk_widget_get_root (widget), focus_cb, widget);
  GTK_WIDGET_CLASS (fh_history_view_parent_class)->unroot (widget);
}

static void
fh_history_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GTK_WIDGET_CLASS (fh_history_view_parent_class)->size_allocate (widget, width, height, baseline);
  gtk_popover_present (GTK_POPOVER (FH_HISTORY_VIEW (widget)->popover));
}

static void
fh_history_view_dispose (GObject *object)
{
  FhHistoryView *self = FH_HISTORY_VIEW (object);

  g_clear_pointer (&self->popover, gtk_widget_unparent);
  if (self->list != NULL)
    gtk_list_view_set_model (self->list, NULL);
  adw_bin_set_child (ADW_BIN (self), NULL);
  g_clear_object (&self->selection);
  g_clear_object (&self->model);
  g_clear_object (&self->history);
  g_clear_weak_pointer (&self->toast);
  G_OBJECT_CLASS (fh_history_view_parent_class)->dispose (object);
}

static void
fh_history_view_finalize (GObject *object)
{
  g_array_unref (FH_HISTORY_VIEW (object)->deleted);
  G_OBJECT_CLASS (fh_history_view_parent_class)->finalize (object);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  g_type_ensure (FH_TYPE_NOTICE_BAR);
  fh_set_template (widget_class, "history/history-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FhHistoryView, search_entry);
  gtk_widget_class_bind_template_child (widget_class, FhHistoryView, notice);
  gtk_widget_class_bind_template_child (widget_class, FhHistoryView, compare_notice);
  gtk_widget_class_bind_template_child (widget_class, FhHistoryView, stack);
  gtk_widget_class_bind_template_child (widget_class, FhHistoryView, list);
  gtk_widget_class_bind_template_child (widget_class, FhHistoryView, menu);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_key_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_search_cb);
  gtk_widget_class_bind_template_callback (widget_class, focus_list_cb);
}

/* Takes the focus also while the sidebar is about to be shown, when the keyboard cannot be moved
 * into it. */
static gboolean
fh_history_view_grab_focus (GtkWidget *widget)
{
  GtkEditable *entry = GTK_EDITABLE (FH_HISTORY_VIEW (widget)->search_entry);

  show_newest (FH_HISTORY_VIEW (widget));
  /* The old search is selected, so that typing replaces it. */
  gtk_editable_select_region (entry, 0, -1);
  return gtk_widget_grab_focus (GTK_WIDGET (entry));
}

static void
fh_history_view_class_init (FhHistoryViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = fh_history_view_dispose;
  object_class->finalize = fh_history_view_finalize;
  widget_class->root = fh_history_view_root;
  widget_class->unroot = fh_history_view_unroot;
  widget_class->grab_focus = fh_history_view_grab_focus;
  widget_class->size_allocate = fh_history_view_size_allocate;

  time_passed_signal = fh_signal_new ("time-passed", FH_TYPE_HISTORY_VIEW, 0);
  bind_template (widget_class);
  class_install_actions (widget_class);
}

static void
fh_history_view_init (FhHistoryView *self)
{
  self->deleted = g_array_new (FALSE, FALSE, sizeof (gint64));
  gtk_widget_init_template (GTK_WIDGET (self));
  fh_allocate_all (self->stack, "notify::visible-child", self->stack);
  init_menu (self);
}

static void
connect_signals (FhHistoryView *self)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list));

  fh_connect (adjustment, "value-changed", scrolled_cb, self);
  fh_connect (adjustment, "changed", scrolled_cb, self);
  fh_connect (self->model, "items-changed", update_page, self);
  fh_connect (self->model, "loaded", update_page, self);
  fh_connect (self->model, "problem", problem_cb, self);
  fh_connect (self->list, "activate", activate_cb, self);
  fh_connect (self->selection, "notify::selected-item", update_actions, self);
  fh_connect (self->history, "notice", fh_notice_bar_set_text, self->notice);
}

GtkWidget *
fh_history_view_new (FhHistory *history)
{
  FhHistoryView *self;
  g_autoptr (GtkListItemFactory) factory = NULL;

  g_return_val_if_fail (FH_IS_HISTORY (history), NULL);

  self = g_object_new (FH_TYPE_HISTORY_VIEW, NULL);
  self->history = g_object_ref (history);
  self->model = fh_history_model_new (history);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->model)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  factory = new_factory (self);
  gtk_list_view_set_factory (self->list, factory);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  connect_signals (self);
  update_page (self);
  update_actions (self);
  return GTK_WIDGET (self);
}

void
fh_history_view_set_notice (FhHistoryView *self, const char *notice)
{
  g_return_if_fail (FH_IS_HISTORY_VIEW (self));

  fh_notice_bar_set_text (self->notice, notice);
}

void
fh_history_view_set_search (FhHistoryView *self, const char *text)
{
  g_return_if_fail (FH_IS_HISTORY_VIEW (self));
  g_return_if_fail (text != NULL);

  gtk_editable_set_text (GTK_EDITABLE (self->search_entry), text);
}
