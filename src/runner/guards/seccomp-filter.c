/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "seccomp-filter.h"

#include "descriptor-numbers.h"
#include "kernel-file.h"
#include "syscalls.h"
#include "wire-container.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <unistd.h>

static const struct sock_filter off_own[] = {
#include "seccomp-off-own.inc"
};
static const struct sock_filter off_shared[] = {
#include "seccomp-off-shared.inc"
};
static const struct sock_filter off_closed[] = {
#include "seccomp-off-closed.inc"
};
static const struct sock_filter attempts_own[] = {
#include "seccomp-attempts-own.inc"
};
static const struct sock_filter attempts_shared[] = {
#include "seccomp-attempts-shared.inc"
};
static const struct sock_filter attempts_closed[] = {
#include "seccomp-attempts-closed.inc"
};
static const struct sock_filter files_own[] = {
#include "seccomp-files-own.inc"
};
static const struct sock_filter files_shared[] = {
#include "seccomp-files-shared.inc"
};
static const struct sock_filter files_closed[] = {
#include "seccomp-files-closed.inc"
};

#define PROGRAM(code)                                                                              \
  {                                                                                                \
    sizeof (code) / sizeof (code)[0], (struct sock_filter *) (code)                                \
  }

/* Where there are no namespaces, the second one; and the third one, when the network is guarded. */
static const struct sock_fprog programs[][3] = {
  [FH_WIRE_WATCH_OFF] = { PROGRAM (off_own), PROGRAM (off_shared), PROGRAM (off_closed) },
  [FH_WIRE_WATCH_ATTEMPTS] = { PROGRAM (attempts_own),
                               PROGRAM (attempts_shared),
                               PROGRAM (attempts_closed) },
  [FH_WIRE_WATCH_FILES] = { PROGRAM (files_own), PROGRAM (files_shared), PROGRAM (files_closed) },
};

/* True for a run whose supervisor is the first process of the container: when that one is gone, the
 * kernel has killed everybody else. */
static bool
has_first_process (const struct setup *setup)
{
  return setup->plan->policy->tier == FH_WIRE_TIER_CONTAINER && getppid () == 1;
}

/* True for one whose first process ends everybody that a dead runner leaves behind. */
static bool
has_keeper (const struct setup *setup)
{
  char line[256] = "";
  const char *argument;

  if (setup->plan->policy->tier != FH_WIRE_TIER_CONTAINER ||
      !kernel_file_read (setup->proc, "1/cmdline", line, sizeof line - 1))
    return false;
  argument = line + strlen (line) + 1;
  return argument < line + sizeof line && strcmp (argument, FH_KEEP_ARGUMENT) == 0;
}

static int
choose (const struct setup *setup)
{
  if (!plan_is_shared (setup->plan) || has_first_process (setup))
    return 0;
  return plan_has_run_folder (setup->plan) && setup->plan->has_own_network ? 2 : 1;
}

static int
load (const struct setup *setup, uint8_t watch, unsigned int flags)
{
  const int processes = choose (setup);
  const struct sock_fprog *program = &programs[watch][processes];

  return sys_seccomp (SECCOMP_SET_MODE_FILTER, flags, (void *) program);
}

/* Without the second flag a signal could make a call fail that has been let through already;
 * kernels before 5.19 do not know it.
 *
 * The sandbox's first process must not depend on a listener for what it has to do when the runner
 * is gone. The filter does not ask about the signals that it sends then; but where Landlock does
 * not keep it from the processes of others, it has to open files to find those that it may kill,
 * unless somebody else does.
 * And what it has to say comes by a descriptor that the filter lets pass. */
static int
load_with_listener (const struct setup *setup, uint8_t watch)
{
  if (setup->status == SETUP_STATUS_FD && (setup->has_scope || !plan_is_shared (setup->plan) ||
                                           has_first_process (setup) || has_keeper (setup)))
    return load (setup,
                 watch,
                 SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);
  errno = EOPNOTSUPP;
  return -1;
}

int
seccomp_filter_apply (struct setup *setup)
{
  const uint8_t watch = setup->plan->policy->watch;

  if (watch != FH_WIRE_WATCH_OFF)
    {
      setup->listener = load_with_listener (setup, watch);
      if (setup->listener >= 0)
        return 0;
      setup->listener_error = errno;
    }
  return load (setup, FH_WIRE_WATCH_OFF, 0) < 0 ? -errno : 0;
}
