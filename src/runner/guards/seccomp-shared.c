/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "seccomp-shared.h"

#include "kernel-file.h"
#include "landlock.h"
#include "seccomp-container.h"
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
#include <sys/syscall.h>

/* The oldest headers lack these numbers, which are the same on all architectures. */
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
  /* Reserved disk space does not count as written, disk-room.h. The C library's posix_fallocate
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
 * sendmmsg. There, disk-room.h still limits what is in flight. */
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
  static const char key[] = "\nHugetlb:";
  char text[4096] = "";
  char more[32] = "";
  const char *line;

  if (!kernel_file_read (proc, "meminfo", text, sizeof text))
    return true;
  line = strstr (text, key);
  /* A kernel built without them has neither. */
  return line != NULL &&
         (strtoull (line + strlen (key), NULL, 10) > 0 ||
          !kernel_file_read (proc, "sys/vm/nr_overcommit_hugepages", more, sizeof more) ||
          strtoull (more, NULL, 10) > 0);
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

int
seccomp_shared_enter (const struct setup *setup)
{
  int error;

  if (setup->plan->policy->tier == FH_WIRE_TIER_CONTAINER)
    return seccomp_container_enter (setup);
  if (!tier_has_run_folder (setup->plan->policy) ||
      setup->plan->policy->tier == FH_WIRE_TIER_UNPROTECTED)
    return 0;
  error = REFUSE (rules_of_its_own);
  if (error == 0 && setup->plan->has_own_network)
    error = REFUSE (messages);
  return error == 0 && !setup->has_scope ? REFUSE (signals) : error;
}
