/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "poll-until.h"

#include "clock.h"

void
poll_until (struct pollfd *fds, nfds_t n, uint64_t time_us)
{
  const uint64_t now = clock_now_us ();
  const uint64_t left = time_us > now ? time_us - now : 0;
  const struct timespec timeout = {
    .tv_sec = (time_t) (left / 1000000),
    .tv_nsec = (long) (left % 1000000) * 1000,
  };

  ppoll (fds, n, time_us == NEVER ? NULL : &timeout, NULL);
}
