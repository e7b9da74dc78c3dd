/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "controls/guards-group.h"

#include "controls/options.h"
#include "widget-test.h"

typedef struct
{
  FhOptions *options;
  FhGuardsGroup *group;
  GtkWidget *page; /* has the group, and its switches */
  GtkWindow *window;
} Fixture;

static void
expand_all (GtkWidget *widget)
{
  if (ADW_IS_EXPANDER_ROW (widget))
    adw_expander_row_set_expanded (ADW_EXPANDER_ROW (widget), TRUE);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    expand_all (child);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->options = fh_options_new ();
  fixture->group = g_object_new (FH_TYPE_GUARDS_GROUP, NULL);
  fh_guards_group_set_options (fixture->group, fixture->options);
  fixture->page = adw_preferences_page_new ();
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (fixture->page),
                            ADW_PREFERENCES_GROUP (fixture->group));
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (fixture->page),
                            fh_guards_group_get_switches (fixture->group));
  fixture->window = widget_test_window (fixture->page, 380, 1200);
  expand_all (fixture->page);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  GtkWidget *page = g_object_ref (fixture->page);

  gtk_window_destroy (fixture->window);
  widget_test_finalize (page);
  widget_test_finalize (fixture->options);
}

/* The switch in the row with this title. */
static GtkSwitch *
find_switch (Fixture *fixture, const char *title)
{
  GtkWidget *label;

  widget_test_wait_for_label (fixture->page, title);
  label = widget_test_find_label (fixture->page, title);
  return GTK_SWITCH (
      widget_test_find (gtk_widget_get_ancestor (label, ADW_TYPE_ACTION_ROW), GTK_TYPE_SWITCH));
}

static void
test_switches (Fixture *fixture, gconstpointer data)
{
  GtkSwitch *network = find_switch (fixture, "Network");
  guint without;

  widget_test_wait_for_label (fixture->page, "All are on");
  g_assert_true (gtk_switch_get_active (network));
  widget_test_wait_for_label (fixture->page, "If off: The program can reach the internet");
  gtk_switch_set_active (network, FALSE);
  g_object_get (fixture->options, "guards-without", &without, NULL);
  g_assert_cmpuint (without, ==, 1u << FH_GUARD_NETWORK);
  widget_test_wait_for_label (fixture->page, "Switched off for the next run: Network");
  widget_test_wait_for_label (fixture->page, "Off: The program can reach the internet");
  fh_options_end_run (fixture->options);
  g_assert_true (gtk_switch_get_active (network));
  widget_test_wait_for_label (fixture->page, "All are on");

  /* What it costs is said; the three that stand and fall together have no switch. */
  widget_test_wait_for_label (fixture->page, "If off: The program can reach the internet");
  g_assert_null (widget_test_find_label (fixture->page, "Privileges"));
  widget_test_screenshot (GTK_WIDGET (fixture->window), "guards-group");
}

static void
test_watch (Fixture *fixture, gconstpointer data)
{
  AdwComboRow *row = ADW_COMBO_ROW (widget_test_find (fixture->page, ADW_TYPE_COMBO_ROW));
  guint watch;

  g_assert_cmpuint (adw_combo_row_get_selected (row), ==, FH_WATCH_ATTEMPTS);
  adw_combo_row_set_selected (row, FH_WATCH_FILES);
  g_object_get (fixture->options, "guards-watch", &watch, NULL);
  g_assert_cmpuint (watch, ==, FH_WATCH_FILES);
  g_object_set (fixture->options, "guards-watch", FH_WATCH_OFF, NULL);
  g_assert_cmpuint (adw_combo_row_get_selected (row), ==, FH_WATCH_OFF);
}

static void
test_problem (Fixture *fixture, gconstpointer data)
{
  GtkEditable *hosts = GTK_EDITABLE (widget_test_find (fixture->page, ADW_TYPE_ENTRY_ROW));

  gtk_editable_set_text (hosts, "10.0.0.1");
  widget_test_wait_for_label (fixture->page, "is not a host name");
  gtk_editable_set_text (hosts, "example.com");
  g_assert_null (widget_test_find_label (fixture->page, "is not a host name"));
}

WIDGET_FIXTURE_TESTS (Fixture,
                      set_up,
                      tear_down,
                      { "/guards-group/switches", test_switches },
                      { "/guards-group/watch", test_watch },
                      { "/guards-group/problem", test_problem });
