/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "text-diff.h"

#include <stdlib.h>
#include <string.h>

#include "text-diff-search.h"

typedef struct
{
  GBytes *bytes;
  const char *data;
  guint *starts; /* of each line, and where the last one ends */
  guint n_lines;
} Text;

struct _FhTextDiff
{
  Text texts[2];
  GArray *hunks; /* of FhDiffHunk */
  gboolean is_rough;
};

/* The lines of one text between what both have in common at their ends. */
typedef struct
{
  guint first;
  guint count;
  guint *words;  /* equal lines have the same number */
  guint *places; /* of those that are in both texts; n_places of them */
  guint n_places;
  guint8 *changed;
} Middle;

/* A line to be sorted. */
typedef struct
{
  const char *data;
  guint size;
  guint *word;
} Line;

static void
text_init (Text *text, GBytes *bytes)
{
  gsize size;
  GArray *starts = g_array_new (FALSE, FALSE, sizeof (guint));
  guint start = 0;

  text->bytes = g_bytes_ref (bytes);
  text->data = g_bytes_get_data (bytes, &size);
  while (start < size)
    {
      const char *line = text->data + start;
      const char *end = memchr (line, '\n', size - start);

      g_array_append_val (starts, start);
      start = end != NULL ? (guint) (end + 1 - text->data) : (guint) size;
    }
  text->n_lines = starts->len;
  g_array_append_val (starts, start);
  text->starts = (guint *) (gpointer) g_array_free (starts, FALSE);
}

static void
text_clear (Text *text)
{
  g_bytes_unref (text->bytes);
  g_free (text->starts);
}

static guint
line_size (const Text *text, guint line)
{
  return text->starts[line + 1] - text->starts[line];
}

static gboolean
lines_equal (const Text *texts, guint old_line, guint new_line)
{
  guint size = line_size (&texts[0], old_line);

  return size == line_size (&texts[1], new_line) &&
         memcmp (texts[0].data + texts[0].starts[old_line],
                 texts[1].data + texts[1].starts[new_line],
                 size) == 0;
}

static int
compare_lines (const void *a, const void *b)
{
  const Line *first = a;
  const Line *second = b;

  if (first->size != second->size)
    return first->size < second->size ? -1 : 1;
  return memcmp (first->data, second->data, first->size);
}

/* Numbers the lines by sorting them: a hash table would be slow for lines that are chosen to
 * collide. */
static void
number_lines (const Text *texts, Middle *middles)
{
  gsize n = (gsize) middles[0].count + middles[1].count;
  g_autofree Line *lines = g_new (Line, n);
  Line *line = lines;
  guint word = 0;

  for (guint side = 0; side < 2; side++)
    {
      middles[side].words = g_new (guint, middles[side].count);
      for (guint i = 0; i < middles[side].count; i++, line++)
        *line = (Line){ texts[side].data + texts[side].starts[middles[side].first + i],
                        line_size (&texts[side], middles[side].first + i),
                        &middles[side].words[i] };
    }
  qsort (lines, n, sizeof (Line), compare_lines);
  for (gsize i = 0; i < n; i++)
    {
      if (i > 0 && compare_lines (&lines[i - 1], &lines[i]) != 0)
        word++;
      *lines[i].word = word;
    }
}

/* Lines that the other text does not have cannot stand for anything, and only slow the search down.
 */
static void
find_places (Middle *middles)
{
  gsize n = (gsize) middles[0].count + middles[1].count;
  g_autofree guint8 *seen = g_new0 (guint8, n);

  for (guint side = 0; side < 2; side++)
    for (guint i = 0; i < middles[side].count; i++)
      seen[middles[side].words[i]] |= (guint8) (1 << side);
  for (guint side = 0; side < 2; side++)
    {
      middles[side].places = g_new (guint, middles[side].count);
      for (guint i = 0; i < middles[side].count; i++)
        {
          if (seen[middles[side].words[i]] == 3)
            middles[side].places[middles[side].n_places++] = i;
        }
    }
}

static gboolean
search (Middle *middles)
{
  g_autofree guint *old_words = g_new (guint, middles[0].n_places);
  g_autofree guint *new_words = g_new (guint, middles[1].n_places);
  g_autofree guint8 *old_changed = g_malloc (middles[0].n_places);
  g_autofree guint8 *new_changed = g_malloc (middles[1].n_places);
  guint *words[] = { old_words, new_words };
  guint8 *changed[] = { old_changed, new_changed };
  gboolean is_sure;

  for (guint side = 0; side < 2; side++)
    for (guint i = 0; i < middles[side].n_places; i++)
      {
        words[side][i] = middles[side].words[middles[side].places[i]];
        changed[side][i] = TRUE;
      }
  is_sure = fh_text_diff_search (old_words,
                                 middles[0].n_places,
                                 new_words,
                                 middles[1].n_places,
                                 old_changed,
                                 new_changed);
  for (guint side = 0; side < 2; side++)
    for (guint i = 0; i < middles[side].n_places; i++)
      middles[side].changed[middles[side].places[i]] = changed[side][i];
  return is_sure;
}

/* Lines that are only in one text could often stand a little earlier as well: "}" and an empty line
 * before a new function, or after it. They are moved down as far as they go, which reads better.
 * `other`: where the other text is; it has no changed line there. Returns the new end. */
static guint
slide (const Middle *middle, guint start, const Middle *opposite, guint *other)
{
  guint end = start;

  while (end < middle->count && middle->changed[end])
    end++;
  while (end < middle->count && *other < opposite->count && !opposite->changed[*other] &&
         middle->words[start] == middle->words[end])
    {
      middle->changed[start++] = FALSE;
      middle->changed[end++] = TRUE;
      (*other)++;
      while (end < middle->count && middle->changed[end])
        end++;
    }
  return end;
}

static void
slide_all (const Middle *middles)
{
  guint at[2] = { 0, 0 };

  while (at[0] < middles[0].count || at[1] < middles[1].count)
    {
      gboolean removed = at[0] < middles[0].count && middles[0].changed[at[0]];
      gboolean added = at[1] < middles[1].count && middles[1].changed[at[1]];

      if (removed && added)
        {
          while (at[0] < middles[0].count && middles[0].changed[at[0]])
            at[0]++;
          while (at[1] < middles[1].count && middles[1].changed[at[1]])
            at[1]++;
        }
      else if (removed)
        at[0] = slide (&middles[0], at[0], &middles[1], &at[1]);
      else if (added)
        at[1] = slide (&middles[1], at[1], &middles[0], &at[0]);
      else
        at[0]++, at[1]++;
    }
}

static FhDiffKind
changed_kind (const guint *count)
{
  if (count[0] == 0)
    return FH_DIFF_ADDED;
  return count[1] == 0 ? FH_DIFF_REMOVED : FH_DIFF_CHANGED;
}

static void
add_hunk (FhTextDiff *diff, gboolean is_equal, guint n_old, guint n_new)
{
  FhDiffHunk *last =
      diff->hunks->len > 0 ? &g_array_index (diff->hunks, FhDiffHunk, diff->hunks->len - 1) : NULL;
  FhDiffHunk hunk = { .count = { n_old, n_new } };

  if (n_old == 0 && n_new == 0)
    return;
  hunk.kind = is_equal ? FH_DIFF_EQUAL : changed_kind (hunk.count);
  if (last == NULL || (last->kind == FH_DIFF_EQUAL) != is_equal)
    {
      for (guint side = 0; side < 2 && last != NULL; side++)
        hunk.first[side] = last->first[side] + last->count[side];
      g_array_append_val (diff->hunks, hunk);
      return;
    }
  last->count[0] += n_old;
  last->count[1] += n_new;
  if (!is_equal)
    last->kind = changed_kind (last->count);
}

static void
add_hunks (FhTextDiff *diff, const Middle *middles)
{
  guint at[2] = { 0, 0 };

  while (at[0] < middles[0].count || at[1] < middles[1].count)
    {
      guint start[2] = { at[0], at[1] };

      for (guint side = 0; side < 2; side++)
        while (at[side] < middles[side].count && middles[side].changed[at[side]])
          at[side]++;
      if (at[0] == start[0] && at[1] == start[1])
        {
          add_hunk (diff, TRUE, 1, 1);
          at[0]++;
          at[1]++;
        }
      else
        add_hunk (diff, FALSE, at[0] - start[0], at[1] - start[1]);
    }
}

static void
middle_clear (Middle *middle)
{
  g_free (middle->words);
  g_free (middle->places);
  g_free (middle->changed);
}

static void
compare_middles (FhTextDiff *diff, Middle *middles)
{
  if (middles[0].count == 0 && middles[1].count == 0)
    return;
  if (middles[0].count > FH_TEXT_DIFF_MAX_LINES || middles[1].count > FH_TEXT_DIFF_MAX_LINES)
    {
      diff->is_rough = TRUE;
      add_hunk (diff, FALSE, middles[0].count, middles[1].count);
      return;
    }
  for (guint side = 0; side < 2; side++)
    {
      middles[side].changed = g_malloc (middles[side].count + 1);
      memset (middles[side].changed, TRUE, middles[side].count);
    }
  number_lines (diff->texts, middles);
  find_places (middles);
  diff->is_rough = !search (middles);
  slide_all (middles);
  add_hunks (diff, middles);
  middle_clear (&middles[0]);
  middle_clear (&middles[1]);
}

FhTextDiff *
fh_text_diff_new (GBytes *old_text, GBytes *new_text)
{
  FhTextDiff *diff;
  Middle middles[2] = { { 0 }, { 0 } };
  guint n, before = 0, after = 0;

  g_return_val_if_fail (old_text != NULL && g_bytes_get_size (old_text) <= G_MAXUINT32, NULL);
  g_return_val_if_fail (new_text != NULL && g_bytes_get_size (new_text) <= G_MAXUINT32, NULL);

  diff = g_atomic_rc_box_new0 (FhTextDiff);
  diff->hunks = g_array_new (FALSE, FALSE, sizeof (FhDiffHunk));
  text_init (&diff->texts[0], old_text);
  text_init (&diff->texts[1], new_text);
  n = MIN (diff->texts[0].n_lines, diff->texts[1].n_lines);
  while (before < n && lines_equal (diff->texts, before, before))
    before++;
  while (after < n - before && lines_equal (diff->texts,
                                            diff->texts[0].n_lines - 1 - after,
                                            diff->texts[1].n_lines - 1 - after))
    after++;
  for (guint side = 0; side < 2; side++)
    {
      middles[side].first = before;
      middles[side].count = diff->texts[side].n_lines - before - after;
    }
  add_hunk (diff, TRUE, before, before);
  compare_middles (diff, middles);
  add_hunk (diff, TRUE, after, after);
  return diff;
}

FhTextDiff *
fh_text_diff_ref (FhTextDiff *diff)
{
  return g_atomic_rc_box_acquire (diff);
}

static void
diff_clear (gpointer data)
{
  FhTextDiff *diff = data;

  text_clear (&diff->texts[0]);
  text_clear (&diff->texts[1]);
  g_array_unref (diff->hunks);
}

void
fh_text_diff_unref (FhTextDiff *diff)
{
  g_atomic_rc_box_release_full (diff, diff_clear);
}

gboolean
fh_text_diff_is_same (const FhTextDiff *diff)
{
  return diff->hunks->len == 0 ||
         (diff->hunks->len == 1 &&
          g_array_index (diff->hunks, FhDiffHunk, 0).kind == FH_DIFF_EQUAL);
}

gboolean
fh_text_diff_is_rough (const FhTextDiff *diff)
{
  return diff->is_rough;
}

const FhDiffHunk *
fh_text_diff_get_hunks (const FhTextDiff *diff, guint *n)
{
  *n = diff->hunks->len;
  return (const FhDiffHunk *) (gpointer) diff->hunks->data;
}

guint
fh_text_diff_get_n_lines (const FhTextDiff *diff, guint side)
{
  return diff->texts[side].n_lines;
}

guint
fh_text_diff_get_n_changed (const FhTextDiff *diff, guint side)
{
  guint n = 0;

  for (guint i = 0; i < diff->hunks->len; i++)
    {
      const FhDiffHunk *hunk = &g_array_index (diff->hunks, FhDiffHunk, i);

      n += hunk->kind == FH_DIFF_EQUAL ? 0 : hunk->count[side];
    }
  return n;
}

const char *
fh_text_diff_get_line (const FhTextDiff *diff, guint side, guint line, gsize *size)
{
  const Text *text = &diff->texts[side];

  g_return_val_if_fail (line < text->n_lines, NULL);

  *size = line_size (text, line);
  return text->data + text->starts[line];
}
