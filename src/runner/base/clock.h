/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Microseconds of CLOCK_BOOTTIME: it cannot be set, and it goes on while the computer sleeps.
 */
#pragma once

#include <poll.h>
#include <stdint.h>
#include <sys/time.h>
#include <time.h>

#define NEVER UINT64_MAX

static inline uint64_t
clock_now_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_BOOTTIME, &now);
  return (uint64_t) now.tv_sec * 1000000 + (uint64_t) now.tv_nsec / 1000;
}

/* CPU time of this process, in microseconds. */
static inline uint64_t
clock_own_cpu_us (void)
{
  struct timespec used;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &used);
  return (uint64_t) used.tv_sec * 1000000 + (uint64_t) used.tv_nsec / 1000;
}

static inline uint64_t
clock_timeval_us (const struct timeval *time)
{
  return (uint64_t) time->tv_sec * 1000000 + (uint64_t) time->tv_usec;
}

/* poll(2) with a deadline. The kernel's timeout does not count the time a computer sleeps: callers
 * that must be on time after a suspend ask for shorter waits. */
static inline void
clock_poll_until (struct pollfd *fds, nfds_t n, uint64_t time_us)
{
  const uint64_t now = clock_now_us ();
  const uint64_t left = time_us > now ? time_us - now : 0;
  const struct timespec timeout = {
    .tv_sec = (time_t) (left / 1000000),
    .tv_nsec = (long) (left % 1000000) * 1000,
  };

  ppoll (fds, n, time_us == NEVER ? NULL : &timeout, NULL);
}
