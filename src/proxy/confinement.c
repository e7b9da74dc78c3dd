/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Our own definitions, which are ABI: the oldest supported system's header ends with ABI 2. */
#define CREATE_RULESET         444
#define ADD_RULE               445
#define RESTRICT_SELF          446
#define CREATE_RULESET_VERSION (1U << 0)
#define RULE_PATH_BENEATH      1
#define RULE_NET_PORT          2

#define FS_READ_FILE   (UINT64_C (1) << 2)
#define FS_READ_DIR    (UINT64_C (1) << 3)
#define FS_ALL_ABI_1   ((UINT64_C (1) << 13) - 1)
#define FS_REFER       (UINT64_C (1) << 13) /* ABI 2 */
#define FS_TRUNCATE    (UINT64_C (1) << 14) /* ABI 3 */
#define FS_IOCTL_DEV   (UINT64_C (1) << 15) /* ABI 5 */
#define NET_BIND       (UINT64_C (1) << 0)  /* ABI 4 */
#define NET_CONNECT    (UINT64_C (1) << 1)  /* ABI 4 */
#define SCOPE_ABSTRACT (UINT64_C (1) << 0)  /* ABI 6 */
#define SCOPE_SIGNAL   (UINT64_C (1) << 1)  /* ABI 6 */

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

#define NICENESS 5

/* clang's. */
#ifndef __has_feature
#define __has_feature(feature) 0
#endif

/* Configuration and libraries for name look-ups. */
static const char *const readable[] = {
  "/etc",
  "/usr",
  "/lib",
  "/lib32",
  "/lib64",
  "/nix/store",
  "/gnu/store",
  "/run/resolvconf",
  "/run/systemd/resolve",
  "/run/NetworkManager",
  "/mnt/wsl",
};

static const uint16_t ports[] = { 53, 80, 443 };

/* Calls that only an attacker needs; the answer is EPERM. */
static const uint32_t denied_calls[] = {
  SYS_execve,
  SYS_execveat,
  SYS_ptrace,
  SYS_process_vm_readv,
  SYS_process_vm_writev,
  SYS_kcmp,
  SYS_bpf,
  SYS_perf_event_open,
  SYS_userfaultfd,
  SYS_add_key,
  SYS_request_key,
  SYS_keyctl,
  SYS_unshare,
  SYS_setns,
  SYS_mount,
  SYS_umount2,
  SYS_pivot_root,
  SYS_chroot,
  SYS_name_to_handle_at,
  SYS_open_by_handle_at,
  SYS_io_setup,
  SYS_prlimit64,
  SYS_personality,
  425, /* io_uring_setup; from here on the numbers are the same everywhere */
  428, /* open_tree */
  429, /* move_mount */
  430, /* fsopen */
  438, /* pidfd_getfd */
};
#define N_DENIED (sizeof denied_calls / sizeof denied_calls[0])

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined __riscv && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

/* Numbers of x32 calls start here. */
#define X32_BIT 0x40000000u

static int
limit_resources (void)
{
  static const struct
  {
    int resource;
    rlim_t limit;
  } limits[] = {
    { RLIMIT_CORE, 0 },
    { RLIMIT_FSIZE, 0 },
    { RLIMIT_MEMLOCK, 0 },
    { RLIMIT_NOFILE, 32 },
#if !defined __SANITIZE_ADDRESS__ && !__has_feature(address_sanitizer)
    { RLIMIT_DATA, 64 << 20 },
#endif
  };

  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
    {
      const struct rlimit limit = { limits[i].limit, limits[i].limit };

      if (setrlimit ((__rlimit_resource_t) limits[i].resource, &limit) < 0)
        return -errno;
    }
  return 0;
}

/* Only root's proxy has any. */
static int
drop_capabilities (void)
{
  struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
  const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

  return syscall (SYS_capset, &header, none) < 0 ? -errno : 0;
}

static int
allow_reading (int ruleset)
{
  for (size_t i = 0; i < sizeof readable / sizeof readable[0]; i++)
    {
      struct path_beneath_attr rule = { .allowed_access = FS_READ_FILE | FS_READ_DIR };

      rule.parent_fd = open (readable[i], O_PATH | O_DIRECTORY | O_CLOEXEC);
      if (rule.parent_fd < 0)
        continue;
      if (syscall (ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) < 0)
        return -errno;
      close (rule.parent_fd);
    }
  return 0;
}

static int
allow_ports (int ruleset)
{
  for (size_t i = 0; i < sizeof ports / sizeof ports[0]; i++)
    {
      const struct net_port_attr rule = { NET_CONNECT, ports[i] };

      if (syscall (ADD_RULE, ruleset, RULE_NET_PORT, &rule, 0) < 0)
        return -errno;
    }
  return 0;
}

static int
restrict_access (void)
{
  struct ruleset_attr attr = { .handled_access_fs = FS_ALL_ABI_1 };
  const long abi = syscall (CREATE_RULESET, NULL, 0, CREATE_RULESET_VERSION);
  int ruleset;
  int error;

  if (abi < 0)
    return errno == ENOSYS || errno == EOPNOTSUPP ? 0 : -errno;
  attr.handled_access_fs |=
      (abi >= 2 ? FS_REFER : 0) | (abi >= 3 ? FS_TRUNCATE : 0) | (abi >= 5 ? FS_IOCTL_DEV : 0);
  attr.handled_access_net = abi >= 4 ? NET_BIND | NET_CONNECT : 0;
  attr.scoped = abi >= 6 ? SCOPE_ABSTRACT | SCOPE_SIGNAL : 0;
  ruleset = (int) syscall (CREATE_RULESET, &attr, sizeof attr, 0);
  if (ruleset < 0)
    return -errno;
  error = allow_reading (ruleset);
  if (error == 0 && abi >= 4)
    error = allow_ports (ruleset);
  if (error == 0 && syscall (RESTRICT_SELF, ruleset, 0) < 0)
    error = -errno;
  close (ruleset);
  return error;
}

/* A Unix socket could reach any service of the user; look-ups do without, see nsswitch.conf (5) on
 * unavailable services. */
static const uint32_t families[] = { AF_INET, AF_INET6, AF_NETLINK };
#define N_FAMILIES (sizeof families / sizeof families[0])

/* Positions in the filter. */
enum
{
  AT_CALLS = 5,
  AT_SOCKET = AT_CALLS + N_DENIED,
  AT_FAMILIES = AT_SOCKET + 2,
  AT_NO_FAMILY = AT_FAMILIES + N_FAMILIES,
  AT_ALLOW,
  AT_DENY,
  FILTER_SIZE,
};

#ifdef ARCHITECTURE
/* On these architectures the lower half of an argument comes first. */
static int
filter_calls (void)
{
  struct sock_filter filter[FILTER_SIZE] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, arch)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JGE | BPF_K, X32_BIT, AT_DENY - AT_CALLS, 0),
    [AT_SOCKET] = BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, AT_ALLOW - AT_SOCKET - 1),
    [AT_SOCKET + 1] = BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, args[0])),
    [AT_NO_FAMILY] = BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAFNOSUPPORT),
    [AT_ALLOW] = BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    [AT_DENY] = BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
  };
  const struct sock_fprog program = { .len = FILTER_SIZE, .filter = filter };

  for (size_t i = 0; i < N_DENIED; i++)
    filter[AT_CALLS + i] = (struct sock_filter) BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K,
                                                          denied_calls[i],
                                                          (uint8_t) (AT_DENY - AT_CALLS - i - 1),
                                                          0);
  for (size_t i = 0; i < N_FAMILIES; i++)
    filter[AT_FAMILIES + i] =
        (struct sock_filter) BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K,
                                       families[i],
                                       (uint8_t) (AT_ALLOW - AT_FAMILIES - i - 1),
                                       0);
  return prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0 ? -errno : 0;
}
#else
/* Only for the architectures above; elsewhere the other measures have to do. */
static int
filter_calls (void)
{
  return 0;
}
#endif

int
confinement_apply (void)
{
  int error;

  errno = 0;
  /* Like the program that it serves. */
  if (nice (NICENESS) == -1 && errno != 0)
    return -errno;
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl (PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
    return -errno;
  error = limit_resources ();
  if (error == 0)
    error = drop_capabilities ();
  if (error == 0)
    error = restrict_access ();
  return error == 0 ? filter_calls () : error;
}
