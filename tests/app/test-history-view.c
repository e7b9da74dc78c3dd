/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>

#include "history/history-row.h"
#include "history/history-view.h"
#include "widget-test.h"

typedef struct
{
  char *folder;
  FhHistory *history;
  GtkWidget *view;
  GtkWindow *window;
  gint64 opened, run;
} Fixture;

static void
add (FhHistory *history, const char *source, int exit_code)
{
  g_autoptr (FhRun) run = widget_test_run_new (source);
  g_autoptr (GError) error = NULL;

  widget_test_write (run, FH_STREAM_STDOUT, "some output\n");
  widget_test_finish (run, exit_code);
  g_assert_cmpint (
      fh_history_add (history, fh_run_get_request (run), fh_run_get_result (run), &error),
      >,
      0);
  g_assert_no_error (error);
}

static void
open_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  *(gint64 *) data = g_variant_get_int64 (parameter);
}

static void
add_action (Fixture *fixture, GSimpleActionGroup *group, const char *name, gint64 *place)
{
  g_autoptr (GSimpleAction) action = g_simple_action_new (name, G_VARIANT_TYPE_INT64);

  g_signal_connect (action, "activate", G_CALLBACK (open_cb), place);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  GtkWidget *overlay = adw_toast_overlay_new ();

  fixture->folder = g_dir_make_tmp ("fumehood-history-XXXXXX", &error);
  g_assert_no_error (error);
  path = g_build_filename (fixture->folder, "history.db", NULL);
  fixture->history = fh_history_new (path);
  for (guint i = 0; i < GPOINTER_TO_UINT (data); i++)
    {
      g_autofree char *source = g_strdup_printf ("print ('run number %u')\n", i);

      add (fixture->history, source, i % 2);
    }
  fixture->view = fh_history_view_new (fixture->history);
  adw_toast_overlay_set_child (ADW_TOAST_OVERLAY (overlay), fixture->view);
  fixture->window = widget_test_window (overlay, 320, 500);
  add_action (fixture, group, "history-open", &fixture->opened);
  add_action (fixture, group, "history-run", &fixture->run);
  gtk_widget_insert_action_group (GTK_WIDGET (fixture->window), "win", G_ACTION_GROUP (group));
}

static void
remove_folder (char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_free (folder);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
  widget_test_finalize (fixture->history);
  remove_folder (fixture->folder);
}

static const char *
shown_page (Fixture *fixture)
{
  return gtk_stack_get_visible_child_name (
      GTK_STACK (widget_test_find (fixture->view, GTK_TYPE_STACK)));
}

static GtkListView *
list_of (Fixture *fixture)
{
  return GTK_LIST_VIEW (widget_test_find (fixture->view, GTK_TYPE_LIST_VIEW));
}

static guint
count (Fixture *fixture)
{
  GtkListView *list = list_of (fixture);

  /* Out of sight while there is nothing to list. */
  return list != NULL ? g_list_model_get_n_items (G_LIST_MODEL (gtk_list_view_get_model (list)))
                      : 0;
}

static gboolean
is_list (gpointer data)
{
  return g_str_equal (shown_page (data), "list");
}

static gboolean
is_nothing_found (gpointer data)
{
  return g_str_equal (shown_page (data), "nothing-found");
}

static gboolean
has_five (gpointer data)
{
  return count (data) == 5;
}

static gboolean
has_all (gpointer data)
{
  return count (data) == 200;
}

static gboolean
has_one (gpointer data)
{
  return is_list (data) && count (data) == 1;
}

static void
choose (Fixture *fixture, guint position)
{
  gtk_single_selection_set_selected (
      GTK_SINGLE_SELECTION (gtk_list_view_get_model (list_of (fixture))),
      position);
}

static FhHistoryEntry *
dup_entry (Fixture *fixture, guint position)
{
  return g_list_model_get_item (G_LIST_MODEL (gtk_list_view_get_model (list_of (fixture))),
                                position);
}

static void
search (Fixture *fixture, const char *text)
{
  GtkWidget *entry = widget_test_find (fixture->view, GTK_TYPE_SEARCH_ENTRY);

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
}

static void
test_empty (Fixture *fixture, gconstpointer data)
{
  FH_AWAIT_TRUE (g_str_equal (shown_page (fixture), "no-runs"));
  add (fixture->history, "print ('the first')\n", 0);
  FH_AWAIT_TRUE (has_one (fixture));
}

static gboolean
shows_stopped (gpointer data)
{
  GtkWidget *row = widget_test_find (((Fixture *) data)->view, FH_TYPE_HISTORY_ROW);
  GObject *image =
      row != NULL ? gtk_widget_get_template_child (row, FH_TYPE_HISTORY_ROW, "stopped") : NULL;

  return image != NULL && gtk_widget_get_visible (GTK_WIDGET (image)) &&
         g_strcmp0 (gtk_widget_get_tooltip_text (GTK_WIDGET (image)), "1 attempt blocked") == 0;
}

static void
test_stopped (Fixture *fixture, gconstpointer data)
{
  const FhAttemptFacts facts = { .guard = FH_GUARD_FILESYSTEM,
                                 .verdict = FH_VERDICT_HIDDEN,
                                 .count = 1,
                                 .operation = "open" };
  g_autoptr (FhAttempt) attempt = fh_attempt_new (&facts);
  g_autoptr (FhRun) run = widget_test_run_new ("open ('/etc/shadow')\n");

  add (fixture->history, "print ('harmless')\n", 0);
  FH_AWAIT_TRUE (has_one (fixture));
  g_assert_false (shows_stopped (fixture));
  fh_run_add_attempt (run, attempt);
  widget_test_finish (run, 1);
  g_assert_cmpint (
      fh_history_add (fixture->history, fh_run_get_request (run), fh_run_get_result (run), NULL),
      >,
      0);
  FH_AWAIT_TRUE (shows_stopped (fixture));
}

static gboolean
shows_running (gpointer data)
{
  GtkWidget *row = widget_test_find (((Fixture *) data)->view, FH_TYPE_HISTORY_ROW);
  const char *text = row != NULL ? gtk_widget_get_tooltip_text (row) : NULL;

  return text != NULL && g_str_has_prefix (text, "Running\n");
}

/* What is saved of a run that goes on is no run that was stopped. */
static void
test_running (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhHistoryEntry) entry = NULL;

  add (fixture->history, "print ('ended')\n", 0);
  FH_AWAIT_TRUE (has_one (fixture));
  g_assert_false (shows_running (fixture));
  entry = dup_entry (fixture, 0);
  fh_history_set_running (fixture->history, fh_history_entry_get_id (entry) + 1, TRUE);
  add (fixture->history, "print ('goes on')\n", 1);
  FH_AWAIT_TRUE (shows_running (fixture));
}

static void
test_order_and_search (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhHistoryEntry) newest = NULL;

  FH_AWAIT_TRUE (is_list (fixture));
  g_assert_cmpuint (count (fixture), ==, 5);
  newest = dup_entry (fixture, 0);
  g_assert_nonnull (strstr (fh_history_entry_get_title (newest), "number 4"));
  search (fixture, "nowhere");
  FH_AWAIT_TRUE (is_nothing_found (fixture));
  search (fixture, "number 3");
  FH_AWAIT_TRUE (has_one (fixture));
  search (fixture, "\"AND (*");
  FH_AWAIT_TRUE (is_nothing_found (fixture));
  search (fixture, "");
  FH_AWAIT_TRUE (has_five (fixture));
}

static void
test_pages (Fixture *fixture, gconstpointer data)
{
  const gint64 deadline = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;
  GtkScrolledWindow *scroller;
  GtkAdjustment *adjustment;

  FH_AWAIT_TRUE (is_list (fixture));
  g_assert_cmpuint (count (fixture), <, 200);
  scroller = GTK_SCROLLED_WINDOW (gtk_widget_get_parent (GTK_WIDGET (list_of (fixture))));
  adjustment = gtk_scrolled_window_get_vadjustment (scroller);
  while (!has_all (fixture))
    {
      gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
      fh_test_turn (deadline, "all runs are in the list");
    }
  g_assert_cmpuint (count (fixture), ==, 200);
}

static void
test_actions (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhHistoryEntry) entry = NULL;

  FH_AWAIT_TRUE (is_list (fixture));
  gtk_widget_activate_action (fixture->view, "history.open", NULL);
  g_assert_cmpint (fixture->opened, ==, 0);
  choose (fixture, 2);
  entry = dup_entry (fixture, 2);
  gtk_widget_activate_action (fixture->view, "history.open", NULL);
  g_assert_cmpint (fixture->opened, ==, fh_history_entry_get_id (entry));
  gtk_widget_activate_action (fixture->view, "history.run-again", NULL);
  g_assert_cmpint (fixture->run, ==, fh_history_entry_get_id (entry));
  fixture->opened = 0;
  gtk_widget_activate_action (GTK_WIDGET (list_of (fixture)), "list.activate-item", "u", 2);
  g_assert_cmpint (fixture->opened, ==, fh_history_entry_get_id (entry));

  g_assert_false (fh_history_entry_get_pinned (entry));
  gtk_widget_activate_action (fixture->view, "history.pin", NULL);
  FH_AWAIT_TRUE (fh_history_entry_get_pinned (entry));
  widget_test_screenshot (GTK_WIDGET (fixture->window), "history");
}

static void
test_export (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "run.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autofree char *text = NULL;

  FH_AWAIT_TRUE (is_list (fixture));
  entry = dup_entry (fixture, 2);
  fh_history_view_export (FH_HISTORY_VIEW (fixture->view), fh_history_entry_get_id (entry), file);
  widget_test_wait_for_label (GTK_WIDGET (fixture->window), "Run exported");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "print ('run number 2')"));
  g_assert_nonnull (strstr (text, "some output"));
}

static void
press_undo (GtkWidget *widget)
{
  GtkWidget *overlay = gtk_widget_get_ancestor (widget, ADW_TYPE_TOAST_OVERLAY);

  for (GtkWidget *child = gtk_widget_get_last_child (overlay); child != NULL;
       child = gtk_widget_get_prev_sibling (child))
    if (gtk_widget_get_visible (child) && child != gtk_widget_get_first_child (overlay))
      {
        GtkWidget *button = widget_test_find (child, GTK_TYPE_BUTTON);

        g_assert_nonnull (button);
        g_signal_emit_by_name (button, "clicked");
        return;
      }
  g_assert_not_reached ();
}

static void
test_delete_and_undo (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhHistoryEntry) entry = NULL;
  g_autoptr (FhHistoryEntry) again = NULL;

  FH_AWAIT_TRUE (is_list (fixture));
  entry = dup_entry (fixture, 1);
  choose (fixture, 1);
  gtk_widget_activate_action (fixture->view, "history.delete", NULL);
  FH_AWAIT_TRUE (count (fixture) == 4);
  widget_test_settle ();
  g_assert_cmpuint (gtk_single_selection_get_selected (
                        GTK_SINGLE_SELECTION (gtk_list_view_get_model (list_of (fixture)))),
                    ==,
                    1);
  press_undo (fixture->view);
  FH_AWAIT_TRUE (has_five (fixture));
  again = dup_entry (fixture, 1);
  g_assert_cmpint (fh_history_entry_get_id (again), ==, fh_history_entry_get_id (entry));
}

static void
wait_count (Fixture *fixture, guint wanted)
{
  FH_AWAIT_TRUE (count (fixture) == wanted);
  widget_test_settle ();
}

/* Runs come back one after the other, the last one first, or all that the toast tells of. */
static void
test_undo_in_turn (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhHistoryEntry) last = NULL;
  g_autoptr (FhHistoryEntry) back = NULL;

  FH_AWAIT_TRUE (is_list (fixture));
  choose (fixture, 1);
  last = dup_entry (fixture, 3);
  for (guint left = 4; left >= 2; left--)
    {
      gtk_widget_activate_action (fixture->view, "history.delete", NULL);
      wait_count (fixture, left);
    }
  widget_test_wait_for_label (GTK_WIDGET (gtk_widget_get_root (fixture->view)), "3 runs deleted");
  gtk_widget_activate_action (fixture->view, "history.undo", NULL);
  wait_count (fixture, 3);
  back = dup_entry (fixture, 1);
  g_assert_cmpint (fh_history_entry_get_id (back), ==, fh_history_entry_get_id (last));
  widget_test_wait_for_label (GTK_WIDGET (gtk_widget_get_root (fixture->view)), "2 runs deleted");
  press_undo (fixture->view);
  FH_AWAIT_TRUE (has_five (fixture));
  /* Nothing is left to be brought back. */
  gtk_widget_activate_action (fixture->view, "history.undo", NULL);
  widget_test_settle ();
  g_assert_true (has_five (fixture));
}

static gboolean
has_focus (Fixture *fixture, guint position)
{
  GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (list_of (fixture)));
  g_autoptr (FhHistoryEntry) entry = dup_entry (fixture, position);

  for (; item != NULL; item = gtk_widget_get_next_sibling (item))
    {
      GtkWidget *row = gtk_widget_get_first_child (item);

      if (FH_IS_HISTORY_ROW (row) && gtk_widget_is_focus (item))
        return fh_history_row_get_entry (FH_HISTORY_ROW (row)) == entry;
    }
  return FALSE;
}

static guint
get_selected (Fixture *fixture)
{
  return gtk_single_selection_get_selected (
      GTK_SINGLE_SELECTION (gtk_list_view_get_model (list_of (fixture))));
}

/* The keyboard goes to what is selected, and what it goes to is selected. */
static void
test_focus (Fixture *fixture, gconstpointer data)
{
  GtkWidget *entry;

  FH_AWAIT_TRUE (is_list (fixture));
  entry = widget_test_find (fixture->view, GTK_TYPE_SEARCH_ENTRY);
  gtk_widget_grab_focus (entry);
  g_signal_emit_by_name (entry, "activate");
  widget_test_settle ();
  g_assert_true (has_focus (fixture, 0));
  g_assert_cmpuint (get_selected (fixture), ==, 0);
  choose (fixture, 2);
  gtk_widget_grab_focus (entry);
  g_signal_emit_by_name (entry, "activate");
  widget_test_settle ();
  g_assert_true (has_focus (fixture, 2));
  choose (fixture, GTK_INVALID_LIST_POSITION);
  gtk_widget_grab_focus (entry);
  gtk_widget_child_focus (GTK_WIDGET (list_of (fixture)), GTK_DIR_TAB_FORWARD);
  widget_test_settle ();
  g_assert_true (has_focus (fixture, get_selected (fixture)));
}

static void
test_notice (Fixture *fixture, gconstpointer data)
{
  FH_AWAIT_TRUE (is_list (fixture));
  fh_history_view_set_notice (FH_HISTORY_VIEW (fixture->view), "The history was damaged.");
  widget_test_wait_for_label (fixture->view, "The history was damaged.");
  widget_test_screenshot (GTK_WIDGET (fixture->window), "history-notice");
}

static gboolean
is_active (gpointer window)
{
  return gtk_window_is_active (window);
}

/* What people do all day: the list looks whether another process has run something. */
static void
switch_away_and_back (Fixture *fixture)
{
  GtkWindow *other = widget_test_window (gtk_label_new ("Something else"), 200, 100);

  FH_AWAIT_TRUE (is_active (other));
  g_assert_false (gtk_window_is_active (fixture->window));
  gtk_window_present (fixture->window);
  FH_AWAIT_TRUE (is_active (fixture->window));
  gtk_window_destroy (other);
}

/* Out of the window and into it again, as by a sidebar that is folded. */
static void
hide_and_show (Fixture *fixture)
{
  AdwToastOverlay *overlay = ADW_TOAST_OVERLAY (gtk_window_get_child (fixture->window));
  g_autoptr (GtkWidget) view = g_object_ref (fixture->view);

  adw_toast_overlay_set_child (overlay, NULL);
  switch_away_and_back (fixture);
  adw_toast_overlay_set_child (overlay, view);
  widget_test_settle ();
}

static void
scroll_to (Fixture *fixture, guint position)
{
  gtk_widget_activate_action (GTK_WIDGET (list_of (fixture)), "list.scroll-to-item", "u", position);
  widget_test_settle ();
}

typedef struct
{
  Fixture *fixture;
  guint count;
} Expected;

static gboolean
has_expected_count (gpointer data)
{
  const Expected *expected = data;

  return count (expected->fixture) == expected->count;
}

static void
delete_at (Fixture *fixture, guint position)
{
  Expected expected = { fixture, count (fixture) - 1 };

  choose (fixture, position);
  gtk_widget_activate_action (fixture->view, "history.delete", NULL);
  FH_AWAIT_TRUE (has_expected_count (&expected));
}

static void
add_one (Fixture *fixture)
{
  Expected expected = { fixture, count (fixture) + 1 };

  add (fixture->history, "print ('one more')\n", 0);
  FH_AWAIT_TRUE (has_expected_count (&expected));
}

static gboolean
is_at_top (gpointer data)
{
  Fixture *fixture = data;

  return gtk_adjustment_get_value (
             gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (list_of (fixture)))) == 0;
}

static void
scroll_down (Fixture *fixture)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (list_of (fixture)));

  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
  widget_test_settle ();
  g_assert_false (is_at_top (fixture));
}

/* Whoever opens the list, or ends a search, looks for what ran last. */
static void
test_newest_first (Fixture *fixture, gconstpointer data)
{
  FH_AWAIT_TRUE (is_list (fixture));
  scroll_down (fixture);
  gtk_widget_grab_focus (fixture->view);
  FH_AWAIT_TRUE (is_at_top (fixture));
  search (fixture, "number");
  widget_test_settle ();
  scroll_down (fixture);
  search (fixture, "");
  FH_AWAIT_TRUE (is_at_top (fixture));
}

/* The list makes rows, gives them other runs and destroys them as it likes. Updating the time of a
 * destroyed row would touch freed memory, which AddressSanitizer reports. */
static void
test_recycled_rows (Fixture *fixture, gconstpointer data)
{
  FH_AWAIT_TRUE (is_list (fixture));
  for (guint i = 0; i < 2; i++)
    {
      guint all;

      scroll_to (fixture, count (fixture) - 1);
      switch_away_and_back (fixture);
      scroll_to (fixture, 0);
      delete_at (fixture, i);
      gtk_widget_activate_action (GTK_WIDGET (list_of (fixture)), "list.activate-item", "u", i);
      switch_away_and_back (fixture);
      add_one (fixture);
      all = count (fixture);
      search (fixture, "number 1");
      FH_AWAIT_TRUE (count (fixture) < all);
      switch_away_and_back (fixture);
      search (fixture, "nowhere");
      FH_AWAIT_TRUE (is_nothing_found (fixture));
      switch_away_and_back (fixture);
      search (fixture, "");
      FH_AWAIT_TRUE (is_list (fixture));
      hide_and_show (fixture);
    }
}

/* The second line of a row tells neither the title again nor the fences. */
static void
test_answer (Fixture *fixture, gconstpointer data)
{
  add (fixture->history, "# A plan\n\n```python\nprint (1)\n```\n", 0);
  widget_test_wait_for_label (fixture->view, "A plan");
  widget_test_wait_for_label (fixture->view, "print (1)");
  g_assert_null (widget_test_find_label (fixture->view, "# A plan"));
  g_assert_null (widget_test_find_label (fixture->view, "```"));
}

WIDGET_FIXTURE_TESTS (Fixture,
                      set_up,
                      tear_down,
                      { "/history/empty", test_empty },
                      { "/history/answer", test_answer },
                      { "/history/stopped", test_stopped },
                      { "/history/running", test_running },
                      { "/history/order-and-search", test_order_and_search, GUINT_TO_POINTER (5) },
                      { "/history/pages", test_pages, GUINT_TO_POINTER (200) },
                      { "/history/actions", test_actions, GUINT_TO_POINTER (5) },
                      { "/history/export", test_export, GUINT_TO_POINTER (5) },
                      { "/history/delete-and-undo", test_delete_and_undo, GUINT_TO_POINTER (5) },
                      { "/history/undo-in-turn", test_undo_in_turn, GUINT_TO_POINTER (5) },
                      { "/history/focus", test_focus, GUINT_TO_POINTER (5) },
                      { "/history/notice", test_notice, GUINT_TO_POINTER (5) },
                      { "/history/newest-first", test_newest_first, GUINT_TO_POINTER (30) },
                      { "/history/recycled-rows", test_recycled_rows, GUINT_TO_POINTER (30) });
