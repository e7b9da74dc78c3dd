/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Our own numbers: the header of the oldest system we build on stops at ABI 2. They are the
 * kernel's and never change. */
#define CREATE_RULESET_VERSION (1U << 0)
#define RULE_PATH_BENEATH      1

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

#define SCOPE_ABSTRACT_UNIX_SOCKET (UINT64_C (1) << 0) /* ABI 6 */
#define SCOPE_SIGNAL               (UINT64_C (1) << 1) /* ABI 6 */

#define FS_ALL    ((FS_IOCTL_DEV << 1) - 1)
#define FS_READ   (FS_READ_FILE | FS_READ_DIR)
#define FS_RUN    (FS_READ | FS_EXECUTE)
#define FS_OWN    (FS_ALL & ~(FS_MAKE_CHAR | FS_MAKE_BLOCK | FS_IOCTL_DEV))
#define FS_DEVICE (FS_READ_FILE | FS_WRITE_FILE)
/* What can be granted on something that is no folder; anything else is EINVAL there. */
#define FS_OF_FILES (FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV)

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

static const struct
{
  const char *path;
  uint64_t access;
} rules[] = {
  { "/", FS_READ_DIR },     { "/usr", FS_RUN },     { "/bin", FS_RUN },
  { "/lib", FS_RUN },       { "/lib32", FS_RUN },   { "/lib64", FS_RUN },
  { "/libx32", FS_RUN },    { "/sbin", FS_RUN },    { "/nix/store", FS_RUN },
  { "/gnu/store", FS_RUN }, { "/etc", FS_READ },    { "/proc", FS_READ },
  { "/dev", FS_DEVICE },    { "/dev/shm", FS_OWN }, { "/tmp", FS_OWN },
  { "/workspace", FS_OWN },
};

static uint64_t
rights_of_abi (int abi)
{
  uint64_t rights = FS_ALL;

  if (abi < 5)
    rights &= ~FS_IOCTL_DEV;
  if (abi < 3)
    rights &= ~FS_TRUNCATE;
  if (abi < 2)
    rights &= ~FS_REFER;
  return rights;
}

/* A path that is not there needs no rule; neither does one that is a link. */
static int
add_rule (int ruleset, const char *path, uint64_t access)
{
  struct path_beneath_attr rule;
  struct stat status;
  int fd = open (path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  int error = 0;

  if (fd < 0)
    return errno == ENOENT ? 0 : -errno;
  if (fstat (fd, &status) < 0)
    error = -errno;
  else if (!S_ISLNK (status.st_mode))
    {
      rule = (struct path_beneath_attr){ access, fd };
      if (!S_ISDIR (status.st_mode))
        rule.allowed_access &= FS_OF_FILES;
      if (syscall (SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0) < 0)
        error = -errno;
    }
  close (fd);
  return error;
}

static int
add_rules (int ruleset, uint64_t handled, const struct fh_policy *policy)
{
  int error = 0;

  for (size_t i = 0; error == 0 && i < sizeof rules / sizeof rules[0]; i++)
    error = add_rule (ruleset, rules[i].path, rules[i].access & handled);
  for (size_t i = 0; error == 0 && i < policy->n_binds; i++)
    error = add_rule (ruleset, policy->binds[i].target, FS_RUN & handled);
  return error;
}

int
landlock_apply (struct setup *setup)
{
  struct ruleset_attr attr = { 0 };
  int abi = (int) syscall (SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
  int ruleset;
  int error;

  if (abi < 0)
    return errno == ENOSYS || errno == EOPNOTSUPP ? 0 : -errno;
  attr.handled_access_fs = rights_of_abi (abi);
  if (abi >= 6)
    attr.scoped = SCOPE_ABSTRACT_UNIX_SOCKET | SCOPE_SIGNAL;
  ruleset = (int) syscall (SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
  if (ruleset < 0)
    return -errno;
  error = add_rules (ruleset, attr.handled_access_fs, setup->plan->policy);
  if (error == 0 && syscall (SYS_landlock_restrict_self, ruleset, 0) < 0)
    error = -errno;
  close (ruleset);
  if (error == 0)
    setup->landlock_abi = abi;
  return error;
}
