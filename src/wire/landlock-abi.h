/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the kernel offers of Landlock, landlock (7), for the runner and the proxy.
 */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Our own definitions, which are ABI: the oldest supported system's header ends with ABI 2. */
#define CREATE_RULESET_VERSION (1U << 0)
#define RULE_PATH_BENEATH      1
#define RULE_NET_PORT          2

#define FS_EXECUTE     (UINT64_C (1) << 0)
#define FS_WRITE_FILE  (UINT64_C (1) << 1)
#define FS_READ_FILE   (UINT64_C (1) << 2)
#define FS_READ_DIR    (UINT64_C (1) << 3)
#define FS_REMOVE_DIR  (UINT64_C (1) << 4)
#define FS_REMOVE_FILE (UINT64_C (1) << 5)
#define FS_MAKE_CHAR   (UINT64_C (1) << 6)
#define FS_MAKE_DIR    (UINT64_C (1) << 7)
#define FS_MAKE_REG    (UINT64_C (1) << 8)
#define FS_MAKE_SOCK   (UINT64_C (1) << 9)
#define FS_MAKE_FIFO   (UINT64_C (1) << 10)
#define FS_MAKE_BLOCK  (UINT64_C (1) << 11)
#define FS_MAKE_SYM    (UINT64_C (1) << 12)
#define FS_REFER       (UINT64_C (1) << 13) /* ABI 2 */
#define FS_TRUNCATE    (UINT64_C (1) << 14) /* ABI 3 */
#define FS_IOCTL_DEV   (UINT64_C (1) << 15) /* ABI 5 */
/* connect to a socket by path, unless made under the same rules; ABI 9 */
#define FS_RESOLVE_UNIX (UINT64_C (1) << 16)

#define NET_BIND_TCP    (UINT64_C (1) << 0) /* ABI 4 */
#define NET_CONNECT_TCP (UINT64_C (1) << 1) /* ABI 4 */

#define SCOPE_ABSTRACT_UNIX_SOCKET (UINT64_C (1) << 0) /* ABI 6 */
#define SCOPE_SIGNAL               (UINT64_C (1) << 1) /* ABI 6 */

/* All rights that there are. */
#define FS_ALL ((FS_RESOLVE_UNIX << 1) - 1)

/* The first version with TCP; with scopes, below which nothing confines the guest's signals; and
 * the first that can refuse sockets by path. */
#define LANDLOCK_NET_ABI   4
#define LANDLOCK_SCOPE_ABI 6
#define LANDLOCK_UNIX_ABI  9

struct ruleset_attr
{
  uint64_t handled_access_fs;
  uint64_t handled_access_net;
  uint64_t scoped;
};

struct path_beneath_attr
{
  uint64_t allowed_access;
  int32_t parent_fd;
} __attribute__ ((packed));

struct net_port_attr
{
  uint64_t allowed_access;
  uint64_t port;
};

/* The newest version that the kernel has. -1 with errno: ENOSYS or EOPNOTSUPP if it has none. */
static inline int
landlock_kernel_abi (void)
{
  return (int) syscall (SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
}

/* All that can be restricted with this version; TCP only if `has_tcp`. */
static inline struct ruleset_attr
landlock_all_of_abi (int abi, bool has_tcp)
{
  return (struct ruleset_attr){
    .handled_access_fs = FS_ALL & ~(abi < LANDLOCK_UNIX_ABI ? FS_RESOLVE_UNIX : 0) &
                         ~(abi < 5 ? FS_IOCTL_DEV : 0) & ~(abi < 3 ? FS_TRUNCATE : 0) &
                         ~(abi < 2 ? FS_REFER : 0),
    .handled_access_net = has_tcp ? NET_BIND_TCP | NET_CONNECT_TCP : 0,
    .scoped = abi >= LANDLOCK_SCOPE_ABI ? SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL : 0,
  };
}

/* Its descriptor, or a negative errno. */
static inline int
landlock_new_ruleset (const struct ruleset_attr *attr)
{
  const int ruleset = (int) syscall (SYS_landlock_create_ruleset, attr, sizeof *attr, 0);

  return ruleset < 0 ? -errno : ruleset;
}

/* Adds what may be done with the file or folder open as `fd`. 0 or a negative errno. */
static inline int
landlock_allow (int ruleset, int fd, uint64_t access)
{
  const struct path_beneath_attr rule = { access, fd };

  return syscall (SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0) < 0 ? -errno : 0;
}

/* This thread, and what it starts, is restricted from now on, unless there was an `error`, a
 * negative errno, which is then returned. */
static inline int
landlock_restrict (int ruleset, int error)
{
  return error == 0 && syscall (SYS_landlock_restrict_self, ruleset, 0) < 0 ? -errno : error;
}
