/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-search.h"
#include "widget-test.h"

typedef struct
{
  FhOutputStyles *styles;
  FhOutputSearch *search;
  GtkWidget *view;
  GtkTextBuffer *buffer;
  GtkWindow *window;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  GtkTextIter start;
  GtkWidget *scroller;

  fixture->styles = fh_output_styles_new ();
  fixture->buffer = gtk_text_buffer_new (fh_output_styles_get_table (fixture->styles));
  fixture->view = gtk_text_view_new_with_buffer (fixture->buffer);
  scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), fixture->view);
  fixture->window = widget_test_window (scroller, 300, 200);
  gtk_text_buffer_set_text (fixture->buffer, data != NULL ? data : "", -1);
  gtk_text_buffer_get_start_iter (fixture->buffer, &start);
  gtk_text_buffer_place_cursor (fixture->buffer, &start);
  fixture->search = fh_output_search_new (fixture->styles);
  fh_output_search_set_view (fixture->search, GTK_TEXT_VIEW (fixture->view));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  fh_output_search_set_view (fixture->search, NULL);
  widget_test_finalize (fixture->search);
  gtk_window_destroy (fixture->window);
  g_object_unref (fixture->buffer);
  widget_test_finalize (fixture->styles);
}

static void
settle (Fixture *fixture)
{
  do
    widget_test_wait (10);
  while (fh_output_search_is_busy (fixture->search));
}

static void
append (Fixture *fixture, const char *text)
{
  GtkTextIter end;

  gtk_text_buffer_get_end_iter (fixture->buffer, &end);
  gtk_text_buffer_insert (fixture->buffer, &end, text, -1);
}

static void
test_find (Fixture *fixture, gconstpointer data)
{
  fh_output_search_set_query (fixture->search, "LINE");
  settle (fixture);
  g_assert_cmpuint (fh_output_search_get_n_matches (fixture->search), ==, 3);
  g_assert_cmpuint (fh_output_search_get_position (fixture->search), ==, 1);
  fh_output_search_go (fixture->search, FALSE);
  g_assert_cmpuint (fh_output_search_get_position (fixture->search), ==, 3);
  fh_output_search_go (fixture->search, TRUE);
  fh_output_search_go (fixture->search, TRUE);
  g_assert_cmpuint (fh_output_search_get_position (fixture->search), ==, 2);
  fh_output_search_set_query (fixture->search, "nowhere");
  settle (fixture);
  g_assert_cmpuint (fh_output_search_get_n_matches (fixture->search), ==, 0);
  fh_output_search_go (fixture->search, TRUE);
  fh_output_search_set_query (fixture->search, "ÄPFEL");
  settle (fixture);
  g_assert_cmpuint (fh_output_search_get_n_matches (fixture->search), ==, 1);
}

/* The text grows at its end and loses what is old, as it does while a program runs. */
static void
test_changes (Fixture *fixture, gconstpointer data)
{
  GtkTextIter start, end;

  fh_output_search_set_query (fixture->search, "line");
  settle (fixture);
  fh_output_search_go (fixture->search, TRUE);
  g_assert_cmpuint (fh_output_search_get_position (fixture->search), ==, 2);
  append (fixture, "line four and line five\nli");
  settle (fixture);
  g_assert_cmpuint (fh_output_search_get_n_matches (fixture->search), ==, 5);
  append (fixture, "ne six");
  settle (fixture);
  g_assert_cmpuint (fh_output_search_get_n_matches (fixture->search), ==, 6);
  g_assert_cmpuint (fh_output_search_get_position (fixture->search), ==, 2);

  gtk_text_buffer_get_start_iter (fixture->buffer, &start);
  end = start;
  gtk_text_iter_forward_line (&end);
  gtk_text_buffer_delete (fixture->buffer, &start, &end);
  settle (fixture);
  g_assert_cmpuint (fh_output_search_get_n_matches (fixture->search), ==, 5);
  g_assert_cmpuint (fh_output_search_get_position (fixture->search), ==, 1);
  gtk_text_buffer_set_text (fixture->buffer, "", 0);
  settle (fixture);
  g_assert_cmpuint (fh_output_search_get_n_matches (fixture->search), ==, 0);
  g_assert_cmpuint (fh_output_search_get_position (fixture->search), ==, 0);
}

static void
test_many (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gint64 started_at, longest = 0, last;

  for (guint i = 0; i < 40000; i++)
    g_string_append (text, "aaaa aaaa aaaa aaaa\n");
  append (fixture, text->str);
  widget_test_settle ();
  fh_output_search_set_query (fixture->search, "aa");
  started_at = last = g_get_monotonic_time ();
  while (fh_output_search_is_busy (fixture->search))
    {
      g_main_context_iteration (NULL, TRUE);
      longest = MAX (longest, g_get_monotonic_time () - last);
      last = g_get_monotonic_time ();
    }
  g_assert_cmpuint (fh_output_search_get_n_matches (fixture->search),
                    ==,
                    FH_OUTPUT_SEARCH_MAX_MATCHES);
  g_test_message ("800 kB searched in %.0f ms, at most %.0f ms at a time",
                  (double) (last - started_at) / 1e3,
                  (double) longest / 1e3);
}

static const char text[] = "Line one\nthe second line\nÄpfel\noutline\n";

WIDGET_FIXTURE_TESTS (Fixture,
                      set_up,
                      tear_down,
                      { "/search/find", test_find, text },
                      { "/search/changes", test_changes, text },
                      { "/search/many", test_many });
