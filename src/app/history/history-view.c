/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "history/history-view-private.h"

/* The next page is asked for when this many screens are left. */
#define SCREENS_AHEAD 2

G_DEFINE_FINAL_TYPE (FhHistoryView, fh_history_view, ADW_TYPE_BIN)

enum
{
  PROP_0,
  PROP_NOTICE,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

FhHistoryEntry *
fh_history_view_get_entry (FhHistoryView *self)
{
  return gtk_single_selection_get_selected_item (self->selection);
}

void
fh_history_view_set_notice (FhHistoryView *self, const char *notice)
{
  fh_notice_bar_set_text (self->notice, notice);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_NOTICE]);
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
}

static void
problem_cb (FhHistoryView *self)
{
  const char *problem = fh_history_model_get_problem (self->model);

  if (problem != NULL)
    fh_history_view_set_notice (self, problem);
}

static void
notice_cb (FhHistoryView *self, const char *sentence)
{
  fh_history_view_set_notice (self, sentence);
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

/* Another process may have run something meanwhile. */
static void
look_again (FhHistoryView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (!GTK_IS_WINDOW (root) || !gtk_window_is_active (GTK_WINDOW (root)))
    return;
  fh_history_refresh_async (self->history, NULL, NULL, NULL);
  for (guint i = 0; i < self->rows->len; i++)
    fh_history_row_update_time (g_ptr_array_index (self->rows, i));
}

static void
setup_cb (FhHistoryView *self, GtkListItem *item)
{
  GtkWidget *row = fh_history_row_new ();

  g_ptr_array_add (self->rows, row);
  g_signal_connect_object (row,
                           "menu-requested",
                           G_CALLBACK (fh_history_view_menu_requested_cb),
                           self,
                           G_CONNECT_SWAPPED);
  gtk_list_item_set_child (item, row);
}

static void
teardown_cb (FhHistoryView *self, GtkListItem *item)
{
  g_ptr_array_remove (self->rows, gtk_list_item_get_child (item));
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

  g_signal_connect_object (factory, "setup", G_CALLBACK (setup_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (factory, "teardown", G_CALLBACK (teardown_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind_cb), self, G_CONNECT_SWAPPED);
  return factory;
}

static void
fh_history_view_root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fh_history_view_parent_class)->root (widget);
  g_signal_connect_object (gtk_widget_get_root (widget),
                           "notify::is-active",
                           G_CALLBACK (look_again),
                           widget,
                           G_CONNECT_SWAPPED);
}

static void
fh_history_view_unroot (GtkWidget *widget)
{
  g_signal_handlers_disconnect_by_func (gtk_widget_get_root (widget), look_again, widget);
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
fh_history_view_finalize (GObject *object)
{
  g_ptr_array_unref (FH_HISTORY_VIEW (object)->rows);
  G_OBJECT_CLASS (fh_history_view_parent_class)->finalize (object);
}

static void
fh_history_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_assert (id == PROP_NOTICE);
  g_object_get_property (G_OBJECT (FH_HISTORY_VIEW (object)->notice), "text", value);
}

static void
fh_history_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  g_assert (id == PROP_NOTICE);
  fh_history_view_set_notice (FH_HISTORY_VIEW (object), g_value_get_string (value));
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  g_type_ensure (FH_TYPE_NOTICE_BAR);
  gtk_widget_class_set_template_from_resource (
      widget_class,
      "/io/github/fumehood/Fumehood/history/history-view.ui");
  gtk_widget_class_bind_template_child (widget_class, FhHistoryView, search_entry);
  gtk_widget_class_bind_template_child (widget_class, FhHistoryView, notice);
  gtk_widget_class_bind_template_child (widget_class, FhHistoryView, stack);
  gtk_widget_class_bind_template_child (widget_class, FhHistoryView, list);
  gtk_widget_class_bind_template_child (widget_class, FhHistoryView, menu);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_key_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_search_cb);
  gtk_widget_class_bind_template_callback (widget_class, focus_list_cb);
}

static void
fh_history_view_class_init (FhHistoryViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = fh_history_view_dispose;
  object_class->finalize = fh_history_view_finalize;
  object_class->get_property = fh_history_view_get_property;
  object_class->set_property = fh_history_view_set_property;
  widget_class->root = fh_history_view_root;
  widget_class->unroot = fh_history_view_unroot;
  widget_class->size_allocate = fh_history_view_size_allocate;

  properties[PROP_NOTICE] =
      g_param_spec_string ("notice",
                           NULL,
                           NULL,
                           NULL,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  bind_template (widget_class);
  fh_history_view_class_install_actions (widget_class);
  fh_history_view_class_install_menu (widget_class);
  /* The key that was added last is the one that the menu shows. */
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_KP_Delete, 0, "history.delete", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Delete, 0, "history.delete", NULL);
}

static void
fh_history_view_init (FhHistoryView *self)
{
  self->rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  fh_history_view_init_menu (self);
}

static void
watch_model (FhHistoryView *self)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->list));

  g_signal_connect_object (adjustment,
                           "value-changed",
                           G_CALLBACK (scrolled_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment,
                           "changed",
                           G_CALLBACK (scrolled_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model,
                           "items-changed",
                           G_CALLBACK (update_page),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model,
                           "notify::loaded",
                           G_CALLBACK (update_page),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model,
                           "notify::problem",
                           G_CALLBACK (problem_cb),
                           self,
                           G_CONNECT_SWAPPED);
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
  g_signal_connect_object (self->list,
                           "activate",
                           G_CALLBACK (activate_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->selection,
                           "notify::selected-item",
                           G_CALLBACK (fh_history_view_update_actions),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (history, "notice", G_CALLBACK (notice_cb), self, G_CONNECT_SWAPPED);
  watch_model (self);
  update_page (self);
  fh_history_view_update_actions (self);
  return GTK_WIDGET (self);
}

void
fh_history_view_begin_search (FhHistoryView *self)
{
  g_return_if_fail (FH_IS_HISTORY_VIEW (self));

  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}
