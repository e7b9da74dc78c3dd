/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "text-diff.h"

#include <stdlib.h>
#include <string.h>

/* After so many edits from either end, the point reached furthest is taken as it is. */
#define MAX_EDITS 256
/* Steps for the whole search: a fraction of a second. */
#define MAX_EFFORT ((gint64) 50 * 1000 * 1000)

/* Paths through the table of both lists, from (left, top) to (right, bottom). A step to the right
 * drops an old item, a step down takes a new one, and a diagonal step keeps an item. */
typedef struct
{
  int left;
  int top;
  int right;
  int bottom;
} Box;

/* How far paths with some number of edits have come on each diagonal (x - y). */
typedef struct
{
  int *reach; /* x; may be indexed with negative numbers */
  int lowest;
  int highest;
} Front;

typedef struct
{
  const guint *old_items;
  const guint *new_items;
  guint8 *old_changed;
  guint8 *new_changed;
  Front forward;
  Front backward;
  gint64 effort;
  gboolean is_rough;
} Search;

typedef struct
{
  int x;
  int y;
  gboolean first_is_easy; /* the part before this point has few edits; else the part after it */
} Split;

/* One more diagonal at each side, or one less where the box ends. `beyond`: a value that never
 * wins.
 */
static void
widen (Front *front, const Box *box, int beyond)
{
  if (front->lowest > box->left - box->bottom)
    front->reach[--front->lowest - 1] = beyond;
  else
    front->lowest++;
  if (front->highest < box->right - box->top)
    front->reach[++front->highest + 1] = beyond;
  else
    front->highest--;
}

static gboolean
has_diagonal (const Front *front, int diagonal)
{
  return diagonal >= front->lowest && diagonal <= front->highest;
}

/* One more edit from the start. TRUE if it met a path from the end. */
static gboolean
step_forward (Search *search, const Box *box, gboolean may_meet, Split *split)
{
  int *reach = search->forward.reach;

  widen (&search->forward, box, -1);
  for (int k = search->forward.highest; k >= search->forward.lowest; k -= 2)
    {
      int x = MAX (reach[k - 1] + 1, reach[k + 1]);
      int start = x;

      while (x < box->right && x - k < box->bottom &&
             search->old_items[x] == search->new_items[x - k])
        x++;
      search->effort -= 1 + x - start;
      reach[k] = x;
      if (may_meet && has_diagonal (&search->backward, k) && search->backward.reach[k] <= x)
        {
          *split = (Split){ x, x - k, TRUE };
          return TRUE;
        }
    }
  return FALSE;
}

static gboolean
step_backward (Search *search, const Box *box, gboolean may_meet, Split *split)
{
  int *reach = search->backward.reach;

  widen (&search->backward, box, G_MAXINT);
  for (int k = search->backward.highest; k >= search->backward.lowest; k -= 2)
    {
      int x = MIN (reach[k - 1], reach[k + 1] - 1);
      int start = x;

      while (x > box->left && x - k > box->top &&
             search->old_items[x - 1] == search->new_items[x - k - 1])
        x--;
      search->effort -= 1 + start - x;
      reach[k] = x;
      if (may_meet && has_diagonal (&search->forward, k) && x <= search->forward.reach[k])
        {
          *split = (Split){ x, x - k, TRUE };
          return TRUE;
        }
    }
  return FALSE;
}

/* The points that have most behind them, from the start or from the end. */
static void
give_up (Search *search, const Box *box, Split *split)
{
  int best = -1;

  search->is_rough = TRUE;
  *split = (Split){ box->left, box->top, TRUE };
  for (int k = search->forward.lowest; k <= search->forward.highest; k++)
    {
      int x = MIN (MIN (search->forward.reach[k], box->right), box->bottom + k);

      if (x < box->left || x - k < box->top || 2 * x - k - box->left - box->top <= best)
        continue;
      best = 2 * x - k - box->left - box->top;
      *split = (Split){ x, x - k, TRUE };
    }
  for (int k = search->backward.lowest; k <= search->backward.highest; k++)
    {
      int x = MAX (MAX (search->backward.reach[k], box->left), box->top + k);

      if (x > box->right || x - k > box->bottom || box->right + box->bottom - 2 * x + k <= best)
        continue;
      best = box->right + box->bottom - 2 * x + k;
      *split = (Split){ x, x - k, FALSE };
    }
}

/* A point that a short path goes through. From both ends at once, so that each part has at most
 * half of the edits. */
static Split
find_split (Search *search, const Box *box)
{
  int start = box->left - box->top;
  int end = box->right - box->bottom;
  gboolean is_odd = (start - end) & 1;
  Split split;

  search->forward.lowest = search->forward.highest = start;
  search->forward.reach[start] = box->left;
  search->backward.lowest = search->backward.highest = end;
  search->backward.reach[end] = box->right;
  for (guint edits = 1; edits <= MAX_EDITS && search->effort > 0; edits++)
    {
      if (step_forward (search, box, is_odd, &split) ||
          step_backward (search, box, !is_odd, &split))
        return split;
    }
  give_up (search, box, &split);
  return split;
}

/* Keeps what both ends have in common. */
static void
trim (Search *search, Box *box)
{
  while (box->left < box->right && box->top < box->bottom &&
         search->old_items[box->left] == search->new_items[box->top])
    {
      search->old_changed[box->left++] = FALSE;
      search->new_changed[box->top++] = FALSE;
    }
  while (box->left < box->right && box->top < box->bottom &&
         search->old_items[box->right - 1] == search->new_items[box->bottom - 1])
    {
      search->old_changed[--box->right] = FALSE;
      search->new_changed[--box->bottom] = FALSE;
    }
}

/* Recurses into parts with at most MAX_EDITS edits only, so never deep. */
static void
search_box (Search *search, Box box)
{
  for (;;)
    {
      Split split;
      Box first, second;

      trim (search, &box);
      if (box.left == box.right || box.top == box.bottom)
        return;
      if (search->effort <= 0)
        {
          search->is_rough = TRUE;
          return;
        }
      split = find_split (search, &box);
      first = (Box){ box.left, box.top, split.x, split.y };
      second = (Box){ split.x, split.y, box.right, box.bottom };
      /* The split gained nothing: there is nothing in common. */
      if ((split.x == box.left && split.y == box.top) ||
          (split.x == box.right && split.y == box.bottom))
        return;
      search_box (search, split.first_is_easy ? first : second);
      box = split.first_is_easy ? second : first;
    }
}

/* Finds what two lists of numbers have in common: clears `changed` of the items that stand for each
 * other, in order; all of them are set before. FALSE if it gave up before it was sure that no more
 * can be found. */
static gboolean
search_lists (const guint *old_items,
              guint n_old,
              const guint *new_items,
              guint n_new,
              guint8 *old_changed,
              guint8 *new_changed)
{
  /* One diagonal more at each side, for widen (). */
  gsize n = (gsize) n_old + n_new + 3;
  g_autofree int *forward = g_new (int, n);
  g_autofree int *backward = g_new (int, n);
  Search search = {
    .old_items = old_items,
    .new_items = new_items,
    .old_changed = old_changed,
    .new_changed = new_changed,
    .forward.reach = forward + n_new + 1,
    .backward.reach = backward + n_new + 1,
    .effort = MAX_EFFORT,
  };

  search_box (&search, (Box){ 0, 0, (int) n_old, (int) n_new });
  return !search.is_rough;
}

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
  is_sure = search_lists (old_words,
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

const char *
fh_text_diff_get_line (const FhTextDiff *diff, guint side, guint line, gsize *size)
{
  const Text *text = &diff->texts[side];

  g_return_val_if_fail (line < text->n_lines, NULL);

  *size = line_size (text, line);
  return text->data + text->starts[line];
}

/* Equal lines around the others. */
#define CONTEXT 3

static void
append_line (GString *unified, const FhTextDiff *diff, char mark, guint side, guint line)
{
  gsize size;
  const char *data = fh_text_diff_get_line (diff, side, line, &size);

  g_string_append_c (unified, mark);
  g_string_append_len (unified, data, (gssize) size);
  if (data[size - 1] != '\n')
    g_string_append (unified, "\n\\ No newline at end of file\n");
}

/* Counts from 1; without lines, the one before. */
static void
append_range (GString *unified, char mark, guint first, guint count)
{
  g_string_append_printf (unified, " %c%u", mark, count > 0 ? first + 1 : first);
  if (count != 1)
    g_string_append_printf (unified, ",%u", count);
}

static void
append_hunk (GString *unified, const FhTextDiff *diff, const FhDiffHunk *hunk, guint from, guint to)
{
  for (guint i = from; i < to && hunk->kind == FH_DIFF_EQUAL; i++)
    append_line (unified, diff, ' ', 0, hunk->first[0] + i);
  if (hunk->kind == FH_DIFF_EQUAL)
    return;
  for (guint i = 0; i < hunk->count[0]; i++)
    append_line (unified, diff, '-', 0, hunk->first[0] + i);
  for (guint i = 0; i < hunk->count[1]; i++)
    append_line (unified, diff, '+', 1, hunk->first[1] + i);
}

/* Hunks from `first` on up to the next long stretch of equal lines. Returns the last one. */
static guint
append_group (GString *unified, const FhTextDiff *diff, guint first)
{
  guint n;
  const FhDiffHunk *hunks = fh_text_diff_get_hunks (diff, &n);
  guint last = first;
  guint before = first > 0 ? MIN (hunks[first - 1].count[0], CONTEXT) : 0;
  guint after, count[2];

  while (last + 2 < n && hunks[last + 1].count[0] <= 2 * CONTEXT)
    last += 2;
  after = last + 1 < n ? MIN (hunks[last + 1].count[0], CONTEXT) : 0;
  for (guint side = 0; side < 2; side++)
    count[side] = hunks[last].first[side] + hunks[last].count[side] - hunks[first].first[side] +
                  before + after;
  g_string_append (unified, "@@");
  append_range (unified, '-', hunks[first].first[0] - before, count[0]);
  append_range (unified, '+', hunks[first].first[1] - before, count[1]);
  g_string_append (unified, " @@\n");
  if (before > 0)
    append_hunk (unified,
                 diff,
                 &hunks[first - 1],
                 hunks[first - 1].count[0] - before,
                 hunks[first - 1].count[0]);
  for (guint i = first; i <= last; i++)
    append_hunk (unified, diff, &hunks[i], 0, hunks[i].count[0]);
  if (after > 0)
    append_hunk (unified, diff, &hunks[last + 1], 0, after);
  return last;
}

GString *
fh_text_diff_to_unified (const FhTextDiff *diff, const char *old_name, const char *new_name)
{
  GString *unified = g_string_new (NULL);
  guint n;
  const FhDiffHunk *hunks = fh_text_diff_get_hunks (diff, &n);

  if (fh_text_diff_is_same (diff))
    return unified;
  g_string_append_printf (unified, "--- %s\n+++ %s\n", old_name, new_name);
  for (guint i = 0; i < n; i++)
    {
      if (hunks[i].kind != FH_DIFF_EQUAL)
        i = append_group (unified, diff, i);
    }
  return unified;
}
