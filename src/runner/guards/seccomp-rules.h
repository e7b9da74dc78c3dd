/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The system calls that the guest may not make, one line each, with the answer that it gets; below
 * them, those refused for certain arguments. All others are allowed: an interpreter, a compiler or
 * a JIT uses hundreds of calls, and allow-lists have broken programs in every project that kept
 * one.
 *
 * ENOSYS is the answer if programs have a fallback (clone3 must never be EPERM, because C libraries
 * fall back to clone only on ENOSYS; its flags are in memory where a filter cannot see them,
 * CVE-2021-41133). EPERM is the answer if the call needs a privilege anyway, and 0, success without
 * effect, if the kernel itself promises no more.
 *
 * A warm interpreter has a filter of the same rules, but for IN_RUNS, which answers ENOSYS. The
 * runs inherit it; its action, SECCOMP_RET_TRACE without a tracer, is weaker than all of a run's
 * own, which therefore answers and reports as in other sandboxes.
 *
 * Watched calls are in seccomp-watched.h.
 *
 * Compiled by seccomp-compiler.c at build time; seccomp-decision.c applies the same rules to calls
 * that the kernel asks about.
 */
#pragma once

#include "seccomp-program.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/socket.h>

/* Rules can differ between these; see seccomp-filter.c for which is loaded where. */
enum seccomp_sandbox
{
  SECCOMP_OWN,      /* our own namespaces, whose limits we can set */
  SECCOMP_BORROWED, /* namespaces made by bubblewrap or an engine */
  SECCOMP_PEERS,    /* the same, with other processes in the pid namespace */
  SECCOMP_SHARED,   /* no namespaces */
  SECCOMP_CLOSED,   /* no namespaces; no sockets, because the network is guarded */
  N_SECCOMP_SANDBOXES,
  /* A warm interpreter, while it imports modules and forks; no guest gets this one. */
  SECCOMP_WARM = N_SECCOMP_SANDBOXES,
};

/* Masks for rules that do not apply everywhere. */
#define IN_CLOSED          (1u << SECCOMP_CLOSED)
#define WITHOUT_NAMESPACES (IN_CLOSED | 1u << SECCOMP_SHARED)
#define IN_WARM            (1u << SECCOMP_WARM)
#define IN_RUNS            (~IN_WARM) /* what the setup of a forked run needs */
#define IN_OWN             (1u << SECCOMP_OWN)

#define SECCOMP_HOLDS_IN(rule, sandbox) ((rule)->only == 0 || (rule)->only & 1u << (sandbox))

/* Whether a refused call is reported. If so, the kernel asks the supervisor, whose answer is the
 * same. Not reported is what harmless programs and libraries try:
 *   clone3                  the C library, before clone, for each thread and process
 *   mempolicy, and mbind    numerical libraries, to use the nearest memory
 *   memfd_create, vmsplice  programs that can do without, such as yes and node
 *   splice, tee, sendfile   programs and libraries that copy files, before they read and write
 *   landlock_create_ruleset programs that confine themselves, such as xz
 *   setxattr and others     programs that copy files
 *   io_setup, io_submit, …  databases, to find the fastest way to write
 *   futex_wait and others   newer C libraries, before futex
 *   shmdt                   useless without shmget, which is reported
 *   sync, syncfs            package managers and editors
 *   map_shadow_stack        the C library, if the processor has them
 *   mincore                 libraries that look at stacks
 *   posix_fadvise, madvise  programs that read much
 *   fanotify_mark           useless without fanotify_init, which is reported
 *   AF_NETLINK              the C library, before it looks up a name
 *   MPTCP                   Go, for each server
 *   options of sockets      SO_SNDBUF by servers; TCP_ULP, SO_PASSPIDFD and options for faster
 *                           sending by libraries
 *   getxattrat, listxattrat newer C libraries, before getxattr and listxattr
 *   file_getattr            newer programs that list files, before they open them
 * and calls newer than SECCOMP_LAST_KNOWN_CALL. */
enum seccomp_reporting
{
  QUIETLY,
  REPORTED,
  BY_NAME, /* a watched call, which is reported if it names something that is not the guest's */
};

struct seccomp_rule
{
  const char *name;
  int answer;
  enum seccomp_reporting reporting;
  /* The number, the same on all architectures since Linux 5.1, of a call that the libseccomp of the
   * build may not know; or 0. */
  int number;
  unsigned int only; /* a mask of enum seccomp_sandbox, or 0: everywhere */
};

/* Newer calls get ENOSYS, as on a kernel without them. This is the last one that was reviewed:
 * file_setattr, Linux 6.17. */
#define SECCOMP_LAST_KNOWN_CALL 469

static const struct seccomp_rule seccomp_rules[] = {
  /* new namespaces; clone is filtered by its flags */
  { "clone3", ENOSYS, QUIETLY, 0, IN_RUNS },
  { "unshare", EPERM, REPORTED, 0, IN_RUNS },
  { "setns", EPERM, REPORTED },

  /* mounts */
  { "mount", EPERM, REPORTED, 0, IN_RUNS },
  { "umount", EPERM, REPORTED },
  { "umount2", EPERM, REPORTED },
  { "pivot_root", EPERM, REPORTED },
  { "chroot", EPERM, REPORTED },
  { "open_tree", ENOSYS, REPORTED, 0, IN_RUNS },
  { "move_mount", ENOSYS, REPORTED, 0, IN_RUNS },
  { "fsopen", ENOSYS, REPORTED, 0, IN_RUNS },
  { "fsconfig", ENOSYS, REPORTED, 0, IN_RUNS },
  { "fsmount", ENOSYS, REPORTED, 0, IN_RUNS },
  { "fspick", ENOSYS, REPORTED },
  { "mount_setattr", ENOSYS, REPORTED, 442, IN_RUNS },
  { "statmount", ENOSYS, REPORTED, 457 },
  { "listmount", ENOSYS, REPORTED, 458 },
  { "open_tree_attr", ENOSYS, REPORTED, 467 },
  { "quotactl", EPERM, REPORTED },
  { "quotactl_fd", ENOSYS, REPORTED, 443 },
  { "swapon", EPERM, REPORTED },
  { "swapoff", EPERM, REPORTED },

  /* other processes */
  { "ptrace", EPERM, REPORTED },
  { "process_vm_readv", EPERM, REPORTED },
  { "process_vm_writev", EPERM, REPORTED },
  { "process_madvise", EPERM, REPORTED, 440 },
  { "process_mrelease", ENOSYS, REPORTED, 448 },
  { "pidfd_getfd", EPERM, REPORTED, 438 },
  { "kcmp", EPERM, REPORTED },
  { "move_pages", EPERM, REPORTED },
  { "migrate_pages", EPERM, REPORTED },

  /* large, often vulnerable parts of the kernel that no script needs */
  { "bpf", EPERM, REPORTED },
  { "perf_event_open", EPERM, REPORTED },
  { "io_uring_setup", ENOSYS, REPORTED },
  { "io_uring_enter", ENOSYS, REPORTED },
  { "io_uring_register", ENOSYS, REPORTED },
  { "userfaultfd", ENOSYS, REPORTED },
  { "fanotify_init", EPERM, REPORTED },
  { "fanotify_mark", EPERM, QUIETLY },
  { "lookup_dcookie", EPERM, REPORTED },
  { "map_shadow_stack", ENOSYS, QUIETLY, 453 },
  { "lsm_set_self_attr", ENOSYS, REPORTED, 460 },
  { "mbind", EPERM, QUIETLY },
  { "get_mempolicy", EPERM, QUIETLY },
  { "set_mempolicy", EPERM, QUIETLY },
  { "set_mempolicy_home_node", ENOSYS, QUIETLY, 450 },

  /* memory that is charged to no process and no folder. System V objects have separate limits,
   * which only the namespace's user 0 could lower */
  { "memfd_create", ENOSYS, QUIETLY },
  { "memfd_secret", ENOSYS, REPORTED, 447 },
  { "shmget", ENOSYS, REPORTED },
  { "shmat", ENOSYS, REPORTED },
  { "shmctl", ENOSYS, REPORTED },
  { "shmdt", ENOSYS, QUIETLY },
  { "msgget", ENOSYS, REPORTED },
  { "msgctl", ENOSYS, REPORTED },
  { "msgrcv", ENOSYS, REPORTED },
  { "msgsnd", ENOSYS, REPORTED },
  { "semget", ENOSYS, REPORTED },
  { "semctl", ENOSYS, REPORTED },
  { "semop", ENOSYS, REPORTED },
  { "semtimedop", ENOSYS, REPORTED },
  /* unlimited Landlock rules; ours are already in force */
  { "landlock_create_ruleset", ENOSYS, QUIETLY, 444, IN_RUNS },
  { "landlock_add_rule", ENOSYS, QUIETLY, 445, IN_RUNS },
  /* extended attributes: an access list alone may take 64 KiB and more per empty file */
  { "setxattr", ENOTSUP, QUIETLY },
  { "lsetxattr", ENOTSUP, QUIETLY },
  { "fsetxattr", ENOTSUP, QUIETLY },
  { "setxattrat", ENOSYS, QUIETLY, 463 },
  /* A pipe or a socket keeps whole pages, which the process has freed or whose file is gone, and is
   * charged for the bytes that it shows of them: one byte holds up to 2 MiB. Nothing tells what it
   * holds, so it may only hold copies. EINVAL is the answer for files that cannot do it, and all
   * that use these calls then read and write. copy_file_range leaves nothing in a pipe. */
  { "vmsplice", ENOSYS, QUIETLY },
  { "splice", EINVAL, QUIETLY },
  { "tee", EINVAL, QUIETLY },
  { "sendfile", EINVAL, QUIETLY },

  /* POSIX message queues: RLIMIT_MSGQUEUE is 0, so none can be made (CVE-2017-11176) */
  { "mq_open", ENOSYS, REPORTED },
  { "mq_unlink", ENOSYS, REPORTED },
  { "mq_timedsend", ENOSYS, REPORTED },
  { "mq_timedreceive", ENOSYS, REPORTED },
  { "mq_notify", ENOSYS, REPORTED },
  { "mq_getsetattr", ENOSYS, REPORTED },

  /* deprecated since Linux 3.16 and rarely tested */
  { "remap_file_pages", ENOSYS, REPORTED },
  /* which pages of a file others have read (CVE-2025-21691); libunwind asks the latter about its
   * own stack, and can do without. More of this is in seccomp_argument_rules. */
  { "cachestat", ENOSYS, REPORTED, 451 },
  { "mincore", ENOSYS, QUIETLY },
  /* newer variants of futex, which no C library uses yet */
  { "futex_wake", ENOSYS, QUIETLY, 454 },
  { "futex_wait", ENOSYS, QUIETLY, 455 },
  { "futex_requeue", ENOSYS, QUIETLY, 456 },

  /* Watches tell what others do with a file, and device files are the host's own everywhere. Nor
   * are the queues of events charged to anyone. The answer is as if the limit on instances were
   * reached: inotify_init (2) */
  { "inotify_init", EMFILE, REPORTED },
  { "inotify_init1", EMFILE, REPORTED },

  /* Extended attributes of files that may not be opened, which Landlock does not control;
   * seccomp_watched has the calls that C libraries use. Those of open files may be read. */
  { "getxattrat", ENOSYS, QUIETLY, 464, WITHOUT_NAMESPACES },
  { "listxattrat", ENOSYS, QUIETLY, 465, WITHOUT_NAMESPACES },
  { "file_getattr", ENOSYS, QUIETLY, 468, WITHOUT_NAMESPACES },

  /* shared by the whole machine: asynchronous requests, and disks that the guest cannot write to
   * but would be unkillable waiting for */
  { "io_setup", ENOSYS, QUIETLY },
  { "io_destroy", ENOSYS, QUIETLY },
  { "io_submit", ENOSYS, QUIETLY },
  { "io_cancel", ENOSYS, QUIETLY },
  { "io_getevents", ENOSYS, QUIETLY },
  { "io_pgetevents", ENOSYS, QUIETLY },
  { "sync", 0, QUIETLY },
  { "syncfs", 0, QUIETLY },

  /* keys are kept per user, not per namespace */
  { "add_key", EPERM, REPORTED },
  { "request_key", EPERM, REPORTED },
  { "keyctl", EPERM, REPORTED, 0, IN_RUNS },

  /* file handles bypass every path; CVE-2014-3519 and others */
  { "name_to_handle_at", EPERM, REPORTED },
  { "open_by_handle_at", EPERM, REPORTED },

  /* the machine */
  { "reboot", EPERM, REPORTED },
  { "kexec_load", EPERM, REPORTED },
  { "kexec_file_load", EPERM, REPORTED },
  { "init_module", EPERM, REPORTED },
  { "finit_module", EPERM, REPORTED },
  { "delete_module", EPERM, REPORTED },
  { "create_module", ENOSYS, REPORTED },
  { "query_module", ENOSYS, REPORTED },
  { "get_kernel_syms", ENOSYS, REPORTED },
  { "sethostname", EPERM, REPORTED, 0, IN_RUNS },
  { "setdomainname", EPERM, REPORTED },
  { "settimeofday", EPERM, REPORTED },
  { "stime", EPERM, REPORTED },
  { "clock_settime", EPERM, REPORTED },
  { "clock_settime64", EPERM, REPORTED },
  { "clock_adjtime", EPERM, REPORTED },
  { "clock_adjtime64", EPERM, REPORTED },
  { "adjtimex", EPERM, REPORTED },
  { "acct", EPERM, REPORTED },
  { "syslog", EPERM, REPORTED },
  { "vhangup", EPERM, REPORTED },
  { "nfsservctl", ENOSYS, REPORTED },
  { "_sysctl", ENOSYS, REPORTED },
  { "sysfs", ENOSYS, REPORTED },
  { "uselib", ENOSYS, REPORTED },
  { "ustat", ENOSYS, REPORTED },

  /* the processor */
  { "modify_ldt", EPERM, REPORTED },
  { "iopl", EPERM, REPORTED },
  { "ioperm", EPERM, REPORTED },
  { "vm86", EPERM, REPORTED },
  { "vm86old", EPERM, REPORTED },
};

/* If all tests hold, the call gets the answer. */
struct seccomp_argument_rule
{
  const char *name;
  int answer;
  enum seccomp_reporting reporting;
  struct seccomp_test tests[3];
  unsigned int only; /* as above */
};

/* All flags of clone that make a namespace. */
#define CLONE_FLAGS                                                                                \
  (0x00020000 /* NEWNS */ | 0x02000000 /* NEWCGROUP */ | 0x04000000 /* NEWUTS */ |                 \
   0x08000000 /* NEWIPC */ | 0x10000000 /* NEWUSER */ | 0x20000000 /* NEWPID */ |                  \
   0x40000000 /* NEWNET */)

/* Init has the guest's user id. A guest that starves init delays its own end, and one that lowers
 * init's limits can make the kernel kill it. No other process has this number. */
#define INIT_PID 1

#define GUEST_ID 1000 /* user and group inside, PLAN_USER_ID */

/* A guest may not give files away. For ids that are not mapped the kernel answers EINVAL,
 * user_namespaces (7), but programs that keep the owner of a file expect EPERM. -1 means that an id
 * is not changed. */
#define CHOWN(call, user)                                                                          \
  { call, EPERM, BY_NAME, { NONE_OF (user, GUEST_ID, UINT32_MAX) }, IN_OWN },                      \
  {                                                                                                \
    call, EPERM, BY_NAME, { NONE_OF (user + 1, GUEST_ID, UINT32_MAX) }, IN_OWN                     \
  }

#define PIPE_BYTES (64 * 1024) /* default size */

#define MPTCP 262 /* IPPROTO_MPTCP, not in every C library */

/* A clock of a process's CPU time. Its number is the inverted process id above three bits, the
 * third of which means a thread. The kernel only serves threads of the caller. -8 to -6 are the
 * caller's own. */
#define CLOCK_OF_ANOTHER                                                                           \
  {                                                                                                \
    ANY_BIT_OF (0, UINT32_C (1) << 31), NO_BIT_OF (0, 4),                                          \
        NONE_OF (0, (uint32_t) -8, (uint32_t) -7, (uint32_t) -6)                                   \
  }

static const struct seccomp_argument_rule seccomp_argument_rules[] = {
  /* Without a network namespace sockets are the host's. Most programs try the name service cache's,
   * and some that of libuuid; they are told from others by their types. */
  { "socket",
    EAFNOSUPPORT,
    QUIETLY,
    { ONE_OF (0, AF_UNIX),
      ONE_OF (1, SOCK_STREAM, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK),
      ONE_OF (2, 0) },
    IN_CLOSED },
  { "socket", EAFNOSUPPORT, REPORTED, { ONE_OF (0, AF_UNIX, AF_INET, AF_INET6) }, IN_CLOSED },

  /* AF_ALG, AF_VSOCK and AF_NETLINK have been used for escapes (CVE-2026-31431); answer like a
   * kernel without them. Only Unix sockets come in pairs. */
  { "socket", EAFNOSUPPORT, QUIETLY, { ONE_OF (0, AF_NETLINK) }, IN_RUNS },
  { "socket", EAFNOSUPPORT, REPORTED, { NONE_OF (0, AF_UNIX, AF_INET, AF_INET6, AF_NETLINK) } },
  { "socketpair", EAFNOSUPPORT, REPORTED, { NONE_OF (0, AF_UNIX) } },

  /* TCP and UDP are enough: SCTP, DCCP, L2TP, MPTCP and the like only add attack surface. Pings
   * could not leave; the answer is that for unprivileged users. */
  { "socket",
    EPERM,
    REPORTED,
    { ONE_OF (0, AF_INET, AF_INET6), ONE_OF (2, IPPROTO_ICMP, IPPROTO_ICMPV6, IPPROTO_RAW) } },
  { "socket", EPROTONOSUPPORT, QUIETLY, { ONE_OF (0, AF_INET, AF_INET6), ONE_OF (2, MPTCP) } },
  { "socket",
    EPROTONOSUPPORT,
    REPORTED,
    { ONE_OF (0, AF_INET, AF_INET6), NONE_OF (2, 0, IPPROTO_TCP, IPPROTO_UDP, MPTCP) } },

  /* Socket buffers are charged to no process, so keep the default size. The kernel, too, reports
   * success and may use less, socket (7). */
  { "setsockopt", 0, QUIETLY, { ONE_OF (1, SOL_SOCKET), ONE_OF (2, SO_SNDBUF, SO_RCVBUF) } },
  /* Attaches a pidfd of the sender, possibly on the host, to each message. */
  { "setsockopt",
    ENOPROTOOPT,
    QUIETLY,
    { ONE_OF (1, SOL_SOCKET), ONE_OF (2, 76 /* SO_PASSPIDFD */) } },
  /* TLS and other kernel protocols; as if no module were loaded. */
  { "setsockopt", ENOENT, QUIETLY, { ONE_OF (1, IPPROTO_TCP), ONE_OF (2, 31 /* TCP_ULP */) } },
  /* SO_ZEROCOPY, whose packets keep pages that the process has unmapped; SO_TXTIME, sending at a
   * given time; SO_RESERVE_MEM. */
  { "setsockopt", ENOPROTOOPT, QUIETLY, { ONE_OF (1, SOL_SOCKET), ONE_OF (2, 60, 61, 73) } },
  /* BPF programs: memory for compiled ones is limited for the whole machine and charged to no
   * process. SO_ATTACH_FILTER, SO_LOCK_FILTER, SO_ATTACH_BPF, SO_ATTACH_REUSEPORT_CBPF and
   * _EBPF. */
  { "setsockopt", EPERM, REPORTED, { ONE_OF (1, SOL_SOCKET), ONE_OF (2, 26, 44, 50, 51, 52) } },
  /* Signatures, repair, and delays, which enable a slower path for the whole machine: TCP_MD5SIG,
   * TCP_MD5SIG_EXT, TCP_REPAIR and its queues, TCP_TX_DELAY; TCP_AO_*. */
  { "setsockopt",
    ENOPROTOOPT,
    REPORTED,
    { ONE_OF (1, IPPROTO_TCP), ONE_OF (2, 14, 19, 20, 21, 22, 29, 32, 37) } },
  { "setsockopt", ENOPROTOOPT, REPORTED, { ONE_OF (1, IPPROTO_TCP), WITHIN (2, 38, 43) } },
  /* UDP_ENCAP: IPsec and L2TP in datagrams. */
  { "setsockopt", ENOPROTOOPT, REPORTED, { ONE_OF (1, IPPROTO_UDP), ONE_OF (2, 100) } },
  /* IP_OPTIONS, which networks drop, and IPsec policies. */
  { "setsockopt", ENOPROTOOPT, REPORTED, { ONE_OF (1, IPPROTO_IP), ONE_OF (2, 4, 16, 17) } },
  /* Source filters of multicast groups: IP_UNBLOCK_SOURCE to IP_MSFILTER, and MCAST_BLOCK_SOURCE to
   * MCAST_MSFILTER without MCAST_LEAVE_GROUP. Joining a group for all sources is allowed. */
  { "setsockopt", ENOPROTOOPT, REPORTED, { ONE_OF (1, IPPROTO_IP), WITHIN (2, 37, 41) } },
  { "setsockopt",
    ENOPROTOOPT,
    REPORTED,
    { ONE_OF (1, IPPROTO_IP, IPPROTO_IPV6), ONE_OF (2, 43, 44, 46, 47, 48) } },
  /* Tables of netfilter (CVE-2021-22555) and of multicast routing. */
  { "setsockopt", ENOPROTOOPT, REPORTED, { ONE_OF (1, IPPROTO_IP), WITHIN (2, 64, 255) } },
  { "setsockopt", ENOPROTOOPT, REPORTED, { ONE_OF (1, IPPROTO_IPV6), ONE_OF (2, 64, 65) } },
  { "setsockopt", ENOPROTOOPT, REPORTED, { ONE_OF (1, IPPROTO_IPV6), WITHIN (2, 128, 255) } },
  /* IPV6_ADDRFORM, IPV6_2292PKTOPTIONS (CVE-2016-3841), anycast, flow labels, IPsec policies;
   * extension headers, IPV6_HOPOPTS to IPV6_DSTOPTS. */
  { "setsockopt",
    ENOPROTOOPT,
    REPORTED,
    { ONE_OF (1, IPPROTO_IPV6), ONE_OF (2, 1, 6, 27, 28, 32, 34, 35) } },
  { "setsockopt", ENOPROTOOPT, REPORTED, { ONE_OF (1, IPPROTO_IPV6), ONE_OF (2, 54, 55, 57, 59) } },
  /* IPV6_JOIN_GROUP and MCAST_JOIN_GROUP: thousands per socket, charged to no process. Answer as if
   * no interface supported it. For IPv4 the kernel allows 20 groups, ip (7). */
  { "setsockopt", ENODEV, REPORTED, { ONE_OF (1, IPPROTO_IPV6), ONE_OF (2, 20, 42) } },
  /* Levels of protocols whose sockets are refused. */
  { "setsockopt",
    ENOPROTOOPT,
    REPORTED,
    { NONE_OF (1, SOL_SOCKET, IPPROTO_IP, IPPROTO_TCP, IPPROTO_UDP, IPPROTO_IPV6) } },
  /* SO_PEERPIDFD, a pidfd of the peer, as above; and TCP_ZEROCOPY_RECEIVE, which maps pages of
   * packets. */
  { "getsockopt",
    ENOPROTOOPT,
    QUIETLY,
    { ONE_OF (1, SOL_SOCKET), ONE_OF (2, 77 /* SO_PEERPIDFD */) } },
  { "getsockopt", ENOPROTOOPT, QUIETLY, { ONE_OF (1, IPPROTO_TCP), ONE_OF (2, 35) } },

  /* Out-of-band data, used by telnet, FTP and little else (CVE-2025-38236). */
  { "sendto", EOPNOTSUPP, REPORTED, { ANY_BIT_OF (3, MSG_OOB) } },
  { "sendmsg", EOPNOTSUPP, REPORTED, { ANY_BIT_OF (2, MSG_OOB) } },
  { "sendmmsg", EOPNOTSUPP, REPORTED, { ANY_BIT_OF (3, MSG_OOB) } },

  CHOWN ("chown", 1),
  CHOWN ("lchown", 1),
  CHOWN ("fchown", 1),
  CHOWN ("fchownat", 2),

  /* A lease on a file of the user delays programs of the host that open it. */
  { "fcntl", EPERM, REPORTED, { ONE_OF (1, F_SETLEASE, F_NOTIFY, 1040 /* F_SETDELEG */) } },
  /* Locks of an open file survive while it is in flight in a socket, where they cannot be counted;
   * see open-objects.h. As before Linux 3.15. */
  { "fcntl", EINVAL, QUIETLY, { ONE_OF (1, 37 /* F_OFD_SETLK */, 38 /* F_OFD_SETLKW */) } },
  /* Pipe pages are charged to the user; over the limit, all of the user's new pipes are small, pipe
   * (7). The answer is the kernel's own. */
  { "fcntl",
    EPERM,
    QUIETLY,
    { ONE_OF (1, 1031 /* F_SETPIPE_SZ */), WITHIN (2, PIPE_BYTES + 1, UINT32_MAX) } },

  /* Typing into another process's terminal (CVE-2017-5226); and TIOCSETD, which loads old drivers
   * (CVE-2017-2636). */
  { "ioctl",
    EPERM,
    REPORTED,
    { ONE_OF (1, 0x5412 /* TIOCSTI */, 0x541C /* TIOCLINUX */, 0x541D /* TIOCCONS */, 0x5423) } },

  /* Whether others have read a part of a file: reading only what is in memory, as on file systems
   * that cannot tell; and dropping it from memory first, for which the kernel promises nothing
   * either. MADV_COLD and MADV_PAGEOUT do so through a mapping. */
  { "preadv2", EOPNOTSUPP, REPORTED, { ANY_BIT_OF (5, 8 /* RWF_NOWAIT */) } },
  { "fadvise64", 0, QUIETLY, { ONE_OF (3, POSIX_FADV_DONTNEED) } },
  { "madvise", 0, QUIETLY, { ONE_OF (2, 20, 21) } },

  { "clone", EPERM, REPORTED, { ANY_BIT_OF (0, CLONE_FLAGS) } },
  /* A thread with separate descriptors: no library makes one, and they would not be counted. */
  { "clone",
    EPERM,
    REPORTED,
    { ANY_BIT_OF (0, 0x00010000 /* THREAD */), NO_BIT_OF (0, 0x00000400 /* FILES */) } },
  /* A thread that waits in vfork shows that a child uses its memory, process-table.c. No library
   * makes it wait for a thread, or for a child with memory of its own. EINVAL is the kernel's
   * answer to flags that do not go together. */
  { "clone",
    EINVAL,
    QUIETLY,
    { ANY_BIT_OF (0, 0x00004000 /* VFORK */), ANY_BIT_OF (0, 0x00010000 /* THREAD */) } },
  { "clone",
    EINVAL,
    QUIETLY,
    { ANY_BIT_OF (0, 0x00004000 /* VFORK */), NO_BIT_OF (0, 0x00000100 /* VM */) } },
  { "close_range", EINVAL, QUIETLY, { ANY_BIT_OF (2, 2 /* CLOSE_RANGE_UNSHARE */) } },
  /* All others disable a protection or emulate another kernel. 0xffffffff is a query. */
  { "personality", EPERM, REPORTED, { NONE_OF (0, 0, 0xffffffff) } },
  { "seccomp",
    EPERM,
    REPORTED,
    { ANY_BIT_OF (1, 8 /* SECCOMP_FILTER_FLAG_NEW_LISTENER */) },
    IN_RUNS },

  /* All that the setup of a run does with keys: a new keyring without a name. */
  { "keyctl", EPERM, REPORTED, { NONE_OF (0, 1 /* KEYCTL_JOIN_SESSION_KEYRING */) }, IN_WARM },
  { "keyctl", EPERM, REPORTED, { NOT_NULL (1) }, IN_WARM },

  /* Addresses of code, stack and arguments; cores that no other program may use meanwhile; and
   * futex hash tables of any size, charged to no process. */
  { "prctl",
    EINVAL,
    REPORTED,
    { ONE_OF (0, 35 /* PR_SET_MM */, 62 /* PR_SCHED_CORE */, 78 /* PR_FUTEX_HASH */) } },

  /* Runtimes use QUERY and PRIVATE_EXPEDITED with their registrations. The others interrupt, or
   * wait for, all processors. */
  { "membarrier", EINVAL, REPORTED, { NONE_OF (0, 0, 8, 16, 32, 64, 128, 256) } },

  { "clock_gettime", EINVAL, REPORTED, CLOCK_OF_ANOTHER, WITHOUT_NAMESPACES },
  { "clock_getres", EINVAL, REPORTED, CLOCK_OF_ANOTHER, WITHOUT_NAMESPACES },
  { "clock_nanosleep", EINVAL, REPORTED, CLOCK_OF_ANOTHER, WITHOUT_NAMESPACES },
  { "timer_create", EINVAL, REPORTED, CLOCK_OF_ANOTHER, WITHOUT_NAMESPACES },

  { "prlimit64", EPERM, REPORTED, { ONE_OF (0, INIT_PID) } },
  /* With any limit but the current one, even 0, the kernel would start the host's program for
   * cores; see resource-limits.c. Programs that set it want no cores, and there are none. */
  { "prlimit64", 0, QUIETLY, { ONE_OF (1, RLIMIT_CORE), NOT_NULL (2) }, IN_RUNS },
  { "setrlimit", 0, QUIETLY, { ONE_OF (0, RLIMIT_CORE) }, IN_RUNS },
  { "sched_setaffinity", EPERM, REPORTED, { ONE_OF (0, INIT_PID) } },
  { "sched_setattr", EPERM, REPORTED, { ONE_OF (0, INIT_PID) } },
  { "sched_setparam", EPERM, REPORTED, { ONE_OF (0, INIT_PID) } },
  { "sched_setscheduler", EPERM, REPORTED, { ONE_OF (0, INIT_PID) } },
  { "setpriority", EPERM, REPORTED, { ONE_OF (1, INIT_PID) } },
  { "setpriority", EPERM, REPORTED, { ONE_OF (0, PRIO_USER) } },
  { "ioprio_set", EPERM, REPORTED, { ONE_OF (1, INIT_PID) } },
  { "ioprio_set", EPERM, REPORTED, { ONE_OF (0, 3 /* IOPRIO_WHO_USER */) } },
};
