/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decision on a call that the system call filter asks about: the same rules, tried again on the
 * number and the arguments that the kernel saw. They lie in registers that nobody can change
 * meanwhile; memory of the guest is never looked at for it. What no rule explains is refused.
 */
#pragma once

#include "seccomp-rules.h"

#include <linux/seccomp.h>

struct seccomp_decision
{
  bool is_refused;
  int answer;                            /* errno for a call that is refused */
  const char *name;                      /* of the call; NULL when no rule explains it */
  const struct seccomp_watched *watched; /* NULL unless it is let through */
};

/* `without_sockets`: the filter is the one for a sandbox that may have none. */
struct seccomp_decision seccomp_decide (const struct seccomp_data *data, bool without_sockets);
