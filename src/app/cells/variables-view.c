/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cells/variables-view.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "json-member.h"
#include "parts/calls.h"
#include "readable-text.h"

/* Characters that are shown. */
#define MAX_NAME 200
#define MAX_TEXT 600

#define MAX_DIMENSIONS 20

typedef enum
{
  FH_VARIABLE_SAME,
  FH_VARIABLE_CHANGED,
  FH_VARIABLE_NEW,
} FhVariableState;

/* A variable of a session, as the interpreter tells it: all of it is chosen by the program. */
#define FH_TYPE_VARIABLE (fh_variable_get_type ())
G_DECLARE_FINAL_TYPE (FhVariable, fh_variable, FH, VARIABLE, GObject)

struct _FhVariable
{
  GObject parent_instance;
  char *name;
  char *type;
  char *size; /* "3 × 4"; "" if it has none */
  char *text; /* one line */
  FhVariableState state;
};

G_DEFINE_FINAL_TYPE (FhVariable, fh_variable, G_TYPE_OBJECT)

static void
fh_variable_finalize (GObject *object)
{
  FhVariable *self = FH_VARIABLE (object);

  g_free (self->name);
  g_free (self->type);
  g_free (self->size);
  g_free (self->text);
  G_OBJECT_CLASS (fh_variable_parent_class)->finalize (object);
}

static void
fh_variable_class_init (FhVariableClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_variable_finalize;
}

static void
fh_variable_init (FhVariable *self)
{
}

/* One line of about `most` characters; NULL if there is no such text. */
static char *
dup_text (JsonObject *row, const char *member, glong most)
{
  const char *text;
  const char *end;
  g_autofree char *line = NULL;

  if (!fh_json_get_string (row, member, &text, NULL))
    return NULL;
  end = text;
  for (glong n = 0; *end != '\0' && n < most; n++)
    end = g_utf8_next_char (end);
  line = fh_readable_text_new (text, (gsize) (end - text));
  return g_strconcat (line, *end != '\0' ? "…" : "", NULL);
}

static char *
format_size (JsonObject *row)
{
  GString *text = g_string_new (NULL);
  JsonNode *node = json_object_get_member (row, "size");
  JsonArray *sizes =
      node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  for (guint i = 0; sizes != NULL && i < MIN (json_array_get_length (sizes), MAX_DIMENSIONS); i++)
    {
      JsonNode *size = json_array_get_element (sizes, i);

      if (JSON_NODE_HOLDS_VALUE (size) && json_node_get_value_type (size) == G_TYPE_INT64)
        g_string_append_printf (text,
                                "%s%" PRId64,
                                text->len > 0 ? " × " : "",
                                json_node_get_int (size));
    }
  return g_string_free (text, FALSE);
}

static FhVariableState
read_state (JsonObject *row)
{
  const char *state = "";

  fh_json_get_string (row, "state", &state, NULL);
  if (g_str_equal (state, "new"))
    return FH_VARIABLE_NEW;
  return g_str_equal (state, "changed") ? FH_VARIABLE_CHANGED : FH_VARIABLE_SAME;
}

/* A row of an answer, see data/guest/session.py. NULL if it is none. (transfer full) */
static FhVariable *
variable_new (JsonNode *row)
{
  g_autoptr (FhVariable) self = g_object_new (FH_TYPE_VARIABLE, NULL);
  JsonObject *object;

  if (!JSON_NODE_HOLDS_OBJECT (row))
    return NULL;
  object = json_node_get_object (row);
  self->name = dup_text (object, "name", MAX_NAME);
  self->type = dup_text (object, "type", MAX_NAME);
  self->text = dup_text (object, "repr", MAX_TEXT);
  self->size = format_size (object);
  self->state = read_state (object);
  if (self->name == NULL || self->type == NULL || self->text == NULL)
    return NULL;
  return g_steal_pointer (&self);
}

/* Returns "new", "changed" or "", translated. */
static const char *
get_state_title (FhVariable *self)
{
  if (self->state == FH_VARIABLE_NEW)
    /* Translators: of a variable, since the last cell */
    return C_ ("variable", "new");
  /* Translators: of a variable, since the last cell */
  return self->state == FH_VARIABLE_CHANGED ? C_ ("variable", "changed") : "";
}

typedef enum
{
  COLUMN_NAME,
  COLUMN_TYPE,
  COLUMN_SIZE,
  COLUMN_VALUE,
  N_COLUMNS,
} Column;

static const char *
get_cell (FhVariable *variable, Column column)
{
  const char *const cells[N_COLUMNS] = {
    [COLUMN_NAME] = variable->name,
    [COLUMN_TYPE] = variable->type,
    [COLUMN_SIZE] = variable->size,
    [COLUMN_VALUE] = variable->text,
  };

  return cells[column];
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer column)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_single_line_mode (GTK_LABEL (label), TRUE);
  gtk_widget_set_hexpand (label, TRUE);
  if (GPOINTER_TO_UINT (column) == COLUMN_VALUE)
    gtk_label_set_width_chars (GTK_LABEL (label), 24);
  /* Room for "float". */
  if (GPOINTER_TO_UINT (column) == COLUMN_TYPE)
    gtk_label_set_width_chars (GTK_LABEL (label), 5);
  else
    gtk_widget_add_css_class (label, "monospace");
  gtk_box_append (GTK_BOX (box), label);
  if (GPOINTER_TO_UINT (column) == COLUMN_NAME)
    {
      GtkWidget *icon = gtk_image_new ();

      gtk_label_set_width_chars (GTK_LABEL (label), 10);
      gtk_box_append (GTK_BOX (box), icon);
    }
  gtk_list_item_set_child (cell, box);
}

static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer column)
{
  FhVariable *variable = FH_VARIABLE (gtk_list_item_get_item (cell));
  GtkWidget *label = gtk_widget_get_first_child (gtk_list_item_get_child (cell));
  GtkWidget *icon = gtk_widget_get_next_sibling (label);
  const char *state = get_state_title (variable);

  gtk_label_set_text (GTK_LABEL (label), get_cell (variable, GPOINTER_TO_UINT (column)));
  if (icon == NULL)
    return;
  gtk_image_set_from_icon_name (GTK_IMAGE (icon),
                                variable->state == FH_VARIABLE_NEW ? "starred-symbolic"
                                                                   : "document-edit-symbolic");
  gtk_widget_set_visible (icon, *state != '\0');
  gtk_widget_set_tooltip_text (icon, state);
  fh_set_accessible_label (icon, state);
}

/* An icon with a text marks the variables that are new or have changed. */
static void
add_columns (GtkColumnView *view)
{
  const char *const titles[N_COLUMNS] = {
    /* Translators: headings of a table of variables */
    [COLUMN_NAME] = C_ ("variables", "Name"),
    [COLUMN_TYPE] = C_ ("variables", "Type"),
    [COLUMN_SIZE] = C_ ("variables", "Size"),
    [COLUMN_VALUE] = C_ ("variables", "Value"),
  };

  for (guint i = 0; i < N_COLUMNS; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkColumnViewColumn) column = NULL;

      g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), GUINT_TO_POINTER (i));
      g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), GUINT_TO_POINTER (i));
      column = gtk_column_view_column_new (titles[i], factory);
      gtk_column_view_column_set_expand (column, i == COLUMN_VALUE);
      gtk_column_view_column_set_resizable (column, TRUE);
      gtk_column_view_append_column (view, column);
    }
}

/* At most so many rows of one answer are shown. */
#define MAX_ROWS 1000

struct _FhVariablesView
{
  AdwBin parent_instance;
  GListStore *variables; /* of FhVariable */
  GtkFilterListModel *filtered;
  GHashTable *changes; /* name → FhVariableState */
  char *search;        /* folded; nullable */
  gboolean is_active;

  GtkToggleButton *all_button;
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

static guint refresh_signal;

static gboolean
contains (FhVariable *variable, Column column, const char *folded)
{
  g_autofree char *text = g_utf8_casefold (get_cell (variable, column), -1);

  return strstr (text, folded) != NULL;
}

static gboolean
filter_cb (gpointer item, gpointer user_data)
{
  FhVariablesView *self = FH_VARIABLES_VIEW (user_data);

  return self->search == NULL || contains (item, COLUMN_NAME, self->search) ||
         contains (item, COLUMN_TYPE, self->search) || contains (item, COLUMN_VALUE, self->search);
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
toggled_cb (FhVariablesView *self)
{
  g_signal_emit (self, refresh_signal, 0);
}

static void
fh_variables_view_class_init (FhVariablesViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fh_variables_view_dispose;
  refresh_signal = fh_signal_new ("refresh", G_TYPE_FROM_CLASS (klass), 0);

  fh_set_template (widget_class, "cells/variables-view.ui");
  gtk_widget_class_bind_template_child_full (widget_class, "tools", FALSE, 0);
  gtk_widget_class_bind_template_child (widget_class, FhVariablesView, all_button);
  gtk_widget_class_bind_template_child (widget_class, FhVariablesView, search_bar);
  gtk_widget_class_bind_template_child (widget_class, FhVariablesView, search_entry);
  gtk_widget_class_bind_template_child (widget_class, FhVariablesView, stack);
  gtk_widget_class_bind_template_child (widget_class, FhVariablesView, empty);
  gtk_widget_class_bind_template_child (widget_class, FhVariablesView, table);
  gtk_widget_class_bind_template_child (widget_class, FhVariablesView, left_out);
  gtk_widget_class_bind_template_callback (widget_class, toggled_cb);
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
  add_columns (self->table);
  selection =
      GTK_SELECTION_MODEL (gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->filtered))));
  gtk_column_view_set_model (self->table, selection);
  g_object_unref (selection);
  fh_search_bar_open_at_once (self->search_bar, self->search_entry);
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
      g_autoptr (FhVariable) variable = variable_new (json_array_get_element (rows, i));

      if (variable != NULL)
        g_hash_table_insert (self->changes,
                             g_strdup (variable->name),
                             GINT_TO_POINTER (variable->state));
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
      FhVariable *variable = variable_new (json_array_get_element (rows, i));

      if (variable == NULL)
        continue;
      variable->state = GPOINTER_TO_INT (g_hash_table_lookup (self->changes, variable->name));
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

gboolean
fh_variables_view_wants_all (FhVariablesView *self)
{
  g_return_val_if_fail (FH_IS_VARIABLES_VIEW (self), FALSE);

  return gtk_toggle_button_get_active (self->all_button);
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
