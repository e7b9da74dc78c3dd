/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of a session, one below the other. */
#include "output/output-section.h"

#include "output/output-view.h"
#include "output/output-writer.h"
#include "widget-test.h"

#define BOTH (FH_STREAM_STDOUT | FH_STREAM_STDERR)

typedef struct
{
  FhOutputView *view;
  GtkWindow *window;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->view = g_object_new (FH_TYPE_OUTPUT_VIEW, NULL);
  fixture->window = widget_test_window (GTK_WIDGET (fixture->view), 700, 400);
  fh_output_view_begin_session (fixture->view, NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
}

static GtkTextView *
shown (Fixture *fixture)
{
  return GTK_TEXT_VIEW (widget_test_find (GTK_WIDGET (fixture->view), GTK_TYPE_TEXT_VIEW));
}

typedef struct
{
  Fixture *fixture;
  const char *text;
} Expected;

static gboolean
is_shown (gpointer data)
{
  const Expected *expected = data;
  g_autofree char *text = widget_test_text (shown (expected->fixture));

  return g_str_equal (text, expected->text);
}

static gboolean
ends_with (gpointer data)
{
  const Expected *expected = data;
  g_autofree char *text = widget_test_text (shown (expected->fixture));

  return g_str_has_suffix (text, expected->text);
}

static void
assert_shown (Fixture *fixture, const char *text)
{
  Expected expected = { fixture, text };

  g_test_message ("waiting for “%s”", text);
  FH_AWAIT_TRUE (is_shown (&expected));
}

static FhRun *
begin (Fixture *fixture, const char *heading, FhOutputSection **section)
{
  FhRun *run = widget_test_run_new ("print (1)");

  *section = fh_output_section_new (heading, run, NULL);
  fh_output_view_add_section (fixture->view, *section);
  return run;
}

static void
end (FhRun *run, FhOutputSection *section)
{
  widget_test_finish (run, 0);
  fh_output_section_say (section, FH_STREAM_STDOUT, FH_OUTPUT_TAG_VALUE, "42");
  fh_output_section_say (section, BOTH, FH_OUTPUT_TAG_ENDING, "ended");
  fh_output_section_end (section);
}

/* Each keeps its place, and a pane that was hidden has all of them when it is shown. */
static void
test_order (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhOutputSection) one = NULL;
  g_autoptr (FhOutputSection) two = NULL;
  g_autoptr (FhRun) first = begin (fixture, "[1] one", &one);
  g_autoptr (FhRun) second = NULL;

  widget_test_write (first, FH_STREAM_STDOUT, "out 1");
  widget_test_write (first, FH_STREAM_STDERR, "err 1\n");
  assert_shown (fixture, "[1] one\nout 1\nerr 1\n");
  end (first, one);
  second = begin (fixture, "[2] two", &two);
  widget_test_write (second, FH_STREAM_STDERR, "err 2");
  assert_shown (fixture, "[1] one\nout 1\nerr 1\n42\nended\n[2] two\nerr 2");
  g_object_set (fixture->view, "pane", "stderr", NULL);
  assert_shown (fixture, "[1] one\nerr 1\nended\n[2] two\nerr 2");
  widget_test_write (second, FH_STREAM_STDOUT, "out 2\n");
  end (second, two);
  g_object_set (fixture->view, "pane", "stdout", NULL);
  assert_shown (fixture, "[1] one\nout 1\n42\nended\n[2] two\nout 2\n42\nended\n");
  g_object_set (fixture->view, "pane", "output", NULL);
  assert_shown (fixture, "[1] one\nout 1\nerr 1\n42\nended\n[2] two\nerr 2\nout 2\n42\nended\n");
}

static gboolean
has_background (Fixture *fixture, int line)
{
  GtkTextIter iter;
  g_autoptr (GSList) tags = NULL;

  gtk_text_buffer_get_iter_at_line (gtk_text_view_get_buffer (shown (fixture)), &iter, line);
  tags = gtk_text_iter_get_tags (&iter);
  for (GSList *at = tags; at != NULL; at = at->next)
    {
      gboolean is_set;

      g_object_get (at->data, "paragraph-background-set", &is_set, NULL);
      if (is_set)
        return TRUE;
    }
  return FALSE;
}

/* Only a heading has a line of its own colour, whatever a program prints; and what a cell left
 * open does not reach into the next. */
static void
test_imitation (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhOutputSection) one = NULL;
  g_autoptr (FhOutputSection) two = NULL;
  g_autoptr (FhRun) first = begin (fixture, "[1] \033[7mone\033]0;title\a", &one);
  g_autoptr (FhRun) second = NULL;
  GtkTextIter iter;
  g_autoptr (GSList) tags = NULL;
  gboolean only_hyphens;

  widget_test_write (first, FH_STREAM_STDOUT, "\033[1;47m[2] two\033[41m");
  end (first, one);
  second = begin (fixture, "[2] two", &two);
  widget_test_write (second, FH_STREAM_STDOUT, "plain");
  assert_shown (fixture, "[1] one\n[2] two\n42\nended\n[2] two\nplain");
  g_assert_true (has_background (fixture, 0));
  g_assert_false (has_background (fixture, 1));
  g_assert_false (has_background (fixture, 3));
  g_assert_true (has_background (fixture, 4));
  gtk_text_buffer_get_iter_at_line (gtk_text_view_get_buffer (shown (fixture)), &iter, 5);
  tags = gtk_text_iter_get_tags (&iter);
  g_assert_cmpuint (g_slist_length (tags), ==, 1);
  g_object_get (tags->data, "insert-hyphens-set", &only_hyphens, NULL);
  g_assert_true (only_hyphens);
}

/* Cells that run while nothing is to be seen: the oldest fall away, and the text stays within its
 * limits. */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  g_autofree char *block = g_strnfill (100000, 'x');
  Expected expected = { fixture, "[1500] cell\n42\nended\n" };
  GtkTextBuffer *buffer;
  FhOutputSection *one = NULL;
  g_autofree char *text = NULL;

  for (guint i = 99; i < 100000; i += 100)
    block[i] = '\n';
  g_object_set (fixture->view, "pane", "stderr", NULL);
  for (guint i = 1; i <= 1500; i++)
    {
      g_autoptr (FhOutputSection) section = NULL;
      g_autofree char *heading = g_strdup_printf ("[%u] cell", i);
      g_autoptr (FhRun) run = begin (fixture, heading, &section);

      if (i == 600)
        g_object_add_weak_pointer (G_OBJECT (section), (gpointer *) &one);
      if (i == 600)
        one = section;
      if (i % 25 == 1)
        widget_test_write (run, FH_STREAM_STDOUT, block);
      end (run, section);
    }
  /* Their output is too much to wait, although there are not too many. */
  g_assert_null (one);
  g_object_set (fixture->view, "pane", "output", NULL);
  FH_AWAIT_TRUE (ends_with (&expected));
  buffer = gtk_text_view_get_buffer (shown (fixture));
  g_assert_cmpint (gtk_text_buffer_get_char_count (buffer), <=, FH_OUTPUT_WRITER_MAX_CHARS / 8 * 9);
  text = widget_test_text (shown (fixture));
  g_assert_null (strstr (text, "[2] cell\n"));
}

static void
test_clear (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhOutputSection) one = NULL;
  g_autoptr (FhOutputSection) two = NULL;
  g_autoptr (FhRun) first = begin (fixture, "[1] one", &one);
  g_autoptr (FhRun) second = NULL;

  widget_test_write (first, FH_STREAM_STDOUT, "before\n");
  assert_shown (fixture, "[1] one\nbefore\n");
  gtk_widget_activate_action (GTK_WIDGET (fixture->view), "output.clear", NULL);
  assert_shown (fixture, "");
  widget_test_write (first, FH_STREAM_STDOUT, "after\n");
  end (first, one);
  second = begin (fixture, "[2] two", &two);
  assert_shown (fixture, "after\n42\nended\n[2] two\n");
}

/* A run of another kind takes the place of all. */
static void
test_replaced (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FhOutputSection) one = NULL;
  g_autoptr (FhRun) first = begin (fixture, "[1] one", &one);
  g_autoptr (FhRun) other = widget_test_run_new ("print (2)");

  widget_test_write (first, FH_STREAM_STDOUT, "cell\n");
  assert_shown (fixture, "[1] one\ncell\n");
  fh_output_view_set_run (fixture->view, other);
  widget_test_write (other, FH_STREAM_STDOUT, "program\n");
  widget_test_write (first, FH_STREAM_STDOUT, "late\n");
  end (first, one);
  assert_shown (fixture, "program\n");
}

WIDGET_FIXTURE_TESTS (Fixture,
                      set_up,
                      tear_down,
                      { "/output-section/order", test_order },
                      { "/output-section/imitation", test_imitation },
                      { "/output-section/many", test_many },
                      { "/output-section/clear", test_clear },
                      { "/output-section/replaced", test_replaced });
