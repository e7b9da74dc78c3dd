/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "editor/block-colours.h"

#include <gtksourceview/gtksource.h>

#include "editor/editor-view.h"
#include "widget-test.h"

#define ANSWER                                                                                     \
  "A word.\n\n```python\ndef one ():\n    return 'two'  # three\n# four\n```\n\n"                  \
  "```json\n{\"five\": \"six\"}\n```\n\n```zorp\nreturn seven\n```\n"

typedef struct
{
  GtkWindow *window;
  FhEditorView *editor;
  GtkTextBuffer *buffer; /* of the editor */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->editor = g_object_new (FH_TYPE_EDITOR_VIEW, NULL);
  fixture->window = widget_test_window (GTK_WIDGET (fixture->editor), 400, 300);
  fixture->buffer = GTK_TEXT_BUFFER (fh_editor_view_get_document (fixture->editor));
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  FhEditorView *editor = g_object_ref (fixture->editor);

  gtk_window_destroy (fixture->window);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  widget_test_finalize (editor);
}

/* The colour of the text at the first place of `needle`; NULL if it has none of its own. */
static char *
dup_colour (Fixture *fixture, const char *needle)
{
  char *colour = NULL;
  GtkTextIter start;
  GtkTextIter at;
  GSList *tags;

  gtk_text_buffer_get_start_iter (fixture->buffer, &start);
  g_assert_true (gtk_text_iter_forward_search (&start, needle, 0, &at, NULL, NULL));
  tags = gtk_text_iter_get_tags (&at);
  /* They are in the order of their priority: the last one that has a colour wins. */
  for (GSList *i = tags; i != NULL; i = i->next)
    {
      GdkRGBA *rgba = NULL;
      gboolean is_set;

      g_object_get (i->data, "foreground-rgba", &rgba, "foreground-set", &is_set, NULL);
      if (is_set)
        {
          g_free (colour);
          colour = gdk_rgba_to_string (rgba);
        }
      g_clear_pointer (&rgba, gdk_rgba_free);
    }
  g_slist_free (tags);
  return colour;
}

static void
assert_same (Fixture *fixture, const char *one, const char *other, gboolean same)
{
  g_autofree char *first = dup_colour (fixture, one);
  g_autofree char *second = dup_colour (fixture, other);

  g_test_message ("%s is %s, %s is %s", one, first, other, second);
  g_assert_cmpint (g_strcmp0 (first, second) == 0, ==, same);
}

/* Tells the editor which blocks its text has now. */
static void
show (Fixture *fixture)
{
  const char *text = fh_document_get_text (FH_DOCUMENT (fixture->buffer));
  g_autoptr (GPtrArray) blocks = fh_answer_find_blocks (text);

  fh_editor_blocks_show (fh_editor_view_get_blocks (fixture->editor), blocks, NULL);
}

static void
show_text (Fixture *fixture, const char *text)
{
  gtk_text_buffer_set_text (fixture->buffer, text, -1);
  show (fixture);
}

static void
test_languages (Fixture *fixture, gconstpointer data)
{
  g_object_set (fixture->editor, "markdown", TRUE, NULL);
  show_text (fixture, ANSWER);
  assert_same (fixture, "def", "return", TRUE);
  assert_same (fixture, "def", "one", FALSE);
  assert_same (fixture, "def", "'two'", FALSE);
  /* For Markdown this line is a heading. */
  assert_same (fixture, "# three", "# four", TRUE);
  assert_same (fixture, "A word", "# four", FALSE);
  /* A block that is not run has the colours of its language, too. */
  assert_same (fixture, "\"six\"", "'two'", TRUE);
  assert_same (fixture, "return seven", "seven", TRUE);
  widget_test_settle ();
  widget_test_screenshot (GTK_WIDGET (fixture->window), "block-colours");
}

static void
test_same_text_again (Fixture *fixture, gconstpointer data)
{
  show_text (fixture, ANSWER);
  show_text (fixture, ANSWER);
  assert_same (fixture, "def", "return", TRUE);
  assert_same (fixture, "def", "one", FALSE);
}

static void
test_edited (Fixture *fixture, gconstpointer data)
{
  GtkTextIter at;

  show_text (fixture, "```python\ndef one ():\n    two\n```\n");
  assert_same (fixture, "def", "two", FALSE);
  /* One edit above the block and one in it. */
  gtk_text_buffer_get_start_iter (fixture->buffer, &at);
  gtk_text_buffer_insert (fixture->buffer, &at, "Look:\n\n", -1);
  gtk_text_buffer_get_iter_at_line (fixture->buffer, &at, 4);
  gtk_text_buffer_insert (fixture->buffer, &at, "    return ", -1);
  show (fixture);
  assert_same (fixture, "def", "return", TRUE);
  assert_same (fixture, "def", "two", FALSE);
}

static void
test_prose_has_none (Fixture *fixture, gconstpointer data)
{
  GtkTextIter start;
  GtkTextIter end;

  show_text (fixture, ANSWER);
  /* Without its fence the block is prose, ... */
  gtk_text_buffer_get_iter_at_line (fixture->buffer, &start, 2);
  gtk_text_buffer_get_iter_at_line (fixture->buffer, &end, 3);
  gtk_text_buffer_delete (fixture->buffer, &start, &end);
  gtk_text_buffer_get_iter_at_line (fixture->buffer, &start, 5);
  gtk_text_buffer_get_iter_at_line (fixture->buffer, &end, 6);
  gtk_text_buffer_delete (fixture->buffer, &start, &end);
  show (fixture);
  assert_same (fixture, "def", "A word", TRUE);
  /* ... and in a program there are none. */
  fh_editor_blocks_show (fh_editor_view_get_blocks (fixture->editor), NULL, NULL);
  assert_same (fixture, "\"six\"", "seven", TRUE);
}

static void
test_dark (Fixture *fixture, gconstpointer data)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  g_autofree char *light = NULL;
  g_autofree char *dark = NULL;

  show_text (fixture, ANSWER);
  light = dup_colour (fixture, "def");
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_DARK);
  dark = dup_colour (fixture, "def");
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_LIGHT);
  g_assert_cmpstr (light, !=, dark);
}

/* A block that would hold up the window has no colours. */
static void
test_long (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new ("```python\ndef short (): pass\n```\n\n```python\n");

  for (guint i = 0; i < 3000; i++)
    g_string_append_printf (text, "if_%u = 1\n", i);
  g_string_append (text, "while True: pass\n```\n");
  show_text (fixture, text->str);
  assert_same (fixture, "def", "short", FALSE);
  assert_same (fixture, "while", "True", TRUE);
}

WIDGET_FIXTURE_TESTS (Fixture,
                      set_up,
                      tear_down,
                      { "/app/block-colours/languages", test_languages },
                      { "/app/block-colours/same-text-again", test_same_text_again },
                      { "/app/block-colours/edited", test_edited },
                      { "/app/block-colours/prose-has-none", test_prose_has_none },
                      { "/app/block-colours/dark", test_dark },
                      { "/app/block-colours/long", test_long });
