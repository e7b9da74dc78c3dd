/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times of one kind, in microseconds, collected over interleaved rounds.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct samples
{
  int64_t *values;
  size_t count;
};

/* Ends the program when there is no memory. */
void samples_add (struct samples *samples, int64_t value);
void samples_clear (struct samples *samples);
/* Both sort. 0 when there are none. */
int64_t samples_median (struct samples *samples);
int64_t samples_minimum (struct samples *samples);
