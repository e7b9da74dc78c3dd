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
