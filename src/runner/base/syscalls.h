/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * System calls without a wrapper in glibc 2.36. Like syscall (2), they return -1 with errno on
 * failure.
 */
#pragma once

#include <errno.h>
#include <linux/netlink.h>
#include <linux/sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static inline pid_t
sys_clone3 (struct clone_args *args)
{
  return (pid_t) syscall (SYS_clone3, args, sizeof *args);
}

/* A compiler may keep values in these registers, too, which exist with AVX-512 only. */
#ifdef __AVX512F__
#define SYS_CLOBBERED_WITH_AVX512                                                                  \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",      \
      "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5",    \
      "k6", "k7"
#else
#define SYS_CLOBBERED_WITH_AVX512
#endif

/* Makes a child that has a stack of its own, which `args` names, and may share this process's
 * memory: it calls `run`. Where that returns, in the child or in a fork of it, this returns 0, on
 * the stack of the caller; only a process that shares no memory may do that. The C library's clone
 * (2) cannot be used where a filter refuses its call with the flags of namespaces. It must be a
 * part of its caller: a frame of its own would be gone when the fork of the child returns through
 * it, as this process goes on meanwhile. */
__attribute__ ((always_inline)) static inline pid_t
sys_clone3_run (struct clone_args *args, void (*run) (void *), void *data)
{
  size_t size = sizeof *args;
  long result;

  /* clang-format off */
#if defined __x86_64__
  register void *passed __asm__ ("r13") = data;
  register void (*called) (void *) __asm__ ("r14") = run;

  __asm__ volatile ("mov %%rsp, %%r12\n\t"
                    "syscall\n\t"
                    "test %%rax, %%rax\n\t"
                    "jnz 1f\n\t"
                    "mov %%r13, %%rdi\n\t"
                    "call *%%r14\n\t"
                    "mov %%r12, %%rsp\n\t"
                    "xor %%eax, %%eax\n"
                    "1:"
                    : "=a" (result), "+D" (args), "+S" (size)
                    : "a" (SYS_clone3), "r" (passed), "r" (called)
                    : "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "xmm0", "xmm1", "xmm2", "xmm3",
                      "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
                      "xmm13", "xmm14", "xmm15", "memory", "cc" SYS_CLOBBERED_WITH_AVX512);
#elif defined __aarch64__
  register long first __asm__ ("x0") = (long) args;
  register long second __asm__ ("x1") = (long) size;
  register long number __asm__ ("x8") = SYS_clone3;
  register void *passed __asm__ ("x20") = data;
  register void (*called) (void *) __asm__ ("x21") = run;

  __asm__ volatile ("mov x19, sp\n\t"
                    "svc #0\n\t"
                    "cbnz x0, 1f\n\t"
                    "mov x0, x20\n\t"
                    "blr x21\n\t"
                    "mov sp, x19\n\t"
                    "mov x0, xzr\n"
                    "1:"
                    : "+r" (first), "+r" (second), "+r" (number)
                    : "r" (passed), "r" (called)
                    : "x2", "x3", "x4", "x5", "x6", "x7", "x9", "x10", "x11", "x12", "x13", "x14",
                      "x15", "x16", "x17", "x18", "x19", "x30", "v0", "v1", "v2", "v3", "v4", "v5",
                      "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16",
                      "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27",
                      "v28", "v29", "v30", "v31", "memory", "cc");
  result = first;
#else
#error "What calls clone3 on a stack of its own is missing for this processor."
#endif
  /* clang-format on */
  if (result >= 0)
    return (pid_t) result;
  errno = (int) -result;
  return -1;
}

/* fork (2) with a pidfd of the child, where a filter refuses clone3 because its flags are in
 * memory. On our architectures the first three arguments of clone are the same. */
static inline pid_t
sys_clone_with_pidfd (int *pidfd)
{
  return (pid_t) syscall (SYS_clone, CLONE_PIDFD | SIGCHLD, NULL, pidfd, NULL, NULL);
}

static inline int
sys_pivot_root (const char *new_root, const char *put_old)
{
  return (int) syscall (SYS_pivot_root, new_root, put_old);
}

static inline int
sys_pidfd_send_signal (int pidfd, int signal)
{
  return (int) syscall (SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}

static inline int
sys_seccomp (unsigned int operation, unsigned int flags, void *args)
{
  return (int) syscall (SYS_seccomp, operation, flags, args);
}

static inline long
sys_keyctl (int operation, const void *argument)
{
  return syscall (SYS_keyctl, operation, argument, 0, 0, 0);
}

/* Lists the sockets of this process's network, sock_diag (7). */
static inline int
sys_open_socket_list (void)
{
  return socket (AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
}

static inline ssize_t
sys_getdents64 (int fd, void *buffer, size_t size)
{
  return syscall (SYS_getdents64, fd, buffer, size);
}
