/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "seccomp-filter.h"

#include "syscalls.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

static const struct sock_filter instructions[] = {
#include "seccomp-program.inc"
};

int
seccomp_filter_apply (struct setup *setup)
{
  struct sock_fprog program = {
    .len = sizeof instructions / sizeof instructions[0],
    .filter = (struct sock_filter *) instructions,
  };

  return sys_seccomp (SECCOMP_SET_MODE_FILTER, 0, &program) < 0 ? -errno : 0;
}
