/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "text-diff-search.h"

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

gboolean
fh_text_diff_search (const guint *old_items,
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
