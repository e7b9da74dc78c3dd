/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "samples/samples-view.h"

#include <glib/gi18n.h>
#include <string.h>

#include "parts/calls.h"
#include "parts/run-labels.h"
#include "run-limits.h"

typedef enum
{
  COLUMN_VERDICT,
  COLUMN_NAME,
  COLUMN_ATTEMPTS, /* that a guard stopped */
  COLUMN_TIME,
  COLUMN_MEMORY,
  N_COLUMNS,
} Column;

/* Pixels, of results and names in a narrow window, in which the table can be scrolled. */
#define MIN_WIDTH 110

/* Columns are hidden below these widths, the least important first. */
static const int room_for[N_COLUMNS] = {
  [COLUMN_ATTEMPTS] = 480,
  [COLUMN_MEMORY] = 580,
};

static gboolean
is_passed (FhHistoryEntry *sample)
{
  const char *verdict = fh_history_entry_get_verdict (sample);

  /* “ok” is what a cell of a session has. “passed” may be followed by what one has to know of it.
   */
  return verdict != NULL && (g_str_has_prefix (verdict, "passed") || g_str_equal (verdict, "ok"));
}

/* The words of results are those of other programs that score, and stay as they are in a file of
 * results. */
static char *
format_cell (FhHistoryEntry *sample, Column column)
{
  const char *verdict = fh_history_entry_get_verdict (sample);
  guint64 memory = fh_history_entry_get_memory_peak (sample);

  switch (column)
    {
    case COLUMN_VERDICT:
      return g_strdup (verdict != NULL ? verdict : "");
    case COLUMN_NAME:
      return g_strdup (fh_history_entry_get_title (sample));
    case COLUMN_TIME:
      return fh_run_label_elapsed (fh_history_entry_get_wall_us (sample));
    case COLUMN_MEMORY:
      return memory > 0 ? fh_run_limits_format_size (memory) : g_strdup ("");
    case COLUMN_ATTEMPTS:
      return g_strdup_printf ("%u", fh_history_entry_get_n_stopped (sample));
    case N_COLUMNS:
    default:
      g_return_val_if_reached (NULL);
    }
}

static void
setup_cb (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer column)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (NULL);
  gboolean is_text = GPOINTER_TO_UINT (column) <= COLUMN_NAME;

  if (GPOINTER_TO_UINT (column) == COLUMN_VERDICT)
    gtk_box_append (
        GTK_BOX (box),
        g_object_new (GTK_TYPE_IMAGE, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL));
  gtk_label_set_xalign (GTK_LABEL (label), is_text ? 0 : 1);
  gtk_widget_set_hexpand (label, TRUE);
  if (is_text)
    {
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_label_set_single_line_mode (GTK_LABEL (label), TRUE);
      gtk_widget_set_size_request (label, MIN_WIDTH, -1);
    }
  else
    gtk_widget_add_css_class (label, "numeric");
  gtk_box_append (GTK_BOX (box), label);
  gtk_list_item_set_child (cell, box);
}

/* Names come from the samples, and results can quote an exception: shown as plain text. */
static void
bind_cb (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer column)
{
  FhHistoryEntry *sample = gtk_list_item_get_item (cell);
  GtkWidget *box = gtk_list_item_get_child (cell);
  GtkWidget *label = gtk_widget_get_last_child (box);
  g_autofree char *text = format_cell (sample, GPOINTER_TO_UINT (column));

  gtk_label_set_text (GTK_LABEL (label), text);
  if (GPOINTER_TO_UINT (column) <= COLUMN_NAME)
    gtk_widget_set_tooltip_text (box, text);
  if (GPOINTER_TO_UINT (column) == COLUMN_VERDICT)
    {
      GtkWidget *icon = gtk_widget_get_first_child (box);
      const gboolean passed = is_passed (sample);
      const char *classes[] = { passed ? "success" : "error", NULL };

      gtk_image_set_from_icon_name (GTK_IMAGE (icon),
                                    passed ? "object-select-symbolic" : "window-close-symbolic");
      gtk_widget_set_css_classes (icon, classes);
    }
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* HumanEval/2 before HumanEval/10. */
static int
compare_names (FhHistoryEntry *one, FhHistoryEntry *other)
{
  g_autofree char *key = g_utf8_collate_key_for_filename (fh_history_entry_get_title (one), -1);
  g_autofree char *other_key =
      g_utf8_collate_key_for_filename (fh_history_entry_get_title (other), -1);

  return strcmp (key, other_key);
}

static int
compare_cb (gconstpointer a, gconstpointer b, gpointer column)
{
  FhHistoryEntry *one = FH_HISTORY_ENTRY ((gpointer) a);
  FhHistoryEntry *other = FH_HISTORY_ENTRY ((gpointer) b);

  switch (GPOINTER_TO_UINT (column))
    {
    case COLUMN_TIME:
      return COMPARE (fh_history_entry_get_wall_us (one), fh_history_entry_get_wall_us (other));
    case COLUMN_MEMORY:
      return COMPARE (fh_history_entry_get_memory_peak (one),
                      fh_history_entry_get_memory_peak (other));
    case COLUMN_ATTEMPTS:
      return COMPARE (fh_history_entry_get_n_stopped (one), fh_history_entry_get_n_stopped (other));
    case COLUMN_VERDICT:
      return g_strcmp0 (fh_history_entry_get_verdict (one), fh_history_entry_get_verdict (other));
    default:
      return compare_names (one, other);
    }
}

/* Each can be sorted by; it begins with the names. */
static void
add_columns (GtkColumnView *view)
{
  const char *const titles[N_COLUMNS] = {
    /* Translators: headings of a table of the samples of a batch */
    [COLUMN_VERDICT] = C_ ("samples", "Result"),   [COLUMN_NAME] = C_ ("samples", "Sample"),
    [COLUMN_TIME] = C_ ("samples", "Time"),        [COLUMN_MEMORY] = C_ ("samples", "Memory"),
    [COLUMN_ATTEMPTS] = C_ ("samples", "Blocked"),
  };

  for (guint i = 0; i < N_COLUMNS; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autoptr (GtkColumnViewColumn) column = NULL;
      g_autoptr (GtkSorter) sorter =
          GTK_SORTER (gtk_custom_sorter_new (compare_cb, GUINT_TO_POINTER (i), NULL));

      g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), GUINT_TO_POINTER (i));
      g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), GUINT_TO_POINTER (i));
      column = gtk_column_view_column_new (titles[i], factory);
      gtk_column_view_column_set_sorter (column, sorter);
      gtk_column_view_column_set_expand (column, i <= COLUMN_NAME);
      gtk_column_view_append_column (view, column);
      if (i == COLUMN_NAME)
        gtk_column_view_sort_by_column (view, column, GTK_SORT_ASCENDING);
    }
}

struct _FhSamplesView
{
  AdwBin parent_instance;
  GListStore *samples; /* of FhHistoryEntry */
  GtkFilterListModel *filtered;
  GCancellable *loading; /* nullable */
  char *search;          /* folded; nullable */
  guint fitting;         /* idle source: columns are to be shown or hidden */
  gboolean only_failed;

  GtkSearchBar *search_bar;
  GtkSearchEntry *search_entry;
  GtkStack *stack;
  GtkScrolledWindow *scroller;
  AdwStatusPage *empty;
  GtkColumnView *table;
};

static void init_page (FhResultPageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (FhSamplesView,
                               fh_samples_view,
                               ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (FH_TYPE_RESULT_PAGE, init_page))

static gboolean
matches (FhHistoryEntry *sample, Column column, const char *folded)
{
  g_autofree char *text = format_cell (sample, column);
  g_autofree char *folded_text = g_utf8_casefold (text, -1);

  return strstr (folded_text, folded) != NULL;
}

static gboolean
filter_cb (gpointer item, gpointer user_data)
{
  FhSamplesView *self = FH_SAMPLES_VIEW (user_data);

  if (self->only_failed && is_passed (item))
    return FALSE;
  return self->search == NULL || matches (item, COLUMN_NAME, self->search) ||
         matches (item, COLUMN_VERDICT, self->search);
}

static void
show_problem (FhSamplesView *self, const char *title, const char *description)
{
  adw_status_page_set_title (self->empty, title);
  adw_status_page_set_description (self->empty, description);
  gtk_stack_set_visible_child_name (self->stack, "empty");
}

static void
update (FhSamplesView *self)
{
  if (g_list_model_get_n_items (G_LIST_MODEL (self->filtered)) > 0)
    gtk_stack_set_visible_child_name (self->stack, "table");
  else
    show_problem (self, _ ("No Matches"), _ ("No sample matches the search and the filter."));
}

static void
filter_changed (FhSamplesView *self)
{
  gtk_filter_changed (gtk_filter_list_model_get_filter (self->filtered),
                      GTK_FILTER_CHANGE_DIFFERENT);
  update (self);
}

static void
filter_changed_cb (FhSamplesView *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search_entry));

  g_free (self->search);
  self->search = *text != '\0' ? g_utf8_casefold (text, -1) : NULL;
  filter_changed (self);
}

/* Columns must not be shown or hidden during an allocation. */
static gboolean
fit_cb (gpointer user_data)
{
  FhSamplesView *self = FH_SAMPLES_VIEW (user_data);
  GListModel *columns = gtk_column_view_get_columns (self->table);
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (self->scroller);

  self->fitting = 0;
  for (guint i = 0; i < N_COLUMNS; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);

      gtk_column_view_column_set_visible (column,
                                          gtk_adjustment_get_page_size (across) >= room_for[i]);
    }
  return G_SOURCE_REMOVE;
}

static void
width_changed_cb (FhSamplesView *self)
{
  if (self->fitting == 0)
    self->fitting = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit_cb, self, NULL);
}

static void
activate_cb (FhSamplesView *self, guint position)
{
  g_autoptr (FhHistoryEntry) sample =
      g_list_model_get_item (G_LIST_MODEL (gtk_column_view_get_model (self->table)), position);

  gtk_widget_activate_action (GTK_WIDGET (self),
                              "win.history-open",
                              "x",
                              fh_history_entry_get_id (sample));
}

static void
set_samples (FhSamplesView *self, gpointer *samples, guint n)
{
  g_list_store_splice (self->samples,
                       0,
                       g_list_model_get_n_items (G_LIST_MODEL (self->samples)),
                       samples,
                       n);
  update (self);
  fh_result_page_changed (FH_RESULT_PAGE (self));
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhSamplesView) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) samples = fh_history_list_finish (FH_HISTORY (source), result, &error);

  if (g_cancellable_is_cancelled (g_task_get_cancellable (G_TASK (result))))
    return;
  if (samples != NULL)
    set_samples (self, samples->pdata, samples->len);
  else
    show_problem (self, _ ("Not Readable"), error->message);
}

static void
fh_samples_view_dispose (GObject *object)
{
  FhSamplesView *self = FH_SAMPLES_VIEW (object);

  fh_cancel (&self->loading);
  g_clear_handle_id (&self->fitting, g_source_remove);
  g_clear_object (&self->filtered);
  g_clear_object (&self->samples);
  g_clear_pointer (&self->search, g_free);
  G_OBJECT_CLASS (fh_samples_view_parent_class)->dispose (object);
}

static void
fh_samples_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boolean (value, FH_SAMPLES_VIEW (object)->only_failed);
}

static void
fh_samples_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FhSamplesView *self = FH_SAMPLES_VIEW (object);

  if (self->only_failed == g_value_get_boolean (value))
    return;
  self->only_failed = g_value_get_boolean (value);
  g_object_notify_by_pspec (object, pspec);
  filter_changed (self);
}

static void
fh_samples_view_class_init (FhSamplesViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = fh_samples_view_dispose;
  object_class->get_property = fh_samples_view_get_property;
  object_class->set_property = fh_samples_view_set_property;
  g_object_class_install_property (
      object_class,
      1,
      g_param_spec_boolean ("only-failed", NULL, NULL, FALSE, FH_PARAM_WRITE));

  fh_set_template (widget_class, "samples/samples-view.ui");
  gtk_widget_class_bind_template_child_full (widget_class, "tools", FALSE, 0);
  gtk_widget_class_bind_template_child (widget_class, FhSamplesView, search_bar);
  gtk_widget_class_bind_template_child (widget_class, FhSamplesView, search_entry);
  gtk_widget_class_bind_template_child (widget_class, FhSamplesView, stack);
  gtk_widget_class_bind_template_child (widget_class, FhSamplesView, scroller);
  gtk_widget_class_bind_template_child (widget_class, FhSamplesView, empty);
  gtk_widget_class_bind_template_child (widget_class, FhSamplesView, table);
  gtk_widget_class_bind_template_callback (widget_class, filter_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, activate_cb);
}

static void
fh_samples_view_init (FhSamplesView *self)
{
  GtkFilter *filter = GTK_FILTER (gtk_custom_filter_new (filter_cb, self, NULL));
  GtkSortListModel *sorted;
  GtkSelectionModel *selection;

  self->samples = g_list_store_new (FH_TYPE_HISTORY_ENTRY);
  self->filtered = gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (self->samples)), filter);
  gtk_widget_init_template (GTK_WIDGET (self));
  fh_allocate_all (self->stack, "notify::visible-child", self->stack);
  add_columns (self->table);
  fh_connect (gtk_scrolled_window_get_hadjustment (self->scroller),
              "notify::page-size",
              width_changed_cb,
              self);
  sorted = gtk_sort_list_model_new (g_object_ref (G_LIST_MODEL (self->filtered)),
                                    g_object_ref (gtk_column_view_get_sorter (self->table)));
  selection = GTK_SELECTION_MODEL (gtk_single_selection_new (G_LIST_MODEL (sorted)));
  gtk_column_view_set_model (self->table, selection);
  g_object_unref (selection);
  fh_search_bar_open_at_once (self->search_bar, GTK_EDITABLE (self->search_entry));
}

void
fh_samples_view_show (FhSamplesView *self, FhHistory *history, gint64 batch)
{
  g_return_if_fail (FH_IS_SAMPLES_VIEW (self));
  g_return_if_fail (batch == 0 || FH_IS_HISTORY (history));

  fh_cancel (&self->loading);
  set_samples (self, NULL, 0);
  if (batch == 0)
    return;
  self->loading = g_cancellable_new ();
  fh_history_list_samples_async (history, batch, self->loading, listed_cb, g_object_ref (self));
}

void
fh_samples_view_set_words (FhSamplesView *self, const char *rows, const char *row)
{
  g_autoptr (GtkColumnViewColumn) names = NULL;

  g_return_if_fail (FH_IS_SAMPLES_VIEW (self));
  g_return_if_fail (rows != NULL && row != NULL);

  names = g_list_model_get_item (gtk_column_view_get_columns (self->table), COLUMN_NAME);
  fh_set_accessible_label (self->table, rows);
  gtk_column_view_column_set_title (names, row);
}

/* Runs have no samples: those of a batch are shown by fh_samples_view_show afterwards. */
static void
show (FhResultPage *page, const FhShownResult *shown)
{
  fh_samples_view_show (FH_SAMPLES_VIEW (page), NULL, 0);
}

static gboolean
is_present (FhResultPage *page)
{
  return g_list_model_get_n_items (G_LIST_MODEL (FH_SAMPLES_VIEW (page)->samples)) > 0;
}

static void
init_page (FhResultPageInterface *iface)
{
  iface->name = "samples";
  iface->title = N_ ("Samples");
  iface->icon_name = "view-list-symbolic";
  iface->show = show;
  iface->is_present = is_present;
}
