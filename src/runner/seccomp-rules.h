/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The system calls that the guest may not make, one line each, with what it gets instead. All
 * others are allowed: an interpreter, a compiler or a JIT uses hundreds of them, and lists of what
 * is allowed have broken programs in every project that kept one.
 *
 * ENOSYS is the answer where programs know how to do without (clone3 must never be EPERM, because
 * C libraries fall back to clone only on ENOSYS; its flags are in memory where a filter cannot see
 * them, CVE-2021-41133). EPERM is the answer where the call would need a privilege anyway.
 *
 * Read only by seccomp-compiler.c, at build time.
 */
#pragma once

#include <errno.h>

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

/* Socket families that may be used; all others get EAFNOSUPPORT, as on a kernel without them.
 * AF_ALG, AF_VSOCK and AF_NETLINK are the ones that have been ways out (CVE-2026-31431). */
static const int seccomp_families[] = { 1 /* UNIX */, 2 /* INET */, 10 /* INET6 */ };

/* Protocols of the allowed families that only widen the kernel's surface. */
static const int seccomp_denied_protocols[] = {
  33 /* DCCP */,
  115 /* L2TP */,
  132 /* SCTP */,
  136 /* UDPLITE */,
};

/* Requests by which one process types into the terminal of another. An int to the kernel, 64 bits
 * to a filter: the upper half must not count (CVE-2017-5226, CVE-2019-10063, CVE-2023-28100). */
static const unsigned int seccomp_denied_ioctls[] = {
  0x5412 /* TIOCSTI */,
  0x541C /* TIOCLINUX */,
  0x541D /* TIOCCONS */,
};

/* Every flag of clone that makes a namespace; user and all the others. */
static const unsigned int seccomp_denied_clone_flags[] = {
  0x00020000 /* NEWNS */,  0x02000000 /* NEWCGROUP */, 0x04000000 /* NEWUTS */,
  0x08000000 /* NEWIPC */, 0x10000000 /* NEWUSER */,   0x20000000 /* NEWPID */,
  0x40000000 /* NEWNET */,
};

/* Bits of personality(2) that turn a protection off or pretend to be another kernel. */
static const unsigned int seccomp_denied_personality[] = {
  0x00000008 /* PER_LINUX32 */,        0x00020000 /* UNAME26 */,
  0x00040000 /* ADDR_NO_RANDOMIZE */,  0x00100000 /* MMAP_PAGE_ZERO */,
  0x00200000 /* ADDR_COMPAT_LAYOUT */, 0x00400000 /* READ_IMPLIES_EXEC */,
  0x00800000 /* ADDR_LIMIT_32BIT */,   0x08000000 /* ADDR_LIMIT_3GB */,
};
