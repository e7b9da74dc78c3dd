/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "channels.h"

#include "descriptor.h"
#include "landlock.h"
#include "syscalls.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* No installation is nearly as deep. */
#define LEVELS_MAX 48

#define BUFFER_SIZE 4096

static int refuse_in (struct setup *setup, int parent, const char *name, int levels);

/* Without namespaces the guest cannot have sockets, but it can open pipes. */
static bool
is_channel (const struct setup *setup, unsigned char type)
{
  return type == DT_FIFO || (type == DT_SOCK && !tier_has_run_folder (setup->plan->policy));
}

static int
refuse_entry (struct setup *setup, int folder, const struct dirent64 *entry, int levels)
{
  unsigned char type = entry->d_type;
  struct stat status;

  if (strcmp (entry->d_name, ".") == 0 || strcmp (entry->d_name, "..") == 0)
    return 0;
  if (type == DT_UNKNOWN)
    {
      if (fstatat (folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT ? 0 : -errno;
      type = (unsigned char) IFTODT (status.st_mode);
    }
  if (is_channel (setup, type))
    return -ENOTEMPTY;
  return type == DT_DIR ? refuse_in (setup, folder, entry->d_name, levels - 1) : 0;
}

/* A folder that can be entered but not listed is not harmless: its files can be opened by name. */
static int
refuse_in (struct setup *setup, int parent, const char *name, int levels)
{
  fh_autofd int folder = openat (parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  _Alignas(struct dirent64) char buffer[BUFFER_SIZE];
  ssize_t size = 0;
  int error = levels == 0 ? -ELOOP : 0;

  if (folder < 0 && errno == EACCES)
    return faccessat (parent, name, X_OK, AT_SYMLINK_NOFOLLOW) == 0 ? -EACCES : 0;
  if (folder < 0)
    return errno == ENOTDIR || errno == ENOENT ? 0 : -errno;
  while (error == 0 && (size = sys_getdents64 (folder, buffer, sizeof buffer)) > 0)
    {
      for (ssize_t at = 0; error == 0 && at < size;)
        {
          const struct dirent64 *entry = (const struct dirent64 *) (const void *) (buffer + at);

          error = refuse_entry (setup, folder, entry, levels);
          at += entry->d_reclen;
        }
    }
  return error == 0 && size < 0 ? -errno : error;
}

/* If the mounts are not ours, they are the host's own folders. */
static bool
is_shared (const struct setup *setup, size_t i)
{
  const struct fh_policy *policy = setup->plan->policy;

  return !policy->binds[i].is_copy &&
         (policy->tier != FH_WIRE_TIER_NAMESPACES || setup->is_shared[i]);
}

/* Its path for this process. */
static const char *
path_of (const struct setup *setup, size_t i)
{
  const struct fh_bind *bind = &setup->plan->policy->binds[i];

  return setup->plan->policy->tier == FH_WIRE_TIER_BUBBLEWRAP ? bind->target : bind->source;
}

int
channels_refuse (struct setup *setup)
{
  const struct fh_policy *policy = setup->plan->policy;
  int error = 0;

  for (size_t i = 0; error == 0 && i < policy->n_binds; i++)
    {
      if (is_shared (setup, i))
        error = refuse_in (setup, AT_FDCWD, path_of (setup, i), LEVELS_MAX);
    }
  return error;
}

int
channels_are_separate (struct setup *setup)
{
  const struct fh_policy *policy = setup->plan->policy;
  struct stat status;

  if (landlock_best_abi (setup->plan) >= LANDLOCK_UNIX_ABI)
    return 0;
  for (size_t i = 0; i < policy->n_binds; i++)
    {
      if (is_shared (setup, i) &&
          (stat (path_of (setup, i), &status) < 0 || S_ISDIR (status.st_mode)))
        return -ENOTSUP;
    }
  return 0;
}
