/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "output/output-sources.h"
#include "output/output-writer.h"
#include "widget-test.h"

typedef struct
{
  FhOutputStyles *styles;
  GtkTextBuffer *buffer;
  FhOutputWriter *writer;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) sources = fh_output_sources_new ();

  fixture->styles = fh_output_styles_new ();
  fixture->buffer = gtk_text_buffer_new (fh_output_styles_get_table (fixture->styles));
  fixture->writer = fh_output_writer_new (fixture->buffer, fixture->styles);
  fh_output_sources_add (sources, "main.py", 0);
  fh_output_writer_reset (fixture->writer, sources, TRUE);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  fh_output_writer_free (fixture->writer);
  widget_test_finalize (fixture->buffer);
  widget_test_finalize (fixture->styles);
}

static void
feed (Fixture *fixture, FhStream stream, const char *text, gboolean skipped)
{
  fh_output_writer_feed (fixture->writer, stream, (const guint8 *) text, strlen (text), skipped);
}

static void
assert_text (Fixture *fixture, const char *expected)
{
  g_autofree char *text = NULL;
  GtkTextIter start, end;

  fh_output_writer_flush (fixture->writer);
  gtk_text_buffer_get_bounds (fixture->buffer, &start, &end);
  text = gtk_text_iter_get_text (&start, &end);
  g_assert_cmpstr (text, ==, expected);
}

static gboolean
has_tag (Fixture *fixture, int offset, FhOutputTag tag)
{
  GtkTextIter iter;

  gtk_text_buffer_get_iter_at_offset (fixture->buffer, &iter, offset);
  return gtk_text_iter_has_tag (&iter, fh_output_styles_get_tag (fixture->styles, tag));
}

static void
test_open_line (Fixture *fixture, gconstpointer data)
{
  feed (fixture, FH_STREAM_STDOUT, "one\ntw", FALSE);
  assert_text (fixture, "one\ntw");
  assert_text (fixture, "one\ntw");
  feed (fixture, FH_STREAM_STDOUT, "o\n\rthree\r", FALSE);
  assert_text (fixture, "one\ntwo\nthree");
  feed (fixture, FH_STREAM_STDOUT, "T", FALSE);
  assert_text (fixture, "one\ntwo\nThree");
}

static void
test_stderr_tag (Fixture *fixture, gconstpointer data)
{
  feed (fixture, FH_STREAM_STDOUT, "out", FALSE);
  feed (fixture, FH_STREAM_STDERR, "err\n", FALSE);
  feed (fixture, FH_STREAM_STDOUT, "out\n", FALSE);
  assert_text (fixture, "out\nerr\nout\n");
  g_assert_false (has_tag (fixture, 0, FH_OUTPUT_TAG_STDERR));
  g_assert_true (has_tag (fixture, 4, FH_OUTPUT_TAG_STDERR));
  g_assert_false (has_tag (fixture, 8, FH_OUTPUT_TAG_STDERR));
}

/* A place is found in whole lines and in the one being written, and only there. */
static void
test_places (Fixture *fixture, gconstpointer data)
{
  feed (fixture, FH_STREAM_STDERR, "x\n  File \"main.py\", line 3\nmain.py without\n", FALSE);
  feed (fixture, FH_STREAM_STDERR, "  File \"main.py\", line 4", FALSE);
  fh_output_writer_flush (fixture->writer);
  g_assert_false (has_tag (fixture, 0, FH_OUTPUT_TAG_LINK));
  g_assert_true (has_tag (fixture, 8, FH_OUTPUT_TAG_LINK));
  g_assert_false (has_tag (fixture, 30, FH_OUTPUT_TAG_LINK));
  g_assert_true (has_tag (fixture, 50, FH_OUTPUT_TAG_LINK));
}

/* After a gap text goes on where something begins. */
static void
test_gap (Fixture *fixture, gconstpointer data)
{
  feed (fixture, FH_STREAM_STDOUT, "one\ntw", FALSE);
  feed (fixture, FH_STREAM_STDOUT, "the rest of a line\nnext", TRUE);
  assert_text (fixture, "one\ntw\nnext");
  fh_output_writer_reset (fixture->writer, NULL, TRUE);
  feed (fixture, FH_STREAM_STDOUT, "\r 10%", FALSE);
  feed (fixture, FH_STREAM_STDOUT, "0%\r 20%\r 30%", TRUE);
  assert_text (fixture, " 30%");
}

static void
test_note (Fixture *fixture, gconstpointer data)
{
  feed (fixture, FH_STREAM_STDOUT, "begin", FALSE);
  fh_output_writer_note (fixture->writer, "[left out]");
  feed (fixture, FH_STREAM_STDOUT, "x\nend", TRUE);
  assert_text (fixture, "begin\n[left out]\nend");
}

/* What is cut off at the top is whole lines, and is counted. */
static void
test_trim (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) block = g_string_new (NULL);
  int lines;
  GtkTextIter start;

  for (guint i = 0; i < 1000; i++)
    g_string_append_printf (block, "line %u\n", i);
  for (guint i = 0; i < 60; i++)
    {
      feed (fixture, FH_STREAM_STDOUT, block->str, FALSE);
      fh_output_writer_flush (fixture->writer);
    }
  lines = gtk_text_buffer_get_line_count (fixture->buffer);
  g_assert_cmpint (lines, <=, FH_OUTPUT_WRITER_MAX_LINES * 9 / 8);
  g_assert_cmpint (lines, >=, FH_OUTPUT_WRITER_MAX_LINES);
  g_assert_cmpuint (fh_output_writer_get_trimmed (fixture->writer) +
                        (guint64) gtk_text_buffer_get_char_count (fixture->buffer),
                    ==,
                    60 * block->len);
  gtk_text_buffer_get_start_iter (fixture->buffer, &start);
  g_assert_cmpuint (gtk_text_iter_get_char (&start), ==, 'l');
}

/* The number of tags does not grow with what is printed. */
static void
test_tags (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 20000; i++)
    {
      g_autofree char *text = g_strdup_printf ("\033[0;%u;%u;%u;38;2;%u;%u;7m*\n",
                                               i % 10,
                                               30 + i % 8,
                                               40 + i / 8 % 8,
                                               i % 256,
                                               i / 256);

      feed (fixture, FH_STREAM_STDOUT, text, FALSE);
    }
  fh_output_writer_flush (fixture->writer);
  g_assert_cmpint (gtk_text_tag_table_get_size (fh_output_styles_get_table (fixture->styles)),
                   <=,
                   2 * 17 * 17 + 9);
}

static gboolean
is_bold (Fixture *fixture, int offset)
{
  GtkTextIter iter;
  g_autoptr (GSList) tags = NULL;

  gtk_text_buffer_get_iter_at_offset (fixture->buffer, &iter, offset);
  tags = gtk_text_iter_get_tags (&iter);
  for (GSList *at = tags; at != NULL; at = at->next)
    {
      int weight;

      g_object_get (at->data, "weight", &weight, NULL);
      if (weight >= PANGO_WEIGHT_BOLD)
        return TRUE;
    }
  return FALSE;
}

/* It goes on with the line, and is text, whatever it holds. */
static void
test_echo (Fixture *fixture, gconstpointer data)
{
  feed (fixture, FH_STREAM_STDOUT, "Name? \033[3", FALSE);
  fh_output_writer_echo (fixture->writer, (const guint8 *) "A\033[31mda\n", 9);
  feed (fixture, FH_STREAM_STDOUT, "1mred", FALSE);
  assert_text (fixture, "Name? Ada\nred");
  g_assert_true (is_bold (fixture, 6));
  g_assert_false (is_bold (fixture, 0));
  g_assert_false (is_bold (fixture, 11));
}

WIDGET_FIXTURE_TESTS (Fixture,
                      set_up,
                      tear_down,
                      { "/writer/open-line", test_open_line },
                      { "/writer/stderr-tag", test_stderr_tag },
                      { "/writer/places", test_places },
                      { "/writer/gap", test_gap },
                      { "/writer/note", test_note },
                      { "/writer/trim", test_trim },
                      { "/writer/tags", test_tags },
                      { "/writer/echo", test_echo });
