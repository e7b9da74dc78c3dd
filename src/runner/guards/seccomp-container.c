/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "seccomp-container.h"

#include "seccomp-program.h"

#include <asm/ioctls.h>
#include <asm/sockios.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The oldest headers lack these numbers, which are the same on all architectures. */
#define CALL_FCHMODAT2 452
#define CALL_OPENAT2   437

#define BITS (S_ISUID | S_ISGID)
/* O_TMPFILE without O_DIRECTORY, which alone makes no file. */
#define MAKES_A_FILE (O_CREAT | 020000000)

#define WITHOUT_BITS(call, mode)                                                                   \
  {                                                                                                \
    call, EPERM, { ANY_BIT_OF (mode, BITS) }                                                       \
  }
/* The mode is ignored, and may be anything, if no file is made. */
#define NEW_WITHOUT_BITS(call, flags, mode)                                                        \
  {                                                                                                \
    call, EPERM, { ANY_BIT_OF (flags, MAKES_A_FILE), ANY_BIT_OF (mode, BITS) }                     \
  }

static const struct seccomp_refusal modes[] = {
#ifdef SYS_chmod
  WITHOUT_BITS (SYS_chmod, 1),
  WITHOUT_BITS (SYS_creat, 1),
  WITHOUT_BITS (SYS_mknod, 1),
  NEW_WITHOUT_BITS (SYS_open, 1, 2),
#endif
  WITHOUT_BITS (SYS_fchmod, 1),
  WITHOUT_BITS (SYS_fchmodat, 2),
  WITHOUT_BITS (CALL_FCHMODAT2, 2),
  WITHOUT_BITS (SYS_mknodat, 2),
  NEW_WITHOUT_BITS (SYS_openat, 2, 3),
  /* Its mode is in memory, where no filter can see it. Programs can do without on older kernels. */
  { CALL_OPENAT2, ENOSYS },
};

/* kill (2): all processes. */
#define EVERYBODY (-1)

/* The container's first process, which may be the one that keeps it. The kernel delivers only
 * signals that it handles. */
#define FIRST_PROCESS 1

#define MOST_REFUSALS 20

struct refusals
{
  struct seccomp_refusal all[MOST_REFUSALS];
  size_t n;
};

/* Refuses a call if the test, whose argument is given here, holds. */
static void
refuse (struct refusals *refusals, int call, unsigned int argument, struct seccomp_test test)
{
  test.argument = argument;
  refusals->all[refusals->n++] =
      (struct seccomp_refusal){ .call = call, .error = EPERM, .tests = { test } };
}

/* Scheduling and limits. */
static void
refuse_settings (struct refusals *refusals, struct seccomp_test peers)
{
  static const int calls[] = {
    SYS_prlimit64,      SYS_sched_setaffinity,  SYS_sched_setattr,
    SYS_sched_setparam, SYS_sched_setscheduler,
  };

  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
    refuse (refusals, calls[i], 0, peers);
  refuse (refusals, SYS_setpriority, 1, peers);
  refuse (refusals, SYS_ioprio_set, 1, peers);
}

/* A pidfd can be a folder of /proc, so signals by pidfd are refused; programs can do without on
 * older kernels. Nor may a file send signals to its owner, fcntl (2). */
static void
refuse_signals (struct refusals *refusals, struct seccomp_test peers, struct seccomp_test targets)
{
  refuse (refusals, SYS_kill, 0, targets);
  refuse (refusals, SYS_tkill, 0, peers);
  refuse (refusals, SYS_tgkill, 1, peers);
  refuse (refusals, SYS_rt_sigqueueinfo, 0, peers);
  refuse (refusals, SYS_rt_tgsigqueueinfo, 1, peers);
  refuse (refusals, SYS_fcntl, 1, (struct seccomp_test) ONE_OF (1, F_SETOWN, F_SETOWN_EX));
  refuse (refusals, SYS_ioctl, 1, (struct seccomp_test) ONE_OF (1, FIOSETOWN, SIOCSPGRP));
  refusals->all[refusals->n++] =
      (struct seccomp_refusal){ .call = SYS_pidfd_send_signal, .error = ENOSYS };
}

static int
refuse_peers (const struct setup *setup)
{
  const pid_t init = getppid ();
  const pid_t runner = setup->runner;
  /* Init leads its own process group; the runner's may have another leader. */
  const pid_t group = getpgid (runner);
  const struct seccomp_test peers =
      ONE_OF (0, (uint32_t) init, (uint32_t) runner, (uint32_t) FIRST_PROCESS);
  const struct seccomp_test targets = ONE_OF (0,
                                              (uint32_t) init,
                                              (uint32_t) runner,
                                              (uint32_t) -init,
                                              (uint32_t) (group > 0 ? -group : -runner),
                                              (uint32_t) FIRST_PROCESS,
                                              (uint32_t) EVERYBODY);
  struct refusals refusals = { .n = 0 };

  refuse_settings (&refusals, peers);
  /* The supervisor has to be able to inspect the guest. */
  refuse (&refusals, SYS_prctl, 0, (struct seccomp_test) ONE_OF (0, PR_SET_DUMPABLE));
  if (!setup->has_scope)
    refuse_signals (&refusals, peers, targets);
  return seccomp_refuse (refusals.all, refusals.n);
}

int
seccomp_container_enter (const struct setup *setup)
{
  const int error = seccomp_refuse (modes, sizeof modes / sizeof modes[0]);

  return error == 0 ? refuse_peers (setup) : error;
}
