/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures for people to look at: the output in light and dark, narrow and wide, and of every kind
 * of end. What is asserted is only that it can be drawn without a complaint. */
#include "output/output-view.h"
#include "widget-test.h"

static void
write_sample (FhRun *run)
{
  widget_test_write (run, FH_STREAM_STDOUT, "Reading 3 files…\n");
  widget_test_write (run,
                     FH_STREAM_STDOUT,
                     "\033[1mbold\033[0m \033[2mdim\033[0m \033[3mitalic\033[0m "
                     "\033[4munderline\033[0m \033[9mstrike\033[0m \033[7minverse\033[0m\n");
  for (guint bright = 0; bright < 2; bright++)
    {
      for (guint i = 0; i < 8; i++)
        {
          g_autofree char *text =
              g_strdup_printf ("\033[%um color %u \033[0m", (bright ? 90 : 30) + i, i);

          widget_test_write (run, FH_STREAM_STDOUT, text);
        }
      widget_test_write (run, FH_STREAM_STDOUT, "\n");
      for (guint i = 0; i < 8; i++)
        {
          g_autofree char *text =
              g_strdup_printf ("\033[%um behind%u \033[0m", (bright ? 100 : 40) + i, i);

          widget_test_write (run, FH_STREAM_STDOUT, text);
        }
      widget_test_write (run, FH_STREAM_STDOUT, "\n");
    }
  widget_test_write (run, FH_STREAM_STDOUT, "\r 10%|#         |\r100%|##########|\n");
  widget_test_write (run,
                     FH_STREAM_STDERR,
                     "Traceback (most recent call last):\n"
                     "  File \"/workspace/main.py\", line 12, in <module>\n"
                     "    print (1 / 0)\n"
                     "ZeroDivisionError: division by zero\n");
}

static gboolean
is_shown (gpointer view)
{
  GtkTextView *shown = GTK_TEXT_VIEW (widget_test_find (view, GTK_TYPE_TEXT_VIEW));
  g_autofree char *text = shown != NULL ? widget_test_text (shown) : NULL;

  return text != NULL && strstr (text, "ZeroDivisionError") != NULL;
}

static gboolean
has_search_entry (gpointer view)
{
  GtkWidget *entry = widget_test_find (view, GTK_TYPE_SEARCH_ENTRY);

  return entry != NULL && gtk_widget_get_mapped (entry);
}

static void
picture (const char *name, int width, gboolean dark, const FhRunOutcome *outcome, gboolean search)
{
  FhOutputView *view = g_object_new (FH_TYPE_OUTPUT_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("print (1 / 0)");
  GtkWindow *window;

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      dark ? ADW_COLOR_SCHEME_FORCE_DARK
                                           : ADW_COLOR_SCHEME_FORCE_LIGHT);
  fh_output_view_set_run (view, run);
  window = widget_test_window (GTK_WIDGET (view), width, 480);
  write_sample (run);
  if (outcome != NULL)
    fh_run_finish (run, outcome);
  else
    fh_run_set_usage (run, &(FhRunUsage){ .memory_bytes = 34 << 20 });
  FH_AWAIT_TRUE (is_shown (view));
  if (search)
    {
      GtkWidget *entry;

      gtk_widget_activate_action (GTK_WIDGET (view), "output.find", NULL);
      FH_AWAIT_TRUE (has_search_entry (view));
      entry = widget_test_find (GTK_WIDGET (view), GTK_TYPE_SEARCH_ENTRY);
      gtk_editable_set_text (GTK_EDITABLE (entry), "in");
      widget_test_wait_for_label (GTK_WIDGET (view), " of ");
    }
  widget_test_screenshot (GTK_WIDGET (window), name);
  gtk_window_destroy (window);
  widget_test_settle ();
}

static void
test_looks (void)
{
  static const FhRunOutcome failed = {
    .status = FH_RUN_STATUS_FAILED,
    .exit_code = 1,
    .signal = -1,
    .wall_us = 234567,
    .cpu_user_us = 180000,
    .cpu_system_us = 20000,
    .memory_peak = 41 << 20,
    .processes_peak = 1,
  };
  static const FhRunOutcome timed_out = {
    .status = FH_RUN_STATUS_TIMED_OUT,
    .cause = FH_RUN_CAUSE_WALL,
    .exit_code = -1,
    .signal = 9,
    .wall_us = 30001234,
    .cpu_user_us = 29000000,
    .cpu_system_us = 300000,
    .memory_peak = 141 << 20,
    .processes_peak = 1,
    .limit_ms = 30000,
  };
  static const FhRunOutcome guard_failed = {
    .status = FH_RUN_STATUS_GUARD_FAILED,
    .exit_code = -1,
    .signal = -1,
    .error = 1,
    .step = "uid-map",
  };

  picture ("output-light", 800, FALSE, &failed, FALSE);
  picture ("output-dark", 800, TRUE, &failed, FALSE);
  picture ("output-running", 800, FALSE, NULL, FALSE);
  picture ("output-narrow", 360, FALSE, &timed_out, FALSE);
  picture ("output-narrow-dark", 360, TRUE, &guard_failed, FALSE);
  picture ("output-search", 800, FALSE, &failed, TRUE);
  picture ("output-search-narrow", 360, TRUE, &failed, TRUE);
}

WIDGET_TESTS ({ "/output/looks", test_looks });
