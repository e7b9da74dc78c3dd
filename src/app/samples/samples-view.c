/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "samples/samples-view.h"

#include <glib/gi18n.h>
#include <string.h>

#include "parts/calls.h"
#include "samples/sample-columns.h"

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
matches (FhHistoryEntry *sample, FhSampleColumn column, const char *folded)
{
  g_autofree char *text = fh_sample_column_format (sample, column);
  g_autofree char *folded_text = g_utf8_casefold (text, -1);

  return strstr (folded_text, folded) != NULL;
}

static gboolean
filter_cb (gpointer item, gpointer user_data)
{
  FhSamplesView *self = FH_SAMPLES_VIEW (user_data);

  if (self->only_failed && fh_sample_is_passed (item))
    return FALSE;
  return self->search == NULL || matches (item, FH_SAMPLE_COLUMN_NAME, self->search) ||
         matches (item, FH_SAMPLE_COLUMN_VERDICT, self->search);
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
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (self->scroller);

  self->fitting = 0;
  fh_sample_columns_fit (self->table, (int) gtk_adjustment_get_page_size (across));
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
stop_loading (FhSamplesView *self)
{
  g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
}

static void
fh_samples_view_dispose (GObject *object)
{
  FhSamplesView *self = FH_SAMPLES_VIEW (object);

  stop_loading (self);
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
  fh_sample_columns_add (self->table);
  fh_connect (gtk_scrolled_window_get_hadjustment (self->scroller),
              "notify::page-size",
              width_changed_cb,
              self);
  sorted = gtk_sort_list_model_new (g_object_ref (G_LIST_MODEL (self->filtered)),
                                    g_object_ref (gtk_column_view_get_sorter (self->table)));
  selection = GTK_SELECTION_MODEL (gtk_single_selection_new (G_LIST_MODEL (sorted)));
  gtk_column_view_set_model (self->table, selection);
  g_object_unref (selection);
  fh_search_bar_open_at_once (self->search_bar);
  gtk_search_bar_connect_entry (self->search_bar, GTK_EDITABLE (self->search_entry));
}

void
fh_samples_view_show (FhSamplesView *self, FhHistory *history, gint64 batch)
{
  g_return_if_fail (FH_IS_SAMPLES_VIEW (self));
  g_return_if_fail (batch == 0 || FH_IS_HISTORY (history));

  stop_loading (self);
  set_samples (self, NULL, 0);
  if (batch == 0)
    return;
  self->loading = g_cancellable_new ();
  fh_history_list_samples_async (history, batch, self->loading, listed_cb, g_object_ref (self));
}

void
fh_samples_view_set_words (FhSamplesView *self, const char *rows, const char *row)
{
  g_return_if_fail (FH_IS_SAMPLES_VIEW (self));
  g_return_if_fail (rows != NULL && row != NULL);

  fh_set_accessible_label (self->table, rows);
  fh_sample_columns_set_word (self->table, row);
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
