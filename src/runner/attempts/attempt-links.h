/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a path leads that goes through links which the guest has made, or through what it has open:
 * "/workspace/link/id_rsa" and "/proc/self/fd/3/home" are what they lead to, not what they are
 * called. Only the guest's own folders are looked at, part by part; the first part that leaves them
 * ends it, and the rest is text. The guest can change its links meanwhile: good for reports, never
 * for decisions.
 */
#pragma once

#include "attempt-call.h"

#include <limits.h>

/* It is not among the guest's own files, or nothing had to be looked at. */
#define LINKS_NOT_SEEN 1
/* It is what the guest has open, at the path that it had then: it exists, perhaps elsewhere. */
#define LINKS_OPEN 2
/* It leads through what another process has open, and that cannot be looked at. */
#define LINKS_CLOSED 3

/* `joined` is `path` in `base` as text, see path_join, and is replaced if it leads elsewhere.
 * `follows_last`: so does the call. Returns 0 if that exists and is the guest's own, a negative
 * errno if it cannot be found there (-ELOOP: the way is too long to tell), LINKS_NOT_SEEN,
 * LINKS_OPEN or LINKS_CLOSED. */
int links_follow (const struct attempt_call *call,
                  const char *base,
                  const char *path,
                  bool follows_last,
                  char joined[PATH_MAX]);
