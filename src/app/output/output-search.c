/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-search.h"

#include <string.h>

#include "output/output-matches.h"

#include "parts/calls.h"

#define STEP_BUDGET_US  4000
#define LINES_PER_BLOCK 100

/* Invariant: `matches` are the matches before `scanned`, with correct offsets after every change of
 * the buffer. */
struct _FhOutputSearch
{
  GObject parent_instance;
  FhOutputStyles *styles;
  GtkTextView *view; /* weak */
  GtkTextBuffer *buffer;
  char *query;  /* NULL: no search */
  char *folded; /* the query, case-folded; NULL if it is ASCII */
  FhOutputMatches *matches;
  int scanned;
  int chosen; /* the start of the selected match; -1: none */
  guint step;
  gboolean choose_first;
};

G_DEFINE_FINAL_TYPE (FhOutputSearch, fh_output_search, G_TYPE_OBJECT)

static guint changed_signal;

static void
set_tag (FhOutputSearch *self, FhOutputTag tag, const FhOutputMatch *match, gboolean on)
{
  GtkTextTag *text_tag = fh_output_styles_get_tag (self->styles, tag);
  GtkTextIter start, end;

  gtk_text_buffer_get_iter_at_offset (self->buffer, &start, match->start);
  gtk_text_buffer_get_iter_at_offset (self->buffer, &end, match->end);
  if (on)
    gtk_text_buffer_apply_tag (self->buffer, text_tag, &start, &end);
  else
    gtk_text_buffer_remove_tag (self->buffer, text_tag, &start, &end);
}

static void
choose (FhOutputSearch *self, guint index)
{
  const FhOutputMatch *match = fh_output_matches_get (self->matches, index);
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (self->buffer, &start, &end);
  gtk_text_buffer_remove_tag (self->buffer,
                              fh_output_styles_get_tag (self->styles, FH_OUTPUT_TAG_CURRENT_MATCH),
                              &start,
                              &end);
  self->chosen = match->start;
  set_tag (self, FH_OUTPUT_TAG_CURRENT_MATCH, match, TRUE);
  gtk_text_buffer_get_iter_at_offset (self->buffer, &start, match->start);
  gtk_text_buffer_place_cursor (self->buffer, &start);
  if (self->view != NULL)
    gtk_text_view_scroll_to_iter (self->view, &start, 0.15, FALSE, 0, 0);
  g_signal_emit (self, changed_signal, 0);
}

static gboolean
block_may_match (FhOutputSearch *self, const char *text)
{
  g_autofree char *folded = NULL;

  if (self->folded == NULL)
    return strcasestr (text, self->query) != NULL;
  folded = g_utf8_casefold (text, -1);
  return strstr (folded, self->folded) != NULL;
}

static void
scan_block (FhOutputSearch *self, const GtkTextIter *from, const GtkTextIter *to)
{
  g_autofree char *text = gtk_text_iter_get_text (from, to);
  GtkTextIter at = *from;
  GtkTextIter start, end;

  if (!block_may_match (self, text))
    return;
  while (fh_output_matches_get_count (self->matches) < FH_OUTPUT_SEARCH_MAX_MATCHES &&
         gtk_text_iter_forward_search (&at,
                                       self->query,
                                       GTK_TEXT_SEARCH_CASE_INSENSITIVE | GTK_TEXT_SEARCH_TEXT_ONLY,
                                       &start,
                                       &end,
                                       to))
    {
      FhOutputMatch match = { gtk_text_iter_get_offset (&start), gtk_text_iter_get_offset (&end) };

      fh_output_matches_append (self->matches, &match);
      set_tag (self, FH_OUTPUT_TAG_MATCH, &match, TRUE);
      gtk_text_buffer_get_iter_at_offset (self->buffer, &at, match.end);
    }
}

static void
choose_from_cursor (FhOutputSearch *self)
{
  GtkTextIter cursor;
  guint index;

  self->choose_first = FALSE;
  if (fh_output_matches_get_count (self->matches) == 0)
    return;
  gtk_text_buffer_get_iter_at_mark (self->buffer,
                                    &cursor,
                                    gtk_text_buffer_get_insert (self->buffer));
  index = fh_output_matches_find (self->matches, gtk_text_iter_get_offset (&cursor));
  choose (self, index < fh_output_matches_get_count (self->matches) ? index : 0);
}

/* Scans whole lines. `scanned` stays before the last line, which may grow and is scanned again. */
static gboolean
step_cb (gpointer data)
{
  FhOutputSearch *self = data;
  gint64 deadline = g_get_monotonic_time () + STEP_BUDGET_US;
  GtkTextIter from, to;

  fh_output_matches_cut (self->matches, self->scanned);
  do
    {
      gtk_text_buffer_get_iter_at_offset (self->buffer, &from, self->scanned);
      to = from;
      gtk_text_iter_forward_lines (&to, LINES_PER_BLOCK);
      scan_block (self, &from, &to);
      if (gtk_text_iter_is_end (&to))
        {
          gtk_text_iter_set_line_offset (&to, 0);
          self->scanned = gtk_text_iter_get_offset (&to);
          self->step = 0;
        }
      else
        self->scanned = gtk_text_iter_get_offset (&to);
    }
  while (self->step != 0 && g_get_monotonic_time () < deadline);
  if (self->step == 0 && self->choose_first)
    choose_from_cursor (self);
  g_signal_emit (self, changed_signal, 0);
  return self->step != 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
schedule (FhOutputSearch *self)
{
  if (self->step == 0 && self->buffer != NULL && self->query != NULL)
    self->step = g_idle_add (step_cb, self);
}

static void
insert_text_cb (FhOutputSearch *self, GtkTextIter *at, const char *text, int size)
{
  int offset = gtk_text_iter_get_offset (at);
  int chars;

  if (self->query == NULL)
    return;
  chars = (int) g_utf8_strlen (text, size);
  fh_output_matches_inserted (self->matches, offset, chars);
  if (self->chosen >= offset)
    self->chosen += chars;
  if (self->scanned > offset)
    self->scanned += chars;
  schedule (self);
}

static void
delete_range_cb (FhOutputSearch *self, GtkTextIter *from, GtkTextIter *to)
{
  int start = gtk_text_iter_get_offset (from);
  int end = gtk_text_iter_get_offset (to);

  if (self->query == NULL)
    return;
  fh_output_matches_deleted (self->matches, start, end);
  if (self->chosen >= end)
    self->chosen -= end - start;
  else if (self->chosen >= start)
    self->chosen = -1;
  if (self->scanned > start)
    self->scanned = MAX (start, self->scanned - (end - start));
  schedule (self);
}

static void
forget_matches (FhOutputSearch *self)
{
  fh_output_matches_cut (self->matches, 0);
  self->scanned = 0;
  self->chosen = -1;
  g_clear_handle_id (&self->step, g_source_remove);
  if (self->buffer != NULL)
    {
      GtkTextIter start, end;

      gtk_text_buffer_get_bounds (self->buffer, &start, &end);
      for (guint tag = FH_OUTPUT_TAG_MATCH; tag <= FH_OUTPUT_TAG_CURRENT_MATCH; tag++)
        gtk_text_buffer_remove_tag (self->buffer,
                                    fh_output_styles_get_tag (self->styles, tag),
                                    &start,
                                    &end);
    }
}

static void
set_buffer (FhOutputSearch *self, GtkTextBuffer *buffer)
{
  forget_matches (self);
  if (self->buffer != NULL)
    g_signal_handlers_disconnect_by_data (self->buffer, self);
  g_set_object (&self->buffer, buffer);
  if (buffer == NULL)
    return;
  fh_connect (buffer, "insert-text", insert_text_cb, self);
  fh_connect (buffer, "delete-range", delete_range_cb, self);
}

static void
fh_output_search_dispose (GObject *object)
{
  FhOutputSearch *self = FH_OUTPUT_SEARCH (object);

  if (self->styles != NULL)
    set_buffer (self, NULL);
  g_clear_weak_pointer (&self->view);
  g_clear_object (&self->styles);
  g_clear_pointer (&self->matches, fh_output_matches_free);
  g_clear_pointer (&self->query, g_free);
  g_clear_pointer (&self->folded, g_free);
  G_OBJECT_CLASS (fh_output_search_parent_class)->dispose (object);
}

static void
fh_output_search_class_init (FhOutputSearchClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fh_output_search_dispose;

  changed_signal = fh_signal_new ("changed", G_TYPE_FROM_CLASS (klass), 0);
}

static void
fh_output_search_init (FhOutputSearch *self)
{
  self->matches = fh_output_matches_new ();
  self->chosen = -1;
}

FhOutputSearch *
fh_output_search_new (FhOutputStyles *styles)
{
  FhOutputSearch *self;

  g_return_val_if_fail (FH_IS_OUTPUT_STYLES (styles), NULL);

  self = g_object_new (FH_TYPE_OUTPUT_SEARCH, NULL);
  self->styles = g_object_ref (styles);
  return self;
}

void
fh_output_search_set_view (FhOutputSearch *self, GtkTextView *view)
{
  g_return_if_fail (FH_IS_OUTPUT_SEARCH (self));
  g_return_if_fail (view == NULL || GTK_IS_TEXT_VIEW (view));

  if (view == self->view)
    return;
  set_buffer (self, view != NULL ? gtk_text_view_get_buffer (view) : NULL);
  g_set_weak_pointer (&self->view, view);
  self->choose_first = FALSE;
  schedule (self);
  g_signal_emit (self, changed_signal, 0);
}

void
fh_output_search_set_query (FhOutputSearch *self, const char *query)
{
  g_return_if_fail (FH_IS_OUTPUT_SEARCH (self));

  if (query != NULL && *query == '\0')
    query = NULL;
  if (g_strcmp0 (query, self->query) == 0)
    return;
  forget_matches (self);
  g_free (self->query);
  g_free (self->folded);
  self->query = g_strdup (query);
  self->folded = query == NULL || g_str_is_ascii (query) ? NULL : g_utf8_casefold (query, -1);
  self->choose_first = query != NULL;
  schedule (self);
  g_signal_emit (self, changed_signal, 0);
}

void
fh_output_search_go (FhOutputSearch *self, gboolean forward)
{
  guint count, index;

  g_return_if_fail (FH_IS_OUTPUT_SEARCH (self));

  count = fh_output_matches_get_count (self->matches);
  if (count == 0 || self->view == NULL)
    return;
  if (self->chosen < 0)
    {
      choose_from_cursor (self);
      return;
    }
  index = fh_output_matches_find (self->matches, self->chosen);
  if (forward)
    index = index + 1 < count ? index + 1 : 0;
  else
    index = index > 0 ? index - 1 : count - 1;
  choose (self, index);
}

guint
fh_output_search_get_n_matches (FhOutputSearch *self)
{
  g_return_val_if_fail (FH_IS_OUTPUT_SEARCH (self), 0);

  return fh_output_matches_get_count (self->matches);
}

guint
fh_output_search_get_position (FhOutputSearch *self)
{
  g_return_val_if_fail (FH_IS_OUTPUT_SEARCH (self), 0);

  return self->chosen < 0 ? 0 : fh_output_matches_find (self->matches, self->chosen) + 1;
}

gboolean
fh_output_search_is_busy (FhOutputSearch *self)
{
  g_return_val_if_fail (FH_IS_OUTPUT_SEARCH (self), FALSE);

  return self->step != 0;
}
