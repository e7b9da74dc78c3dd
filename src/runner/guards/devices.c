/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices.h"

#include "descriptor.h"
#include "mounts.h"
#include "syscalls.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/mount.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EMPTY_FILE   "empty-file"
#define EMPTY_FOLDER "empty-folder"

const char *const devices_nodes[] = {
  "/dev/null", "/dev/zero", "/dev/full", "/dev/urandom", NULL,
};

const struct devices_link devices_links[] = {
  { "urandom", "dev/random" }, /* same source, random (4) */
  { "/proc/self/fd", "dev/fd" },
  { "/proc/self/fd/0", "dev/stdin" },
  { "/proc/self/fd/1", "dev/stdout" },
  { "/proc/self/fd/2", "dev/stderr" },
  { NULL, NULL },
};

/* What harmless programs read, mostly about the processor, memory and kernel version. The rest
 * identifies the machine or the user, or lets others be watched, and each kernel adds more. The
 * kernel's own option to hide everything, subset=pid, would hide these as well. Besides, /proc is
 * read-only. */
static const char *const proc_shown[] = {
  "cpuinfo", "devices", "filesystems", "loadavg", "locks",  "meminfo",
  "stat",    "sys",     "uptime",      "version", "vmstat", NULL,
};

/* Within proc_shown. */
const char *const devices_covered_settings[] = {
  "sys/dev",
  "sys/kernel/random/boot_id",
  NULL,
};

bool
devices_is_covered (int proc, const char *name, bool is_root, bool *is_folder)
{
  struct stat status;

  if (name[0] == '.' || (name[0] >= '0' && name[0] <= '9'))
    return false;
  for (size_t i = 0; proc_shown[i] != NULL; i++)
    {
      if (strcmp (name, proc_shown[i]) == 0)
        return false;
    }
  if (fstatat (proc, name, &status, AT_SYMLINK_NOFOLLOW) < 0 || S_ISLNK (status.st_mode))
    return false;
  *is_folder = S_ISDIR (status.st_mode);
  return *is_folder || is_root || status.st_mode & S_IROTH;
}

/* Device files work on a read-only mount, where their mode cannot be changed. */
int
devices_apply (struct setup *setup)
{
  const unsigned int attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;

  for (size_t i = 0; devices_nodes[i] != NULL; i++)
    {
      int error = mounts_bind_from (setup, devices_nodes[i], devices_nodes[i], attributes);

      if (error < 0)
        return error;
    }
  for (size_t i = 0; devices_links[i].name != NULL; i++)
    {
      if (symlinkat (devices_links[i].target, setup->root, devices_links[i].name) < 0)
        return -errno;
    }
  return 0;
}

/* The working folder is one beside /proc that has the covers: mount (2) takes a third of the time
 * of open_tree and move_mount, but needs paths. */
static int
cover (const char *name, bool is_folder)
{
  char target[NAME_MAX + 16] = "../proc/";

  strcat (target, name);
  if (mount (is_folder ? EMPTY_FOLDER : EMPTY_FILE, target, NULL, MS_BIND, NULL) < 0 &&
      errno != ENOENT)
    return -errno;
  return 0;
}

static int
cover_entries (struct setup *setup, int proc, const char *buffer, ssize_t size)
{
  int error = 0;

  for (ssize_t at = 0; error == 0 && at < size;)
    {
      const struct dirent64 *entry = (const struct dirent64 *) (const void *) (buffer + at);
      bool is_folder;

      if (devices_is_covered (proc, entry->d_name, setup->plan->is_root, &is_folder))
        error = cover (entry->d_name, is_folder);
      at += entry->d_reclen;
    }
  return error;
}

static int
cover_all (struct setup *setup)
{
  fh_autofd int proc = openat (setup->proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  _Alignas(struct dirent64) char buffer[8192];
  struct stat status;
  ssize_t size = 0;
  int error = 0;

  if (proc < 0)
    return -errno;
  while (error == 0 && (size = sys_getdents64 (proc, buffer, sizeof buffer)) > 0)
    error = cover_entries (setup, proc, buffer, size);
  if (error == 0 && size < 0)
    error = -errno;
  for (size_t i = 0; error == 0 && devices_covered_settings[i] != NULL; i++)
    {
      if (fstatat (proc, devices_covered_settings[i], &status, 0) == 0)
        error = cover (devices_covered_settings[i], S_ISDIR (status.st_mode));
    }
  return error;
}

/* The covers are in the folder under /proc, which is unreachable from inside. Where the warm
 * interpreter's /proc is on it already, they are in the root of the scratch file system, which is
 * under /tmp. That folder becomes the working folder. */
static int
make_covers (struct setup *setup)
{
  int file;

  if (setup->is_forked && fchdir (setup->scratch) < 0)
    return -errno;
  if (!setup->is_forked && (mkdirat (setup->root, "proc", 0555) < 0 || chdir ("proc") < 0))
    return -errno;
  if (mkdir (EMPTY_FOLDER, 0555) < 0)
    return -errno;
  file = open (EMPTY_FILE, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
  if (file < 0)
    return -errno;
  close (file);
  setup->empty = open (EMPTY_FOLDER, O_PATH | O_DIRECTORY | O_CLOEXEC);
  return setup->empty < 0 ? -errno : 0;
}

/* EPERM if parts of the host's /proc are covered, as in containers: mount_namespaces (7),
 * "Restrictions on mount namespaces". */
static int
mount_proc (struct setup *setup)
{
  const char *const options[] = { NULL };
  int error;

  setup->proc = mounts_new_filesystem ("proc", options, MOUNTS_PLAIN | MOUNT_ATTR_NOEXEC);
  if (setup->proc < 0)
    return setup->proc;
  error = make_covers (setup);
  if (error < 0)
    return error;
  return move_mount (setup->proc, "", setup->root, "proc", MOVE_MOUNT_F_EMPTY_PATH) < 0 ? -errno
                                                                                        : 0;
}

int
proc_apply (struct setup *setup)
{
  int error = mount_proc (setup);

  if (error == 0)
    error = cover_all (setup);
  return error == 0 && fchdir (setup->root) < 0 ? -errno : error;
}

int
proc_apply_open (struct setup *setup)
{
  int error = mount_proc (setup);

  return error == 0 && fchdir (setup->root) < 0 ? -errno : error;
}

int
proc_make_read_only (struct setup *setup)
{
  struct mount_attr set = { .attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC };
  const unsigned int flags = AT_EMPTY_PATH | AT_RECURSIVE;

  return mount_setattr (setup->proc, "", flags, &set, sizeof set) < 0 ? -errno : 0;
}
