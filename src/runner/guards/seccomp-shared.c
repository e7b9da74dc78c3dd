/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "seccomp-shared.h"

#include "landlock.h"
#include "seccomp-architecture.h"
#include "seccomp-modes.h"
#include "seccomp-peers.h"
#include "syscalls.h"

#include <asm/ioctls.h>
#include <asm/sockios.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>

/* Calls that have no name in the oldest headers. They are the same everywhere. */
#define CALL_FCHMODAT2     452
#define CALL_SETXATTRAT    463
#define CALL_REMOVEXATTRAT 466
#define CALL_FILE_SETATTR  469

#define LOAD(offset) BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offset)
#define LOAD_CALL    LOAD (offsetof (struct seccomp_data, nr))
/* The lower half, which is all of an int that the kernel looks at. */
#define LOAD_ARGUMENT(n)         LOAD (offsetof (struct seccomp_data, args) + (n) * sizeof (uint64_t))
#define IF_EQUAL(value, yes, no) BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
#define RETURN(action)           BPF_STMT (BPF_RET | BPF_K, action)
#define REFUSE(error)            RETURN (SECCOMP_RET_ERRNO | (error))

#define REFUSED(call, error) IF_EQUAL (call, 0, 1), REFUSE (error)
/* Refused unless the argument is 0: unless the process speaks of itself. */
#define OF_OTHERS(call, argument)                                                                  \
  IF_EQUAL (call, 0, 4), LOAD_ARGUMENT (argument), IF_EQUAL (0, 1, 0), REFUSE (EPERM),             \
      RETURN (SECCOMP_RET_ALLOW)
#define REFUSED_WITH(call, argument, value, error)                                                 \
  IF_EQUAL (call, 0, 4), LOAD_ARGUMENT (argument), IF_EQUAL (value, 0, 1), REFUSE (error),         \
      RETURN (SECCOMP_RET_ALLOW)

/* Refused when the lower half of argument 1 is one of two values; what comes next has to load the
 * number of the call again. */
#define REFUSED_WITH_COMMANDS(call, command, other)                                                \
  IF_EQUAL (call, 0, 4), LOAD_ARGUMENT (1), IF_EQUAL (command, 1, 0), IF_EQUAL (other, 0, 1),      \
      REFUSE (EPERM), LOAD_CALL

/* No pairs of datagrams, as those can still be sent to any path or name. */
#define ONLY_STREAM_PAIRS                                                                          \
  IF_EQUAL (SYS_socketpair, 0, 5), LOAD_ARGUMENT (1),                                              \
      BPF_STMT (BPF_ALU | BPF_AND | BPF_K, (uint32_t) ~(SOCK_CLOEXEC | SOCK_NONBLOCK)),            \
      IF_EQUAL (SOCK_STREAM, 1, 0), REFUSE (EPROTONOSUPPORT), RETURN (SECCOMP_RET_ALLOW)

/* The architecture comes first: the numbers of another one mean other calls. */
#define START                                                                                      \
  LOAD (offsetof (struct seccomp_data, arch)), IF_EQUAL (SECCOMP_ARCHITECTURE, 1, 0),              \
      RETURN (SECCOMP_RET_KILL_PROCESS), LOAD_CALL,                                                \
      BPF_JUMP (BPF_JMP | BPF_JGE | BPF_K, SECCOMP_X32_BIT, 0, 1),                                 \
      RETURN (SECCOMP_RET_KILL_PROCESS)

static const struct sock_filter instructions[] = {
  START,

  ONLY_STREAM_PAIRS,

/* Landlock knows who may open a file, but not who may change what it is called, whose it is, when
 * it was written or what may be done with it. */
#ifdef SYS_chmod
  REFUSED (SYS_chmod, EPERM),
  REFUSED (SYS_chown, EPERM),
  REFUSED (SYS_lchown, EPERM),
  REFUSED (SYS_utime, EPERM),
  REFUSED (SYS_utimes, EPERM),
  REFUSED (SYS_futimesat, EPERM),
#endif
  REFUSED (SYS_fchmod, EPERM),
  REFUSED (SYS_fchmodat, EPERM),
  REFUSED (CALL_FCHMODAT2, EPERM),
  REFUSED (SYS_fchown, EPERM),
  REFUSED (SYS_fchownat, EPERM),
  REFUSED (SYS_utimensat, EPERM),
  REFUSED (SYS_setxattr, EPERM),
  REFUSED (SYS_lsetxattr, EPERM),
  REFUSED (SYS_fsetxattr, EPERM),
  REFUSED (SYS_fremovexattr, EPERM),
  REFUSED (SYS_removexattr, EPERM),
  REFUSED (SYS_lremovexattr, EPERM),
  REFUSED (CALL_SETXATTRAT, ENOSYS),
  REFUSED (CALL_REMOVEXATTRAT, ENOSYS),
  REFUSED (CALL_FILE_SETATTR, ENOSYS),
  /* Nor who may watch what the user does with his files. */
  REFUSED (SYS_inotify_add_watch, EPERM),

  /* A file system takes requests with any file of it that is open for reading, and some change the
   * file, or what its owner has encrypted: ioctl_fslabel (2), FS_IOC_SETFLAGS (2const), fscrypt.
   * As on one that has no such requests; but copies may share what they have in common. */
  IF_EQUAL (SYS_ioctl, 0, 12),
  LOAD_ARGUMENT (1),
  BPF_STMT (BPF_ALU | BPF_AND | BPF_K, _IOC_TYPEMASK << _IOC_TYPESHIFT),
  IF_EQUAL ('f' << _IOC_TYPESHIFT, 6, 0),
  IF_EQUAL ('v' << _IOC_TYPESHIFT, 5, 0),
  IF_EQUAL ('X' << _IOC_TYPESHIFT, 4, 0),
  IF_EQUAL (_IOC_TYPE (FICLONE) << _IOC_TYPESHIFT, 0, 4),
  LOAD_ARGUMENT (1),
  IF_EQUAL (FICLONE, 2, 0),
  IF_EQUAL (FICLONERANGE, 1, 0),
  REFUSE (ENOTTY),
  RETURN (SECCOMP_RET_ALLOW),
  LOAD_CALL,

  /* Objects of the user's other programs that are no files. */
  REFUSED (SYS_shmat, EPERM),
  REFUSED (SYS_shmctl, EPERM),
  REFUSED (SYS_msgsnd, EPERM),
  REFUSED (SYS_msgrcv, EPERM),
  REFUSED (SYS_msgctl, EPERM),
  REFUSED (SYS_semop, EPERM),
  REFUSED (SYS_semtimedop, EPERM),
  REFUSED (SYS_semctl, EPERM),
  REFUSED (SYS_mq_open, EPERM),
  REFUSED (SYS_mq_unlink, EPERM),

  /* How they run. */
  OF_OTHERS (SYS_prlimit64, 0),
  OF_OTHERS (SYS_sched_setaffinity, 0),
  OF_OTHERS (SYS_sched_setattr, 0),
  OF_OTHERS (SYS_sched_setparam, 0),
  OF_OTHERS (SYS_sched_setscheduler, 0),
  OF_OTHERS (SYS_setpriority, 1),
  OF_OTHERS (SYS_ioprio_set, 1),

  /* The supervisor has to be able to look into the guest; nobody else needs to be kept out. */
  REFUSED_WITH (SYS_prctl, 0, PR_SET_DUMPABLE, EPERM),

  RETURN (SECCOMP_RET_ALLOW),
};

/* The user's own services answer on sockets that Landlock does not know: the session bus would
 * start a program outside for anybody who asks. So there are no sockets but pairs. */
static const struct sock_filter without_connections[] = {
  START,
  REFUSED (SYS_bind, EPERM),
  REFUSED (SYS_connect, EPERM),
  REFUSED (SYS_listen, EPERM),
  RETURN (SECCOMP_RET_ALLOW),
};

/* The main filter, which can tell of it, refuses new ones; unless it is switched off. */
static const struct sock_filter without_sockets[] = {
  START,
  REFUSED (SYS_socket, EAFNOSUPPORT),
  RETURN (SECCOMP_RET_ALLOW),
};

/* With the network guard switched off, those of the network and no others. */
static const struct sock_filter without_local_sockets[] = {
  START,
  ONLY_STREAM_PAIRS,
  IF_EQUAL (SYS_socket, 1, 0),
  RETURN (SECCOMP_RET_ALLOW),
  LOAD_ARGUMENT (0),
  IF_EQUAL (AF_INET, 2, 0),
  IF_EQUAL (AF_INET6, 1, 0),
  REFUSE (EAFNOSUPPORT),
  RETURN (SECCOMP_RET_ALLOW),
};

/* What the system call filter refuses as well, and tells, unless that one is switched off. */
static const struct sock_filter instead_of_main_filter[] = {
  START,
  /* The other way to everything, which no filter sees. */
  REFUSED (SYS_io_uring_setup, ENOSYS),
  REFUSED (SYS_io_uring_enter, ENOSYS),
  REFUSED (SYS_io_uring_register, ENOSYS),
  REFUSED (SYS_add_key, EPERM),
  REFUSED (SYS_request_key, EPERM),
  REFUSED (SYS_keyctl, EPERM),
  REFUSED (SYS_ptrace, EPERM),
  REFUSED (SYS_process_vm_readv, EPERM),
  REFUSED (SYS_process_vm_writev, EPERM),
  REFUSED (SYS_pidfd_getfd, EPERM),
  /* What the user does with his files; and a lease, which makes others wait. */
  REFUSED (SYS_fanotify_init, EPERM),
  REFUSED_WITH_COMMANDS (SYS_fcntl, F_SETLEASE, F_NOTIFY),
  /* Nobody would remove them in the end. */
  REFUSED (SYS_shmget, ENOSYS),
  REFUSED (SYS_msgget, ENOSYS),
  REFUSED (SYS_semget, ENOSYS),
  /* Of everybody with the same user id, whom 0 stands for as well. */
  REFUSED_WITH (SYS_setpriority, 0, PRIO_USER, EPERM),
  REFUSED_WITH (SYS_ioprio_set, 0, 3 /* IOPRIO_WHO_USER */, EPERM),
  RETURN (SECCOMP_RET_ALLOW),
};

/* Where Landlock does not know whose signals may reach whom, a filter cannot know it either: then
 * nobody inside sends any, not even to itself. Nor does the kernel in the name of a file that has
 * something to say to its owner, fcntl (2): that may be any process, and the signal SIGKILL. */
static const struct sock_filter signals[] = {
  START,
  REFUSED_WITH_COMMANDS (SYS_fcntl, F_SETOWN, F_SETOWN_EX),
  REFUSED_WITH_COMMANDS (SYS_ioctl, FIOSETOWN, SIOCSPGRP),
  REFUSED (SYS_kill, EPERM),
  REFUSED (SYS_tkill, EPERM),
  REFUSED (SYS_tgkill, EPERM),
  REFUSED (SYS_rt_sigqueueinfo, EPERM),
  REFUSED (SYS_rt_tgsigqueueinfo, EPERM),
  REFUSED (SYS_pidfd_send_signal, EPERM),
  RETURN (SECCOMP_RET_ALLOW),
};

#define LOAD_FILTER(filter) load (filter, sizeof filter / sizeof filter[0])

static int
load (const struct sock_filter *filter, size_t n)
{
  struct sock_fprog program = {
    .len = (unsigned short) n,
    .filter = (struct sock_filter *) filter,
  };

  return sys_seccomp (SECCOMP_SET_MODE_FILTER, 0, &program) < 0 ? -errno : 0;
}

/* Sockets that the user's other programs have named without a file belong to a network namespace,
 * and nothing but Landlock's scope stands between them and who shares it: the screen is one. */
static int
keep_from_names (const struct setup *setup)
{
  if (setup->plan->has_own_network || setup->landlock_abi >= LANDLOCK_SCOPE_ABI)
    return 0;
  return LOAD_FILTER (without_local_sockets);
}

int
seccomp_shared_apply (struct setup *setup)
{
  const bool is_alone = setup->plan->policy->without & 1u << FH_WIRE_GUARD_SYSTEM_CALLS;
  int error;

  if (setup->plan->policy->tier == FH_WIRE_TIER_CONTAINER)
    return is_alone ? LOAD_FILTER (instead_of_main_filter) : 0;
  if (!plan_is_shared (setup->plan))
    return keep_from_names (setup);
  error = LOAD_FILTER (instructions);
  if (error == 0 && is_alone)
    error = LOAD_FILTER (instead_of_main_filter);
  if (error != 0)
    return error;
  if (!setup->plan->has_own_network)
    return LOAD_FILTER (without_local_sockets);
  if (is_alone)
    error = LOAD_FILTER (without_sockets);
  return error == 0 ? LOAD_FILTER (without_connections) : error;
}

int
seccomp_shared_enter (const struct setup *setup)
{
  int error;

  if (setup->plan->policy->tier == FH_WIRE_TIER_CONTAINER)
    {
      error = seccomp_modes_enter ();
      return error == 0 ? seccomp_peers_enter (setup) : error;
    }
  if (setup->plan->policy->tier != FH_WIRE_TIER_LANDLOCK || setup->has_scope)
    return 0;
  return LOAD_FILTER (signals);
}
