/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>

#include "attempts/attempt-details.h"
#include "attempts/attempts-table.h"
#include "attempts/attempts-view.h"
#include "widget-test.h"

static const FhAttemptFacts key = {
  .guard = FH_GUARD_FILESYSTEM,
  .verdict = FH_VERDICT_HIDDEN,
  .exists_outside = TRUE,
  .error = ENOENT,
  .time_us = 31000,
  .process = 3,
  .line = 7,
  .count = 2,
  .layer = "mount",
  .operation = "open",
  .object = "/home/someone/.ssh/id_rsa",
  .command = "python3",
};
static const FhAttemptFacts connection = {
  .guard = FH_GUARD_NETWORK,
  .verdict = FH_VERDICT_DENIED,
  .error = ENETUNREACH,
  .time_us = 48000,
  .process = 3,
  .count = 1,
  .layer = "seccomp",
  .operation = "connect",
  .object = "1.1.1.1:443",
  .command = "python3",
};
static const FhAttemptFacts shell = {
  .guard = FH_GUARD_PROCESSES,
  .verdict = FH_VERDICT_OBSERVED,
  .time_us = 62000,
  .process = 4,
  .count = 1,
  .layer = "seccomp",
  .operation = "execute",
  .object = "/bin/sh",
  .command = "python3",
};
static const FhAttemptFacts hostile = {
  .guard = FH_GUARD_FILESYSTEM,
  .verdict = FH_VERDICT_DENIED,
  .is_reported = TRUE,
  .time_us = 70000,
  .count = 1,
  .layer = "audit hook",
  .operation = "open",
  .object = "<b>bold</b> & <span size='99999'>\n%s%n",
  .command = "<i>x</i>",
};

static void
add (FhRun *run, const FhAttemptFacts *facts)
{
  g_autoptr (FhAttempt) attempt = fh_attempt_new (facts);

  fh_run_add_attempt (run, attempt);
}

static void
add_all (FhRun *run)
{
  add (run, &key);
  add (run, &connection);
  add (run, &shell);
  fh_run_add_reported_attempt (run, &hostile);
}

static guint
n_shown (FhAttemptsView *view)
{
  guint n;

  g_object_get (widget_test_find (GTK_WIDGET (view), FH_TYPE_ATTEMPTS_TABLE), "n-shown", &n, NULL);
  return n;
}

static GtkSingleSelection *
selection_of (FhAttemptsView *view)
{
  GtkColumnView *columns =
      GTK_COLUMN_VIEW (widget_test_find (GTK_WIDGET (view), GTK_TYPE_COLUMN_VIEW));

  return GTK_SINGLE_SELECTION (gtk_column_view_get_model (columns));
}

static void
show_result (FhAttemptsView *view, FhRun *run)
{
  FhRunResult *result = fh_run_get_result (run);

  fh_result_page_show (FH_RESULT_PAGE (view),
                       &(FhShownResult){ .request = fh_run_get_request (run),
                                         .result = result,
                                         .attempts = fh_run_result_get_parts (result)->attempts });
}

/* Shows a run that goes on; NULL: none. */
static void
show_run (FhAttemptsView *view, FhRun *run)
{
  FhShownResult shown = { .run = run };

  if (run != NULL)
    {
      shown.request = fh_run_get_request (run);
      shown.attempts = fh_run_get_attempts (run);
    }
  fh_result_page_show (FH_RESULT_PAGE (view), &shown);
}

static void
test_live (void)
{
  FhAttemptsView *view = g_object_new (FH_TYPE_ATTEMPTS_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("import os");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 800, 400);
  GtkWidget *other = gtk_label_new (NULL);

  g_object_ref (view);
  widget_test_wait_for_label (GTK_WIDGET (view), "No Run Yet");
  show_run (view, run);
  widget_test_wait_for_label (GTK_WIDGET (view), "No Attempts Yet");
  add_all (run);
  widget_test_wait_for_label (GTK_WIDGET (view), "1.1.1.1:443");
  widget_test_wait_for_label (GTK_WIDGET (view), "reported");
  g_assert_cmpuint (n_shown (view), ==, 4);
  /* Who looks at the page has seen them. */
  g_assert_false (fh_result_page_needs_attention (FH_RESULT_PAGE (view)));
  gtk_window_set_child (window, other);
  show_run (view, NULL);
  show_run (view, run);
  g_assert_true (fh_result_page_needs_attention (FH_RESULT_PAGE (view)));
  gtk_window_set_child (window, GTK_WIDGET (view));
  g_object_unref (view);
  FH_AWAIT_TRUE (!fh_result_page_needs_attention (FH_RESULT_PAGE (view)));

  /* A count that grows is seen to grow. */
  fh_attempt_set_count (fh_attempt_log_get (fh_run_get_attempts (run), 1), 77);
  widget_test_wait_for_label (GTK_WIDGET (view), "77");

  show_run (view, NULL);
  widget_test_wait_for_label (GTK_WIDGET (view), "No Run Yet");
  gtk_window_destroy (window);
}

static void
test_nothing (void)
{
  FhAttemptsView *view = g_object_new (FH_TYPE_ATTEMPTS_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("pass");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 800, 400);

  show_run (view, run);
  widget_test_finish (run, 0);
  widget_test_wait_for_label (GTK_WIDGET (view), "No Attempts");
  gtk_window_destroy (window);
}

/* A process that may have been refused is no attempt that was seen, but nothing is wrong either. */
static void
test_doubt (void)
{
  FhAttemptsView *view = g_object_new (FH_TYPE_ATTEMPTS_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("pass");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 800, 400);
  const FhRunOutcome outcome = { .cause = FH_RUN_CAUSE_PROCESSES, .signal = -1 };

  show_run (view, run);
  fh_run_finish (run, &outcome);
  widget_test_wait_for_label (GTK_WIDGET (view), "No Attempts Seen");
  show_run (view, NULL);
  show_result (view, run);
  widget_test_wait_for_label (GTK_WIDGET (view), "No Attempts Seen");
  gtk_window_destroy (window);
}

static void
test_unwatched (void)
{
  FhAttemptsView *view = g_object_new (FH_TYPE_ATTEMPTS_VIEW, NULL);
  FhRunGuards guards = FH_RUN_GUARDS_DEFAULT;
  g_autoptr (FhRun) run = NULL;
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 800, 400);

  guards.watch = FH_WATCH_OFF;
  run = widget_test_run_new_guarded ("pass", &guards);
  show_run (view, run);
  widget_test_wait_for_label (GTK_WIDGET (view), "Not Recorded");
  gtk_window_destroy (window);
}

/* No reports prove nothing where there can be none. */
static void
test_deaf (void)
{
  FhAttemptsView *view = g_object_new (FH_TYPE_ATTEMPTS_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("pass");
  g_autoptr (GPtrArray) guards = g_ptr_array_new_with_free_func (g_object_unref);
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 800, 400);

  g_ptr_array_add (guards,
                   fh_guard_state_new (FH_GUARD_SYSTEM_CALLS,
                                       FH_GUARD_LEVEL_DEGRADED,
                                       "seccomp filter",
                                       "no-listener"));
  fh_run_take_guards (run, g_ptr_array_ref (guards), "A");
  show_run (view, run);
  widget_test_finish (run, 0);
  widget_test_wait_for_label (GTK_WIDGET (view), "Not Recorded");
  show_run (view, NULL);
  show_result (view, run);
  widget_test_wait_for_label (GTK_WIDGET (view), "Not Recorded");
  gtk_window_destroy (window);
}

static void
test_filter (void)
{
  FhAttemptsView *view = g_object_new (FH_TYPE_ATTEMPTS_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("import os");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 800, 400);
  FhAttemptsTable *table;

  show_run (view, run);
  add_all (run);
  widget_test_wait_for_label (GTK_WIDGET (view), "/bin/sh");
  table = FH_ATTEMPTS_TABLE (widget_test_find (GTK_WIDGET (view), FH_TYPE_ATTEMPTS_TABLE));
  g_object_set (table, "only-stopped", TRUE, NULL);
  g_assert_cmpuint (n_shown (view), ==, 3);
  g_object_set (table, "search", "ID_RSA", NULL);
  g_assert_cmpuint (n_shown (view), ==, 1);
  g_object_set (table, "search", "network", NULL);
  g_assert_cmpuint (n_shown (view), ==, 1);
  g_object_set (table, "search", "no such thing", NULL);
  widget_test_wait_for_label (GTK_WIDGET (view), "No Matches");
  g_object_set (table, "search", "", "only-stopped", FALSE, NULL);
  widget_test_wait_for_label (GTK_WIDGET (view), "/bin/sh");
  g_assert_cmpuint (n_shown (view), ==, 4);
  gtk_window_destroy (window);
}

static void
go_to_line_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  guint *place = data;

  g_variant_get (parameter, "(uu)", &place[0], &place[1]);
}

static void
test_details (void)
{
  FhAttemptsView *view = g_object_new (FH_TYPE_ATTEMPTS_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("import os");
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) action = g_simple_action_new ("go-to-line", G_VARIANT_TYPE ("(uu)"));
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 800, 500);
  g_autofree char *technical = NULL;
  g_autofree char *sentence = NULL;
  FhAttempt *first;
  guint place[2] = { 0, 0 };

  g_signal_connect (action, "activate", G_CALLBACK (go_to_line_cb), place);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
  gtk_widget_insert_action_group (GTK_WIDGET (window), "page", G_ACTION_GROUP (group));
  show_run (view, run);
  add_all (run);
  widget_test_wait_for_label (GTK_WIDGET (view), "/bin/sh");
  gtk_single_selection_set_selected (selection_of (view), 0);
  first = fh_attempt_log_get (fh_run_get_attempts (run), 0);
  sentence = fh_attempt_dup_sentence (first);
  widget_test_wait_for_label (GTK_WIDGET (view), sentence);
  widget_test_wait_for_label (GTK_WIDGET (view), fh_attempt_get_why (first));
  technical = fh_attempt_details_format_technical (first);
  g_assert_cmpstr (technical,
                   ==,
                   "mount · open /home/someone/.ssh/id_rsa · ENOENT · process python3 3 · "
                   "after 31 ms · 2 times");
  widget_test_wait_for_label (GTK_WIDGET (view), technical);
  widget_test_wait_for_label (GTK_WIDGET (view), "Go to Line 7");
  g_signal_emit_by_name (
      gtk_widget_get_ancestor (widget_test_find_label (GTK_WIDGET (view), "Go to Line 7"),
                               GTK_TYPE_BUTTON),
      "clicked");
  g_assert_cmpuint (place[0], ==, 7);

  /* What the program says of itself is told as such, and what it wrote is not markup. */
  gtk_single_selection_set_selected (selection_of (view), 3);
  widget_test_wait_for_label (GTK_WIDGET (view), "Only its own interpreter reported it");
  widget_test_wait_for_label (GTK_WIDGET (view), "<b>bold</b> & <span size='99999'>");
  g_assert_null (widget_test_find_label (GTK_WIDGET (view), "Go to Line 7"));
  gtk_window_destroy (window);
}

/* Whose host it is can be seen, the rest is in the tooltip, and no word is said twice. */
static void
test_long (void)
{
  const char *host = "0123456789abcdef0123456789abcdef.0123456789abcdef.evil.example";
  FhAttemptsView *view = g_object_new (FH_TYPE_ATTEMPTS_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("import os");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 360, 300);
  g_autofree char *whole = g_strconcat ("Request ", host, NULL);
  const FhAttemptFacts facts = { .guard = FH_GUARD_INTERPRETER,
                                 .verdict = FH_VERDICT_OBSERVED,
                                 .layer = "audit hook",
                                 .operation = "request",
                                 .object = host };
  GtkWidget *label;

  show_run (view, run);
  fh_run_add_reported_attempt (run, &facts);
  widget_test_wait_for_label (GTK_WIDGET (view), "…0123456789abcdef.evil.example");
  label = widget_test_find_label (GTK_WIDGET (view), "evil.example");
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))));
  g_assert_cmpstr (gtk_widget_get_tooltip_text (label), ==, whole);
  g_assert_nonnull (widget_test_find_label (GTK_WIDGET (view), "Only reported"));
  for (label = gtk_widget_get_next_sibling (label); label != NULL;
       label = gtk_widget_get_next_sibling (label))
    g_assert_false (gtk_widget_get_visible (label));
  gtk_window_destroy (window);
}

static gboolean
has_no_count (gpointer view)
{
  return widget_test_find_label (view, "Count") == NULL;
}

/* The columns that matter least give way. */
static void
test_narrow (void)
{
  FhAttemptsView *view = g_object_new (FH_TYPE_ATTEMPTS_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("import os");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 400, 400);

  show_run (view, run);
  add_all (run);
  widget_test_wait_for_label (GTK_WIDGET (view), "/bin/sh");
  widget_test_wait_for_label (GTK_WIDGET (view), "Verdict");
  FH_AWAIT_TRUE (has_no_count (view));
  g_assert_null (widget_test_find_label (GTK_WIDGET (view), "When"));
  /* Which guard it was is what people want to know. */
  widget_test_wait_for_label (GTK_WIDGET (view), "Guard");
  gtk_window_set_default_size (window, 310, 400);
  FH_AWAIT_TRUE (widget_test_find_label (GTK_WIDGET (view), "Guard") == NULL);
  gtk_window_set_default_size (window, 900, 400);
  widget_test_wait_for_label (GTK_WIDGET (view), "Count");
  widget_test_wait_for_label (GTK_WIDGET (view), "When");
  gtk_window_destroy (window);
}

/* Large text needs the room of others. */
static void
test_large_text (void)
{
  GtkSettings *settings = gtk_settings_get_default ();
  FhAttemptsView *view = g_object_new (FH_TYPE_ATTEMPTS_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("import os");
  GtkWindow *window;
  int dpi;

  g_object_get (settings, "gtk-xft-dpi", &dpi, NULL);
  g_object_set (settings, "gtk-xft-dpi", 2 * 96 * PANGO_SCALE, NULL);
  window = widget_test_window (GTK_WIDGET (view), 700, 400);
  show_run (view, run);
  add_all (run);
  widget_test_wait_for_label (GTK_WIDGET (view), "Verdict");
  FH_AWAIT_TRUE (has_no_count (view));
  g_object_set (settings, "gtk-xft-dpi", dpi, NULL);
  gtk_window_destroy (window);
}

static void
test_finalizes (void)
{
  FhAttemptsView *view = g_object_ref_sink (g_object_new (FH_TYPE_ATTEMPTS_VIEW, NULL));
  FhRun *run = widget_test_run_new ("import os");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 700, 300);

  show_run (view, run);
  add_all (run);
  widget_test_wait_for_label (GTK_WIDGET (view), "/bin/sh");
  gtk_single_selection_set_selected (selection_of (view), 1);
  gtk_window_destroy (window);
  widget_test_finalize (view);
  widget_test_finalize (run);
}

static void
picture (const char *name, int width, gboolean dark)
{
  FhAttemptsView *view = g_object_new (FH_TYPE_ATTEMPTS_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("import os");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), width, 420);

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      dark ? ADW_COLOR_SCHEME_FORCE_DARK
                                           : ADW_COLOR_SCHEME_FORCE_LIGHT);
  show_run (view, run);
  add_all (run);
  widget_test_wait_for_label (GTK_WIDGET (view), "/bin/sh");
  gtk_single_selection_set_selected (selection_of (view), 0);
  widget_test_screenshot (GTK_WIDGET (window), name);
  gtk_window_destroy (window);
}

static void
test_looks (void)
{
  picture ("attempts-light", 700, FALSE);
  picture ("attempts-narrow-dark", 360, TRUE);
}

WIDGET_TESTS ({ "/attempts/live", test_live },
              { "/attempts/nothing", test_nothing },
              { "/attempts/doubt", test_doubt },
              { "/attempts/unwatched", test_unwatched },
              { "/attempts/deaf", test_deaf },
              { "/attempts/filter", test_filter },
              { "/attempts/details", test_details },
              { "/attempts/long", test_long },
              { "/attempts/narrow", test_narrow },
              { "/attempts/large-text", test_large_text },
              { "/attempts/finalizes", test_finalizes },
              { "/attempts/looks", test_looks });
