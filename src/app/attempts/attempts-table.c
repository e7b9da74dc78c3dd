/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempts/attempts-table.h"

#include <string.h>

#include "attempts/attempt-columns.h"
#include "parts/calls.h"

/* The resolution of text of the usual size, as GTK counts it. */
#define DPI (96 * PANGO_SCALE)

/* Columns are hidden below these widths, the least important first. */
static const struct
{
  FhAttemptColumn column;
  int width;
} yielding[] = {
  { FH_ATTEMPT_COLUMN_PROCESS, 600 },
  { FH_ATTEMPT_COLUMN_TIME, 500 },
  { FH_ATTEMPT_COLUMN_COUNT, 420 },
  { FH_ATTEMPT_COLUMN_GUARD, 320 },
};

/* The width that the column of the blocks takes from the others. */
#define BLOCK_WIDTH 66

struct _FhAttemptsTable
{
  AdwBin parent_instance;
  char *search; /* folded */
  gboolean only_stopped;
  guint fitting; /* idle source: columns are to be shown or hidden */

  GtkColumnView *view;
  GtkColumnViewColumn *columns[FH_N_ATTEMPT_COLUMNS];
  GtkFilterListModel *filtered;
  GtkFilter *filter;
  GtkSingleSelection *selection;
};

enum
{
  PROP_0,
  PROP_SEARCH,
  PROP_ONLY_STOPPED,
  PROP_SELECTED,
  PROP_N_SHOWN,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (FhAttemptsTable, fh_attempts_table, ADW_TYPE_BIN)

static gboolean
contains (const char *text, const char *folded_part)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);

  return strstr (folded, folded_part) != NULL;
}

static gboolean
filter_cb (gpointer item, gpointer user_data)
{
  FhAttemptsTable *self = FH_ATTEMPTS_TABLE (user_data);
  FhAttempt *attempt = FH_ATTEMPT (item);
  const FhAttemptFacts *facts = fh_attempt_get_facts (attempt);

  if (self->only_stopped && !fh_attempt_was_blocked (facts))
    return FALSE;
  if (*self->search == '\0')
    return TRUE;
  for (guint i = 0; i < FH_N_ATTEMPT_COLUMNS; i++)
    {
      g_autofree char *text = fh_attempt_column_format (attempt, facts->count, i);

      if (i != FH_ATTEMPT_COLUMN_BLOCK && i != FH_ATTEMPT_COLUMN_COUNT &&
          i != FH_ATTEMPT_COLUMN_TIME && contains (text, self->search))
        return TRUE;
    }
  return contains (facts->operation, self->search) || contains (facts->object, self->search);
}

static void
filter_changed (FhAttemptsTable *self)
{
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_SHOWN]);
}

static void
set_search (FhAttemptsTable *self, const char *search)
{
  g_free (self->search);
  self->search = g_utf8_casefold (search, -1);
  filter_changed (self);
}

static void
set_only_stopped (FhAttemptsTable *self, gboolean only_stopped)
{
  if (self->only_stopped == only_stopped)
    return;
  self->only_stopped = only_stopped;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ONLY_STOPPED]);
  filter_changed (self);
}

static void
selected_cb (FhAttemptsTable *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SELECTED]);
}

/* The row that the keyboard is at need not be selected: the first one is not. */
static void
activate_cb (FhAttemptsTable *self, guint position)
{
  gtk_single_selection_set_selected (self->selection, position);
}

/* Larger text needs more of it. */
static gboolean
has_room (FhAttemptsTable *self, int width, int wanted)
{
  int dpi;

  if (gtk_column_view_column_get_visible (self->columns[FH_ATTEMPT_COLUMN_BLOCK]))
    wanted += BLOCK_WIDTH;
  g_object_get (gtk_widget_get_settings (GTK_WIDGET (self)), "gtk-xft-dpi", &dpi, NULL);
  return dpi > 0 ? width * (gint64) DPI >= wanted * (gint64) dpi : width >= wanted;
}

/* Columns must not be shown or hidden during an allocation. */
static gboolean
fit_cb (gpointer user_data)
{
  FhAttemptsTable *self = FH_ATTEMPTS_TABLE (user_data);
  int width = gtk_widget_get_width (GTK_WIDGET (self));

  self->fitting = 0;
  for (guint i = 0; width > 0 && i < G_N_ELEMENTS (yielding); i++)
    gtk_column_view_column_set_visible (self->columns[yielding[i].column],
                                        has_room (self, width, yielding[i].width));
  return G_SOURCE_REMOVE;
}

static void
fit (FhAttemptsTable *self)
{
  if (self->fitting == 0)
    self->fitting = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit_cb, self, NULL);
}

/* The first attempt tells whether they are those of an answer. */
static void
shown_cb (FhAttemptsTable *self)
{
  g_autoptr (FhAttempt) first = g_list_model_get_item (G_LIST_MODEL (self->filtered), 0);

  if (first != NULL)
    gtk_column_view_column_set_visible (self->columns[FH_ATTEMPT_COLUMN_BLOCK],
                                        fh_attempt_get_facts (first)->block > 0);
  fit (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_SHOWN]);
}

static void
fh_attempts_table_dispose (GObject *object)
{
  FhAttemptsTable *self = FH_ATTEMPTS_TABLE (object);

  /* The models may outlive the table while the log still changes. */
  if (self->filter != NULL)
    gtk_custom_filter_set_filter_func (GTK_CUSTOM_FILTER (self->filter), NULL, NULL, NULL);
  adw_bin_set_child (ADW_BIN (self), NULL);
  g_clear_handle_id (&self->fitting, g_source_remove);
  for (guint i = 0; i < FH_N_ATTEMPT_COLUMNS; i++)
    g_clear_object (&self->columns[i]);
  g_clear_object (&self->view);
  g_clear_object (&self->selection);
  g_clear_object (&self->filtered);
  g_clear_object (&self->filter);
  g_clear_pointer (&self->search, g_free);
  G_OBJECT_CLASS (fh_attempts_table_parent_class)->dispose (object);
}

static void
fh_attempts_table_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhAttemptsTable *self = FH_ATTEMPTS_TABLE (object);

  if (id == PROP_ONLY_STOPPED)
    g_value_set_boolean (value, self->only_stopped);
  else if (id == PROP_SELECTED)
    g_value_set_object (value, gtk_single_selection_get_selected_item (self->selection));
  else
    g_value_set_uint (value, g_list_model_get_n_items (G_LIST_MODEL (self->filtered)));
}

static void
fh_attempts_table_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SEARCH)
    set_search (FH_ATTEMPTS_TABLE (object), g_value_get_string (value));
  else
    set_only_stopped (FH_ATTEMPTS_TABLE (object), g_value_get_boolean (value));
}

static void
fh_attempts_table_class_init (FhAttemptsTableClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fh_attempts_table_dispose;
  object_class->get_property = fh_attempts_table_get_property;
  object_class->set_property = fh_attempts_table_set_property;

  properties[PROP_SEARCH] = g_param_spec_string ("search", NULL, NULL, "", FH_PARAM_SET);
  properties[PROP_ONLY_STOPPED] =
      g_param_spec_boolean ("only-stopped", NULL, NULL, FALSE, FH_PARAM_WRITE);
  properties[PROP_SELECTED] =
      g_param_spec_object ("selected", NULL, NULL, FH_TYPE_ATTEMPT, FH_PARAM_READ);
  properties[PROP_N_SHOWN] =
      g_param_spec_uint ("n-shown", NULL, NULL, 0, G_MAXUINT, 0, FH_PARAM_READ);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
add_models (FhAttemptsTable *self)
{
  GtkSorter *sorter = gtk_column_view_get_sorter (self->view);
  GtkSortListModel *sorted;

  self->filter = GTK_FILTER (gtk_custom_filter_new (filter_cb, self, NULL));
  self->filtered = gtk_filter_list_model_new (NULL, g_object_ref (self->filter));
  sorted =
      gtk_sort_list_model_new (g_object_ref (G_LIST_MODEL (self->filtered)), g_object_ref (sorter));
  self->selection = gtk_single_selection_new (G_LIST_MODEL (sorted));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  fh_connect (self->selection, "notify::selected-item", selected_cb, self);
  fh_connect (self->view, "activate", activate_cb, self);
  fh_connect (self->filtered, "items-changed", shown_cb, self);
}

static void
fh_attempts_table_init (FhAttemptsTable *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->search = g_strdup ("");
  self->view = GTK_COLUMN_VIEW (g_object_ref_sink (gtk_column_view_new (NULL)));
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "attempts-table");
  fh_attempt_columns_add (self->view, self->columns);
  add_models (self);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->view));
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scroller), 72);
  adw_bin_set_child (ADW_BIN (self), scroller);
  fh_connect (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scroller)),
              "notify::page-size",
              fit,
              self);
  fh_connect (gtk_settings_get_default (), "notify::gtk-xft-dpi", fit, self);
}

void
fh_attempts_table_set_log (FhAttemptsTable *self, FhAttemptLog *log)
{
  g_return_if_fail (FH_IS_ATTEMPTS_TABLE (self));
  g_return_if_fail (log == NULL || FH_IS_ATTEMPT_LOG (log));

  fh_attempts_table_unselect (self);
  gtk_filter_list_model_set_model (self->filtered, G_LIST_MODEL (log));
}

void
fh_attempts_table_unselect (FhAttemptsTable *self)
{
  g_return_if_fail (FH_IS_ATTEMPTS_TABLE (self));

  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
}
