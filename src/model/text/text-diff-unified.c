/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "text-diff.h"

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
