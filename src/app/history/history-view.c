/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "history/history-view-private.h"

#include "parts/calls.h"

/* The next page is loaded when fewer screens than this are left below. */
#define SCREENS_AHEAD 2

G_DEFINE_FINAL_TYPE (FhHistoryView, fh_history_view, ADW_TYPE_BIN)

/* The rows connect to this signal, as the list creates and destroys them. */
static guint time_passed_signal;

static void
update_page (FhHistoryView *self)
{
  const char *page = "list";

  if (!fh_history_model_is_loaded (self->model))
    page = "blank";
  else if (g_list_model_get_n_items (G_LIST_MODEL (self->model)) == 0)
    page = *fh_history_model_get_search (self->model) == '\0' ? "no-runs" : "nothing-found";
  gtk_stack_set_visible_child_name (self->stack, page);
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
  fh_history_model_set_search (self->model,
                               gtk_editable_get_text (GTK_EDITABLE (self->search_entry)));
}

static void
focus_list_cb (FhHistoryView *self)
{
  if (fh_history_view_get_entry (self) == NULL)
    gtk_single_selection_set_selected (self->selection, 0);
  gtk_widget_child_focus (GTK_WIDGET (self->list), GTK_DIR_TAB_FORWARD);
}

static gboolean
search_key_cb (FhHistoryView *self, guint keyval, guint keycode, GdkModifierType state)
{
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
  if (!fh_history_view_choose (self, fh_history_view_get_entry (self)))
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
  GtkWidget *row = fh_history_row_new ();

  fh_connect (self, "time-passed", fh_history_row_update_time, row);
  fh_connect (row, "clicked", fh_history_view_show_row, self);
  fh_connect (row, "menu-requested", fh_history_view_popup_menu, self);
  gtk_list_item_set_child (item, row);
}

static void
bind_cb (FhHistoryView *self, GtkListItem *item)
{
  fh_history_row_set_entry (FH_HISTORY_ROW (gtk_list_item_get_child (item)),
                            gtk_list_item_get_item (item));
}

static void
unbind_cb (FhHistoryView *self, GtkListItem *item)
{
  fh_history_row_set_entry (FH_HISTORY_ROW (gtk_list_item_get_child (item)), NULL);
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
}

static void
fh_history_view_unroot (GtkWidget *widget)
{
  g_signal_handlers_disconnect_by_func (gtk_widget_get_root (widget), active_cb, widget);
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
  G_OBJECT_CLASS (fh_history_view_parent_class)->dispose (object);
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
  widget_class->root = fh_history_view_root;
  widget_class->unroot = fh_history_view_unroot;
  widget_class->grab_focus = fh_history_view_grab_focus;
  widget_class->size_allocate = fh_history_view_size_allocate;

  time_passed_signal = fh_signal_new ("time-passed", FH_TYPE_HISTORY_VIEW, 0);
  bind_template (widget_class);
  fh_history_view_class_install_actions (widget_class);
}

static void
fh_history_view_init (FhHistoryView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fh_allocate_all (self->stack, "notify::visible-child", self->stack);
  fh_history_view_init_menu (self);
}

static void
connect_signals (FhHistoryView *self)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list));

  fh_connect (adjustment, "value-changed", scrolled_cb, self);
  fh_connect (adjustment, "changed", scrolled_cb, self);
  fh_connect (self->model, "items-changed", update_page, self);
  fh_connect (self->model, "notify::loaded", update_page, self);
  fh_connect (self->model, "notify::problem", problem_cb, self);
  fh_connect (self->list, "activate", activate_cb, self);
  fh_connect (self->selection, "notify::selected-item", fh_history_view_update_actions, self);
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
  fh_history_view_update_actions (self);
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
