/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "confinement.h"

#include "descriptor.h"
#include "landlock-abi.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
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
static const uint32_t allowed_calls[] = {
  /* files, which the rules for paths restrict */
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

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined __riscv && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

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

/* A Unix socket could reach any service of the user; look-ups do without, see nsswitch.conf (5) on
 * unavailable services. */
static const uint32_t families[] = { AF_INET, AF_INET6, AF_NETLINK };

/* Besides, those for which an argument decides. */
static const uint32_t options_of_prctl[] = { PR_SET_PDEATHSIG };
static const uint32_t requests[] = { FIONREAD, FIONBIO, SIOCGIFINDEX, SIOCGIFNAME };
#define OPEN_TO_WRITE (O_ACCMODE | O_CREAT | O_TRUNC)
#define NAMESPACES    0x7e020000 /* CLONE_NEW… */

#define N_ITEMS(list) (sizeof list / sizeof list[0])

#ifdef ARCHITECTURE
struct program
{
  struct sock_filter code[512];
  unsigned short size;
};

static void
add (struct program *program, unsigned int code, uint32_t k, unsigned int yes, unsigned int no)
{
  program->code[program->size++] =
      (struct sock_filter) BPF_JUMP ((uint16_t) code, k, (uint8_t) yes, (uint8_t) no);
}

/* On these architectures the lower half of an argument comes first. */
static void
add_argument (struct program *program, uint32_t call, unsigned int argument, unsigned int n)
{
  add (program, BPF_JMP | BPF_JEQ | BPF_K, call, 0, n);
  add (program,
       BPF_LD | BPF_W | BPF_ABS,
       (uint32_t) (offsetof (struct seccomp_data, args) + argument * sizeof (uint64_t)),
       0,
       0);
}

/* The call is allowed if the argument is one of the values. */
static void
add_choice (struct program *program,
            uint32_t call,
            unsigned int argument,
            const uint32_t values[],
            unsigned int n,
            int error)
{
  add_argument (program, call, argument, n + 3);
  for (unsigned int i = 0; i < n; i++)
    add (program, BPF_JMP | BPF_JEQ | BPF_K, values[i], n - i, 0);
  add (program, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t) error, 0, 0);
  add (program, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

/* The call is allowed if the argument has none of the bits. */
static void
add_without (struct program *program,
             uint32_t call,
             unsigned int argument,
             uint32_t bits,
             int error)
{
  add_argument (program, call, argument, 4);
  add (program, BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
  add (program, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t) error, 0, 0);
  add (program, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

static int
filter_calls (void)
{
  static struct program program;
  struct sock_fprog loaded = { .filter = program.code };

  add (&program, BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, arch), 0, 0);
  add (&program, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  add (&program, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
  add (&program, BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr), 0, 0);
  for (size_t i = 0; i < N_ITEMS (allowed_calls); i++)
    {
      add (&program, BPF_JMP | BPF_JEQ | BPF_K, allowed_calls[i], 0, 1);
      add (&program, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    }
  add_choice (&program, SYS_socket, 0, families, N_ITEMS (families), EAFNOSUPPORT);
  add_choice (&program, SYS_prctl, 0, options_of_prctl, N_ITEMS (options_of_prctl), EPERM);
  add_choice (&program, SYS_ioctl, 1, requests, N_ITEMS (requests), ENOTTY);
  add_without (&program, SYS_openat, 2, OPEN_TO_WRITE, EACCES);
#ifdef SYS_open
  add_without (&program, SYS_open, 1, OPEN_TO_WRITE, EACCES);
#endif
  add_without (&program, SYS_clone, 0, NAMESPACES, EPERM);
  add (&program, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS, 0, 0);
  loaded.len = program.size;
  return prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &loaded) < 0 ? -errno : 0;
}
#else
/* The numbers of calls are not known to be right: then it does not start. */
static int
filter_calls (void)
{
  return -ENOTSUP;
}
#endif
_Static_assert(2 * N_ITEMS (allowed_calls) < 400, "the filter has room for all");

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
  return error == 0 ? filter_calls () : error;
}
