/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The listener: where the kernel asks about calls that the filter does not answer by itself,
 * seccomp_unotify (2). Every one of them is answered at once, by the rules, and told of when it is
 * worth it. A guest that asks without end gets a bounded number of answers in one turn of the
 * supervisor's loop, and delays nobody but itself.
 *
 * When the supervisor is gone, the kernel answers ENOSYS.
 */
#pragma once

#include "attempt-call.h"

#include <poll.h>

struct seccomp_listener
{
  int fd; /* -1: there is none */
  struct attempt_scene scene;
};

/* Takes over `fd`, which may be -1. The scene's own copy of it and its `home` are set here. */
void seccomp_listener_init (struct seccomp_listener *listener,
                            int fd,
                            const struct attempt_scene *scene);
void seccomp_listener_close (struct seccomp_listener *listener);
/* `is_open`: there is anybody left who could ask. */
void
seccomp_listener_prepare (const struct seccomp_listener *listener, bool is_open, struct pollfd *fd);
/* Answers one of those who wait, now that poll (2) said there are some: some 5 µs, or 30 µs for a
 * new kind of attempt. `started_us`: when the program was. */
void seccomp_listener_serve (struct seccomp_listener *listener, short events, uint64_t started_us);
