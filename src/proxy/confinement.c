/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "confinement.h"

#include "descriptor.h"
#include "landlock-abi.h"
#include "seccomp-program.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

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

/* All that it needs to look up names and to pass on data; the name service may load libraries. For
 * the rest the answer is ENOSYS, as libraries do without what a kernel lacks. */
static const int allowed_calls[] = {
  /* files, which the rules for paths restrict */
  SYS_openat,
  SYS_read,
  SYS_pread64,
  SYS_readv,
  SYS_write,
  SYS_writev,
  SYS_lseek,
  SYS_close,
  SYS_close_range,
  SYS_fstat,
  SYS_newfstatat,
  SYS_statx,
  SYS_getdents64,
  SYS_readlinkat,
  SYS_faccessat,
  SYS_faccessat2,
  SYS_fcntl,
  SYS_ioctl,
  SYS_dup,
  SYS_dup3,
  SYS_pipe2,
  SYS_getcwd,
  SYS_statfs,
  SYS_fstatfs,
  /* memory */
  SYS_mmap,
  SYS_mprotect,
  SYS_munmap,
  SYS_mremap,
  SYS_madvise,
  SYS_brk,
  /* sockets of the families below */
  SYS_socket,
  SYS_accept4,
  SYS_bind,
  SYS_connect,
  SYS_getsockname,
  SYS_getpeername,
  SYS_getsockopt,
  SYS_setsockopt,
  SYS_shutdown,
  SYS_sendto,
  SYS_sendmmsg,
  SYS_recvfrom,
  SYS_recvmsg,
  /* waiting */
  SYS_ppoll,
  SYS_pselect6,
  SYS_epoll_create1,
  SYS_epoll_ctl,
  SYS_epoll_pwait,
  SYS_eventfd2,
  SYS_futex,
  SYS_nanosleep,
  SYS_clock_nanosleep,
  SYS_restart_syscall,
  SYS_sched_yield,
  SYS_setitimer,
  /* its children and itself */
  SYS_clone,
  SYS_prctl,
  SYS_wait4,
  SYS_waitid,
  SYS_exit,
  SYS_exit_group,
  SYS_getpid,
  SYS_getppid,
  SYS_gettid,
  SYS_getuid,
  SYS_geteuid,
  SYS_getgid,
  SYS_getegid,
  SYS_getgroups,
  SYS_rt_sigaction,
  SYS_rt_sigprocmask,
  SYS_rt_sigreturn,
  SYS_sigaltstack,
  SYS_tgkill,
  SYS_set_tid_address,
  SYS_set_robust_list,
  SYS_rseq,
  SYS_sched_getaffinity,
  SYS_getrusage,
  /* the time, the computer, chance */
  SYS_clock_gettime,
  SYS_clock_getres,
  SYS_gettimeofday,
  SYS_uname,
  SYS_sysinfo,
  SYS_getrandom,
#ifdef __x86_64__
  /* what newer architectures have under the names above only */
  SYS_open,
  SYS_stat,
  SYS_lstat,
  SYS_access,
  SYS_readlink,
  SYS_dup2,
  SYS_pipe,
  SYS_poll,
  SYS_select,
  SYS_epoll_create,
  SYS_epoll_wait,
  SYS_time,
  SYS_alarm,
  SYS_arch_prctl,
  SYS_fork,
  SYS_accept,
#endif
};

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

/* Only root's proxy has any capabilities. */
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
  int error = 0;

  for (size_t i = 0; error == 0 && i < sizeof readable / sizeof readable[0]; i++)
    {
      fh_autofd int folder = open (readable[i], O_PATH | O_DIRECTORY | O_CLOEXEC);

      if (folder >= 0)
        error = landlock_allow (ruleset, folder, FS_READ_FILE | FS_READ_DIR);
    }
  return error;
}

static int
allow_ports (int ruleset)
{
  for (size_t i = 0; i < sizeof ports / sizeof ports[0]; i++)
    {
      const struct net_port_attr rule = { NET_CONNECT_TCP, ports[i] };

      if (syscall (SYS_landlock_add_rule, ruleset, RULE_NET_PORT, &rule, 0) < 0)
        return -errno;
    }
  return 0;
}

static int
restrict_access (void)
{
  const int abi = landlock_kernel_abi ();
  const struct ruleset_attr attr = landlock_all_of_abi (abi, abi >= LANDLOCK_NET_ABI);
  fh_autofd int ruleset = -1;
  int error;

  if (abi < 0)
    return errno == ENOSYS || errno == EOPNOTSUPP ? 0 : -errno;
  ruleset = landlock_new_ruleset (&attr);
  if (ruleset < 0)
    return ruleset;
  error = allow_reading (ruleset);
  if (error == 0 && abi >= LANDLOCK_NET_ABI)
    error = allow_ports (ruleset);
  return landlock_restrict (ruleset, error);
}

#define OPEN_TO_WRITE (O_ACCMODE | O_CREAT | O_TRUNC)
#define NAMESPACES    0x7e020000 /* CLONE_NEW… */

/* Calls for which an argument decides. A Unix socket could reach any service of the user; look-ups
 * do without, see nsswitch.conf (5) on unavailable services. */
static const struct seccomp_refusal refusals[] = {
  { SYS_socket, EAFNOSUPPORT, { NONE_OF (0, AF_INET, AF_INET6, AF_NETLINK) } },
  { SYS_prctl, EPERM, { NONE_OF (0, PR_SET_PDEATHSIG) } },
  { SYS_ioctl, ENOTTY, { NONE_OF (1, FIONREAD, FIONBIO, SIOCGIFINDEX, SIOCGIFNAME) } },
  { SYS_openat, EACCES, { ANY_BIT_OF (2, OPEN_TO_WRITE) } },
#ifdef SYS_open
  { SYS_open, EACCES, { ANY_BIT_OF (1, OPEN_TO_WRITE) } },
#endif
  { SYS_clone, EPERM, { ANY_BIT_OF (0, NAMESPACES) } },
};

#define N_ITEMS(list) (sizeof list / sizeof list[0])

int
confinement_apply (void)
{
  int error;

  errno = 0;
  /* The program that it serves is as nice. */
  if (nice (NICENESS) == -1 && errno != 0)
    return -errno;
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 || prctl (PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
    return -errno;
  error = limit_resources ();
  if (error == 0)
    error = drop_capabilities ();
  if (error == 0)
    error = restrict_access ();
  return error == 0 ? seccomp_allow_only (allowed_calls,
                                          N_ITEMS (allowed_calls),
                                          refusals,
                                          N_ITEMS (refusals))
                    : error;
}
