/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "diff-row.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "readable-text.h"
#include "text-lines.h"

#define CONTEXT 3
/* Fewer equal lines than this are not worth a gap. */
#define SMALLEST_GAP 4
/* So many characters of a long line are shown before and after what differs. */
#define LEAD 40
/* Rows of a long line that differs. */
#define PIECES_MAX 200

struct _FhDiffRow
{
  GObject parent_instance;
  FhDiffRowFacts facts; /* its strings are owned */

  /* A gap. */
  FhTextDiff *diff;
  guint start; /* position of its first row, see Walk */
};

G_DEFINE_FINAL_TYPE (FhDiffRow, fh_diff_row, G_TYPE_OBJECT)

/* The rows of a text are counted from 0 on: a changed hunk has as many as its longer side. */
typedef struct
{
  FhTextDiff *diff;
  const FhDiffHunk *hunks;
  guint n_hunks;
  guint hunk;
  guint offset; /* within the hunk */
} Walk;

static void
fh_diff_row_finalize (GObject *object)
{
  FhDiffRow *self = FH_DIFF_ROW (object);

  g_free ((char *) self->facts.title);
  g_free ((char *) self->facts.remark);
  g_free (self->facts.cells[0].text);
  g_free (self->facts.cells[1].text);
  g_clear_pointer (&self->diff, fh_text_diff_unref);
  G_OBJECT_CLASS (fh_diff_row_parent_class)->finalize (object);
}

static void
fh_diff_row_class_init (FhDiffRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_diff_row_finalize;
}

static void
fh_diff_row_init (FhDiffRow *self)
{
}

static FhDiffRow *
row_new (FhDiffRowKind kind, gboolean differs)
{
  FhDiffRow *row = g_object_new (FH_TYPE_DIFF_ROW, NULL);

  row->facts.kind = kind;
  row->facts.differs = differs;
  return row;
}

static gboolean
is_inside_character (char byte)
{
  return ((guchar) byte & 0xc0) == 0x80;
}

/* Counts the bytes that both texts share at their beginnings and, of the rest, at their ends. */
static void
count_same (const char *const at[2], const gsize sizes[2], gsize *before, gsize *after)
{
  const gsize shorter = MIN (sizes[0], sizes[1]);

  for (*before = 0; *before < shorter && at[0][*before] == at[1][*before];)
    ++*before;
  for (*after = 0;
       *after < shorter - *before && at[0][sizes[0] - 1 - *after] == at[1][sizes[1] - 1 - *after];)
    ++*after;
}

/* The beginning and the end that both texts share are no difference. If that is little, all of it
 * is one. */
static void
mark (FhDiffCell *cells)
{
  const char *const texts[2] = { cells[0].text, cells[1].text };
  const gsize sizes[2] = { strlen (texts[0]), strlen (texts[1]) };
  gsize before, after;

  count_same (texts, sizes, &before, &after);
  while (before > 0 && is_inside_character (texts[0][before]))
    before--;
  while (after > 0 && is_inside_character (texts[0][sizes[0] - after]))
    after--;
  if ((before + after) * 3 < MIN (sizes[0], sizes[1]))
    return;
  for (guint side = 0; side < 2; side++)
    {
      cells[side].marks[0] = (guint) before;
      cells[side].marks[1] = (guint) (sizes[side] - after);
    }
}

FhDiffRow *
fh_diff_row_new_heading (const char *title, const char *remark, gboolean differs)
{
  FhDiffRow *row = row_new (FH_DIFF_ROW_HEADING, differs);

  row->facts.title = g_strdup (title);
  row->facts.remark = g_strdup (remark);
  return row;
}

FhDiffRow *
fh_diff_row_new_pair (const char *old_text, const char *new_text, gboolean differs)
{
  FhDiffRow *row = row_new (FH_DIFF_ROW_LINE, differs);

  row->facts.cells[0].text = g_strdup (old_text);
  row->facts.cells[1].text = g_strdup (new_text);
  if (differs && old_text != NULL && new_text != NULL)
    mark (row->facts.cells);
  return row;
}

/* The rest of a line that is still to be shown. */
typedef struct
{
  const char *at; /* NULL: there is no line */
  const char *end;
  gboolean begins_late; /* something stands before it */
  gboolean ends_early;  /* what follows is the same on both sides */
  gboolean lacks_break;
} Rest;

static guint
count_characters (const char *at, const char *end)
{
  guint n = 0;

  for (; at < end; at++)
    n += !is_inside_character (*at);
  return n;
}

/* A piece ends after FH_TEXT_LINES_MAX_COLUMNS characters, or as many bytes as these can have. */
static const char *
piece_end (const Rest *rest)
{
  const char *end = rest->at + MIN (rest->end - rest->at, 4 * FH_TEXT_LINES_MAX_COLUMNS);
  const char *at = rest->at;

  for (guint n = 0; at < end; at++)
    {
      if (!is_inside_character (*at) && ++n > FH_TEXT_LINES_MAX_COLUMNS)
        break;
    }
  return at;
}

/* The next piece of a line; the last one that is made says how much follows. */
static char *
take_piece (Rest *rest, gboolean is_last)
{
  GString *text = g_string_new (rest->begins_late ? "…" : NULL);
  const char *end = piece_end (rest);

  fh_readable_text_append (text, rest->at, end, "\t");
  if (is_last && end < rest->end)
    {
      guint n = count_characters (end, rest->end);

      g_string_append_printf (
          text,
          /* Translators: after the beginning of a very long line */
          g_dngettext (GETTEXT_PACKAGE, "… %u more character", "… %u more characters", n),
          n);
      end = rest->end;
    }
  else if (end == rest->end && rest->ends_early)
    g_string_append (text, "…");
  /* Translators: after the last line of a text */
  if (end == rest->end && rest->lacks_break)
    g_string_append_printf (text, " %s", _ ("(no line break)"));
  rest->begins_late = TRUE;
  rest->at = end;
  return g_string_free (text, FALSE);
}

/* The size of a line without its line break. A carriage return is shown unless both sides end in
 * one. */
static gsize
visible_size (const char *line, gsize size, const char *other, gsize other_size)
{
  if (size == 0 || line[size - 1] != '\n')
    return size;
  if (size < 2 || line[size - 2] != '\r')
    return size - 1;
  if (other == NULL || (other_size >= 2 && other[other_size - 2] == '\r'))
    return size - 2;
  return size - 1;
}

/* Shows little of the beginning and the end that two long lines share. */
static void
leave_out_same (Rest *rests)
{
  const char *const texts[2] = { rests[0].at, rests[1].at };
  const gsize sizes[2] = { (gsize) (rests[0].end - rests[0].at),
                           (gsize) (rests[1].end - rests[1].at) };
  gsize before, after;

  if (MAX (sizes[0], sizes[1]) <= FH_TEXT_LINES_MAX_COLUMNS)
    return;
  count_same (texts, sizes, &before, &after);
  before = before > LEAD ? before - LEAD : 0;
  while (before > 0 && is_inside_character (rests[0].at[before]))
    before--;
  after = after > LEAD ? after - LEAD : 0;
  while (after > 0 && is_inside_character (rests[0].end[-(gssize) after]))
    after--;
  for (guint side = 0; side < 2; side++)
    {
      rests[side].begins_late = before > 0;
      rests[side].ends_early = after > 0;
      rests[side].at += before;
      rests[side].end -= after;
    }
}

/* The line where `walk` is. */
static void
find_line (const Walk *walk, gboolean differs, Rest rests[2])
{
  const FhDiffHunk *hunk = &walk->hunks[walk->hunk];
  const char *lines[2] = { NULL, NULL };
  gsize sizes[2] = { 0, 0 };

  for (guint side = 0; side < 2; side++)
    {
      if (walk->offset < hunk->count[side])
        lines[side] = fh_text_diff_get_line (walk->diff,
                                             side,
                                             hunk->first[side] + walk->offset,
                                             &sizes[side]);
    }
  for (guint side = 0; side < 2; side++)
    {
      rests[side] = (Rest){ .at = lines[side] };
      if (lines[side] == NULL)
        continue;
      rests[side].end =
          lines[side] + visible_size (lines[side], sizes[side], lines[!side], sizes[!side]);
      rests[side].lacks_break = differs && lines[side][sizes[side] - 1] != '\n';
    }
  if (differs && lines[0] != NULL && lines[1] != NULL)
    leave_out_same (rests);
}

/* A line that differs goes on in rows without a number, so that nothing hides at the end of a long
 * one. */
static void
add_line (GPtrArray *rows, const Walk *walk)
{
  const FhDiffHunk *hunk = &walk->hunks[walk->hunk];
  gboolean differs = hunk->kind != FH_DIFF_EQUAL;
  guint n_pieces = differs ? PIECES_MAX : 1;
  Rest rests[2];

  find_line (walk, differs, rests);
  for (guint i = 0; i == 0 || rests[0].at < rests[0].end || rests[1].at < rests[1].end; i++)
    {
      FhDiffRow *row = row_new (FH_DIFF_ROW_LINE, differs);

      for (guint side = 0; side < 2; side++)
        {
          if (rests[side].at == NULL || (i > 0 && rests[side].at == rests[side].end))
            continue;
          row->facts.cells[side].text = take_piece (&rests[side], i + 1 == n_pieces);
          row->facts.cells[side].line = hunk->first[side] + walk->offset + 1;
        }
      if (differs && row->facts.cells[0].text != NULL && row->facts.cells[1].text != NULL)
        mark (row->facts.cells);
      g_ptr_array_add (rows, row);
    }
}

static guint
n_rows_of (const FhDiffHunk *hunk)
{
  return MAX (hunk->count[0], hunk->count[1]);
}

static void
walk_init (Walk *walk, FhTextDiff *diff, guint start)
{
  *walk = (Walk){ .diff = diff };
  walk->hunks = fh_text_diff_get_hunks (diff, &walk->n_hunks);
  while (walk->hunk < walk->n_hunks && start >= n_rows_of (&walk->hunks[walk->hunk]))
    start -= n_rows_of (&walk->hunks[walk->hunk++]);
  walk->offset = start;
}

static void
add_gap (GPtrArray *rows, FhTextDiff *diff, guint start, guint n_hidden, gboolean differs)
{
  FhDiffRow *row;

  if (n_hidden == 0)
    return;
  row = row_new (FH_DIFF_ROW_GAP, differs);
  row->diff = fh_text_diff_ref (diff);
  row->start = start;
  row->facts.n_hidden = n_hidden;
  g_ptr_array_add (rows, row);
}

static void
add_lines (GPtrArray *rows, FhTextDiff *diff, guint start, guint n)
{
  Walk walk;

  walk_init (&walk, diff, start);
  for (guint i = 0; i < n; i++)
    {
      add_line (rows, &walk);
      if (++walk.offset >= n_rows_of (&walk.hunks[walk.hunk]))
        {
          walk.hunk++;
          walk.offset = 0;
        }
    }
}

void
fh_diff_rows_add_text (GPtrArray *rows, FhTextDiff *diff)
{
  guint n_hunks, start = 0, n_made = 0, n_rows = 0;
  const FhDiffHunk *hunks = fh_text_diff_get_hunks (diff, &n_hunks);

  for (guint i = 0; i < n_hunks; i++)
    n_rows += n_rows_of (&hunks[i]);
  for (guint i = 0; i < n_hunks; i++)
    {
      gboolean is_equal = hunks[i].kind == FH_DIFF_EQUAL;
      guint n = n_rows_of (&hunks[i]);
      guint before = is_equal && i == 0 ? 0 : CONTEXT;
      guint after = is_equal && i + 1 == n_hunks ? 0 : CONTEXT;

      if (!is_equal || n < before + after + SMALLEST_GAP)
        before = n, after = 0;
      /* The rest of a large text waits to be asked for. */
      if (n_made + before + after > FH_DIFF_ROW_MAX)
        {
          guint rest = MIN (before, FH_DIFF_ROW_MAX - n_made);

          add_lines (rows, diff, start, rest);
          add_gap (rows, diff, start + rest, n_rows - start - rest, TRUE);
          return;
        }
      add_lines (rows, diff, start, before);
      add_gap (rows, diff, start + before, n - before - after, FALSE);
      add_lines (rows, diff, start + n - after, after);
      n_made += before + after;
      start += n;
    }
}

static void
add_pairs (GPtrArray *rows, GArray *pairs, gboolean differing)
{
  for (guint i = 0; i < pairs->len; i++)
    {
      const FhComparedPair *pair = &g_array_index (pairs, FhComparedPair, i);
      g_autofree char *old_text = NULL;
      g_autofree char *new_text = NULL;

      if (pair->differs != differing)
        continue;
      old_text = fh_compared_pair_dup_text (pair, 0);
      new_text = fh_compared_pair_dup_text (pair, 1);
      g_ptr_array_add (rows, fh_diff_row_new_pair (old_text, new_text, pair->differs));
    }
}

/* The figures of two runs are never quite equal, and none of them counts as a difference. */
static const char *
describe_sameness (FhComparedPart part, gboolean differs)
{
  if (part == FH_COMPARED_FIGURES)
    return _ ("These vary from run to run");
  return differs ? NULL : _ ("The same");
}

void
fh_diff_rows_add_part (GPtrArray *rows, FhRunComparison *comparison, FhComparedPart part)
{
  FhTextDiff *diff = fh_run_comparison_get_diff (comparison, part);
  GArray *pairs = fh_run_comparison_get_pairs (comparison, part);
  gboolean has_text = diff != NULL && (fh_text_diff_get_n_lines (diff, 0) > 0 ||
                                       fh_text_diff_get_n_lines (diff, 1) > 0);
  gboolean differs = fh_run_comparison_differs (comparison, part);

  if (!has_text && pairs->len == 0)
    return;
  g_ptr_array_add (rows,
                   fh_diff_row_new_heading (fh_compared_part_title (part),
                                            describe_sameness (part, differs),
                                            differs));
  if (has_text)
    fh_diff_rows_add_text (rows, diff);
  /* Rows that differ come first: they may be far below in a long list. */
  add_pairs (rows, pairs, TRUE);
  add_pairs (rows, pairs, FALSE);
}

const FhDiffRowFacts *
fh_diff_row_get_facts (FhDiffRow *self)
{
  g_return_val_if_fail (FH_IS_DIFF_ROW (self), NULL);

  return &self->facts;
}

GPtrArray *
fh_diff_row_open (FhDiffRow *self)
{
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);
  guint n;

  g_return_val_if_fail (FH_IS_DIFF_ROW (self) && self->facts.kind == FH_DIFF_ROW_GAP, rows);

  n = MIN (self->facts.n_hidden, FH_DIFF_ROW_STEP);
  add_lines (rows, self->diff, self->start, n);
  add_gap (rows, self->diff, self->start + n, self->facts.n_hidden - n, self->facts.differs);
  return rows;
}
