/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <poll.h>
#include <stdint.h>

#define NEVER UINT64_MAX

/* poll(2) until a time of clock.h. That is CLOCK_BOOTTIME, whereas the kernel waits without
 * counting the time a computer sleeps: whoever has to be in time after a sleep asks for less. */
void poll_until (struct pollfd *fds, nfds_t n, uint64_t time_us);
