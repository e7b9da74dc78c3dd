/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "seccomp-shared.h"

#include "kernel-file.h"
#include "landlock.h"
#include "seccomp-program.h"
#include "seccomp-rules.h"

#include <asm/ioctls.h>
#include <asm/sockios.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The oldest headers lack these numbers, which are the same on all architectures. */
#define CALL_OPENAT2       437
#define CALL_FCHMODAT2     452
#define CALL_SETXATTRAT    463
#define CALL_GETXATTRAT    464
#define CALL_LISTXATTRAT   465
#define CALL_REMOVEXATTRAT 466
#define CALL_FILE_GETATTR  468
#define CALL_FILE_SETATTR  469

/* Refused unless the argument is 0, the process itself. */
#define OF_OTHERS(call, argument)                                                                  \
  {                                                                                                \
    call, EPERM, { NONE_OF (argument, 0) }                                                         \
  }

/* No datagram pairs: they can still send to any path or name. */
#define ONLY_STREAM_PAIRS                                                                          \
  {                                                                                                \
    SYS_socketpair, EPROTONOSUPPORT,                                                               \
    {                                                                                              \
      NONE_OF (1,                                                                                  \
               SOCK_STREAM,                                                                        \
               SOCK_STREAM | SOCK_CLOEXEC,                                                         \
               SOCK_STREAM | SOCK_NONBLOCK,                                                        \
               SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK)                                         \
    }                                                                                              \
  }

/* The type of an ioctl, as in _IOC (). */
#define IOCTL_TYPE(type) ((uint32_t) (type) << _IOC_TYPESHIFT)

static const struct seccomp_refusal other_programs[] = {
  ONLY_STREAM_PAIRS,

  /* Landlock controls who may open a file, but not who may change its attributes; the main filter
   * refuses, and reports, changes of owner, times and mode, and control of others. */
  { SYS_setxattr, EPERM },
  { SYS_lsetxattr, EPERM },
  { SYS_fsetxattr, EPERM },
  { SYS_fremovexattr, EPERM },
  { SYS_removexattr, EPERM },
  { SYS_lremovexattr, EPERM },
  { CALL_SETXATTRAT, ENOSYS },
  { CALL_REMOVEXATTRAT, ENOSYS },
  { CALL_FILE_SETATTR, ENOSYS },
  /* Reserved disk space does not count as written, disk-watch.h. The C library's posix_fallocate
   * then writes instead, as on file systems that cannot reserve. */
  { SYS_fallocate, EOPNOTSUPP },
  /* A watch would tell when the user opens and changes files. */
  { SYS_inotify_add_watch, EPERM },

  /* Only those of terminals, pipes and sockets, and copies that share blocks. File systems take
   * ioctls on any file that is open for reading, and some change the file or what its owner has
   * encrypted: ioctl_fslabel (2), FS_IOC_SETFLAGS (2const), fscrypt. Those of pidfds tell about
   * processes of any user. */
  { SYS_ioctl,
    ENOTTY,
    { NONE_OF_MASKED (1, IOCTL_TYPE (_IOC_TYPEMASK), IOCTL_TYPE ('T'), IOCTL_TYPE (0x89)),
      NONE_OF (1, FICLONE, FICLONERANGE) } },

  /* The supervisor has to be able to inspect the guest. */
  { SYS_prctl, EPERM, { ONE_OF (0, PR_SET_DUMPABLE) } },
};

/* The user's services listen on sockets that Landlock does not control: the session bus would start
 * a program outside for anyone who asks. So only socket pairs are allowed. */
static const struct seccomp_refusal without_connections[] = {
  { SYS_bind, EPERM },
  { SYS_connect, EPERM },
  { SYS_listen, EPERM },
  /* Even a pair tells the interfaces and addresses of its network: netdevice (7). */
  { SYS_ioctl,
    ENOTTY,
    { ONE_OF_MASKED (1, IOCTL_TYPE (_IOC_TYPEMASK), IOCTL_TYPE (0x89)),
      NONE_OF (1, FIOSETOWN, SIOCSPGRP, FIOGETOWN, SIOCGPGRP, SIOCATMARK) } },
};

/* A run without sockets: a datagram pair could still be bound to a name and send to others. */
static const struct seccomp_refusal only_stream_pairs[] = { ONLY_STREAM_PAIRS };

/* The main filter refuses new sockets and can report it; this one is used if it is switched off.
 * io_uring can make sockets without a system call that a filter sees; some families have pairs. */
static const struct seccomp_refusal without_sockets[] = {
  { SYS_socket, EAFNOSUPPORT },
  { SYS_socketpair, EAFNOSUPPORT, { NONE_OF (0, AF_UNIX) } },
  { SYS_io_uring_setup, ENOSYS },
};

/* With the network guard off a program gets sockets of the internet only. */
static const struct seccomp_refusal without_local_sockets[] = {
  ONLY_STREAM_PAIRS,
  { SYS_socket, EAFNOSUPPORT, { NONE_OF (0, AF_INET, AF_INET6) } },
};

/* Calls that the main filter refuses and reports, if that one is switched off. */
static const struct seccomp_refusal instead_of_main_filter[] = {
  /* io_uring can do almost everything without calls that a filter sees. */
  { SYS_io_uring_setup, ENOSYS },
  { SYS_io_uring_enter, ENOSYS },
  { SYS_io_uring_register, ENOSYS },
  { SYS_add_key, EPERM },
  { SYS_request_key, EPERM },
  { SYS_keyctl, EPERM },
  { SYS_ptrace, EPERM },
  { SYS_process_vm_readv, EPERM },
  { SYS_process_vm_writev, EPERM },
  { SYS_pidfd_getfd, EPERM },
  /* Watching the user's files; and leases, which make others wait. */
  { SYS_fanotify_init, EPERM },
  { SYS_fcntl, EPERM, { ONE_OF (1, F_SETLEASE, F_NOTIFY) } },
#ifdef SYS_inotify_init
  { SYS_inotify_init, EMFILE },
#endif
  { SYS_inotify_init1, EMFILE },
  /* They would never be removed. */
  { SYS_shmget, ENOSYS },
  { SYS_msgget, ENOSYS },
  { SYS_semget, ENOSYS },
  /* For all processes of the same user; 0 is that user as well. */
  { SYS_setpriority, EPERM, { ONE_OF (0, PRIO_USER) } },
  { SYS_ioprio_set, EPERM, { ONE_OF (0, 3 /* IOPRIO_WHO_USER */) } },
};

/* The same for tiers without namespaces. */
static const struct seccomp_refusal instead_of_namespaces[] = {
  /* System V and message queue objects of the user's other programs. */
  { SYS_shmat, EPERM },
  { SYS_shmctl, EPERM },
  { SYS_msgsnd, EPERM },
  { SYS_msgrcv, EPERM },
  { SYS_msgctl, EPERM },
  { SYS_semop, EPERM },
  { SYS_semtimedop, EPERM },
  { SYS_semctl, EPERM },
  { SYS_mq_open, EPERM },
  { SYS_mq_unlink, EPERM },
/* Owner, times and mode, and extended attributes, of files that may not be opened. */
#ifdef SYS_chmod
  { SYS_chmod, EPERM },
  { SYS_chown, EPERM },
  { SYS_lchown, EPERM },
  { SYS_utime, EPERM },
  { SYS_utimes, EPERM },
  { SYS_futimesat, EPERM },
#endif
  { SYS_fchmod, EPERM },
  { SYS_fchmodat, EPERM },
  { CALL_FCHMODAT2, EPERM },
  { SYS_fchown, EPERM },
  { SYS_fchownat, EPERM },
  { SYS_utimensat, EPERM },
  { SYS_getxattr, ENOTSUP },
  { SYS_lgetxattr, ENOTSUP },
  { SYS_listxattr, ENOTSUP },
  { SYS_llistxattr, ENOTSUP },
  { CALL_GETXATTRAT, ENOSYS },
  { CALL_LISTXATTRAT, ENOSYS },
  { CALL_FILE_GETATTR, ENOSYS },
  /* Limits and scheduling of others. */
  OF_OTHERS (SYS_prlimit64, 0),
  OF_OTHERS (SYS_sched_setaffinity, 0),
  OF_OTHERS (SYS_sched_setattr, 0),
  OF_OTHERS (SYS_sched_setparam, 0),
  OF_OTHERS (SYS_sched_setscheduler, 0),
  OF_OTHERS (SYS_setpriority, 1),
  OF_OTHERS (SYS_ioprio_set, 1),
  /* CPU clocks of the user's other processes. */
  { SYS_clock_gettime, EINVAL, CLOCK_OF_ANOTHER },
  { SYS_clock_getres, EINVAL, CLOCK_OF_ANOTHER },
  { SYS_clock_nanosleep, EINVAL, CLOCK_OF_ANOTHER },
  { SYS_timer_create, EINVAL, CLOCK_OF_ANOTHER },
};

/* Without Landlock's signal scope a filter cannot tell whose process a signal goes to: so the guest
 * sends none at all, not even to itself. Nor may a file signal its owner, fcntl (2): that may be
 * any process, and the signal may be SIGKILL. */
static const struct seccomp_refusal signals[] = {
  { SYS_fcntl, EPERM, { ONE_OF (1, F_SETOWN, F_SETOWN_EX) } },
  { SYS_ioctl, EPERM, { ONE_OF (1, FIOSETOWN, SIOCSPGRP) } },
  { SYS_kill, EPERM },
  { SYS_tkill, EPERM },
  { SYS_tgkill, EPERM },
  { SYS_rt_sigqueueinfo, EPERM },
  { SYS_rt_tgsigqueueinfo, EPERM },
  { SYS_pidfd_send_signal, EPERM },
};

/* A deleted file takes up the user's disk as long as something holds it. Processes that have it
 * open, execute it or map it are found; a Landlock rule or a socket in which it is in flight is
 * not: see disk-watch.h. */
static const struct seccomp_refusal rules_of_its_own[] = {
  { SYS_landlock_create_ruleset, ENOSYS },
  { SYS_landlock_add_rule, ENOSYS },
  /* A handle of any process tells when that ends; those of children come from clone (2). */
  { SYS_pidfd_open, ENOSYS },
};

/* These hold where the network is not the user's, with which the C library looks up names by
 * sendmmsg. There, disk-watch.h still limits what is in flight. */
static const struct seccomp_refusal messages[] = {
  { SYS_sendmsg, EPERM },
  { SYS_sendmmsg, EPERM },
};

/* Huge pages that the computer reserves, mostly for virtual machines and databases, are charged to
 * no process and no control group. Answer as if none were left. This makes each mmap a little
 * slower, so it is only done on computers that have such pages. */
static const struct seccomp_refusal huge_pages[] = {
  { SYS_mmap, ENOMEM, { ANY_BIT_OF (3, MAP_HUGETLB) } },
};

#define REFUSE(refusals) seccomp_refuse (refusals, sizeof refusals / sizeof refusals[0])

/* Abstract sockets of the user's other programs belong to the network namespace; only Landlock's
 * scope separates them from those who share it, such as the display server's. */
static int
keep_from_names (const struct setup *setup)
{
  if (setup->plan->has_own_network || setup->landlock_abi >= LANDLOCK_SCOPE_ABI)
    return 0;
  return REFUSE (without_local_sockets);
}

/* If it cannot be read, assume that there are some. */
static bool
has_huge_pages (int proc)
{
  char text[4096] = "";
  uint64_t kib;

  if (!kernel_file_read (proc, "meminfo", text, sizeof text))
    return true;
  kib = kernel_file_number (text, "Hugetlb", UINT64_MAX);
  /* A kernel built without them has neither. */
  return kib != UINT64_MAX &&
         (kib > 0 || kernel_file_read_number (proc, "sys/vm/nr_overcommit_hugepages", 1) > 0);
}

int
seccomp_shared_keep_pages (const struct setup *setup)
{
  return has_huge_pages (setup->proc) ? REFUSE (huge_pages) : 0;
}

/* Pairs remain, but connect to nothing else. */
static int
refuse_sockets (bool is_alone)
{
  int error = REFUSE (only_stream_pairs);

  if (error == 0)
    error = REFUSE (without_connections);
  return error == 0 && is_alone ? REFUSE (without_sockets) : error;
}

int
seccomp_shared_apply (struct setup *setup)
{
  const struct fh_policy *policy = setup->plan->policy;
  const bool is_alone = policy->without & 1u << FH_WIRE_GUARD_SYSTEM_CALLS;
  int error = seccomp_shared_keep_pages (setup);

  if (error == 0 && policy->flags & FH_POLICY_NO_SOCKETS)
    error = refuse_sockets (is_alone);
  if (error != 0)
    return error;
  if (policy->tier == FH_WIRE_TIER_CONTAINER)
    return is_alone ? REFUSE (instead_of_main_filter) : 0;
  if (!tier_is_shared (setup->plan->policy))
    return keep_from_names (setup);
  error = REFUSE (other_programs);
  if (error == 0 && is_alone)
    error = REFUSE (instead_of_main_filter);
  if (error == 0 && is_alone)
    error = REFUSE (instead_of_namespaces);
  if (error != 0)
    return error;
  if (!setup->plan->has_own_network)
    return REFUSE (without_local_sockets);
  if (is_alone)
    error = REFUSE (without_sockets);
  return error == 0 ? REFUSE (without_connections) : error;
}

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

/* Two filters for the guest in a container.
 *
 * Modes: the guest may write to bound folders of the user, and engines cannot bind them "nosuid". A
 * set-user-ID program left there would run as the user, or as root, for everyone on this computer
 * who starts it. So no file gets the set-user-ID or set-group-ID bit; inside they would have no
 * effect, because of no_new_privs.
 *
 * Peers: the runner and its init run beside the guest as the same user, so the kernel would let the
 * guest stop or kill them or change their scheduling. This filter applies to the guest only and
 * refuses that for these two process ids; all other processes are the guest's own. The kernel
 * itself drops signals to the container's first process.
 *
 * If the guest kills the runner anyway, or that of another run in a kept container, it gains
 * nothing: the run ends as an error, and kept-container.c kills what is left. */
static int
enter_container (const struct setup *setup)
{
  const int error = REFUSE (modes);

  return error == 0 ? refuse_peers (setup) : error;
}

int
seccomp_shared_enter (const struct setup *setup)
{
  int error;

  if (setup->plan->policy->tier == FH_WIRE_TIER_CONTAINER)
    return enter_container (setup);
  if (!tier_has_run_folder (setup->plan->policy) ||
      setup->plan->policy->tier == FH_WIRE_TIER_UNPROTECTED)
    return 0;
  error = REFUSE (rules_of_its_own);
  if (error == 0 && setup->plan->has_own_network)
    error = REFUSE (messages);
  return error == 0 && !setup->has_scope ? REFUSE (signals) : error;
}
