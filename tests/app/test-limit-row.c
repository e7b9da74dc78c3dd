/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "parts/limit-row.h"

#include "widget-test.h"

static GtkEditable *
get_entry (GtkWidget *row)
{
  GtkWidget *entry = widget_test_find (row, GTK_TYPE_ENTRY);

  g_assert_nonnull (entry);
  return GTK_EDITABLE (entry);
}

static guint64
get_value (gpointer row)
{
  guint64 value;

  g_object_get (row, "value", &value, NULL);
  return value;
}

static void
type (GtkWidget *row, const char *text)
{
  gtk_editable_set_text (get_entry (row), text);
}

static void
test_time (void)
{
  GtkWidget *row = g_object_ref_sink (fh_limit_row_new (fh_run_option_find ("limits.wall_ms")));
  FhLimitRow *limit = FH_LIMIT_ROW (row);

  g_object_set (limit, "value", (guint64) 30000, NULL);
  g_assert_cmpstr (gtk_editable_get_text (get_entry (row)), ==, "30 s");
  type (row, "0.1");
  g_assert_cmpuint (get_value (limit), ==, 100);
  type (row, "2 min");
  g_assert_cmpuint (get_value (limit), ==, 120000);
  type (row, " no limit ");
  g_assert_cmpuint (get_value (limit), ==, 0);
  g_assert_null (fh_limit_row_get_problem (limit));
  widget_test_finalize (row);
}

static void
test_memory (void)
{
  GtkWidget *row =
      g_object_ref_sink (fh_limit_row_new (fh_run_option_find ("limits.memory_bytes")));
  FhLimitRow *limit = FH_LIMIT_ROW (row);

  type (row, "16 MiB");
  g_assert_cmpuint (get_value (limit), ==, (guint64) 16 << 20);
  type (row, "1.5G");
  g_assert_cmpuint (get_value (limit), ==, (guint64) 1536 << 20);
  type (row, "none");
  g_assert_cmpuint (get_value (limit), ==, 0);
  widget_test_finalize (row);
}

static void
test_counts (void)
{
  GtkWidget *processes =
      g_object_ref_sink (fh_limit_row_new (fh_run_option_find ("limits.processes")));
  GtkWidget *cpus =
      g_object_ref_sink (fh_limit_row_new (fh_run_option_find ("container.milli_cpus")));

  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (processes)),
                   ==,
                   "Processes");
  type (processes, "64");
  g_assert_cmpuint (get_value (processes), ==, 64);
  type (processes, "1.5");
  g_assert_nonnull (fh_limit_row_get_problem (FH_LIMIT_ROW (processes)));
  type (cpus, "1.5");
  g_assert_cmpuint (get_value (cpus), ==, 1500);
  type (cpus, "0,5");
  g_assert_cmpuint (get_value (cpus), ==, 500);
  type (cpus, "no limit");
  g_assert_cmpuint (get_value (cpus), ==, 0);
  g_assert_finalize_object (processes);
  g_assert_finalize_object (cpus);
}

/* Nonsense leaves the value alone, says so, and stays where it can be mended. */
static void
test_nonsense (void)
{
  const char *const nonsense[] = { "0", "abc", "0.05", "25 h", "-1", "", "5 potatoes" };
  GtkWidget *row = g_object_ref_sink (fh_limit_row_new (fh_run_option_find ("limits.wall_ms")));
  FhLimitRow *limit = FH_LIMIT_ROW (row);

  for (guint i = 0; i < G_N_ELEMENTS (nonsense); i++)
    {
      g_object_set (limit, "value", (guint64) 5000, NULL);
      g_assert_null (fh_limit_row_get_problem (limit));
      type (row, nonsense[i]);
      g_assert_cmpuint (get_value (limit), ==, 5000);
      g_assert_nonnull (fh_limit_row_get_problem (limit));
      g_assert_cmpstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (row)),
                       ==,
                       fh_limit_row_get_problem (limit));
      g_assert_true (gtk_widget_has_css_class (GTK_WIDGET (get_entry (row)), "error"));
      g_assert_cmpstr (gtk_editable_get_text (get_entry (row)), ==, nonsense[i]);
    }
  type (row, "7");
  g_assert_null (fh_limit_row_get_problem (limit));
  g_assert_cmpuint (get_value (limit), ==, 7000);
  widget_test_finalize (row);
}

/* The text is put into its usual form only after the typing. */
static void
test_tidy (void)
{
  GtkWidget *row = fh_limit_row_new (fh_run_option_find ("limits.wall_ms"));
  GtkWidget *list = gtk_list_box_new ();
  GtkWindow *window;

  gtk_list_box_append (GTK_LIST_BOX (list), row);
  window = widget_test_window (list, 400, 100);

  type (row, "90");
  g_assert_cmpstr (gtk_editable_get_text (get_entry (row)), ==, "90");
  g_signal_emit_by_name (get_entry (row), "activate");
  g_assert_cmpstr (gtk_editable_get_text (get_entry (row)), !=, "90");
  g_assert_cmpuint (get_value (row), ==, 90000);
  /* The usual form can be typed, too. */
  g_assert_null (fh_limit_row_get_problem (FH_LIMIT_ROW (row)));
  gtk_editable_insert_text (get_entry (row), " ", -1, &(int){ 0 });
  g_assert_null (fh_limit_row_get_problem (FH_LIMIT_ROW (row)));
  g_assert_cmpuint (get_value (row), ==, 90000);
  gtk_window_destroy (window);
}

static void
test_choose (void)
{
  GtkWidget *row =
      g_object_ref_sink (fh_limit_row_new (fh_run_option_find ("limits.memory_bytes")));

  type (row, "nonsense");
  g_assert_true (gtk_widget_activate_action (row, "limit.choose", "t", (guint64) 1 << 30));
  g_assert_cmpuint (get_value (row), ==, (guint64) 1 << 30);
  g_assert_cmpstr (gtk_editable_get_text (get_entry (row)), ==, "1 GiB");
  g_assert_null (fh_limit_row_get_problem (FH_LIMIT_ROW (row)));
  widget_test_finalize (row);
}

WIDGET_TESTS ({ "/app/limit-row/time", test_time },
              { "/app/limit-row/memory", test_memory },
              { "/app/limit-row/counts", test_counts },
              { "/app/limit-row/nonsense", test_nonsense },
              { "/app/limit-row/tidy", test_tidy },
              { "/app/limit-row/choose", test_choose });
