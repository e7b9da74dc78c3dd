/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "samples.h"

#include <err.h>
#include <stdlib.h>

void
samples_add (struct samples *samples, int64_t value)
{
  int64_t *values = reallocarray (samples->values, samples->count + 1, sizeof *values);

  if (values == NULL)
    err (EXIT_FAILURE, "samples");
  samples->values = values;
  samples->values[samples->count++] = value;
}

void
samples_clear (struct samples *samples)
{
  free (samples->values);
  *samples = (struct samples){ 0 };
}

static int
compare (const void *a, const void *b)
{
  int64_t left = *(const int64_t *) a;
  int64_t right = *(const int64_t *) b;

  return (left > right) - (left < right);
}

static void
sort (struct samples *samples)
{
  if (samples->count > 1)
    qsort (samples->values, samples->count, sizeof *samples->values, compare);
}

int64_t
samples_median (struct samples *samples)
{
  size_t half = samples->count / 2;

  if (samples->count == 0)
    return 0;
  sort (samples);
  if (samples->count % 2 == 1)
    return samples->values[half];
  return (samples->values[half - 1] + samples->values[half]) / 2;
}

int64_t
samples_minimum (struct samples *samples)
{
  sort (samples);
  return samples->count > 0 ? samples->values[0] : 0;
}
