/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One press of Run copies the text of the editor once and parses it once. The linker puts these
 * functions in the place of those that do it, see meson.build. */
#include "page-fixture.h"

#include "markdown-blocks.h"

#define ANSWER "See:\n\n```python\nx = 1\n```\n\n```python\ny = 2\n```\n"

char *__real_gtk_text_buffer_get_text (GtkTextBuffer *buffer,
                                       const GtkTextIter *start,
                                       const GtkTextIter *end,
                                       gboolean hidden);
char *__wrap_gtk_text_buffer_get_text (GtkTextBuffer *buffer,
                                       const GtkTextIter *start,
                                       const GtkTextIter *end,
                                       gboolean hidden);
GPtrArray *__real_fh_markdown_blocks_find (const char *text);
GPtrArray *__wrap_fh_markdown_blocks_find (const char *text);

static GtkTextBuffer *counted;
static guint n_copies;
static guint n_parses;

char *
__wrap_gtk_text_buffer_get_text (GtkTextBuffer *buffer,
                                 const GtkTextIter *start,
                                 const GtkTextIter *end,
                                 gboolean hidden)
{
  n_copies += buffer == counted;
  return __real_gtk_text_buffer_get_text (buffer, start, end, hidden);
}

GPtrArray *
__wrap_fh_markdown_blocks_find (const char *text)
{
  n_parses++;
  return __real_fh_markdown_blocks_find (text);
}

/* Counts what is done from the last change of the text until its run has ended. */
static void
run_counted (PageFixture *fixture, const char *text, guint n_runs)
{
  counted = page_fixture_get_buffer (fixture);
  gtk_text_buffer_set_text (counted, text, -1);
  n_copies = n_parses = 0;
  fh_tab_run (fixture->page);
  for (guint i = 1; i <= n_runs; i++)
    {
      FH_AWAIT_TRUE (fake_backend_get_n_runs (fixture->backend) == i);
      fake_backend_finish (fixture->backend, 0);
    }
  FH_AWAIT_TRUE (fh_tab_get_run_state (fixture->page) == FH_RUN_FINISHED);
  counted = NULL;
}

static void
test_program (PageFixture *fixture, gconstpointer data)
{
  run_counted (fixture, "print(1)\n", 1);
  g_assert_cmpuint (n_copies, ==, 1);
  g_assert_cmpuint (n_parses, ==, 0);
}

static void
test_answer (PageFixture *fixture, gconstpointer data)
{
  run_counted (fixture, ANSWER, 2);
  g_assert_cmpuint (n_copies, ==, 1);
  g_assert_cmpuint (n_parses, ==, 1);
}

WIDGET_FIXTURE_TESTS (PageFixture,
                      page_fixture_set_up,
                      page_fixture_tear_down,
                      { "/app/one-copy/program", test_program },
                      { "/app/one-copy/answer", test_answer });
