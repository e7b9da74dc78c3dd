/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "seccomp-filter.h"

#include "descriptor-numbers.h"
#include "kernel-file.h"
#include "seccomp-program.h"
#include "seccomp-rules.h"
#include "syscalls.h"
#include "wire-container.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "seccomp-programs.inc"

/* True if the supervisor is the container's first process: when it dies, the kernel kills
 * everything else. */
static bool
has_first_process (const struct setup *setup)
{
  return setup->plan->policy->tier == FH_WIRE_TIER_CONTAINER && getppid () == 1;
}

/* True if the container's first process kills what a dead runner leaves behind. */
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

static enum seccomp_sandbox
choose (const struct setup *setup)
{
  if (setup->plan->policy->tier == FH_WIRE_TIER_NAMESPACES)
    return SECCOMP_OWN;
  if (!tier_is_shared (setup->plan->policy) || has_first_process (setup))
    return SECCOMP_BORROWED;
  if (!tier_has_run_folder (setup->plan->policy))
    return SECCOMP_PEERS;
  return setup->plan->has_own_network ? SECCOMP_CLOSED : SECCOMP_SHARED;
}

/* Prepends to a program what is answered to socket(2), and to socketpair(2) as well if that is
 * asked about. A separate filter could not report it: an error takes precedence over a
 * notification, and only one filter can have a listener. The program itself checks the
 * architecture. */
static void
prepend_sockets (struct sock_fprog *program, uint32_t action, bool has_pairs)
{
  const struct sock_filter start[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, arch)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SECCOMP_ARCHITECTURE, 0, 4),
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, has_pairs ? SYS_socketpair : SYS_socket, 1, 0),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, action),
  };
  const size_t n = sizeof start / sizeof start[0];
  static struct sock_filter code[sizeof start / sizeof start[0] + BPF_MAXINSNS];

  memcpy (code, start, sizeof start);
  memcpy (code + n, program->filter, program->len * sizeof code[0]);
  program->filter = code;
  program->len = (unsigned short) (program->len + n);
}

static int
load (const struct setup *setup, bool is_watched, unsigned int flags)
{
  const bool has_none = setup->plan->policy->flags & FH_POLICY_NO_SOCKETS;
  struct sock_fprog program = programs[is_watched][setup->filter];

  if (is_watched && (setup->keeps_network || has_none))
    prepend_sockets (&program, SECCOMP_RET_USER_NOTIF, setup->keeps_network);
  else if (has_none)
    prepend_sockets (&program, SECCOMP_RET_ERRNO | EAFNOSUPPORT, false);
  return sys_seccomp (SECCOMP_SET_MODE_FILTER, flags, &program);
}

/* Without WAIT_KILLABLE_RECV a signal could make a call fail that was already let through; kernels
 * before 5.19 do not have it.
 *
 * Init must not depend on a listener for what it does when the runner is gone. The filter does not
 * ask about its signals. But without a Landlock scope it must open files to find the processes to
 * kill, unless the kernel or another process kills them. Its messages use a descriptor that the
 * filter exempts. */
static int
load_with_listener (const struct setup *setup)
{
  if (setup->status == SETUP_STATUS_FD &&
      (setup->has_scope || !tier_is_shared (setup->plan->policy) || has_first_process (setup) ||
       has_keeper (setup)))
    return load (setup,
                 true,
                 SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);
  errno = EOPNOTSUPP;
  return -1;
}

int
seccomp_filter_apply_warm (struct setup *setup)
{
  struct sock_fprog program = programs[false][SECCOMP_WARM];

  return sys_seccomp (SECCOMP_SET_MODE_FILTER, 0, &program) < 0 ? -errno : 0;
}

int
seccomp_filter_apply (struct setup *setup)
{
  setup->filter = (int) choose (setup);
  if (setup->plan->policy->watch != FH_WIRE_WATCH_OFF)
    {
      setup->listener = load_with_listener (setup);
      if (setup->listener >= 0)
        return 0;
      setup->listener_error = errno;
    }
  /* The next run could meet what this one leaves in the network. */
  if (setup->keeps_network)
    return -ENOTSUP;
  return load (setup, false, 0) < 0 ? -errno : 0;
}
