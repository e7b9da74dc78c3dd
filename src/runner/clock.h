/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clock of a run: microseconds of CLOCK_BOOTTIME, which nobody can set and which goes on while
 * the computer sleeps.
 */
#pragma once

#include <stdint.h>
#include <sys/time.h>
#include <time.h>

static inline uint64_t
clock_now_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_BOOTTIME, &now);
  return (uint64_t) now.tv_sec * 1000000 + (uint64_t) now.tv_nsec / 1000;
}

static inline uint64_t
clock_timeval_us (const struct timeval *time)
{
  return (uint64_t) time->tv_sec * 1000000 + (uint64_t) time->tv_usec;
}
