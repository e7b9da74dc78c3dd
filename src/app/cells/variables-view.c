/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cells/variables-view.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cells/variable-columns.h"
#include "json-member.h"
#include "parts/calls.h"

/* At most so many rows of one answer are shown. */
#define MAX_ROWS 1000

struct _FhVariablesView
{
  AdwBin parent_instance;
  GListStore *variables; /* of FhVariable */
  GtkFilterListModel *filtered;
  GHashTable *changes; /* name → FhVariableState */
  char *search;        /* folded; nullable */
  gboolean with_all;
  gboolean is_active;

  GtkSearchBar *search_bar;
  GtkEditable *search_entry;
  GtkStack *stack;
  AdwStatusPage *empty;
  GtkColumnView *table;
  GtkLabel *left_out;
};

static void init_page (FhResultPageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FhVariablesView,
                               fh_variables_view,
                               ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (FH_TYPE_RESULT_PAGE, init_page))

static GParamSpec *with_all_property;

static guint refresh_signal;

static gboolean
contains (FhVariable *variable, FhVariableColumn column, const char *folded)
{
  g_autofree char *text = g_utf8_casefold (fh_variable_column_get (variable, column), -1);

  return strstr (text, folded) != NULL;
}

static gboolean
filter_cb (gpointer item, gpointer user_data)
{
  FhVariablesView *self = FH_VARIABLES_VIEW (user_data);

  return self->search == NULL || contains (item, FH_VARIABLE_COLUMN_NAME, self->search) ||
         contains (item, FH_VARIABLE_COLUMN_TYPE, self->search) ||
         contains (item, FH_VARIABLE_COLUMN_VALUE, self->search);
}

/* The table, or why there is none. */
static void
show_table (FhVariablesView *self)
{
  if (g_list_model_get_n_items (G_LIST_MODEL (self->filtered)) > 0)
    {
      gtk_stack_set_visible_child_name (self->stack, "table");
      return;
    }
  if (g_list_model_get_n_items (G_LIST_MODEL (self->variables)) > 0)
    {
      adw_status_page_set_title (self->empty, _ ("No Matches"));
      adw_status_page_set_description (self->empty, _ ("No variable matches the search."));
    }
  else
    {
      adw_status_page_set_title (self->empty, _ ("No Variables"));
      adw_status_page_set_description (self->empty,
                                       _ ("What the cells of the session define is listed here."));
    }
  gtk_stack_set_visible_child_name (self->stack, "empty");
}

static void
search_changed_cb (FhVariablesView *self)
{
  const char *text = gtk_editable_get_text (self->search_entry);

  g_free (self->search);
  self->search = *text != '\0' ? g_utf8_casefold (text, -1) : NULL;
  gtk_filter_changed (gtk_filter_list_model_get_filter (self->filtered),
                      GTK_FILTER_CHANGE_DIFFERENT);
  show_table (self);
}

static void
fh_variables_view_dispose (GObject *object)
{
  FhVariablesView *self = FH_VARIABLES_VIEW (object);

  g_clear_object (&self->filtered);
  g_clear_object (&self->variables);
  g_clear_pointer (&self->changes, g_hash_table_unref);
  g_clear_pointer (&self->search, g_free);
  G_OBJECT_CLASS (fh_variables_view_parent_class)->dispose (object);
}

static void
fh_variables_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boolean (value, FH_VARIABLES_VIEW (object)->with_all);
}

static void
fh_variables_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhVariablesView *self = FH_VARIABLES_VIEW (object);

  if (self->with_all == g_value_get_boolean (value))
    return;
  self->with_all = g_value_get_boolean (value);
  g_object_notify_by_pspec (object, pspec);
  g_signal_emit (self, refresh_signal, 0);
}

static void
fh_variables_view_class_init (FhVariablesViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = fh_variables_view_dispose;
  object_class->get_property = fh_variables_view_get_property;
  object_class->set_property = fh_variables_view_set_property;
  with_all_property = g_param_spec_boolean ("with-all", NULL, NULL, FALSE, FH_PARAM_WRITE);
  g_object_class_install_property (object_class, 1, with_all_property);
  refresh_signal = fh_signal_new ("refresh", G_TYPE_FROM_CLASS (klass), 0);

  fh_set_template (widget_class, "cells/variables-view.ui");
  gtk_widget_class_bind_template_child_full (widget_class, "tools", FALSE, 0);
  gtk_widget_class_bind_template_child (widget_class, FhVariablesView, search_bar);
  gtk_widget_class_bind_template_child (widget_class, FhVariablesView, search_entry);
  gtk_widget_class_bind_template_child (widget_class, FhVariablesView, stack);
  gtk_widget_class_bind_template_child (widget_class, FhVariablesView, empty);
  gtk_widget_class_bind_template_child (widget_class, FhVariablesView, table);
  gtk_widget_class_bind_template_child (widget_class, FhVariablesView, left_out);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
}

static void
fh_variables_view_init (FhVariablesView *self)
{
  GtkFilter *filter = GTK_FILTER (gtk_custom_filter_new (filter_cb, self, NULL));
  GtkSelectionModel *selection;

  self->changes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->variables = g_list_store_new (FH_TYPE_VARIABLE);
  self->filtered =
      gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (self->variables)), filter);
  gtk_widget_init_template (GTK_WIDGET (self));
  fh_allocate_all (self->stack, "notify::visible-child", self->stack);
  fh_variable_columns_add (self->table);
  selection =
      GTK_SELECTION_MODEL (gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->filtered))));
  gtk_column_view_set_model (self->table, selection);
  g_object_unref (selection);
  fh_search_bar_open_at_once (self->search_bar);
  gtk_search_bar_connect_entry (self->search_bar, self->search_entry);
  show_table (self);
}

static JsonArray *
get_rows (JsonObject *answer)
{
  return answer != NULL ? fh_json_get_array (answer, "variables", MAX_ROWS, NULL) : NULL;
}

void
fh_variables_view_set_changes (FhVariablesView *self, JsonObject *answer)
{
  JsonArray *rows;

  g_return_if_fail (FH_IS_VARIABLES_VIEW (self));

  g_hash_table_remove_all (self->changes);
  rows = get_rows (answer);
  for (guint i = 0; rows != NULL && i < json_array_get_length (rows); i++)
    {
      g_autoptr (FhVariable) variable = fh_variable_new (json_array_get_element (rows, i));

      if (variable != NULL)
        g_hash_table_insert (self->changes,
                             g_strdup (fh_variable_get_name (variable)),
                             GINT_TO_POINTER (fh_variable_get_state (variable)));
    }
}

static void
show_left_out (FhVariablesView *self, JsonObject *answer)
{
  guint64 n = 0;
  g_autofree char *text = NULL;

  if (answer != NULL)
    fh_json_get_number (answer, "variables_left_out", G_MAXINT, &n, NULL);
  text = g_strdup_printf (ngettext ("%u more is not shown", "%u more are not shown", (guint) n),
                          (guint) n);
  fh_show_text (self->left_out, n > 0 ? text : NULL);
}

void
fh_variables_view_show (FhVariablesView *self, JsonObject *answer)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_object_unref);
  JsonArray *rows;

  g_return_if_fail (FH_IS_VARIABLES_VIEW (self));

  rows = get_rows (answer);
  for (guint i = 0; rows != NULL && i < json_array_get_length (rows); i++)
    {
      FhVariable *variable = fh_variable_new (json_array_get_element (rows, i));

      if (variable == NULL)
        continue;
      fh_variable_set_state (
          variable,
          (FhVariableState) GPOINTER_TO_INT (
              g_hash_table_lookup (self->changes, fh_variable_get_name (variable))));
      g_ptr_array_add (found, variable);
    }
  g_list_store_splice (self->variables,
                       0,
                       g_list_model_get_n_items (G_LIST_MODEL (self->variables)),
                       found->pdata,
                       found->len);
  show_left_out (self, answer);
  show_table (self);
}

void
fh_variables_view_set_active (FhVariablesView *self, gboolean active)
{
  g_return_if_fail (FH_IS_VARIABLES_VIEW (self));

  self->is_active = active;
  fh_result_page_changed (FH_RESULT_PAGE (self));
}

static gboolean
is_present (FhResultPage *page)
{
  return FH_VARIABLES_VIEW (page)->is_active;
}

static void
init_page (FhResultPageInterface *iface)
{
  iface->name = "variables";
  iface->title = N_ ("Variables");
  iface->icon_name = "view-list-bullet-symbolic";
  iface->is_present = is_present;
}
