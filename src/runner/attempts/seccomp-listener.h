/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The listener: where the kernel asks about calls that the filter does not answer itself,
 * seccomp_unotify (2). Each is answered at once, by the rules, and reported if it matters. A guest
 * that calls endlessly gets a bounded number of answers per turn of the supervisor's loop, and only
 * delays itself.
 *
 * When the supervisor is gone, the kernel answers ENOSYS.
 */
#pragma once

#include "attempt-call.h"

#include <poll.h>

struct seccomp_listener
{
  int fd;                       /* -1: none */
  bool is_heard;                /* it was there, and nothing has failed since */
  bool has_let_sockets_through; /* a call that makes a socket or gives one an address */
  struct attempt_scene scene;
};

/* Takes `fd`, which may be -1, and sets the scene's copy of it. */
void seccomp_listener_init (struct seccomp_listener *listener,
                            int fd,
                            const struct attempt_scene *scene);
void seccomp_listener_close (struct seccomp_listener *listener);
/* `is_open`: something is left that could ask. */
void
seccomp_listener_prepare (const struct seccomp_listener *listener, bool is_open, struct pollfd *fd);
/* Answers one caller, after poll (2) reported some: takes some 5 µs, or 30 µs for a new kind of
 * attempt. `started_us`: when the program was started. */
void seccomp_listener_serve (struct seccomp_listener *listener, short events, uint64_t started_us);
