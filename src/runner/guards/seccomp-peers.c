/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "seccomp-peers.h"

#include "seccomp-architecture.h"
#include "syscalls.h"

#include <asm/ioctls.h>
#include <asm/sockios.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <unistd.h>

#define MOST_INSTRUCTIONS 256

/* kill (2): to everybody. */
#define EVERYBODY (-1)

/* Of the container, which may be the one that keeps it. The kernel lets it have what it asks for,
 * and nothing else. */
#define FIRST_PROCESS 1

struct program
{
  struct sock_filter code[MOST_INSTRUCTIONS];
  unsigned short size;
};

/* Values of one argument for which a call is refused. */
struct values
{
  uint32_t items[6];
  unsigned int n;
};

static void
emit (struct program *program, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
  if (program->size < MOST_INSTRUCTIONS)
    program->code[program->size++] = (struct sock_filter) BPF_JUMP (code, k, yes, no);
}

static void
emit_load (struct program *program, size_t offset)
{
  emit (program, BPF_LD | BPF_W | BPF_ABS, (uint32_t) offset, 0, 0);
}

static void
emit_return (struct program *program, uint32_t action)
{
  emit (program, BPF_RET | BPF_K, action, 0, 0);
}

/* The lower half of the argument, which is all that the kernel looks at of an int. What is not
 * refused goes on behind it, with the number of the call loaded again. */
static void
refuse (struct program *program, int call, unsigned int argument, const struct values *values)
{
  const uint8_t n = (uint8_t) values->n;

  emit (program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t) call, 0, (uint8_t) (n + 3));
  emit_load (program, offsetof (struct seccomp_data, args) + argument * sizeof (uint64_t));
  for (uint8_t i = 0; i < n; i++)
    emit (program,
          BPF_JMP | BPF_JEQ | BPF_K,
          values->items[i],
          (uint8_t) (n - 1 - i),
          i + 1 == n ? 1 : 0);
  emit_return (program, SECCOMP_RET_ERRNO | EPERM);
  emit_load (program, offsetof (struct seccomp_data, nr));
}

static void
refuse_all (struct program *program, int call, int error)
{
  emit (program, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t) call, 0, 1);
  emit_return (program, SECCOMP_RET_ERRNO | (uint32_t) error);
}

static void
begin (struct program *program)
{
  emit_load (program, offsetof (struct seccomp_data, arch));
  emit (program, BPF_JMP | BPF_JEQ | BPF_K, SECCOMP_ARCHITECTURE, 1, 0);
  emit_return (program, SECCOMP_RET_KILL_PROCESS);
  emit_load (program, offsetof (struct seccomp_data, nr));
  emit (program, BPF_JMP | BPF_JGE | BPF_K, SECCOMP_X32_BIT, 0, 1);
  emit_return (program, SECCOMP_RET_KILL_PROCESS);
}

/* How they run. */
static void
keep_settings (struct program *program, const struct values *peers)
{
  static const int calls[] = {
    SYS_prlimit64,      SYS_sched_setaffinity,  SYS_sched_setattr,
    SYS_sched_setparam, SYS_sched_setscheduler,
  };

  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
    refuse (program, calls[i], 0, peers);
  refuse (program, SYS_setpriority, 1, peers);
  refuse (program, SYS_ioprio_set, 1, peers);
}

/* A handle of a process can be a folder of /proc, so nothing is sent by handle; programs have to do
 * without on older kernels as well. Nor does the kernel in the name of a file, fcntl (2). */
static void
keep_signals (struct program *program, const struct values *peers, const struct values *targets)
{
  static const struct values commands = { { F_SETOWN, F_SETOWN_EX }, 2 };
  static const struct values requests = { { FIOSETOWN, SIOCSPGRP }, 2 };

  refuse (program, SYS_kill, 0, targets);
  refuse (program, SYS_tkill, 0, peers);
  refuse (program, SYS_tgkill, 1, peers);
  refuse (program, SYS_rt_sigqueueinfo, 0, peers);
  refuse (program, SYS_rt_tgsigqueueinfo, 1, peers);
  refuse_all (program, SYS_pidfd_send_signal, ENOSYS);
  refuse (program, SYS_fcntl, 1, &commands);
  refuse (program, SYS_ioctl, 1, &requests);
}

static void
add (struct values *values, pid_t number)
{
  values->items[values->n++] = (uint32_t) number;
}

/* Init has become the leader of a group; the runner's may be led by somebody else. */
static void
find_peers (const struct setup *setup, struct values *peers, struct values *targets)
{
  const pid_t init = getppid ();
  const pid_t runner = setup->runner;
  const pid_t group = getpgid (runner);

  *peers = *targets = (struct values){ 0 };
  add (peers, init);
  add (peers, runner);
  add (peers, FIRST_PROCESS);
  add (targets, init);
  add (targets, runner);
  add (targets, -init);
  add (targets, group > 0 ? -group : -runner);
  add (targets, FIRST_PROCESS);
  add (targets, EVERYBODY);
}

int
seccomp_peers_enter (const struct setup *setup)
{
  static const struct values dumpable = { { PR_SET_DUMPABLE }, 1 };
  static struct program program;
  struct values peers;
  struct values targets;
  struct sock_fprog loaded;

  find_peers (setup, &peers, &targets);
  program.size = 0;
  begin (&program);
  keep_settings (&program, &peers);
  /* The supervisor has to be able to look into the guest. */
  refuse (&program, SYS_prctl, 0, &dumpable);
  if (!setup->has_scope)
    keep_signals (&program, &peers, &targets);
  emit_return (&program, SECCOMP_RET_ALLOW);
  if (program.size == MOST_INSTRUCTIONS)
    return -E2BIG;
  loaded = (struct sock_fprog){ .len = program.size, .filter = program.code };
  return sys_seccomp (SECCOMP_SET_MODE_FILTER, 0, &loaded) < 0 ? -errno : 0;
}
