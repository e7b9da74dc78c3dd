/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arithmetic on sizes and times, and what two looks have to agree on.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

static inline uint64_t
smaller (uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static inline uint64_t
larger (uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

/* 0 if the part is larger. */
static inline uint64_t
without (uint64_t all, uint64_t part)
{
  return all > part ? all - part : 0;
}

/* True if something is so now and was at the last look, which `before` keeps. */
static inline bool
twice (bool *before, bool now)
{
  const bool was = *before;

  *before = now;
  return now && was;
}
