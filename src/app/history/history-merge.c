/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "history/history-merge.h"

/* A session that goes on is saved more than once under the same id, so the id alone does not tell.
 */
static gboolean
same_run (FhHistoryEntry *first, FhHistoryEntry *second)
{
  return fh_history_entry_get_id (first) == fh_history_entry_get_id (second) &&
         fh_history_entry_get_status (first) == fh_history_entry_get_status (second) &&
         fh_history_entry_get_wall_us (first) == fh_history_entry_get_wall_us (second) &&
         g_str_equal (fh_history_entry_get_title (first), fh_history_entry_get_title (second));
}

static void
update (FhHistoryEntry *kept, FhHistoryEntry *fresh)
{
  if (fh_history_entry_get_pinned (kept) != fh_history_entry_get_pinned (fresh))
    g_object_set (kept, "pinned", fh_history_entry_get_pinned (fresh), NULL);
}

/* The number of equal runs at the front or at the end, up to `limit`. */
static guint
count_same (GPtrArray *entries, GPtrArray *fresh, guint limit, gboolean from_end)
{
  guint count = 0;

  for (; count < limit; count++)
    {
      FhHistoryEntry *kept = entries->pdata[from_end ? entries->len - 1 - count : count];
      FhHistoryEntry *other = fresh->pdata[from_end ? fresh->len - 1 - count : count];

      if (!same_run (kept, other))
        break;
      update (kept, other);
    }
  return count;
}

void
fh_history_merge (GPtrArray *entries,
                  GPtrArray *fresh,
                  guint *position,
                  guint *removed,
                  guint *added)
{
  guint shorter, head, tail;

  g_return_if_fail (entries != NULL && fresh != NULL);
  g_return_if_fail (position != NULL && removed != NULL && added != NULL);

  shorter = MIN (entries->len, fresh->len);
  head = count_same (entries, fresh, shorter, FALSE);
  tail = count_same (entries, fresh, shorter - head, TRUE);
  *position = head;
  *removed = entries->len - head - tail;
  *added = fresh->len - head - tail;
  if (*removed > 0)
    g_ptr_array_remove_range (entries, head, *removed);
  for (guint i = head; i < head + *added; i++)
    g_ptr_array_insert (entries, (int) i, g_object_ref (fresh->pdata[i]));
}
