/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "suggestion.h"

#include <string.h>

#define LONGEST 40 /* bytes; longer words are not compared */

/* The number of letters that have to be inserted, deleted, replaced or swapped with the next one
 * (optimal string alignment). */
static guint
distance (const char *a, const char *b)
{
  gsize na = strlen (a), nb = strlen (b);
  guint rows[LONGEST + 1][LONGEST + 1];

  if (na > LONGEST || nb > LONGEST)
    return G_MAXUINT;
  for (gsize i = 0; i <= na; i++)
    {
      for (gsize j = 0; j <= nb; j++)
        {
          guint best;

          if (i == 0 || j == 0)
            {
              rows[i][j] = (guint) (i + j);
              continue;
            }
          best = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
          best = MIN (best, MIN (rows[i - 1][j], rows[i][j - 1]) + 1);
          if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            best = MIN (best, rows[i - 2][j - 2] + 1);
          rows[i][j] = best;
        }
    }
  return rows[na][nb];
}

const char *
fh_suggestion_find (const char *word, const char *const *candidates)
{
  const char *found = NULL;
  guint least;

  g_return_val_if_fail (word != NULL && candidates != NULL, NULL);

  /* A third of the letters may be wrong. */
  least = (guint) MIN (strlen (word), LONGEST) / 3 + 1;
  for (guint i = 0; candidates[i] != NULL; i++)
    {
      guint n = distance (word, candidates[i]);

      if (n < least)
        {
          least = n;
          found = candidates[i];
        }
    }
  return found;
}
