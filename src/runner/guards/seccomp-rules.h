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
 * At the end are the calls that are let through and looked at.
 *
 * Compiled by seccomp-compiler.c, at build time; what the kernel asks about is looked up again by
 * seccomp-decision.c.
 */
#pragma once

#include "descriptor-numbers.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/socket.h>

/* Whether a call that is refused is told. The kernel then asks the supervisor, whose answer is the
 * same. Not told is what ordinary programs and their libraries try in passing, meaning no harm:
 *   clone3                  every thread and process that the C library starts, before clone
 *   mempolicy, and mbind    numerical libraries that look for the nearest memory
 *   memfd_create, vmsplice  programs that have another way to do the same, such as yes and node
 *   io_setup                databases that look for the fastest way to write
 *   sync, syncfs            package managers and editors
 *   map_shadow_stack        the C library, where the processor has one
 *   fanotify_mark           of no use without fanotify_init, which is told
 *   AF_NETLINK              the C library, before it looks up a name
 *   MPTCP                   Go, for every server
 *   options of sockets      SO_SNDBUF of every server; TCP_ULP and SO_PASSPIDFD of libraries
 * and the calls that are newer than SECCOMP_LAST_KNOWN_CALL. */
enum seccomp_telling
{
  QUIETLY,
  TELL,
};

struct seccomp_rule
{
  const char *name;
  int answer;
  enum seccomp_telling telling;
  /* For calls that the libseccomp we build with may be too new for: the number that all
   * architectures share since Linux 5.1, or 0. */
  int number;
};

/* Calls that are newer than this list are answered ENOSYS, as a kernel without them would. It is
 * the last one that was looked at: file_setattr, Linux 6.17. */
#define SECCOMP_LAST_KNOWN_CALL 469

static const struct seccomp_rule seccomp_rules[] = {
  /* new namespaces; clone is filtered by its flags */
  { "clone3", ENOSYS, QUIETLY },
  { "unshare", EPERM, TELL },
  { "setns", EPERM, TELL },

  /* mounts */
  { "mount", EPERM, TELL },
  { "umount", EPERM, TELL },
  { "umount2", EPERM, TELL },
  { "pivot_root", EPERM, TELL },
  { "chroot", EPERM, TELL },
  { "open_tree", ENOSYS, TELL },
  { "move_mount", ENOSYS, TELL },
  { "fsopen", ENOSYS, TELL },
  { "fsconfig", ENOSYS, TELL },
  { "fsmount", ENOSYS, TELL },
  { "fspick", ENOSYS, TELL },
  { "mount_setattr", ENOSYS, TELL, 442 },
  { "statmount", ENOSYS, TELL, 457 },
  { "listmount", ENOSYS, TELL, 458 },
  { "open_tree_attr", ENOSYS, TELL, 467 },
  { "quotactl", EPERM, TELL },
  { "quotactl_fd", ENOSYS, TELL, 443 },
  { "swapon", EPERM, TELL },
  { "swapoff", EPERM, TELL },

  /* other processes */
  { "ptrace", EPERM, TELL },
  { "process_vm_readv", EPERM, TELL },
  { "process_vm_writev", EPERM, TELL },
  { "process_madvise", EPERM, TELL, 440 },
  { "process_mrelease", ENOSYS, TELL, 448 },
  { "pidfd_getfd", EPERM, TELL, 438 },
  { "kcmp", EPERM, TELL },
  { "move_pages", EPERM, TELL },
  { "migrate_pages", EPERM, TELL },

  /* large and often broken parts of the kernel that no script needs */
  { "bpf", EPERM, TELL },
  { "perf_event_open", EPERM, TELL },
  { "io_uring_setup", ENOSYS, TELL },
  { "io_uring_enter", ENOSYS, TELL },
  { "io_uring_register", ENOSYS, TELL },
  { "userfaultfd", ENOSYS, TELL },
  { "fanotify_init", EPERM, TELL },
  { "fanotify_mark", EPERM, QUIETLY },
  { "lookup_dcookie", EPERM, TELL },
  { "map_shadow_stack", ENOSYS, QUIETLY, 453 },
  { "lsm_set_self_attr", ENOSYS, TELL, 460 },
  { "mbind", EPERM, QUIETLY },
  { "get_mempolicy", EPERM, QUIETLY },
  { "set_mempolicy", EPERM, QUIETLY },
  { "set_mempolicy_home_node", ENOSYS, QUIETLY, 450 },

  /* memory that counts for no process and no folder; System V objects have limits of their own,
   * which only a user 0 of the namespace could lower */
  { "memfd_create", ENOSYS, QUIETLY },
  { "memfd_secret", ENOSYS, TELL, 447 },
  { "shmget", ENOSYS, TELL },
  { "msgget", ENOSYS, TELL },
  { "semget", ENOSYS, TELL },
  { "vmsplice", ENOSYS, QUIETLY }, /* a pipe keeps the pages that their process has given back */

  /* of the whole machine: the requests that can be under way, and everybody's disks, which the
   * guest cannot write to and nobody could kill it while it waits for */
  { "io_setup", ENOSYS, QUIETLY },
  { "sync", 0, QUIETLY },
  { "syncfs", 0, QUIETLY },

  /* keys are kept per user, not per namespace */
  { "add_key", EPERM, TELL },
  { "request_key", EPERM, TELL },
  { "keyctl", EPERM, TELL },

  /* files by handle get around every path; CVE-2014-3519 and others */
  { "name_to_handle_at", EPERM, TELL },
  { "open_by_handle_at", EPERM, TELL },

  /* the machine */
  { "reboot", EPERM, TELL },
  { "kexec_load", EPERM, TELL },
  { "kexec_file_load", EPERM, TELL },
  { "init_module", EPERM, TELL },
  { "finit_module", EPERM, TELL },
  { "delete_module", EPERM, TELL },
  { "create_module", ENOSYS, TELL },
  { "query_module", ENOSYS, TELL },
  { "get_kernel_syms", ENOSYS, TELL },
  { "sethostname", EPERM, TELL },
  { "setdomainname", EPERM, TELL },
  { "settimeofday", EPERM, TELL },
  { "stime", EPERM, TELL },
  { "clock_settime", EPERM, TELL },
  { "clock_settime64", EPERM, TELL },
  { "clock_adjtime", EPERM, TELL },
  { "clock_adjtime64", EPERM, TELL },
  { "adjtimex", EPERM, TELL },
  { "acct", EPERM, TELL },
  { "syslog", EPERM, TELL },
  { "vhangup", EPERM, TELL },
  { "nfsservctl", ENOSYS, TELL },
  { "_sysctl", ENOSYS, TELL },
  { "sysfs", ENOSYS, TELL },
  { "uselib", ENOSYS, TELL },
  { "ustat", ENOSYS, TELL },

  /* the processor */
  { "modify_ldt", EPERM, TELL },
  { "iopl", EPERM, TELL },
  { "ioperm", EPERM, TELL },
  { "vm86", EPERM, TELL },
  { "vm86old", EPERM, TELL },
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
  enum seccomp_telling telling;
  struct seccomp_test tests[2];
  bool without_sockets; /* only where there may be no sockets at all */
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

#define MPTCP 262 /* IPPROTO_MPTCP, which not every C library knows */

static const struct seccomp_argument_rule seccomp_argument_rules[] = {
  /* Without a network namespace a socket is one of the host's. Those of the name service cache are
   * asked for by every other program. */
  { "socket", EAFNOSUPPORT, QUIETLY, { ONE_OF (0, AF_UNIX) }, true },
  { "socket", EAFNOSUPPORT, TELL, { ONE_OF (0, AF_INET, AF_INET6) }, true },

  /* AF_ALG, AF_VSOCK and AF_NETLINK are families that have been ways out (CVE-2026-31431); the
   * answer is that of a kernel without them. Only Unix sockets come in pairs. */
  { "socket", EAFNOSUPPORT, QUIETLY, { ONE_OF (0, AF_NETLINK) } },
  { "socket", EAFNOSUPPORT, TELL, { NONE_OF (0, AF_UNIX, AF_INET, AF_INET6, AF_NETLINK) } },
  { "socketpair", EAFNOSUPPORT, TELL, { NONE_OF (0, AF_UNIX) } },

  /* TCP and UDP are enough: SCTP, DCCP, L2TP, MPTCP and the like only widen the kernel's surface.
   * Pings could not leave, and who asks for them gets what anybody without privileges gets. */
  { "socket",
    EPERM,
    TELL,
    { ONE_OF (0, AF_INET, AF_INET6), ONE_OF (2, IPPROTO_ICMP, IPPROTO_ICMPV6, IPPROTO_RAW) } },
  { "socket", EPROTONOSUPPORT, QUIETLY, { ONE_OF (0, AF_INET, AF_INET6), ONE_OF (2, MPTCP) } },
  { "socket",
    EPROTONOSUPPORT,
    TELL,
    { ONE_OF (0, AF_INET, AF_INET6), NONE_OF (2, 0, IPPROTO_TCP, IPPROTO_UDP, MPTCP) } },

  /* What is in a socket counts for no process, so the buffers stay at their ordinary size. The
   * kernel, too, says yes and then takes less than was asked for, socket (7). */
  { "setsockopt", 0, QUIETLY, { ONE_OF (1, SOL_SOCKET), ONE_OF (2, SO_SNDBUF, SO_RCVBUF) } },
  /* With every message a handle of the process that sent it, which may be one of the host. */
  { "setsockopt",
    ENOPROTOOPT,
    QUIETLY,
    { ONE_OF (1, SOL_SOCKET), ONE_OF (2, 76 /* SO_PASSPIDFD */) } },
  /* TLS and other protocols in the kernel; as if none had been loaded. */
  { "setsockopt", ENOENT, QUIETLY, { ONE_OF (1, IPPROTO_TCP), ONE_OF (2, 31 /* TCP_ULP */) } },

  /* A lease on a file of the user's makes programs of the host wait when they open it. */
  { "fcntl", EPERM, TELL, { ONE_OF (1, F_SETLEASE, F_NOTIFY, 1040 /* F_SETDELEG */) } },

  /* Typing into the terminal of another process (CVE-2017-5226). */
  { "ioctl",
    EPERM,
    TELL,
    { ONE_OF (1, 0x5412 /* TIOCSTI */, 0x541C /* TIOCLINUX */, 0x541D /* TIOCCONS */) } },

  { "clone", EPERM, TELL, { ANY_BIT_OF (0, CLONE_FLAGS) } },
  /* All others turn a protection off or pretend to be another kernel. The second one asks. */
  { "personality", EPERM, TELL, { NONE_OF (0, 0, 0xffffffff) } },
  { "seccomp", EPERM, TELL, { ANY_BIT_OF (1, 8 /* SECCOMP_FILTER_FLAG_NEW_LISTENER */) } },

  { "prlimit64", EPERM, TELL, { ONE_OF (0, INIT_PID) } },
  { "sched_setaffinity", EPERM, TELL, { ONE_OF (0, INIT_PID) } },
  { "sched_setattr", EPERM, TELL, { ONE_OF (0, INIT_PID) } },
  { "sched_setparam", EPERM, TELL, { ONE_OF (0, INIT_PID) } },
  { "sched_setscheduler", EPERM, TELL, { ONE_OF (0, INIT_PID) } },
  { "setpriority", EPERM, TELL, { ONE_OF (1, INIT_PID) } },
  { "setpriority", EPERM, TELL, { ONE_OF (0, PRIO_USER) } },
  { "ioprio_set", EPERM, TELL, { ONE_OF (1, INIT_PID) } },
  { "ioprio_set", EPERM, TELL, { ONE_OF (0, 3 /* IOPRIO_WHO_USER */) } },
};

/* What a call that is let through does. */
enum seccomp_act
{
  SECCOMP_ACT_NONE,
  SECCOMP_ACT_OPEN,     /* with flags in the argument after the path */
  SECCOMP_ACT_OPEN_HOW, /* with flags in memory, openat2 (2) */
  SECCOMP_ACT_CREATE,   /* a file, a folder, a link */
  SECCOMP_ACT_WRITE,    /* to a file without opening it, truncate (2) */
  SECCOMP_ACT_DELETE,
  SECCOMP_ACT_RENAME,
  SECCOMP_ACT_EXECUTE,
  SECCOMP_ACT_SIGNAL,
  /* From here on with an address: argument 1, or 4 of the third one, or in messages. */
  SECCOMP_ACT_CONNECT,
  SECCOMP_ACT_BIND,
  SECCOMP_ACT_SEND,
  SECCOMP_ACT_SEND_MESSAGE,
  SECCOMP_ACT_SEND_MESSAGES,
};

/* Where a call has a path: the number of the argument, and of the one with the folder that it
 * begins at, or NO_FOLDER. */
#define NO_FOLDER (-1)
struct seccomp_path
{
  int folder;
  int path;
};

/* Without a pid namespace the sandbox's first process has to end all others by itself, also when
 * there is no supervisor any more who could let it: the programs for that do not ask about signals.
 */
#define SECCOMP_IS_WATCHED_WHEN_SHARED(call) ((call)->act != SECCOMP_ACT_SIGNAL)

/* Calls that are let through, after they were looked at. Never those that programs live on, such as
 * read, write, close, futex or clone: a signal that comes while such a call waits to be seen makes
 * it fail where no program expects that. */
struct seccomp_watched
{
  const char *name;
  enum seccomp_act act;
  struct seccomp_path paths[2];
  /* The call is only looked at when this argument, all 64 bits, is not the value. */
  bool has_exception;
  unsigned int argument;
  uint64_t value;
};

#define AT(folder, path)                                                                           \
  {                                                                                                \
    {                                                                                              \
      folder, path                                                                                 \
    }                                                                                              \
  }
#define AT_BOTH(folder, path, other_folder, other_path)                                            \
  {                                                                                                \
    { folder, path }, { other_folder, other_path }                                                 \
  }
#define NOWHERE AT (NO_FOLDER, -1)

static const struct seccomp_watched seccomp_watched[] = {
  { "open", SECCOMP_ACT_OPEN, AT (NO_FOLDER, 0) },
  { "openat", SECCOMP_ACT_OPEN, AT (0, 1) },
  { "openat2", SECCOMP_ACT_OPEN_HOW, AT (0, 1) },
  { "creat", SECCOMP_ACT_CREATE, AT (NO_FOLDER, 0) },
  { "truncate", SECCOMP_ACT_WRITE, AT (NO_FOLDER, 0) },
  { "mkdir", SECCOMP_ACT_CREATE, AT (NO_FOLDER, 0) },
  { "mkdirat", SECCOMP_ACT_CREATE, AT (0, 1) },
  { "mknod", SECCOMP_ACT_CREATE, AT (NO_FOLDER, 0) },
  { "mknodat", SECCOMP_ACT_CREATE, AT (0, 1) },
  { "symlink", SECCOMP_ACT_CREATE, AT (NO_FOLDER, 1) },
  { "symlinkat", SECCOMP_ACT_CREATE, AT (1, 2) },
  { "link", SECCOMP_ACT_CREATE, AT (NO_FOLDER, 1) },
  { "linkat", SECCOMP_ACT_CREATE, AT (2, 3) },
  { "unlink", SECCOMP_ACT_DELETE, AT (NO_FOLDER, 0) },
  { "unlinkat", SECCOMP_ACT_DELETE, AT (0, 1) },
  { "rmdir", SECCOMP_ACT_DELETE, AT (NO_FOLDER, 0) },
  { "rename", SECCOMP_ACT_RENAME, AT_BOTH (NO_FOLDER, 0, NO_FOLDER, 1) },
  { "renameat", SECCOMP_ACT_RENAME, AT_BOTH (0, 1, 2, 3) },
  { "renameat2", SECCOMP_ACT_RENAME, AT_BOTH (0, 1, 2, 3) },
  { "execve", SECCOMP_ACT_EXECUTE, AT (NO_FOLDER, 0) },
  { "execveat", SECCOMP_ACT_EXECUTE, AT (0, 1) },
  { "connect", SECCOMP_ACT_CONNECT, NOWHERE },
  { "bind", SECCOMP_ACT_BIND, NOWHERE },
  { "sendto", SECCOMP_ACT_SEND, NOWHERE, true, 4, 0 },
  /* Init, too, is under the filter, and would wait for an answer before anybody can give one. No
   * other process can have a descriptor of this number. */
  { "sendmsg", SECCOMP_ACT_SEND_MESSAGE, NOWHERE, true, 0, SETUP_STATUS_FD },
  { "sendmmsg", SECCOMP_ACT_SEND_MESSAGES, NOWHERE },
  { "kill", SECCOMP_ACT_SIGNAL, NOWHERE },
};
