/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>

#include "samples/samples-view.h"
#include "widget-test.h"

typedef struct
{
  char *path;
  FhHistory *history;
  FhSamplesView *view;
  GtkWindow *window;
  gint64 batch;
  gint64 opened; /* by a row */
} Fixture;

static void
add_sample (Fixture *fixture, const char *name, const char *verdict, int exit_code)
{
  g_autoptr (FhRun) run = widget_test_run_new ("pass");
  g_autoptr (FhRunRequest) request = NULL;
  g_autoptr (GBytes) source = g_bytes_new_static ("pass", 4);
  FhRunRequestInit init = { .title = name,
                            .language = fh_language_lookup ("python"),
                            .source = source };

  widget_test_finish (run, exit_code);
  request = fh_run_request_new (&init, NULL);
  fh_history_add_sample_async (fixture->history,
                               fixture->batch,
                               request,
                               fh_run_get_result (run),
                               verdict,
                               NULL,
                               NULL);
}

static void
open_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  *(gint64 *) data = g_variant_get_int64 (parameter);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) action = g_simple_action_new ("history-open", G_VARIANT_TYPE_INT64);
  g_autoptr (GError) error = NULL;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  fixture->path = g_dir_make_tmp ("fumehood-samples-XXXXXX", &error);
  g_assert_no_error (error);
  {
    g_autofree char *file = g_build_filename (fixture->path, "history.db", NULL);

    fixture->history = fh_history_new (file);
  }
  fixture->batch = fh_history_reserve (fixture->history, &error);
  g_assert_no_error (error);
  add_sample (fixture, "HumanEval/10", "passed, shared", 0);
  add_sample (fixture, "HumanEval/2", "failed: AssertionError", 1);
  add_sample (fixture, "<b>bold</b> & co", "timed out", 1);
  fixture->view = g_object_new (FH_TYPE_SAMPLES_VIEW, NULL);
  gtk_box_append (GTK_BOX (box), fh_result_page_get_tools (FH_RESULT_PAGE (fixture->view)));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (fixture->view));
  fixture->window = widget_test_window (box, 500, 400);
  g_signal_connect (action, "activate", G_CALLBACK (open_cb), &fixture->opened);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
  gtk_widget_insert_action_group (GTK_WIDGET (fixture->window), "win", G_ACTION_GROUP (group));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) dir = NULL;

  gtk_window_destroy (fixture->window);
  widget_test_finalize (fixture->history);
  dir = g_dir_open (fixture->path, 0, NULL);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autofree char *file = g_build_filename (fixture->path, name, NULL);

      g_remove (file);
    }
  g_rmdir (fixture->path);
  g_free (fixture->path);
}

static GListModel *
rows (Fixture *fixture)
{
  GtkWidget *table = widget_test_find (GTK_WIDGET (fixture->view), GTK_TYPE_COLUMN_VIEW);

  return table != NULL ? G_LIST_MODEL (gtk_column_view_get_model (GTK_COLUMN_VIEW (table))) : NULL;
}

static gboolean
has_rows (Fixture *fixture, guint n)
{
  GListModel *model = rows (fixture);

  return model != NULL && g_list_model_get_n_items (model) == n;
}

static void
show (Fixture *fixture)
{
  fh_samples_view_show (fixture->view, fixture->history, fixture->batch);
  FH_AWAIT_TRUE (has_rows (fixture, 3));
}

static void
test_table (Fixture *fixture, gconstpointer data)
{
  show (fixture);
  widget_test_wait_for_label (GTK_WIDGET (fixture->view), "HumanEval/2");
  widget_test_wait_for_label (GTK_WIDGET (fixture->view), "failed: AssertionError");
  widget_test_wait_for_label (GTK_WIDGET (fixture->view), "<b>bold</b> & co");
  widget_test_wait_for_label (GTK_WIDGET (fixture->view), "1.25 s");
  g_assert_true (fh_result_page_is_present (FH_RESULT_PAGE (fixture->view)));
  fh_samples_view_set_words (fixture->view, "Blocks", "Block");
  widget_test_wait_for_label (GTK_WIDGET (fixture->view), "Block");
  fh_samples_view_set_words (fixture->view, "Samples", "Sample");
  widget_test_wait_for_label (GTK_WIDGET (fixture->view), "Sample");
  widget_test_screenshot (GTK_WIDGET (fixture->window), "samples-light");
  fh_samples_view_show (fixture->view, fixture->history, 0);
  g_assert_false (fh_result_page_is_present (FH_RESULT_PAGE (fixture->view)));
}

static void
test_filters (Fixture *fixture, gconstpointer data)
{
  GtkWidget *entry;

  show (fixture);
  g_object_set (fixture->view, "only-failed", TRUE, NULL);
  FH_AWAIT_TRUE (has_rows (fixture, 2));
  g_object_set (widget_test_find (GTK_WIDGET (fixture->view), GTK_TYPE_SEARCH_BAR),
                "search-mode-enabled",
                TRUE,
                NULL);
  entry = widget_test_find (GTK_WIDGET (fixture->view), GTK_TYPE_SEARCH_ENTRY);
  gtk_editable_set_text (GTK_EDITABLE (entry), "humaneval");
  FH_AWAIT_TRUE (has_rows (fixture, 1));
  gtk_editable_set_text (GTK_EDITABLE (entry), "humaneval/10");
  widget_test_wait_for_label (GTK_WIDGET (fixture->view), "No Matches");
  g_object_set (fixture->view, "only-failed", FALSE, NULL);
  FH_AWAIT_TRUE (has_rows (fixture, 1));
}

static void
test_sorting (Fixture *fixture, gconstpointer data)
{
  GtkColumnView *table;
  g_autoptr (GtkColumnViewColumn) verdict = NULL;
  g_autoptr (FhHistoryEntry) first = NULL;

  show (fixture);
  table = GTK_COLUMN_VIEW (widget_test_find (GTK_WIDGET (fixture->view), GTK_TYPE_COLUMN_VIEW));
  first = g_list_model_get_item (rows (fixture), 1);
  g_assert_cmpstr (fh_history_entry_get_title (first), ==, "HumanEval/2");
  g_clear_object (&first);
  verdict = g_list_model_get_item (gtk_column_view_get_columns (table), 0);
  gtk_column_view_sort_by_column (table, verdict, GTK_SORT_DESCENDING);
  first = g_list_model_get_item (rows (fixture), 0);
  g_assert_cmpstr (fh_history_entry_get_verdict (first), ==, "timed out");
}

static void
test_opens (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhHistoryEntry) second = NULL;

  show (fixture);
  second = g_list_model_get_item (rows (fixture), 1);
  g_signal_emit_by_name (widget_test_find (GTK_WIDGET (fixture->view), GTK_TYPE_COLUMN_VIEW),
                         "activate",
                         1u);
  g_assert_cmpint (fixture->opened, ==, fh_history_entry_get_id (second));
}

WIDGET_FIXTURE_TESTS (Fixture,
                      set_up,
                      tear_down,
                      { "/samples/table", test_table },
                      { "/samples/filters", test_filters },
                      { "/samples/sorting", test_sorting },
                      { "/samples/opens", test_opens });
