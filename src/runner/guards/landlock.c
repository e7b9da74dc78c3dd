/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "landlock.h"

#include "descriptor.h"
#include "etc-files.h"
#include "mounts.h"
#include "stage-numbers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FS_READ   (FS_READ_FILE | FS_READ_DIR)
#define FS_RUN    (FS_READ | FS_EXECUTE)
#define FS_OWN    (FS_ALL & ~(FS_MAKE_CHAR | FS_MAKE_BLOCK | FS_IOCTL_DEV))
#define FS_DEVICE (FS_READ_FILE | FS_WRITE_FILE)
/* Rights that apply to files; the others are EINVAL on them. */
#define FS_OF_FILES (FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV)

static const struct
{
  const char *path;
  uint64_t access;
} rules[] = {
  { "/", FS_READ_DIR },   { "/etc", FS_READ }, { "/proc", FS_READ },     { "/dev", FS_DEVICE },
  { "/dev/shm", FS_OWN }, { "/tmp", FS_OWN },  { "/workspace", FS_OWN }, { STAGE_SCRATCH, FS_OWN },
};

/* The lowest ABI that can be the main guard. */
#define MAIN_GUARD_ABI LANDLOCK_NET_ABI

/* In the host's own tree. Nothing of /proc that shows other processes, no folder that the user or
 * another program writes to, no terminal. Files of /etc: etc-files.h. */
static const struct
{
  const char *path;
  uint64_t access;
} shared_rules[] = {
  { "/etc/host.conf", FS_READ },       { "/etc/ld.so.conf", FS_READ },
  { "/etc/ld.so.conf.d", FS_READ },    { "/etc/localtime", FS_READ },
  { "/etc/mime.types", FS_READ },      { "/etc/nsswitch.conf", FS_READ },
  { "/etc/ssl/openssl.cnf", FS_READ }, { "/etc/timezone", FS_READ },
  { "/proc/cpuinfo", FS_READ },        { "/proc/filesystems", FS_READ },
  { "/proc/loadavg", FS_READ },        { "/proc/meminfo", FS_READ },
  { "/proc/stat", FS_READ },           { "/proc/uptime", FS_READ },
  { "/proc/version", FS_READ },        { "/dev/null", FS_DEVICE },
  { "/dev/zero", FS_DEVICE },          { "/dev/full", FS_DEVICE },
  { "/dev/random", FS_DEVICE },        { "/dev/urandom", FS_DEVICE },
};

static int
add_rule_for (int ruleset, int fd, uint64_t access)
{
  struct stat status;

  if (fstat (fd, &status) < 0)
    return -errno;
  if (S_ISLNK (status.st_mode))
    return 0;
  return landlock_allow (ruleset, fd, S_ISDIR (status.st_mode) ? access : access & FS_OF_FILES);
}

/* A missing path or a link needs no rule. */
static int
add_rule (int ruleset, const char *path, uint64_t access)
{
  fh_autofd int fd = open (path, O_PATH | O_NOFOLLOW | O_CLOEXEC);

  if (fd < 0)
    return errno == ENOENT ? 0 : -errno;
  return add_rule_for (ruleset, fd, access);
}

/* The host's folders with programs and libraries. */
static int
add_system_rules (int ruleset, uint64_t handled)
{
  int error = 0;

  for (size_t i = 0; error == 0 && mounts_system_entries[i] != NULL; i++)
    error = add_rule (ruleset, mounts_system_entries[i], FS_RUN & handled);
  return error;
}

static int
add_rules (int ruleset, uint64_t handled, const struct fh_policy *policy)
{
  int error = add_system_rules (ruleset, handled);

  for (size_t i = 0; error == 0 && i < sizeof rules / sizeof rules[0]; i++)
    error = add_rule (ruleset, rules[i].path, rules[i].access & handled);
  for (size_t i = 0; error == 0 && i < policy->n_binds; i++)
    error = add_rule (ruleset, policy->binds[i].target, FS_RUN & handled);
  return error;
}

int
landlock_best_abi (const struct plan *plan)
{
  int abi = landlock_kernel_abi ();

  if (abi > 0 && plan->most_landlock_abi > 0 && abi > plan->most_landlock_abi)
    abi = plan->most_landlock_abi;
  return abi;
}

int
landlock_apply (struct setup *setup)
{
  const int abi = landlock_best_abi (setup->plan);
  const struct ruleset_attr attr = landlock_all_of_abi (abi, false);
  fh_autofd int ruleset = -1;
  int error;

  if (abi < 0)
    return errno == ENOSYS || errno == EOPNOTSUPP ? 0 : -errno;
  ruleset = landlock_new_ruleset (&attr);
  if (ruleset < 0)
    return ruleset;
  error =
      landlock_restrict (ruleset, add_rules (ruleset, attr.handled_access_fs, setup->plan->policy));
  if (error == 0)
    setup->landlock_abi = abi;
  return error;
}

/* Follows links, as the path comes from the policy: only the interpreter's files may be among the
 * user's own. */
static int
add_target_rule (int ruleset, const char *path, uint64_t access)
{
  fh_autofd int fd = open (path, O_PATH | O_CLOEXEC);

  return fd < 0 ? -errno : add_rule_for (ruleset, fd, access);
}

/* These files may be links, such as resolv.conf, so the rule is for what they point to. */
static int
add_network_rules (int ruleset, uint64_t handled)
{
  static const char *const files[] = { "/etc/hosts", "/etc/resolv.conf", "/etc/services" };
  int error = 0;

  for (size_t i = 0; error == 0 && i < sizeof files / sizeof files[0]; i++)
    {
      error = add_target_rule (ruleset, files[i], FS_READ & handled);
      if (error == -ENOENT)
        error = 0;
    }
  return error;
}

static int
add_etc_rules (int ruleset, const struct plan *plan, uint64_t handled)
{
  int error = 0;

  for (size_t i = 0; error == 0 && etc_files_of_host[i] != NULL; i++)
    error = add_rule (ruleset, etc_files_of_host[i], FS_READ & handled);
  for (size_t i = 0; error == 0 && i < plan->n_etc_folders; i++)
    error = add_rule (ruleset, plan->etc_folders[i], FS_READ & handled);
  return error;
}

static int
add_shared_rules (int ruleset, const struct plan *plan, uint64_t handled)
{
  const struct fh_policy *policy = plan->policy;
  int error = add_system_rules (ruleset, handled);

  for (size_t i = 0; error == 0 && i < sizeof shared_rules / sizeof shared_rules[0]; i++)
    error = add_rule (ruleset, shared_rules[i].path, shared_rules[i].access & handled);
  if (error == 0)
    error = add_etc_rules (ruleset, plan, handled);
  for (size_t i = 0; error == 0 && i < policy->n_binds; i++)
    error = add_target_rule (ruleset,
                             policy->binds[i].source,
                             (policy->binds[i].is_copy ? FS_READ : FS_RUN) & handled);
  if (error == 0 && !plan->has_own_network)
    error = add_network_rules (ruleset, handled);
  if (error == 0)
    error = add_rule (ruleset, plan->folder.workspace, FS_OWN & handled);
  return error == 0 ? add_rule (ruleset, plan->folder.tmp, FS_OWN & handled) : error;
}

int
landlock_prepare (struct setup *setup)
{
  const int abi = landlock_best_abi (setup->plan);
  const struct ruleset_attr attr = landlock_all_of_abi (abi, setup->plan->has_own_network);

  if (abi < MAIN_GUARD_ABI)
    return abi < 0 && errno != EOPNOTSUPP ? -errno : -ENOSYS;
  setup->landlock_abi = abi;
  setup->rules = landlock_new_ruleset (&attr);
  if (setup->rules < 0)
    return setup->rules;
  return add_shared_rules (setup->rules, setup->plan, attr.handled_access_fs);
}

/* In the end everything is killed by a signal to all processes that init can reach, kill (2), -1.
 * That must not include the user's other programs, so try it on one of them, the runner.
 *
 * A ruleset that does not handle FS_REFER denies it: then no file could be moved between folders,
 * whatever the guest's own ruleset allows. */
int
landlock_scope (struct setup *setup)
{
  const struct ruleset_attr attr = { .handled_access_fs = FS_REFER, .scoped = SCOPE_SIGNAL };
  fh_autofd int ruleset = -1;
  int error;

  if (setup->landlock_abi < LANDLOCK_SCOPE_ABI)
    return 0;
  ruleset = landlock_new_ruleset (&attr);
  if (ruleset < 0)
    return ruleset;
  error = landlock_restrict (ruleset, add_rule (ruleset, "/", FS_REFER));
  if (error == 0 && (kill (getppid (), 0) == 0 || errno != EPERM))
    error = -EPERM;
  setup->has_scope = error == 0;
  return error;
}

/* Abstract sockets belong to a network namespace: in a container with the host's network, those of
 * the user's desktop and session are reachable. */
int
landlock_scope_inside (struct setup *setup)
{
  const struct ruleset_attr attr = { .handled_access_fs = FS_REFER,
                                     .scoped = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL };
  int abi = landlock_best_abi (setup->plan);
  int error;

  if (abi < LANDLOCK_SCOPE_ABI)
    return abi < 0 ? -errno : -ENOSYS;
  setup->landlock_abi = abi;
  error = landlock_scope (setup);
  if (error < 0)
    return error;
  setup->rules = landlock_new_ruleset (&attr);
  if (setup->rules < 0)
    return setup->rules;
  return add_rule (setup->rules, "/", FS_REFER);
}

int
landlock_enter (const struct setup *setup)
{
  return setup->rules < 0 ? 0 : landlock_restrict (setup->rules, 0);
}

int
landlock_look_only (void)
{
  const int abi = landlock_kernel_abi ();
  const struct ruleset_attr attr = landlock_all_of_abi (abi, abi >= LANDLOCK_NET_ABI);
  fh_autofd int ruleset = -1;

  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
    return -errno;
  if (abi < 0)
    return 0;
  ruleset = landlock_new_ruleset (&attr);
  if (ruleset < 0)
    return ruleset;
  return landlock_restrict (ruleset, add_rule (ruleset, "/proc/self/mountinfo", FS_READ_FILE));
}
