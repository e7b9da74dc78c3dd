/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The system calls that the guest may not make, one line each, with what it gets instead; below
 * them those that it may make, but not with every argument. All others are allowed: an
 * interpreter, a compiler or a JIT uses hundreds of them, and lists of what is allowed have broken
 * programs in every project that kept one.
 *
 * ENOSYS is the answer where programs know how to do without (clone3 must never be EPERM, because
 * C libraries fall back to clone only on ENOSYS; its flags are in memory where a filter cannot see
 * them, CVE-2021-41133). EPERM is the answer where the call would need a privilege anyway, and 0,
 * success without doing anything, where the kernel itself promises as little.
 *
 * Read only by seccomp-compiler.c, at build time.
 */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/socket.h>

struct seccomp_rule
{
  const char *name;
  int answer;
  /* For calls that the libseccomp we build with may be too new for: the number that all
   * architectures share since Linux 5.1, or 0. */
  int number;
};

/* Calls that are newer than this list are answered ENOSYS, as a kernel without them would. It is
 * the last one that was looked at: file_setattr, Linux 6.17. */
#define SECCOMP_LAST_KNOWN_CALL 469

static const struct seccomp_rule seccomp_rules[] = {
  /* new namespaces; clone is filtered by its flags */
  { "clone3", ENOSYS },
  { "unshare", EPERM },
  { "setns", EPERM },

  /* mounts */
  { "mount", EPERM },
  { "umount", EPERM },
  { "umount2", EPERM },
  { "pivot_root", EPERM },
  { "chroot", EPERM },
  { "open_tree", ENOSYS },
  { "move_mount", ENOSYS },
  { "fsopen", ENOSYS },
  { "fsconfig", ENOSYS },
  { "fsmount", ENOSYS },
  { "fspick", ENOSYS },
  { "mount_setattr", ENOSYS, 442 },
  { "statmount", ENOSYS, 457 },
  { "listmount", ENOSYS, 458 },
  { "open_tree_attr", ENOSYS, 467 },
  { "quotactl", EPERM },
  { "quotactl_fd", ENOSYS, 443 },
  { "swapon", EPERM },
  { "swapoff", EPERM },

  /* other processes */
  { "ptrace", EPERM },
  { "process_vm_readv", EPERM },
  { "process_vm_writev", EPERM },
  { "process_madvise", EPERM, 440 },
  { "process_mrelease", ENOSYS, 448 },
  { "pidfd_getfd", EPERM, 438 },
  { "kcmp", EPERM },
  { "move_pages", EPERM },
  { "migrate_pages", EPERM },

  /* large and often broken parts of the kernel that no script needs */
  { "bpf", EPERM },
  { "perf_event_open", EPERM },
  { "io_uring_setup", ENOSYS },
  { "io_uring_enter", ENOSYS },
  { "io_uring_register", ENOSYS },
  { "userfaultfd", ENOSYS },
  { "fanotify_init", EPERM },
  { "fanotify_mark", EPERM },
  { "lookup_dcookie", EPERM },
  { "map_shadow_stack", ENOSYS, 453 },
  { "lsm_set_self_attr", ENOSYS, 460 },
  { "mbind", EPERM },
  { "get_mempolicy", EPERM },
  { "set_mempolicy", EPERM },
  { "set_mempolicy_home_node", ENOSYS, 450 },

  /* memory that counts for no process and no folder; System V objects have limits of their own,
   * which only a user 0 of the namespace could lower */
  { "memfd_create", ENOSYS },
  { "memfd_secret", ENOSYS, 447 },
  { "shmget", ENOSYS },
  { "msgget", ENOSYS },
  { "semget", ENOSYS },
  { "vmsplice", ENOSYS }, /* a pipe keeps the pages that their process has given back */

  /* of the whole machine: the requests that can be under way, and everybody's disks, which the
   * guest cannot write to and nobody could kill it while it waits for */
  { "io_setup", ENOSYS },
  { "sync", 0 },
  { "syncfs", 0 },

  /* keys are kept per user, not per namespace */
  { "add_key", EPERM },
  { "request_key", EPERM },
  { "keyctl", EPERM },

  /* files by handle get around every path; CVE-2014-3519 and others */
  { "name_to_handle_at", EPERM },
  { "open_by_handle_at", EPERM },

  /* the machine */
  { "reboot", EPERM },
  { "kexec_load", EPERM },
  { "kexec_file_load", EPERM },
  { "init_module", EPERM },
  { "finit_module", EPERM },
  { "delete_module", EPERM },
  { "create_module", ENOSYS },
  { "query_module", ENOSYS },
  { "get_kernel_syms", ENOSYS },
  { "sethostname", EPERM },
  { "setdomainname", EPERM },
  { "settimeofday", EPERM },
  { "stime", EPERM },
  { "clock_settime", EPERM },
  { "clock_settime64", EPERM },
  { "clock_adjtime", EPERM },
  { "clock_adjtime64", EPERM },
  { "adjtimex", EPERM },
  { "acct", EPERM },
  { "syslog", EPERM },
  { "vhangup", EPERM },
  { "nfsservctl", ENOSYS },
  { "_sysctl", ENOSYS },
  { "sysfs", ENOSYS },
  { "uselib", ENOSYS },
  { "ustat", ENOSYS },

  /* the processor */
  { "modify_ldt", EPERM },
  { "iopl", EPERM },
  { "ioperm", EPERM },
  { "vm86", EPERM },
  { "vm86old", EPERM },
};

/* The kernel takes an int from the lower half of a register and does not look at the upper one.
 * So do these tests: one that compared all 64 bits could be got around with a bit that does not
 * count (CVE-2019-10063, CVE-2023-28100). */
enum seccomp_match
{
  SECCOMP_ONE_OF = 1, /* the argument is one of the values */
  SECCOMP_NONE_OF,    /* it is none of them */
  SECCOMP_ANY_BIT_OF, /* it has a bit in common with the first value */
};

struct seccomp_test
{
  enum seccomp_match match; /* 0: no test */
  unsigned int argument;
  uint32_t values[4];
  size_t n_values;
};

/* The call gets the answer when all tests hold. */
struct seccomp_argument_rule
{
  const char *name;
  int answer;
  struct seccomp_test tests[2];
};

#define SECCOMP_VALUES(...)                                                                        \
  { __VA_ARGS__ }, sizeof ((const uint32_t[]){ __VA_ARGS__ }) / sizeof (uint32_t)
#define ONE_OF(argument, ...)                                                                      \
  {                                                                                                \
    SECCOMP_ONE_OF, argument, SECCOMP_VALUES (__VA_ARGS__)                                         \
  }
#define NONE_OF(argument, ...)                                                                     \
  {                                                                                                \
    SECCOMP_NONE_OF, argument, SECCOMP_VALUES (__VA_ARGS__)                                        \
  }
#define ANY_BIT_OF(argument, mask)                                                                 \
  {                                                                                                \
    SECCOMP_ANY_BIT_OF, argument, SECCOMP_VALUES (mask)                                            \
  }

/* Every flag of clone that makes a namespace. */
#define CLONE_FLAGS                                                                                \
  (0x00020000 /* NEWNS */ | 0x02000000 /* NEWCGROUP */ | 0x04000000 /* NEWUTS */ |                 \
   0x08000000 /* NEWIPC */ | 0x10000000 /* NEWUSER */ | 0x20000000 /* NEWPID */ |                  \
   0x40000000 /* NEWNET */)

/* Init, which has the guest's user id. A guest that starves it delays its own end, and one that
 * lowers its limits can have the kernel kill it. Nobody else has this number. */
#define INIT_PID 1

static const struct seccomp_argument_rule seccomp_argument_rules[] = {
  /* AF_ALG, AF_VSOCK and AF_NETLINK are families that have been ways out (CVE-2026-31431); the
   * answer is that of a kernel without them. Only Unix sockets come in pairs. */
  { "socket", EAFNOSUPPORT, { NONE_OF (0, AF_UNIX, AF_INET, AF_INET6) } },
  { "socketpair", EAFNOSUPPORT, { NONE_OF (0, AF_UNIX) } },

  /* TCP and UDP are enough: SCTP, DCCP, L2TP, MPTCP and the like only widen the kernel's surface.
   * Pings could not leave, and who asks for them gets what anybody without privileges gets. */
  { "socket",
    EPERM,
    { ONE_OF (0, AF_INET, AF_INET6), ONE_OF (2, IPPROTO_ICMP, IPPROTO_ICMPV6, IPPROTO_RAW) } },
  { "socket",
    EPROTONOSUPPORT,
    { ONE_OF (0, AF_INET, AF_INET6), NONE_OF (2, 0, IPPROTO_TCP, IPPROTO_UDP) } },

  /* What is in a socket counts for no process, so the buffers stay at their ordinary size. The
   * kernel, too, says yes and then takes less than was asked for, socket (7). */
  { "setsockopt", 0, { ONE_OF (1, SOL_SOCKET), ONE_OF (2, SO_SNDBUF, SO_RCVBUF) } },
  /* With every message a handle of the process that sent it, which may be one of the host. */
  { "setsockopt", ENOPROTOOPT, { ONE_OF (1, SOL_SOCKET), ONE_OF (2, 76 /* SO_PASSPIDFD */) } },
  /* TLS and other protocols in the kernel; as if none had been loaded. */
  { "setsockopt", ENOENT, { ONE_OF (1, IPPROTO_TCP), ONE_OF (2, 31 /* TCP_ULP */) } },

  /* A lease on a file of the user's makes programs of the host wait when they open it. */
  { "fcntl", EPERM, { ONE_OF (1, F_SETLEASE, F_NOTIFY, 1040 /* F_SETDELEG */) } },

  /* Typing into the terminal of another process (CVE-2017-5226). */
  { "ioctl",
    EPERM,
    { ONE_OF (1, 0x5412 /* TIOCSTI */, 0x541C /* TIOCLINUX */, 0x541D /* TIOCCONS */) } },

  { "clone", EPERM, { ANY_BIT_OF (0, CLONE_FLAGS) } },
  /* All others turn a protection off or pretend to be another kernel. The second one asks. */
  { "personality", EPERM, { NONE_OF (0, 0, 0xffffffff) } },
  { "seccomp", EPERM, { ANY_BIT_OF (1, 8 /* SECCOMP_FILTER_FLAG_NEW_LISTENER */) } },

  { "prlimit64", EPERM, { ONE_OF (0, INIT_PID) } },
  { "sched_setaffinity", EPERM, { ONE_OF (0, INIT_PID) } },
  { "sched_setattr", EPERM, { ONE_OF (0, INIT_PID) } },
  { "sched_setparam", EPERM, { ONE_OF (0, INIT_PID) } },
  { "sched_setscheduler", EPERM, { ONE_OF (0, INIT_PID) } },
  { "setpriority", EPERM, { ONE_OF (1, INIT_PID) } },
  { "setpriority", EPERM, { ONE_OF (0, PRIO_USER) } },
  { "ioprio_set", EPERM, { ONE_OF (1, INIT_PID) } },
  { "ioprio_set", EPERM, { ONE_OF (0, 3 /* IOPRIO_WHO_USER */) } },
};
