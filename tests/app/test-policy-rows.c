/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "preferences/policy-rows.h"

#include "widget-test.h"

/* The row of that language, by its title. */
static AdwComboRow *
find_row (GtkWidget *root, const char *title)
{
  if (ADW_IS_COMBO_ROW (root) &&
      g_str_equal (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (root)), title))
    return ADW_COMBO_ROW (root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      AdwComboRow *row = find_row (child, title);

      if (row != NULL)
        return row;
    }
  return NULL;
}

static void
choose (GtkWidget *rows,
        FhSettings *settings,
        const char *title,
        guint action,
        const char *expected)
{
  g_autofree char *policies = NULL;

  adw_combo_row_set_selected (find_row (rows, title), action);
  g_object_get (settings, "block-policies", &policies, NULL);
  g_assert_cmpstr (policies, ==, expected);
}

/* What is as usual is not stored, and what was stored is shown again. */
static void
test_rows (void)
{
  FhSettings *settings = fh_settings_new ();
  GtkWidget *window = gtk_window_new ();
  GtkWidget *rows = adw_expander_row_new ();
  GtkWidget *others = adw_expander_row_new ();

  g_object_set (settings, "block-policies", "nonsense bash=ask cobol=run", NULL);
  fh_policy_rows_add (ADW_EXPANDER_ROW (rows), settings);
  g_assert_cmpuint (adw_combo_row_get_selected (find_row (rows, "Bash")), ==, 1);
  g_assert_cmpuint (adw_combo_row_get_selected (find_row (rows, "Python")), ==, 0);
  g_assert_cmpuint (adw_combo_row_get_selected (find_row (rows, "JavaScript")), ==, 2);
  choose (rows, settings, "Python", 1, "python=ask bash=ask");
  choose (rows, settings, "Bash", 0, "python=ask");
  choose (rows, settings, "JavaScript", 0, "python=ask javascript=run");
  choose (rows, settings, "JavaScript", 2, "python=ask");

  fh_policy_rows_add (ADW_EXPANDER_ROW (others), settings);
  g_assert_cmpuint (adw_combo_row_get_selected (find_row (others, "Python")), ==, 1);
  choose (others, settings, "Python", 0, "");
  gtk_window_set_child (GTK_WINDOW (window), rows);
  gtk_window_destroy (GTK_WINDOW (window));
  widget_test_finalize (g_object_ref_sink (others));
  widget_test_finalize (settings);
}

WIDGET_TESTS ({ "/policy-rows/rows", test_rows });
