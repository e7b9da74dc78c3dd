/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-matches.h"

struct _FhOutputMatches
{
  GArray *array; /* (element-type FhOutputMatch) */
};

static FhOutputMatch *
at (FhOutputMatches *self, guint index)
{
  return &g_array_index (self->array, FhOutputMatch, index);
}

static void
shift (FhOutputMatches *self, guint from, int chars)
{
  for (guint i = from; i < self->array->len; i++)
    {
      at (self, i)->start += chars;
      at (self, i)->end += chars;
    }
}

/* The first match that ends after `offset`. */
static guint
find_touched (FhOutputMatches *self, int offset)
{
  guint index = fh_output_matches_find (self, offset);

  return index > 0 && at (self, index - 1)->end > offset ? index - 1 : index;
}

static void
remove_between (FhOutputMatches *self, guint first, guint behind_last)
{
  if (behind_last > first)
    g_array_remove_range (self->array, first, behind_last - first);
}

FhOutputMatches *
fh_output_matches_new (void)
{
  FhOutputMatches *self = g_new0 (FhOutputMatches, 1);

  self->array = g_array_new (FALSE, FALSE, sizeof (FhOutputMatch));
  return self;
}

void
fh_output_matches_free (FhOutputMatches *self)
{
  g_array_unref (self->array);
  g_free (self);
}

void
fh_output_matches_append (FhOutputMatches *self, const FhOutputMatch *match)
{
  g_return_if_fail (self != NULL && match != NULL);
  g_return_if_fail (self->array->len == 0 || match->start >= at (self, self->array->len - 1)->end);

  g_array_append_vals (self->array, match, 1);
}

void
fh_output_matches_cut (FhOutputMatches *self, int offset)
{
  g_return_if_fail (self != NULL);

  g_array_set_size (self->array, fh_output_matches_find (self, offset));
}

guint
fh_output_matches_get_count (FhOutputMatches *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->array->len;
}

const FhOutputMatch *
fh_output_matches_get (FhOutputMatches *self, guint index)
{
  g_return_val_if_fail (self != NULL && index < self->array->len, NULL);

  return at (self, index);
}

guint
fh_output_matches_find (FhOutputMatches *self, int offset)
{
  guint low = 0;
  guint high;

  g_return_val_if_fail (self != NULL, 0);

  for (high = self->array->len; low < high;)
    {
      guint middle = low + (high - low) / 2;

      if (at (self, middle)->start < offset)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

void
fh_output_matches_inserted (FhOutputMatches *self, int offset, int chars)
{
  g_return_if_fail (self != NULL);

  remove_between (self, find_touched (self, offset), fh_output_matches_find (self, offset));
  shift (self, fh_output_matches_find (self, offset), chars);
}

void
fh_output_matches_deleted (FhOutputMatches *self, int start, int end)
{
  guint first;

  g_return_if_fail (self != NULL && start <= end);

  first = find_touched (self, start);
  remove_between (self, first, fh_output_matches_find (self, end));
  shift (self, first, start - end);
}
