/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>

#include "output/output-status.h"
#include "output/output-view.h"
#include "widget-test.h"

static GtkTextView *
shown_view (FhOutputView *view)
{
  return GTK_TEXT_VIEW (widget_test_find (GTK_WIDGET (view), GTK_TYPE_TEXT_VIEW));
}

typedef struct
{
  GtkWidget *widget;
  const char *text;
  gboolean is_whole;
} Expected;

/* Text is shown with the next frames, and a loaded computer paints few. */
static gboolean
has_text (gpointer data)
{
  const Expected *expected = data;
  g_autofree char *text = widget_test_text (GTK_TEXT_VIEW (expected->widget));

  return expected->is_whole ? g_str_equal (text, expected->text)
                            : strstr (text, expected->text) != NULL;
}

static void
wait_for (gboolean (*is_there) (gpointer), GtkWidget *widget, const char *text, gboolean is_whole)
{
  Expected expected = { widget, text, is_whole };

  g_test_message ("waiting for “%s”", text);
  FH_AWAIT_TRUE (is_there (&expected));
}

static void
assert_shown (FhOutputView *view, const char *expected)
{
  wait_for (has_text, GTK_WIDGET (shown_view (view)), expected, TRUE);
}

static void
collect_labels (GtkWidget *widget, GString *text)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (GTK_IS_LABEL (widget))
    g_string_append_printf (text, "%s\n", gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_labels (child, text);
}

static char *
labels_of (GtkWidget *widget)
{
  GString *text = g_string_new (NULL);

  collect_labels (widget, text);
  /* Sizes have a space that does not break. */
  g_string_replace (text, "\u00a0", " ", 0);
  return g_string_free (text, FALSE);
}

static gboolean
has_label (gpointer data)
{
  const Expected *expected = data;
  g_autofree char *labels = labels_of (expected->widget);

  return strstr (labels, expected->text) != NULL;
}

static void
wait_for_text (FhOutputView *view, const char *part)
{
  wait_for (has_text, GTK_WIDGET (shown_view (view)), part, FALSE);
}

static void
wait_for_label (FhOutputView *view, const char *part)
{
  wait_for (has_label, GTK_WIDGET (view), part, FALSE);
}

static void
assert_status_has (FhOutputView *view, const char *text)
{
  wait_for (has_label, widget_test_find (GTK_WIDGET (view), FH_TYPE_OUTPUT_STATUS), text, FALSE);
}

static void
test_streams (void)
{
  FhOutputView *view = g_object_new (FH_TYPE_OUTPUT_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("print (1)");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 700, 400);

  fh_output_view_set_run (view, run);
  widget_test_write (run, FH_STREAM_STDOUT, "one\n");
  widget_test_write (run, FH_STREAM_STDERR, "two\n");
  widget_test_write (run, FH_STREAM_STDOUT, "three\n");
  assert_shown (view, "one\ntwo\nthree\n");
  /* Long lines are not cut off. */
  g_assert_cmpint (gtk_text_view_get_wrap_mode (shown_view (view)), ==, GTK_WRAP_WORD_CHAR);
  g_object_set (view, "pane", "stdout", NULL);
  assert_shown (view, "one\nthree\n");
  g_object_set (view, "pane", "stderr", NULL);
  assert_shown (view, "two\n");

  /* What came while a pane was out of sight is there when it comes back, once. */
  widget_test_write (run, FH_STREAM_STDOUT, "four\n");
  widget_test_write (run, FH_STREAM_STDERR, "five\n");
  g_object_set (view, "pane", "output", NULL);
  assert_shown (view, "one\ntwo\nthree\nfour\nfive\n");
  g_object_set (view, "pane", "stdout", NULL);
  assert_shown (view, "one\nthree\nfour\n");
  gtk_window_destroy (window);
}

/* Output that is there before the view has a size is seen from its first line on. */
static void
test_before_size (void)
{
  FhOutputView *view = g_object_new (FH_TYPE_OUTPUT_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("print (1)");
  GtkWindow *window = GTK_WINDOW (gtk_window_new ());
  GdkRectangle visible;

  gtk_window_set_default_size (window, 700, 400);
  gtk_window_set_child (window, GTK_WIDGET (view));
  gtk_window_present (window);
  fh_output_view_set_run (view, run);
  widget_test_write (run, FH_STREAM_STDOUT, "one\ntwo\nthree\n");
  assert_shown (view, "one\ntwo\nthree\n");
  widget_test_settle ();
  gtk_text_view_get_visible_rect (shown_view (view), &visible);
  g_assert_cmpint (visible.y, <=, 0);
  gtk_window_destroy (window);
}

/* A line belongs to one stream. */
static void
test_interleaved (void)
{
  FhOutputView *view = g_object_new (FH_TYPE_OUTPUT_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("print (1)");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 700, 400);

  fh_output_view_set_run (view, run);
  widget_test_write (run, FH_STREAM_STDOUT, "Name: ");
  widget_test_write (run, FH_STREAM_STDERR, "careful\n");
  widget_test_write (run, FH_STREAM_STDOUT, "done");
  assert_shown (view, "Name: \ncareful\ndone");
  gtk_window_destroy (window);
}

static void
test_progress (void)
{
  FhOutputView *view = g_object_new (FH_TYPE_OUTPUT_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("print (1)");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 700, 400);

  fh_output_view_set_run (view, run);
  widget_test_write (run, FH_STREAM_STDOUT, "start\n");
  for (guint i = 0; i <= 100; i += 10)
    {
      g_autofree char *step = g_strdup_printf ("\r%3u%%", i);

      widget_test_write (run, FH_STREAM_STDOUT, step);
      if (i % 50 == 0)
        widget_test_wait (50);
    }
  assert_shown (view, "start\n100%");
  widget_test_write (run, FH_STREAM_STDOUT, "\nend");
  assert_shown (view, "start\n100%\nend");
  gtk_window_destroy (window);
}

/* Nothing that a program prints is taken as markup, as a link or as an order. */
static void
test_hostile (void)
{
  FhOutputView *view = g_object_new (FH_TYPE_OUTPUT_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("print (1)");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 700, 400);
  g_autofree char *text = NULL;

  fh_output_view_set_run (view, run);
  widget_test_write (run,
                     FH_STREAM_STDOUT,
                     "<b>bold</b> &amp; \033]0;title\007\033]8;;http://x/\033\\link\033]8;;\033\\"
                     "\033]52;c;aGk=\007\033[2J\033[31mred\033[0m \xff\xfe\n");
  wait_for_text (view, "red");
  text = widget_test_text (shown_view (view));
  g_assert_true (g_str_has_prefix (text, "<b>bold</b> &amp; link"));
  g_assert_null (strchr (text, '\033'));
  g_assert_nonnull (strstr (text, "red"));
  g_assert_cmpstr (gtk_window_get_title (window), ==, NULL);
  gtk_window_destroy (window);
}

/* The one that folds up the figures: the button of a menu has another one in it. */
static GtkToggleButton *
find_toggle (GtkWidget *widget)
{
  GtkToggleButton *found = NULL;

  if (GTK_IS_TOGGLE_BUTTON (widget))
    return GTK_TOGGLE_BUTTON (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = GTK_IS_MENU_BUTTON (child) ? NULL : find_toggle (child);
  return found;
}

static void
test_status (void)
{
  FhOutputView *view = g_object_new (FH_TYPE_OUTPUT_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("print (1)");
  g_autoptr (FhRun) second = widget_test_run_new ("print (2)");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 700, 400);
  FhRunUsage usage = { .wall_us = 100000, .memory_bytes = 12 << 20, .processes = 1 };
  g_autoptr (GBytes) content = g_bytes_new_static ("x", 1);
  g_autoptr (FhResultFile) file =
      fh_result_file_new (&(FhResultFileFacts){ .path = "x", .content = content });
  GtkWidget *status = widget_test_find (GTK_WIDGET (view), FH_TYPE_OUTPUT_STATUS);
  g_autofree char *folded = NULL;

  fh_output_view_set_run (view, run);
  assert_status_has (view, "Running…");
  assert_status_has (view, "of 30 s");
  fh_run_set_usage (run, &usage);
  /* The others are folded up behind the time. */
  folded = labels_of (status);
  g_assert_null (strstr (folded, "Memory"));
  gtk_toggle_button_set_active (find_toggle (status), TRUE);
  assert_status_has (view, "Memory 12.0 MiB");
  widget_test_write (run, FH_STREAM_STDERR, "oh\n");
  fh_result_files_add (fh_run_get_files (run), file);
  widget_test_finish (run, 3);
  assert_status_has (view, "1 file");
  assert_status_has (view, fh_run_result_get_parts (fh_run_get_result (run))->sentence);
  assert_status_has (view, "Time 1.25 s");
  assert_status_has (view, "CPU 840 ms");
  assert_status_has (view, "Peak memory 24.0 MiB");
  assert_status_has (view, "stderr 3 bytes");

  /* Another run begins with a clean slate. */
  fh_output_view_set_run (view, second);
  assert_status_has (view, "Running…");
  g_assert_null (widget_test_find_label (GTK_WIDGET (view), "1 file"));
  assert_shown (view, "");
  widget_test_finish (second, 0);
  g_assert_null (widget_test_find_label (GTK_WIDGET (view), "1 file"));
  fh_output_view_show_result (view, fh_run_get_request (run), fh_run_get_result (run), FALSE);
  assert_shown (view, "oh\n");
  assert_status_has (view, "Time 1.25 s");
  gtk_window_destroy (window);
}

static void
test_hints (void)
{
  FhOutputView *view = g_object_new (FH_TYPE_OUTPUT_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("pass");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 700, 400);
  g_autofree char *before = labels_of (GTK_WIDGET (view));
  g_autofree char *during = NULL;

  g_assert_nonnull (strstr (before, "Run the code to see its output here"));
  fh_output_view_set_run (view, run);
  widget_test_settle ();
  during = labels_of (GTK_WIDGET (view));
  g_assert_null (strstr (during, "printed nothing"));
  widget_test_finish (run, 0);
  wait_for_label (view, "The program printed nothing");
  gtk_window_destroy (window);
}

/* For a program that was not started, the hint says so, live and from the history. */
static void
test_nothing_ran (void)
{
  FhOutputView *view = g_object_new (FH_TYPE_OUTPUT_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("pass");
  g_autoptr (FhRun) next = widget_test_run_new ("pass");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 700, 400);
  const FhRunOutcome outcome = {
    .status = FH_RUN_STATUS_GUARD_FAILED,
    .exit_code = -1,
    .signal = -1,
    .step = "descriptor-passing",
    .error = ETOOMANYREFS,
  };
  g_autofree char *labels = NULL;

  fh_output_view_set_run (view, run);
  fh_run_finish (run, &outcome);
  wait_for_label (view, "The program was not started\n");
  assert_status_has (view, "too many open files in transit");
  labels = labels_of (GTK_WIDGET (view));
  g_assert_null (strstr (labels, "printed nothing"));
  fh_output_view_set_run (view, next);
  widget_test_finish (next, 0);
  wait_for_label (view, "The program printed nothing");
  fh_output_view_show_result (view, fh_run_get_request (run), fh_run_get_result (run), FALSE);
  wait_for_label (view, "The program was not started\n");
  gtk_window_destroy (window);
}

/* What is run at once is told together, and what is run next on its own. */
static void
test_parts (void)
{
  FhOutputStatus *status = g_object_new (FH_TYPE_OUTPUT_STATUS, NULL);
  GtkWindow *window = widget_test_window (GTK_WIDGET (status), 600, 100);
  const char *const times[] = { "1.25 s", "2.50 s", "1.25 s" };

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      g_autoptr (FhRun) run = widget_test_run_new ("1");

      if (i != 1)
        fh_output_status_begin_parts (status);
      fh_output_status_set_run (status, run, TRUE);
      widget_test_finish (run, 0);
      g_assert_nonnull (widget_test_find_label (GTK_WIDGET (status), times[i]));
    }
  gtk_window_destroy (window);
}

static void
go_to_line_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  guint *place = data;

  g_variant_get (parameter, "(uu)", &place[0], &place[1]);
}

static void
test_places (void)
{
  FhOutputView *view = g_object_new (FH_TYPE_OUTPUT_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("print (1)");
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GSimpleAction) action = g_simple_action_new ("go-to-line", G_VARIANT_TYPE ("(uu)"));
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 700, 300);
  const guint places[] = { 5, 6, 7, 12, 21, 20, 5 };
  guint place[2] = { 0, 0 };

  g_signal_connect (action, "activate", G_CALLBACK (go_to_line_cb), place);
  g_action_map_add_action (G_ACTION_MAP (group), G_ACTION (action));
  gtk_widget_insert_action_group (GTK_WIDGET (window), "page", G_ACTION_GROUP (group));
  fh_output_view_set_run (view, run);
  widget_test_write (run,
                     FH_STREAM_STDERR,
                     "main.py:5: a warning\nmain.py:6: a warning\n"
                     "Traceback (most recent call last):\n"
                     "  File \"/workspace/main.py\", line 12, in <module>\n"
                     "    step ()\n"
                     "  File \"/usr/lib/python3/abc.py\", line 90, in step\n"
                     "    function ()\n"
                     "  File \"/workspace/main.py\", line 7, in step\n"
                     "ValueError: main.py is no number\n"
                     "\n"
                     "Traceback (most recent call last):\n"
                     "  File \"/workspace/main.py\", line 20, in <module>\n"
                     "  File \"/workspace/main.py\", line 21, in end\n"
                     "ValueError: at last\n");
  wait_for_text (view, "at last");
  /* Within a traceback from the line that failed to those that called it. */
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      gtk_widget_activate_action (GTK_WIDGET (view), "output.next-place", NULL);
      g_assert_cmpuint (place[0], ==, places[i]);
    }
  for (guint i = G_N_ELEMENTS (places) - 1; i > 0; i--)
    {
      gtk_widget_activate_action (GTK_WIDGET (view), "output.previous-place", NULL);
      g_assert_cmpuint (place[0], ==, places[i - 1]);
    }
  gtk_widget_activate_action (GTK_WIDGET (view), "output.previous-place", NULL);
  g_assert_cmpuint (place[0], ==, 20);
  gtk_window_destroy (window);
}

/* The menu tells the key of what it offers. */
static void
test_menu (void)
{
  FhOutputView *view = g_object_new (FH_TYPE_OUTPUT_VIEW, NULL);
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 700, 300);

  gtk_menu_button_popup (
      GTK_MENU_BUTTON (widget_test_find (GTK_WIDGET (view), GTK_TYPE_MENU_BUTTON)));
  widget_test_wait_for_label (GTK_WIDGET (view), "Ctrl+K");
  widget_test_wait_for_label (GTK_WIDGET (view), "F8");
  gtk_window_destroy (window);
}

static void
test_clear (void)
{
  FhOutputView *view = g_object_new (FH_TYPE_OUTPUT_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("print (1)");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 700, 300);

  fh_output_view_set_run (view, run);
  widget_test_write (run, FH_STREAM_STDOUT, "before\n");
  assert_shown (view, "before\n");
  gtk_widget_activate_action (GTK_WIDGET (view), "output.clear", NULL);
  assert_shown (view, "");
  widget_test_write (run, FH_STREAM_STDOUT, "after\n");
  g_object_set (view, "pane", "stdout", NULL);
  assert_shown (view, "after\n");
  gtk_window_destroy (window);
}

/* More than a pane holds: the beginning and the end are there at last, and what is missing is told.
 */
static void
test_too_much (void)
{
  FhOutputView *view = g_object_new (FH_TYPE_OUTPUT_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("print (1)");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 700, 300);
  g_autofree char *block = g_malloc (100001);
  g_autofree char *text = NULL;

  memset (block, 'x', 100000);
  for (guint i = 99; i < 100000; i += 100)
    block[i] = '\n';
  block[100000] = '\0';
  fh_output_view_set_run (view, run);
  widget_test_write (run, FH_STREAM_STDOUT, "the beginning\n");
  for (guint i = 0; i < 40; i++)
    widget_test_write (run, FH_STREAM_STDOUT, block);
  widget_test_write (run, FH_STREAM_STDOUT, "the end\n");
  widget_test_finish (run, 0);
  wait_for_text (view, "left out …]");
  wait_for_text (view, "the end");
  wait_for_label (view, "of this output is neither shown nor searched here");
  text = widget_test_text (shown_view (view));
  g_assert_true (g_str_has_prefix (text, "the beginning\n"));
  g_assert_true (g_str_has_suffix (text, "the end\n"));
  g_assert_nonnull (strstr (text, "left out …]\n"));
  gtk_window_destroy (window);
}

/* A source that writes when the loop has looked at its sources a few times. */
typedef struct
{
  GSource parent;
  FhRun *run;
  guint n_looks;
} Later;

static gboolean
later_prepare (GSource *source, int *timeout)
{
  Later *later = (Later *) source;

  *timeout = 0;
  return ++later->n_looks == 10;
}

static gboolean
later_dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  widget_test_write (((Later *) source)->run, FH_STREAM_STDOUT, "first\n");
  return G_SOURCE_REMOVE;
}

typedef struct
{
  GtkTextView *view;
  guint n;
} EmptyFrames;

static void
count_cb (GdkFrameClock *clock, EmptyFrames *frames)
{
  frames->n += gtk_text_buffer_get_char_count (gtk_text_view_get_buffer (frames->view)) == 0;
}

/* Frames that were painted from the beginning of a run until its output was there. */
static guint
count_frames (FhOutputView *view)
{
  static GSourceFuncs functions = { .prepare = later_prepare, .dispatch = later_dispatch };
  g_autoptr (FhRun) run = widget_test_run_new ("print (1)");
  g_autoptr (GSource) source = g_source_new (&functions, sizeof (Later));
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (view));
  EmptyFrames frames = { .view = shown_view (view) };
  gulong id;

  /* The frame clock has rested, so it paints as soon as the loop lets it. */
  widget_test_settle ();
  g_usleep (40000);
  id = g_signal_connect (clock, "paint", G_CALLBACK (count_cb), &frames);
  ((Later *) source)->run = run;
  g_source_attach (source, NULL);
  fh_output_view_set_run (view, run);
  gtk_widget_queue_draw (GTK_WIDGET (view));
  assert_shown (view, "first\n");
  g_signal_handler_disconnect (clock, id);
  widget_test_finish (run, 0);
  return frames.n;
}

/* The first frame of a run has what the program prints at once, unless the computer is too busy to
 * come to it in time; so it may take a few tries. */
static void
test_first_frame (void)
{
  FhOutputView *view = g_object_new (FH_TYPE_OUTPUT_VIEW, NULL);
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 700, 300);
  guint tries = 1;

  while (count_frames (view) > 0)
    g_assert_cmpuint (++tries, <=, 100);
  gtk_window_destroy (window);
}

static void
test_finalizes (void)
{
  FhOutputView *view = g_object_ref_sink (g_object_new (FH_TYPE_OUTPUT_VIEW, NULL));
  FhRun *run = widget_test_run_new ("print (1)");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 700, 300);

  fh_output_view_set_run (view, run);
  widget_test_write (run, FH_STREAM_STDOUT, "text\n");
  assert_shown (view, "text\n");
  gtk_widget_activate_action (GTK_WIDGET (view), "output.find", NULL);
  gtk_window_destroy (window);
  widget_test_finalize (view);
  widget_test_finalize (run);
}

WIDGET_TESTS ({ "/output/parts", test_parts },
              { "/output/streams", test_streams },
              { "/output/before-size", test_before_size },
              { "/output/interleaved", test_interleaved },
              { "/output/progress", test_progress },
              { "/output/hostile", test_hostile },
              { "/output/status", test_status },
              { "/output/hints", test_hints },
              { "/output/nothing-ran", test_nothing_ran },
              { "/output/places", test_places },
              { "/output/menu", test_menu },
              { "/output/clear", test_clear },
              { "/output/too-much", test_too_much },
              { "/output/first-frame", test_first_frame },
              { "/output/finalizes", test_finalizes });
