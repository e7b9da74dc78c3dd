/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "editor/editor-view.h"

#include <gtksourceview/gtksource.h>
#include <math.h>

#include "widget-test.h"

#define FIVE_LINES "one\ntwo\n  three\n\nfive"

typedef struct
{
  GtkWindow *window;
  FhEditorView *editor;
  FhDocument *document; /* of the editor */
  GtkTextView *view;
  char *language;
  guint unwrapped;
  guint changes;
} Fixture;

static void
language_cb (Fixture *fixture, const char *id)
{
  g_free (fixture->language);
  fixture->language = g_strdup (id);
}

static void
count_cb (guint *count)
{
  (*count)++;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  GtkWidget *editor = g_object_new (FH_TYPE_EDITOR_VIEW, NULL);

  fixture->editor = FH_EDITOR_VIEW (editor);
  fixture->window = widget_test_window (editor, 400, 300);
  fixture->view = GTK_TEXT_VIEW (widget_test_find (editor, GTK_SOURCE_TYPE_VIEW));
  g_assert_nonnull (fixture->view);
  g_signal_connect_swapped (editor, "language-found", G_CALLBACK (language_cb), fixture);
  g_signal_connect_swapped (editor, "unwrapped", G_CALLBACK (count_cb), &fixture->unwrapped);
  fixture->document = fh_editor_view_get_document (fixture->editor);
  g_signal_connect_swapped (fixture->document, "changed", G_CALLBACK (count_cb), &fixture->changes);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  FhEditorView *editor = g_object_ref (fixture->editor);

  gtk_window_destroy (fixture->window);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  widget_test_finalize (editor);
  g_free (fixture->language);
}

static void
assert_place (Fixture *fixture, guint line, guint column)
{
  guint cursor_line;
  guint cursor_column;

  g_object_get (fixture->editor,
                "cursor-line",
                &cursor_line,
                "cursor-column",
                &cursor_column,
                NULL);
  g_assert_cmpuint (cursor_line, ==, line);
  g_assert_cmpuint (cursor_column, ==, column);
}

static void
test_text (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  g_assert_true (fh_document_is_empty (fixture->document));
  fh_document_set_text (fixture->document, FIVE_LINES, NULL);
  g_assert_cmpuint (fixture->changes, >, 0);
  text = g_strdup (fh_document_get_text (fixture->document));
  g_assert_cmpstr (text, ==, FIVE_LINES);
  g_assert_false (fh_document_is_empty (fixture->document));
  g_assert_false (gtk_text_buffer_get_modified (GTK_TEXT_BUFFER (fixture->document)));
  g_assert_false (gtk_text_buffer_get_can_undo (gtk_text_view_get_buffer (fixture->view)));
  assert_place (fixture, 1, 1);
  gtk_text_buffer_insert_at_cursor (gtk_text_view_get_buffer (fixture->view), "x", 1);
  g_assert_true (gtk_text_buffer_get_modified (GTK_TEXT_BUFFER (fixture->document)));
}

static void
test_cursor (Fixture *fixture, gconstpointer data)
{
  fh_document_set_text (fixture->document, FIVE_LINES, NULL);
  fh_editor_view_set_cursor (fixture->editor, 5);
  g_assert_cmpuint (fh_editor_view_get_cursor (fixture->editor), ==, 5);
  assert_place (fixture, 2, 2);
  fh_editor_view_set_cursor (fixture->editor, G_MAXUINT);
  g_assert_cmpuint (fh_editor_view_get_cursor (fixture->editor), ==, strlen (FIVE_LINES));
}

static void
test_go_to_line (Fixture *fixture, gconstpointer data)
{
  const struct
  {
    guint line;
    guint column;
    guint expected_line;
    guint expected_column;
  } cases[] = {
    { 1, 0, 1, 1 }, { 3, 0, 3, 1 },  { 3, 4, 3, 4 },         { 2, 99, 2, 4 },
    { 4, 9, 4, 1 }, { 5, 99, 5, 5 }, { 99, 0, 5, 1 },        { 0, 0, 1, 1 },
    { 5, 1, 5, 1 }, { 1, 4, 1, 4 },  { G_MAXUINT, 3, 5, 3 }, { 2, G_MAXUINT, 2, 4 },
  };

  fh_document_set_text (fixture->document, FIVE_LINES, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      fh_editor_view_go_to_line (fixture->editor, cases[i].line, cases[i].column);
      assert_place (fixture, cases[i].expected_line, cases[i].expected_column);
    }
}

static gboolean
is_lit (Fixture *fixture, int line)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (fixture->view);
  GtkTextTag *tag = gtk_text_tag_table_lookup (gtk_text_buffer_get_tag_table (buffer), "gone-to");
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_line (buffer, &at, line - 1);
  return gtk_text_iter_has_tag (&at, tag);
}

static void
test_highlight (Fixture *fixture, gconstpointer data)
{
  fh_document_set_text (fixture->document, FIVE_LINES, NULL);
  fh_editor_view_go_to_line (fixture->editor, 5, 0);
  g_assert_true (is_lit (fixture, 5));
  fh_editor_view_go_to_line (fixture->editor, 2, 0);
  g_assert_true (is_lit (fixture, 2));
  g_assert_false (is_lit (fixture, 5));
  FH_AWAIT_TRUE (!is_lit (fixture, 2));
}

static gboolean
shows_line_9000 (gpointer data)
{
  Fixture *fixture = data;
  GdkRectangle visible;
  GdkRectangle place;
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_line (gtk_text_view_get_buffer (fixture->view), &at, 8999);
  gtk_text_view_get_iter_location (fixture->view, &at, &place);
  gtk_text_view_get_visible_rect (fixture->view, &visible);
  return place.y >= visible.y && place.y < visible.y + visible.height;
}

/* A text of 10 000 lines scrolls to the line that was asked for while it is still measured. */
static void
test_scrolls (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 1; i <= 10000; i++)
    g_string_append_printf (text, "line %u\n", i);
  fh_document_set_text (fixture->document, text->str, NULL);
  fh_editor_view_go_to_line (fixture->editor, 9000, 0);
  FH_AWAIT_TRUE (shows_line_9000 (fixture));
}

/* After an input event GTK paints at once, also a text that the view has not measured yet: the
 * scroll bar must have the size of the new text by then, else GTK warns. */
static void
test_painted_at_once (Fixture *fixture, gconstpointer data)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (fixture->view));
  GtkWidget *scroller =
      gtk_widget_get_ancestor (GTK_WIDGET (fixture->view), GTK_TYPE_SCROLLED_WINDOW);
  g_autofree char *line = g_strnfill (1000, 'x');

  /* Else it is painted only while the pointer moves. */
  gtk_scrolled_window_set_overlay_scrolling (GTK_SCROLLED_WINDOW (scroller), FALSE);
  for (guint i = 0; i < 9; i++)
    {
      widget_test_wait (50);
      fh_document_set_text (fixture->document, line + 100 * i, NULL);
      gtk_widget_queue_draw (GTK_WIDGET (fixture->view));
      gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_FLUSH_EVENTS);
      widget_test_settle ();
    }
}

static void
test_language (Fixture *fixture, gconstpointer data)
{
  GtkSourceBuffer *buffer = GTK_SOURCE_BUFFER (gtk_text_view_get_buffer (fixture->view));

  for (const FhLanguage *language = fh_language_list (); language->id != NULL; language++)
    {
      g_object_set (fixture->editor, "language", language->id, NULL);
      g_assert_cmpstr (gtk_source_language_get_id (gtk_source_buffer_get_language (buffer)),
                       ==,
                       language->source_view_id);
    }
  g_object_set (fixture->editor, "language", NULL, NULL);
  g_assert_null (gtk_source_buffer_get_language (buffer));
}

static void
test_scheme (Fixture *fixture, gconstpointer data)
{
  GtkSourceBuffer *buffer = GTK_SOURCE_BUFFER (gtk_text_view_get_buffer (fixture->view));
  AdwStyleManager *style = adw_style_manager_get_default ();

  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_DARK);
  g_assert_cmpstr (gtk_source_style_scheme_get_id (gtk_source_buffer_get_style_scheme (buffer)),
                   ==,
                   "Adwaita-dark");
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_LIGHT);
  g_assert_cmpstr (gtk_source_style_scheme_get_id (gtk_source_buffer_get_style_scheme (buffer)),
                   ==,
                   "Adwaita");
}

/* The relative luminance of a color, as the WCAG defines it. */
static double
luminance (GtkSourceStyle *style, const char *property)
{
  g_autofree char *name = NULL;
  GdkRGBA color;
  double parts[3];

  g_object_get (style, property, &name, NULL);
  g_assert_true (gdk_rgba_parse (&color, name));
  parts[0] = color.red;
  parts[1] = color.green;
  parts[2] = color.blue;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    parts[i] = parts[i] <= 0.03928 ? parts[i] / 12.92 : pow ((parts[i] + 0.055) / 1.055, 2.4);
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
}

/* In high contrast code and the numbers of lines, whose color the marks beside them have, too, are
 * as clear as the WCAG asks for at its highest level. */
static void
test_contrast (Fixture *fixture, gconstpointer data)
{
  static const char *const ids[] = { "fumehood-contrast-light", "fumehood-contrast-dark" };
  static const char *const names[] = {
    "line-numbers", "current-line-number", "text",           "def:comment",      "def:string",
    "def:number",   "def:statement",       "def:function",   "def:type",         "def:preprocessor",
    "def:heading",  "def:constant",        "def:identifier", "def:special-char",
  };

  for (guint i = 0; i < G_N_ELEMENTS (ids) * G_N_ELEMENTS (names); i++)
    {
      GtkSourceStyleScheme *scheme = gtk_source_style_scheme_manager_get_scheme (
          gtk_source_style_scheme_manager_get_default (),
          ids[i / G_N_ELEMENTS (names)]);
      GtkSourceStyle *style, *ground;
      double one, other;

      g_assert_nonnull (scheme);
      style = gtk_source_style_scheme_get_style (scheme, names[i % G_N_ELEMENTS (names)]);
      ground =
          i % G_N_ELEMENTS (names) < 3 ? style : gtk_source_style_scheme_get_style (scheme, "text");
      one = luminance (style, "foreground") + 0.05;
      other = luminance (ground, "background") + 0.05;
      g_test_message ("%s: %s", ids[i / G_N_ELEMENTS (names)], names[i % G_N_ELEMENTS (names)]);
      g_assert_cmpfloat (MAX (one, other) / MIN (one, other), >=, 7);
    }
}

static void
test_fence_into_empty (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  fh_editor_view_insert_foreign (fixture->editor, "Sure!\n```bash\nls\n```\n");
  text = g_strdup (fh_document_get_text (fixture->document));
  g_assert_cmpstr (text, ==, "ls\n");
  g_assert_cmpstr (fixture->language, ==, "bash");
  g_assert_cmpuint (fixture->unwrapped, ==, 1);
}

/* What is in such a fence would run in the language that the tab has. */
static void
test_unknown_fence (Fixture *fixture, gconstpointer data)
{
  static const char *const fences[] = {
    "```html\n<p>\n```\n",
    "```json\n{}\n```\n",
    "```cobol\nDISPLAY 'x'.\n```\n",
    "```typescript\nlet x: number = 1;\n```\n",
    "```bash\ncat > a <<EOF\nno end\n```\n",
    "C#:\n```\nusing System;\nclass A\n{\n}\n```\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (fences); i++)
    {
      g_autofree char *text = NULL;

      fh_document_set_text (fixture->document, "", NULL);
      fh_editor_view_insert_foreign (fixture->editor, fences[i]);
      text = g_strdup (fh_document_get_text (fixture->document));
      g_assert_cmpstr (text, ==, fences[i]);
    }
  g_assert_null (fixture->language);
  g_assert_cmpuint (fixture->unwrapped, ==, 0);
}

/* A block that is not read as it is written stays in its answer, where that is told. */
static void
test_repaired_fence (Fixture *fixture, gconstpointer data)
{
  static const char *const fences[] = {
    "Sure!\n```python\nprint(“a”)\n```\n",
    "Sure!\n```python\n    x = 1\n    print(x)\n```\n",
    "```python\nprint(1)\n<|im_end|>\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (fences); i++)
    {
      fh_document_set_text (fixture->document, "", NULL);
      fh_editor_view_insert_foreign (fixture->editor, fences[i]);
      g_assert_cmpstr (fh_document_get_text (fixture->document), ==, fences[i]);
      g_assert_nonnull (fh_document_get_blocks (fixture->document));
    }
  g_assert_null (fixture->language);
  g_assert_cmpuint (fixture->unwrapped, ==, 0);
}

static void
test_paste_all (Fixture *fixture, gconstpointer data)
{
  const char *const pasted = "$ ls\na  b\n";
  g_autofree char *text = NULL;
  g_autofree char *all = NULL;

  fh_editor_view_insert_foreign (fixture->editor, pasted);
  text = g_strdup (fh_document_get_text (fixture->document));
  g_assert_cmpstr (text, ==, "ls\n");
  g_assert_cmpstr (fixture->language, ==, "sh");
  g_assert_true (fh_editor_view_paste_all (fixture->editor));
  all = g_strdup (fh_document_get_text (fixture->document));
  g_assert_cmpstr (all, ==, pasted);
}

/* What was written meanwhile is not replaced. */
static void
test_paste_too_late (Fixture *fixture, gconstpointer data)
{
  fh_editor_view_insert_foreign (fixture->editor, "$ ls\na  b\n");
  gtk_text_buffer_insert_at_cursor (gtk_text_view_get_buffer (fixture->view), "mine\n", -1);
  g_assert_false (fh_editor_view_paste_all (fixture->editor));
  g_assert_cmpuint (fh_document_get_size (fixture->document), ==, 8);
}

/* What was pasted before something else. */
static void
test_paste_nothing (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  fh_editor_view_insert_foreign (fixture->editor, "$ ls\n");
  fh_document_set_text (fixture->document, "", NULL);
  fh_editor_view_insert_foreign (fixture->editor, "x = 1\n");
  fh_editor_view_paste_all (fixture->editor);
  text = g_strdup (fh_document_get_text (fixture->document));
  g_assert_cmpstr (text, ==, "x = 1\n");
}

static void
test_fence_into_text (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  fh_document_set_text (fixture->document, "x", NULL);
  fh_editor_view_insert_foreign (fixture->editor, "```bash\nls\n```\n");
  text = g_strdup (fh_document_get_text (fixture->document));
  g_assert_cmpstr (text, ==, "```bash\nls\n```\nx");
  g_assert_null (fixture->language);
  g_assert_cmpuint (fixture->unwrapped, ==, 0);
}

static void
assert_text (Fixture *fixture, const char *expected)
{
  g_autofree char *text = g_strdup (fh_document_get_text (fixture->document));

  g_assert_cmpstr (text, ==, expected);
}

/* It gives way, and comes back. */
static void
test_fence_into_example (Fixture *fixture, gconstpointer data)
{
  const char *const pasted = "Sure!\n```bash\nls\n```\n";

  fh_document_set_example (fixture->document, "x = 1\ny = 2\n", NULL);
  fh_editor_view_insert_foreign (fixture->editor, pasted);
  assert_text (fixture, "ls\n");
  g_assert_cmpstr (fixture->language, ==, "bash");
  gtk_text_buffer_undo (gtk_text_view_get_buffer (fixture->view));
  assert_text (fixture, pasted);
  gtk_text_buffer_undo (gtk_text_view_get_buffer (fixture->view));
  assert_text (fixture, "x = 1\ny = 2\n");
}

/* An example that the user works with is a text like others. */
static void
test_used_example (Fixture *fixture, gconstpointer data)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (fixture->view);
  GtkTextIter start, end;

  fh_document_set_example (fixture->document, "x = 1\ny = 2\n", NULL);
  fh_editor_view_insert_foreign (fixture->editor, "y = 2\n");
  assert_text (fixture, "y = 2\nx = 1\ny = 2\n");

  fh_document_set_text (fixture->document, "x = 1\n", NULL);
  fh_editor_view_insert_foreign (fixture->editor, "z = 3\n");
  assert_text (fixture, "z = 3\nx = 1\n");

  fh_document_set_example (fixture->document, "x = 1\n", NULL);
  gtk_text_buffer_get_start_iter (buffer, &start);
  end = start;
  gtk_text_iter_forward_char (&end);
  gtk_text_buffer_select_range (buffer, &start, &end);
  fh_editor_view_insert_foreign (fixture->editor, "z");
  assert_text (fixture, "z = 1\n");
}

/* It is taken whole, as it would run in an answer. */
static void
test_fence_with_a_fence (Fixture *fixture, gconstpointer data)
{
  fh_editor_view_insert_foreign (fixture->editor,
                                 "Do:\n```bash\ncat <<A\n```\nx\n```\nA\nls\n```\n");
  assert_text (fixture, "cat <<A\n```\nx\n```\nA\nls\n");
}

static void
test_fence_over_all (Fixture *fixture, gconstpointer data)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (fixture->view);
  GtkTextIter start, end;

  fh_document_set_text (fixture->document, "x = 1\n", NULL);
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_text_buffer_select_range (buffer, &start, &end);
  fh_editor_view_insert_foreign (fixture->editor, "```bash\nls\n```\n");
  assert_text (fixture, "ls\n");
  assert_place (fixture, 1, 1);
}

/* The way a user does it. */
static void
test_paste (Fixture *fixture, gconstpointer data)
{
  const char *const pasted = "```python\nprint(1)\n```";
  g_autofree char *text = NULL;
  g_autofree char *whole = NULL;

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (fixture->view)), pasted);
  g_signal_emit_by_name (fixture->view, "paste-clipboard");
  FH_AWAIT_TRUE (!fh_document_is_empty (fixture->document));
  text = g_strdup (fh_document_get_text (fixture->document));
  g_assert_cmpstr (text, ==, "print(1)\n");
  g_assert_cmpstr (fixture->language, ==, "python");
  /* It can be taken back: first what was left out comes. */
  gtk_text_buffer_undo (gtk_text_view_get_buffer (fixture->view));
  whole = g_strdup (fh_document_get_text (fixture->document));
  g_assert_cmpstr (whole, ==, pasted);
  gtk_text_buffer_undo (gtk_text_view_get_buffer (fixture->view));
  g_assert_true (fh_document_is_empty (fixture->document));
}

static void
test_search (Fixture *fixture, gconstpointer data)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (fixture->view);
  GtkWidget *entry;
  GtkTextIter start;
  GtkTextIter end;
  g_autofree char *found = NULL;

  fh_document_set_text (fixture->document, FIVE_LINES, NULL);
  fh_editor_view_begin_search (fixture->editor, FALSE);
  entry = widget_test_find (GTK_WIDGET (fixture->editor), GTK_TYPE_SEARCH_ENTRY);
  gtk_editable_set_text (GTK_EDITABLE (entry), "three");
  FH_AWAIT_TRUE (gtk_text_buffer_get_selection_bounds (buffer, &start, &end));
  found = gtk_text_iter_get_text (&start, &end);
  g_assert_cmpstr (found, ==, "three");
  assert_place (fixture, 3, 3);
}

static gboolean
is_marked (Fixture *fixture, guint line, const char *category)
{
  GtkSourceBuffer *buffer = GTK_SOURCE_BUFFER (gtk_text_view_get_buffer (fixture->view));
  g_autoptr (GSList) marks =
      gtk_source_buffer_get_source_marks_at_line (buffer, (int) line - 1, category);

  return marks != NULL;
}

/* Where a run failed, and where something was stopped; a line that does not exist is not marked. */
static void
test_run_marks (Fixture *fixture, gconstpointer data)
{
  const char *const source = "import os\nopen('/etc/shadow')\n1/0\n";
  FhRun *run = widget_test_run_new (source);

  fh_document_set_text (fixture->document, source, NULL);
  for (guint line = 0; line <= 2000; line += 2)
    {
      g_autofree char *path = g_strdup_printf ("/etc/shadow%u", line);
      g_autoptr (FhAttempt) attempt =
          fh_attempt_new (&(FhAttemptFacts){ .guard = FH_GUARD_FILESYSTEM,
                                             .verdict = FH_VERDICT_HIDDEN,
                                             .line = line,
                                             .count = 1,
                                             .layer = "mount",
                                             .operation = "open",
                                             .object = path,
                                             .command = "" });

      fh_attempt_log_add (fh_run_get_attempts (run), attempt);
    }
  widget_test_write (run,
                     FH_STREAM_STDERR,
                     "Traceback (most recent call last):\n"
                     "  File \"/workspace/main.py\", line 3, in <module>\n"
                     "ZeroDivisionError: division by zero\n");
  widget_test_finish (run, 1);
  fh_editor_view_show_run (fixture->editor, fh_run_get_request (run), fh_run_get_result (run));
  g_assert_true (is_marked (fixture, 3, "fh-run-failed"));
  g_assert_true (is_marked (fixture, 2, "fh-run-stopped"));
  g_assert_false (is_marked (fixture, 1, "fh-run-stopped"));
  widget_test_settle ();
  widget_test_screenshot (GTK_WIDGET (fixture->window), "run-marks");
  fh_editor_view_show_run (fixture->editor, NULL, NULL);
  g_assert_false (is_marked (fixture, 3, "fh-run-failed"));
  g_assert_false (is_marked (fixture, 2, "fh-run-stopped"));
  g_object_unref (run);
}

/* Where the text is now that line 3 of it was marked for; 0: nowhere. */
static guint
find_marked (Fixture *fixture)
{
  guint found = 0;

  for (guint line = 1; line <= 9; line++)
    {
      if (is_marked (fixture, line, "fh-run-failed"))
        found = line;
    }
  return found;
}

/* Replaces what is between two offsets. */
static void
edit (Fixture *fixture, int from, int to, const char *text)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (fixture->view);
  GtkTextIter start, end;

  gtk_text_buffer_get_iter_at_offset (buffer, &start, from);
  gtk_text_buffer_get_iter_at_offset (buffer, &end, to);
  gtk_text_buffer_delete (buffer, &start, &end);
  gtk_text_buffer_insert (buffer, &start, text, -1);
}

/* A mark moves with its line, and goes when the text is no more that it tells about. */
static void
test_edited_marks (Fixture *fixture, gconstpointer data)
{
  const char *const source = "one = 1\ntwo = 2\n1 / 0\nend = 1\n";
  static const struct
  {
    int from, to;
    const char *text;
    guint line;
  } edits[] = {
    { 0, 0, "x", 3 },         { 0, 0, "\n", 4 },         { 0, 8, "", 2 },     { 8, 16, "", 2 },
    { 16, 16, "x = 1\n", 4 }, { 15, 15, "\n", 4 },       { 21, 21, "\n", 3 }, { 21, 29, "", 3 },
    { 22, 29, "other", 3 },   { 21, 22, "", 0 },         { 15, 16, "", 0 },   { 16, 16, "x", 0 },
    { 18, 18, "\n", 0 },      { 21, 21, "x", 0 },        { 16, 22, "", 0 },   { 15, 21, "", 0 },
    { 8, 30, "", 0 },         { 0, 30, "a\nb\nc\n", 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (edits); i++)
    {
      FhRun *run = widget_test_run_new (source);

      fh_document_set_text (fixture->document, source, NULL);
      widget_test_write (run,
                         FH_STREAM_STDERR,
                         "Traceback (most recent call last):\n"
                         "  File \"/workspace/main.py\", line 3, in <module>\n"
                         "ZeroDivisionError: division by zero\n");
      widget_test_finish (run, 1);
      fh_editor_view_show_run (fixture->editor, fh_run_get_request (run), fh_run_get_result (run));
      g_assert_cmpuint (find_marked (fixture), ==, 3);
      edit (fixture, edits[i].from, edits[i].to, edits[i].text);
      g_test_message ("edit %u", i);
      g_assert_cmpuint (find_marked (fixture), ==, edits[i].line);
      g_object_unref (run);
    }
}

/* The same for the failing line of a block, while its answer gives way to another one. */
static void
test_replaced_answer (Fixture *fixture, gconstpointer data)
{
  FhEditorBlocks *blocks = fh_editor_view_get_blocks (fixture->editor);
  const char *const answer = "```python\na = 1\n1 / 0\n```\n";

  fh_document_set_text (fixture->document, answer, NULL);
  fh_editor_blocks_show (blocks, fh_document_get_blocks (fixture->document), NULL);
  fh_editor_blocks_begin (blocks, 1, 1);
  fh_editor_blocks_mark_line (blocks, 1, 2);
  g_assert_true (is_marked (fixture, 3, NULL));
  edit (fixture, 0, 0, "So:\n");
  g_assert_true (is_marked (fixture, 4, NULL));
  edit (fixture, 0, (int) strlen (answer) + 4, "```python\na = 1\nb = 2\nprint(a)\n```\n");
  fh_editor_blocks_show (blocks, fh_document_get_blocks (fixture->document), NULL);
  for (guint line = 2; line <= 6; line++)
    g_assert_false (is_marked (fixture, line, NULL));
}

/* The number of a cell stays while its code is edited, and goes with it. */
static void
test_deleted_cell (Fixture *fixture, gconstpointer data)
{
  FhEditorCells *cells = fh_editor_view_get_cells (fixture->editor);
  guint line;

  fh_editor_cells_set_active (cells, TRUE);
  fh_document_set_text (fixture->document, "# %%\na = 1\n# %%\nb = 2\n", NULL);
  fh_editor_cells_mark (cells, 1, 0);
  fh_editor_cells_mark (cells, 2, 2);
  fh_editor_cells_set_mark (cells, 2, FH_CELL_MARK_FAILED);
  edit (fixture, 16, 17, "c");
  edit (fixture, 0, 0, "\n");
  g_assert_true (fh_editor_cells_find (cells, 1, &line));
  g_assert_cmpuint (line, ==, 1);
  edit (fixture, 12, 23, "");
  g_assert_false (fh_editor_cells_find (cells, 2, &line));
  g_assert_true (fh_editor_cells_find (cells, 1, &line));
  edit (fixture, 0, 12, "other = 1\n");
  g_assert_false (fh_editor_cells_find (cells, 1, &line));
  fh_editor_cells_set_active (cells, FALSE);
}

WIDGET_FIXTURE_TESTS (Fixture,
                      set_up,
                      tear_down,
                      { "/app/editor-view/text", test_text },
                      { "/app/editor-view/cursor", test_cursor },
                      { "/app/editor-view/go-to-line", test_go_to_line },
                      { "/app/editor-view/highlight", test_highlight },
                      { "/app/editor-view/scrolls", test_scrolls },
                      { "/app/editor-view/painted-at-once", test_painted_at_once },
                      { "/app/editor-view/language", test_language },
                      { "/app/editor-view/scheme", test_scheme },
                      { "/app/editor-view/contrast", test_contrast },
                      { "/app/editor-view/fence-into-empty", test_fence_into_empty },
                      { "/app/editor-view/unknown-fence", test_unknown_fence },
                      { "/app/editor-view/repaired-fence", test_repaired_fence },
                      { "/app/editor-view/paste-all", test_paste_all },
                      { "/app/editor-view/paste-nothing", test_paste_nothing },
                      { "/app/editor-view/fence-into-text", test_fence_into_text },
                      { "/app/editor-view/fence-into-example", test_fence_into_example },
                      { "/app/editor-view/used-example", test_used_example },
                      { "/app/editor-view/fence-with-a-fence", test_fence_with_a_fence },
                      { "/app/editor-view/fence-over-all", test_fence_over_all },
                      { "/app/editor-view/paste", test_paste },
                      { "/app/editor-view/paste-too-late", test_paste_too_late },
                      { "/app/editor-view/search", test_search },
                      { "/app/editor-view/run-marks", test_run_marks },
                      { "/app/editor-view/edited-marks", test_edited_marks },
                      { "/app/editor-view/replaced-answer", test_replaced_answer },
                      { "/app/editor-view/deleted-cell", test_deleted_cell });
