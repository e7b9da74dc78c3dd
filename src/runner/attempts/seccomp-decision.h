/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decision on a call that the filter asks about: the same rules, applied to the number and the
 * arguments that the kernel saw in registers, which cannot change meanwhile. Guest memory is never
 * used for it. A call that no rule explains is refused.
 */
#pragma once

#include "seccomp-watched.h"

#include <linux/seccomp.h>

struct seccomp_decision
{
  bool is_refused;
  int answer;       /* errno of a refused call */
  const char *name; /* of the call; NULL when no rule explains it, or it is refused quietly */
  /* NULL unless it is watched. A call that is let through and is not watched makes a socket. */
  const struct seccomp_watched *watched;
};

/* `sandbox`: the one whose filter asks; `has_sockets`: unless FH_POLICY_NO_SOCKETS was set. */
struct seccomp_decision
seccomp_decide (const struct seccomp_data *data, enum seccomp_sandbox sandbox, bool has_sockets);
