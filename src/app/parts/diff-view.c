/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/diff-view.h"

#include <glib/gi18n.h>

#include "parts/calls.h"
#include "parts/diff-line.h"

struct _FhDiffView
{
  AdwBin parent_instance;
  GListStore *rows;   /* those that are in sight */
  GHashTable *closed; /* heading → (GPtrArray) the rows below it */
  GtkSingleSelection *selection;
  GtkListView *list;
  gboolean stacked;
  guint turning; /* source */
};

static GParamSpec *stacked_property;

G_DEFINE_FINAL_TYPE (FhDiffView, fh_diff_view, ADW_TYPE_BIN)

static FhDiffRow *
get_row (FhDiffView *self, guint position)
{
  g_autoptr (FhDiffRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), position);

  return row; /* the store has it */
}

static guint
n_rows (FhDiffView *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->rows));
}

/* Returns the row behind the last one of the heading. */
static guint
section_end (FhDiffView *self, guint heading)
{
  guint end = heading + 1;

  while (end < n_rows (self) &&
         fh_diff_row_get_facts (get_row (self, end))->kind != FH_DIFF_ROW_HEADING)
    end++;
  return end;
}

static void
replace (FhDiffView *self, guint position, guint n_removed, GPtrArray *rows)
{
  g_list_store_splice (self->rows,
                       position,
                       n_removed,
                       rows != NULL ? rows->pdata : NULL,
                       rows != NULL ? rows->len : 0);
}

static void
close_heading (FhDiffView *self, guint position)
{
  guint end = section_end (self, position);
  GPtrArray *below = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = position + 1; i < end; i++)
    g_ptr_array_add (below, g_object_ref (get_row (self, i)));
  g_hash_table_insert (self->closed, g_object_ref (get_row (self, position)), below);
  replace (self, position + 1, end - position - 1, NULL);
}

/* Shows the arrow anew. */
static void
refresh (FhDiffView *self, guint position)
{
  g_autoptr (FhDiffRow) row = g_object_ref (get_row (self, position));
  g_autoptr (GPtrArray) rows = g_ptr_array_new ();

  g_ptr_array_add (rows, row);
  replace (self, position, 1, rows);
}

static void
toggle_heading (FhDiffView *self, guint position)
{
  FhDiffRow *heading = get_row (self, position);
  GPtrArray *below = g_hash_table_lookup (self->closed, heading);

  if (below != NULL)
    {
      replace (self, position + 1, 0, below);
      g_hash_table_remove (self->closed, heading);
    }
  else
    close_heading (self, position);
  refresh (self, position);
}

static void
activate_cb (FhDiffView *self, guint position)
{
  FhDiffRow *row = get_row (self, position);
  FhDiffRowKind kind = fh_diff_row_get_facts (row)->kind;

  if (kind == FH_DIFF_ROW_HEADING)
    toggle_heading (self, position);
  else if (kind == FH_DIFF_ROW_GAP)
    {
      g_autoptr (GPtrArray) opened = fh_diff_row_open (row);

      replace (self, position, 1, opened);
    }
  gtk_single_selection_set_selected (self->selection, position);
}

static gboolean
differs (FhDiffView *self, guint position)
{
  FhDiffRow *row = get_row (self, position);

  return fh_diff_row_get_facts (row)->kind == FH_DIFF_ROW_LINE &&
         fh_diff_row_get_facts (row)->differs;
}

/* Moves the focus to the row from which the arrow keys go on. */
static void
focus_row (FhDiffView *self, FhDiffRow *row)
{
  for (GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (self->list)); item != NULL;
       item = gtk_widget_get_next_sibling (item))
    {
      GtkWidget *line = gtk_widget_get_first_child (item);

      if (FH_IS_DIFF_LINE (line) && fh_diff_line_get_row (FH_DIFF_LINE (line)) == row)
        gtk_widget_grab_focus (item);
    }
}

/* The first line of a difference before or behind the selected line. */
static void
move_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhDiffView *self = FH_DIFF_VIEW (widget);
  int step = g_str_equal (name, "diff.next") ? 1 : -1;
  guint selected = gtk_single_selection_get_selected (self->selection);
  gint64 position = selected == GTK_INVALID_LIST_POSITION ? -1 : (gint64) selected;

  if (selected == GTK_INVALID_LIST_POSITION && step < 0)
    position = n_rows (self);
  for (position += step; position >= 0 && position < n_rows (self); position += step)
    {
      guint at = (guint) position;

      if (!differs (self, at) || (at > 0 && differs (self, at - 1)))
        continue;
      gtk_single_selection_set_selected (self->selection, at);
      gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", at);
      focus_row (self, get_row (self, at));
      return;
    }
  gtk_widget_error_bell (widget);
}

static void
copy_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FhDiffRow *row = gtk_single_selection_get_selected_item (FH_DIFF_VIEW (widget)->selection);
  const char *text = NULL;

  if (row == NULL || fh_diff_row_get_facts (row)->kind != FH_DIFF_ROW_LINE)
    return;
  text = fh_diff_row_get_facts (row)->cells[1].text;
  if (text == NULL)
    text = fh_diff_row_get_facts (row)->cells[0].text;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

/* Headings and gaps are pressed like buttons. GTK's lists can do so for all their rows only, which
 * are then selected under the pointer. */
static void
pressed_cb (FhDiffView *self, int n_press, double x, double y, GtkGesture *gesture)
{
  GtkWidget *line = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  FhDiffRow *row = fh_diff_line_get_row (FH_DIFF_LINE (line));
  guint position;

  if (row == NULL || fh_diff_row_get_facts (row)->kind == FH_DIFF_ROW_LINE ||
      !g_list_store_find (self->rows, row, &position))
    return;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
  activate_cb (self, position);
}

static void
setup_cb (FhDiffView *self, GtkListItem *item)
{
  GtkWidget *line = g_object_new (FH_TYPE_DIFF_LINE, NULL);
  GtkGesture *gesture = gtk_gesture_click_new ();

  fh_connect (gesture, "pressed", pressed_cb, self);
  gtk_widget_add_controller (line, GTK_EVENT_CONTROLLER (gesture));
  fh_bind (self, "stacked", line, "stacked");
  gtk_list_item_set_child (item, line);
}

static void
bind_cb (FhDiffView *self, GtkListItem *item)
{
  FhDiffRow *row = gtk_list_item_get_item (item);

  fh_diff_line_set_row (FH_DIFF_LINE (gtk_list_item_get_child (item)),
                        row,
                        !g_hash_table_contains (self->closed, row));
}

static void
unbind_cb (FhDiffView *self, GtkListItem *item)
{
  fh_diff_line_set_row (FH_DIFF_LINE (gtk_list_item_get_child (item)), NULL, FALSE);
}

/* Turns later, as it must not while sizes are being set. */
static gboolean
turn_cb (gpointer user_data)
{
  FhDiffView *self = FH_DIFF_VIEW (user_data);

  self->turning = 0;
  self->stacked = gtk_widget_get_width (GTK_WIDGET (self)) < FH_DIFF_VIEW_NARROW;
  g_object_notify_by_pspec (G_OBJECT (self), stacked_property);
  return G_SOURCE_REMOVE;
}

static void
width_cb (FhDiffView *self, GParamSpec *property, GtkAdjustment *adjustment)
{
  gboolean is_narrow = gtk_adjustment_get_page_size (adjustment) < FH_DIFF_VIEW_NARROW;

  if (self->stacked != is_narrow && self->turning == 0)
    self->turning = g_idle_add_full (G_PRIORITY_HIGH_IDLE, turn_cb, self, NULL);
}

static void
fh_diff_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boolean (value, FH_DIFF_VIEW (object)->stacked);
}

static void
fh_diff_view_dispose (GObject *object)
{
  FhDiffView *self = FH_DIFF_VIEW (object);

  g_clear_handle_id (&self->turning, g_source_remove);
  if (self->list != NULL)
    gtk_list_view_set_model (self->list, NULL);
  self->list = NULL;
  adw_bin_set_child (ADW_BIN (self), NULL);
  g_clear_object (&self->selection);
  g_clear_object (&self->rows);
  g_clear_pointer (&self->closed, g_hash_table_unref);
  G_OBJECT_CLASS (fh_diff_view_parent_class)->dispose (object);
}

static void
fh_diff_view_class_init (FhDiffViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = fh_diff_view_get_property;
  object_class->dispose = fh_diff_view_dispose;
  stacked_property = g_param_spec_boolean ("stacked", NULL, NULL, FALSE, FH_PARAM_READ);
  g_object_class_install_property (object_class, 1, stacked_property);

  gtk_widget_class_install_action (widget_class, "diff.next", NULL, move_action);
  gtk_widget_class_install_action (widget_class, "diff.previous", NULL, move_action);
  gtk_widget_class_install_action (widget_class, "diff.copy", NULL, copy_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Down, GDK_ALT_MASK, "diff.next", NULL);
  gtk_widget_class_add_binding_action (widget_class,
                                       GDK_KEY_Up,
                                       GDK_ALT_MASK,
                                       "diff.previous",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class,
                                       GDK_KEY_c,
                                       GDK_CONTROL_MASK,
                                       "diff.copy",
                                       NULL);
}

static void
fh_diff_view_init (FhDiffView *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->rows = g_list_store_new (FH_TYPE_DIFF_ROW);
  self->closed =
      g_hash_table_new_full (NULL, NULL, g_object_unref, (GDestroyNotify) g_ptr_array_unref);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->rows)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  fh_connect (factory, "setup", setup_cb, self);
  fh_connect (factory, "bind", bind_cb, self);
  fh_connect (factory, "unbind", unbind_cb, self);
  self->list = GTK_LIST_VIEW (
      gtk_list_view_new (GTK_SELECTION_MODEL (g_object_ref (self->selection)), factory));
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "diff");
  fh_set_accessible_label (self->list, _ ("Differences"));
  fh_connect (self->list, "activate", activate_cb, self);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller),
                                  GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->list));
  fh_connect (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scroller)),
              "notify::page-size",
              width_cb,
              self);
  adw_bin_set_child (ADW_BIN (self), scroller);
}

void
fh_diff_view_set_rows (FhDiffView *self, GPtrArray *rows)
{
  g_return_if_fail (FH_IS_DIFF_VIEW (self) && rows != NULL);

  g_hash_table_remove_all (self->closed);
  replace (self, 0, n_rows (self), rows);
  for (guint i = 0; i < n_rows (self); i++)
    {
      FhDiffRow *row = get_row (self, i);

      if (fh_diff_row_get_facts (row)->kind == FH_DIFF_ROW_HEADING &&
          !fh_diff_row_get_facts (row)->differs)
        {
          close_heading (self, i);
          refresh (self, i);
        }
    }
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
}
