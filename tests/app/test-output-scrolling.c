/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-text.h"
#include "output/output-view.h"
#include "widget-test.h"

typedef struct
{
  GtkTextView *view;
  const char *part;
} Expected;

/* Text is shown with the next frames, and a loaded computer paints few. */
static gboolean
has_text (gpointer data)
{
  const Expected *expected = data;
  g_autofree char *text = widget_test_text (expected->view);

  return strstr (text, expected->part) != NULL;
}

static void
wait_for_text (GtkTextView *view, const char *part)
{
  g_test_message ("waiting for “%s”", part);
  FH_AWAIT_TRUE (has_text (&(Expected){ view, part }));
}

/* The text view learns how high its lines are as it goes, and moves with what it learns. It does so
 * before each frame and whenever nothing else is to be done. */
static void
wait_until_settled (FhOutputText *text)
{
  GtkWidget *view = GTK_WIDGET (fh_output_text_get_view (text));
  GdkFrameClock *clock = gtk_widget_get_frame_clock (view);

  for (guint i = 0; i < 3; i++)
    {
      const gint64 painted = gdk_frame_clock_get_frame_counter (clock);

      gtk_widget_queue_draw (view);
      FH_AWAIT_TRUE (gdk_frame_clock_get_frame_counter (clock) > painted);
      widget_test_settle ();
    }
}

static gboolean
is_at_end (gpointer adjustment)
{
  double value = gtk_adjustment_get_value (adjustment);

  return value > 0 && value + gtk_adjustment_get_page_size (adjustment) + 30 >
                          gtk_adjustment_get_upper (adjustment);
}

typedef struct
{
  FhOutputText *text;
  GtkAdjustment *adjustment;
} Scrolling;

/* The end moves away while the last lines learn how high they are; a person scrolls again. */
static gboolean
scrolls_to_end (gpointer data)
{
  Scrolling *scrolling = data;
  gboolean following;

  gtk_adjustment_set_value (scrolling->adjustment,
                            gtk_adjustment_get_upper (scrolling->adjustment));
  g_object_get (scrolling->text, "following", &following, NULL);
  return following;
}

static void
write_lines (FhRun *run, guint n, const char *last)
{
  for (guint i = 0; i < n; i++)
    widget_test_write (run, FH_STREAM_STDOUT, "a line\n");
  widget_test_write (run, FH_STREAM_STDOUT, last);
}

static void
test_tail (void)
{
  FhOutputView *view = g_object_new (FH_TYPE_OUTPUT_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("print (1)");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 700, 300);
  FhOutputText *text = FH_OUTPUT_TEXT (widget_test_find (GTK_WIDGET (view), FH_TYPE_OUTPUT_TEXT));
  GtkAdjustment *adjustment =
      gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (fh_output_text_get_view (text)));
  gboolean following;

  fh_output_view_set_run (view, run);
  write_lines (run, 200, "the last of the first\n");
  wait_for_text (fh_output_text_get_view (text), "the last of the first\n");
  FH_AWAIT_TRUE (is_at_end (adjustment));
  wait_until_settled (text);
  g_assert_true (is_at_end (adjustment));

  /* Away from the end the text stays where it is. */
  fh_output_text_pause (text);
  gtk_adjustment_set_value (adjustment, 100);
  wait_until_settled (text);
  gtk_adjustment_set_value (adjustment, 100);
  write_lines (run, 200, "the last of all\n");
  wait_for_text (fh_output_text_get_view (text), "the last of all\n");
  wait_until_settled (text);
  g_assert_cmpfloat (gtk_adjustment_get_value (adjustment), ==, 100);
  g_object_get (text, "following", &following, NULL);
  g_assert_false (following);

  /* Coming back to the end resumes. */
  FH_AWAIT_TRUE (scrolls_to_end (&(Scrolling){ text, adjustment }));
  fh_output_text_pause (text);
  gtk_widget_activate_action (GTK_WIDGET (view), "output.jump-to-end", NULL);
  g_object_get (text, "following", &following, NULL);
  g_assert_true (following);
  gtk_window_destroy (window);
}

/* A frame that is due is drawn at once. */
static void
request_frame_cb (GtkTextBuffer *buffer, GtkWidget *view)
{
  g_usleep (20000);
  gtk_widget_queue_draw (view);
  gdk_frame_clock_request_phase (gtk_widget_get_frame_clock (view),
                                 GDK_FRAME_CLOCK_PHASE_FLUSH_EVENTS);
}

/* After a key press a frame comes before the view has measured the text that was just added. GTK
 * warns, which ends the test, when that makes it resize something while it draws. */
static void
test_early_frames (void)
{
  FhOutputView *view = g_object_new (FH_TYPE_OUTPUT_VIEW, NULL);
  g_autoptr (FhRun) run = widget_test_run_new ("");
  GtkWindow *window = widget_test_window (GTK_WIDGET (view), 700, 400);
  GtkTextView *shown = GTK_TEXT_VIEW (widget_test_find (GTK_WIDGET (view), GTK_TYPE_TEXT_VIEW));
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (shown);

  fh_output_view_set_run (view, run);
  g_signal_connect (buffer, "changed", G_CALLBACK (request_frame_cb), shown);
  for (int i = 0; i < 60; i++)
    {
      const int lines = gtk_text_buffer_get_line_count (buffer);

      widget_test_write (run, FH_STREAM_STDOUT, "one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
      while (gtk_text_buffer_get_line_count (buffer) == lines)
        g_main_context_iteration (NULL, TRUE);
    }
  widget_test_finish (run, 0);
  gtk_window_destroy (window);
}

WIDGET_TESTS ({ "/output/tail", test_tail }, { "/output/early-frames", test_early_frames });
