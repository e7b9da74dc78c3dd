/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/option-rows.h"

#include <adwaita.h>

#include "parts/limit-row.h"

/* The property of a widget that is bound: the first of these that it has. */
static const char *const members[] = {
  "path", "value", "selected", "active", "enable-expansion", "text", "label",
};

static void
problem_cb (FhLimitRow *row, GParamSpec *pspec, FhOptions *options)
{
  fh_options_set_problem (options, fh_limit_row_get_option (row), fh_limit_row_get_problem (row));
}

/* A text that cannot be used goes with its row: the value is what it was. */
static void
destroy_cb (FhLimitRow *row, FhOptions *options)
{
  if (fh_limit_row_get_problem (row) != NULL)
    fh_options_set_problem (options, fh_limit_row_get_option (row), NULL);
}

static const char *
find_member (GObject *object)
{
  for (guint i = 0; i < G_N_ELEMENTS (members); i++)
    {
      if (g_object_class_find_property (G_OBJECT_GET_CLASS (object), members[i]) != NULL)
        return members[i];
    }
  return NULL;
}

static void
bind (GtkWidget *widget, FhOptions *options)
{
  const char *name = gtk_widget_get_name (widget);
  gboolean inverts = *name == '!';
  GParamSpec *property =
      g_object_class_find_property (G_OBJECT_GET_CLASS (options), inverts ? name + 1 : name);
  GObject *shown = G_OBJECT (widget);
  GBindingFlags flags = G_BINDING_SYNC_CREATE;

  if (property == NULL || g_object_get_data (shown, "fh-bound") != NULL)
    return;
  g_object_set_data (shown, "fh-bound", options);
  if (property->flags & G_PARAM_WRITABLE)
    flags |= G_BINDING_BIDIRECTIONAL;
  if (inverts)
    flags |= G_BINDING_INVERT_BOOLEAN;
  g_object_bind_property (options, property->name, shown, find_member (shown), flags);
  if (FH_IS_LIMIT_ROW (widget))
    {
      g_signal_connect_object (widget, "notify::problem", G_CALLBACK (problem_cb), options, 0);
      g_signal_connect_object (widget, "destroy", G_CALLBACK (destroy_cb), options, 0);
    }
}

void
fh_option_rows_bind (GtkWidget *root, FhOptions *options)
{
  g_return_if_fail (GTK_IS_WIDGET (root));
  g_return_if_fail (FH_IS_OPTIONS (options));

  bind (root, options);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    fh_option_rows_bind (child, options);
}

GtkWidget *
fh_option_rows_new_limit (const FhRunOption *option)
{
  GtkWidget *row = fh_limit_row_new (option);

  gtk_widget_set_name (row, fh_options_property (option));
  return row;
}

void
fh_option_rows_insert_after (GtkWidget *row, GtkWidget *previous)
{
  GtkWidget *list = gtk_widget_get_parent (previous);

  gtk_list_box_insert (GTK_LIST_BOX (list),
                       row,
                       gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (previous)) + 1);
}

static GtkWidget *
find_named (GtkWidget *root, const char *name)
{
  GtkWidget *found = g_str_equal (gtk_widget_get_name (root), name) ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_named (child, name);
  return found;
}

/* Opens what it is in, from the inside on. */
static void
reveal (GtkWidget *widget, GtkWidget *root)
{
  for (GtkWidget *parent = gtk_widget_get_parent (widget); parent != NULL && widget != root;
       widget = parent, parent = gtk_widget_get_parent (widget))
    {
      if (ADW_IS_EXPANDER_ROW (parent))
        adw_expander_row_set_expanded (ADW_EXPANDER_ROW (parent), TRUE);
      else if (GTK_IS_MENU_BUTTON (parent))
        gtk_menu_button_popup (GTK_MENU_BUTTON (parent));
    }
}

/* Focuses a row once it has its place, and scrolls so that it is in the middle. */
static gboolean
focus_cb (GtkWidget *row, GdkFrameClock *clock, gpointer user_data)
{
  GtkWidget *view = gtk_widget_get_ancestor (row, GTK_TYPE_VIEWPORT);
  graphene_rect_t place;

  if (gtk_widget_get_height (row) == 0)
    return G_SOURCE_CONTINUE;
  gtk_widget_grab_focus (row);
  if (view != NULL && gtk_widget_compute_bounds (row, gtk_widget_get_first_child (view), &place))
    {
      GtkAdjustment *at = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (view));
      const double middle = place.origin.y + place.size.height / 2;

      gtk_adjustment_set_value (at, middle - gtk_adjustment_get_page_size (at) / 2);
    }
  return G_SOURCE_REMOVE;
}

gboolean
fh_option_rows_show (GtkWidget *root, const char *key, const char *value)
{
  const FhRunOption *option;
  g_autofree char *name = NULL;
  GtkWidget *row;

  g_return_val_if_fail (GTK_IS_WIDGET (root), FALSE);
  g_return_val_if_fail (key != NULL && value != NULL, FALSE);

  option = fh_run_option_find (key);
  if (option == NULL)
    return FALSE;
  name = option->kind == FH_OPTION_GUARDS ? g_strconcat ("without-", value, NULL)
                                          : g_strdup (fh_options_property (option));
  row = find_named (root, name);
  if (row == NULL)
    return FALSE;
  reveal (row, root);
  gtk_widget_add_tick_callback (row, focus_cb, NULL, NULL);
  return TRUE;
}
