/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two texts, divided by the first NUL. The hunks cover both, and equal lines are equal. */
#include "fuzz-target.h"
#include "text-diff.h"

#include <string.h>

static void
check_equal (const FhTextDiff *diff, const FhDiffHunk *hunk)
{
  for (guint i = 0; i < hunk->count[0]; i++)
    {
      gsize old_size, new_size;
      const char *old_line = fh_text_diff_get_line (diff, 0, hunk->first[0] + i, &old_size);
      const char *new_line = fh_text_diff_get_line (diff, 1, hunk->first[1] + i, &new_size);

      g_assert (old_size == new_size && memcmp (old_line, new_line, old_size) == 0);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const uint8_t *end = size > 0 ? memchr (data, '\0', size) : NULL;
  size_t old_size = end != NULL ? (size_t) (end - data) : size;
  g_autoptr (GBytes) old_text = g_bytes_new (data, old_size);
  g_autoptr (GBytes) new_text = g_bytes_new (data + old_size, size - old_size);
  g_autoptr (FhTextDiff) diff = fh_text_diff_new (old_text, new_text);
  guint n, next[2] = { 0, 0 };
  const FhDiffHunk *hunks = fh_text_diff_get_hunks (diff, &n);
  GString *unified = fh_text_diff_to_unified (diff, "a", "b");

  for (guint i = 0; i < n; i++)
    {
      g_assert (hunks[i].first[0] == next[0] && hunks[i].first[1] == next[1]);
      g_assert (hunks[i].kind != FH_DIFF_EQUAL || hunks[i].count[0] == hunks[i].count[1]);
      if (hunks[i].kind == FH_DIFF_EQUAL)
        check_equal (diff, &hunks[i]);
      next[0] += hunks[i].count[0];
      next[1] += hunks[i].count[1];
    }
  g_assert (next[0] == fh_text_diff_get_n_lines (diff, 0));
  g_assert (next[1] == fh_text_diff_get_n_lines (diff, 1));
  g_assert (fh_text_diff_is_same (diff) == g_bytes_equal (old_text, new_text));
  g_assert ((unified->len == 0) == fh_text_diff_is_same (diff));
  g_string_free (unified, TRUE);
  return 0;
}
