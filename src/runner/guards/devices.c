/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices.h"

#include "mounts.h"

#include <errno.h>
#include <fcntl.h>
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
  { "urandom", "dev/random" }, /* the same source, random (4) */
  { "/proc/self/fd", "dev/fd" },
  { "/proc/self/fd/0", "dev/stdin" },
  { "/proc/self/fd/1", "dev/stdout" },
  { "/proc/self/fd/2", "dev/stderr" },
  { NULL, NULL },
};

/* What tells which machine this is and whose, or lets others be watched: what harmless programs
 * read, such as meminfo, cpuinfo and stat, stays. Everything under /proc is read-only besides. */
const char *const devices_covered_files[] = {
  "cmdline",
  "config.gz",
  "diskstats",
  "interrupts",
  "kallsyms",
  "keys",
  "mdstat",
  "modules",
  "partitions",
  "swaps",
  "sys/kernel/random/boot_id",
  "version_signature",
  NULL,
};
const char *const devices_covered_folders[] = {
  "asound", "bus", "driver", "scsi", NULL,
};
/* What the kernel shows to root alone. */
static const char *const covered_for_root[] = {
  "kcore", "kmsg", "sysrq-trigger", "timer_list", NULL,
};

/* Device files work on a read-only mount, and nobody can change their mode there. */
int
devices_apply (struct setup *setup)
{
  const unsigned int attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;

  for (size_t i = 0; devices_nodes[i] != NULL; i++)
    {
      int error = mounts_bind_same (setup, devices_nodes[i], attributes);

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

/* Puts `cover_with` over those of the names that are there. The working folder is what /proc hides:
 * mount (2) takes a third of the time of open_tree and move_mount, but it takes only paths. */
static int
cover (const char *cover_with, const char *const names[])
{
  char target[64] = "../proc/";
  char *name = target + strlen (target);

  for (size_t i = 0; names[i] != NULL; i++)
    {
      strcpy (name, names[i]);
      if (mount (cover_with, target, NULL, MS_BIND, NULL) < 0 && errno != ENOENT)
        return -errno;
    }
  return 0;
}

/* What covers has to be somewhere where nobody can get at it: in the folder under /proc. It becomes
 * the working folder. */
static int
make_covers (struct setup *setup)
{
  int file;

  if (mkdirat (setup->root, "proc", 0555) < 0 || chdir ("proc") < 0 ||
      mkdir (EMPTY_FOLDER, 0555) < 0)
    return -errno;
  file = open (EMPTY_FILE, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
  if (file < 0)
    return -errno;
  close (file);
  return 0;
}

/* A kernel answers EPERM here when parts of the host's own /proc are covered, as in containers:
 * mount_namespaces (7), "Restrictions on mount namespaces". */
int
proc_apply (struct setup *setup)
{
  const char *const options[] = { NULL };
  int error;

  setup->proc = mounts_new_filesystem ("proc", options, MOUNTS_PLAIN | MOUNT_ATTR_NOEXEC);
  if (setup->proc < 0)
    return setup->proc;
  error = make_covers (setup);
  if (error < 0)
    return error;
  if (move_mount (setup->proc, "", setup->root, "proc", MOVE_MOUNT_F_EMPTY_PATH) < 0)
    return -errno;
  error = cover (EMPTY_FILE, devices_covered_files);
  if (error == 0)
    error = cover (EMPTY_FOLDER, devices_covered_folders);
  if (error == 0 && setup->plan->is_root)
    error = cover (EMPTY_FILE, covered_for_root);
  return error == 0 && fchdir (setup->root) < 0 ? -errno : error;
}

int
proc_make_read_only (struct setup *setup)
{
  struct mount_attr set = { .attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC };
  const unsigned int flags = AT_EMPTY_PATH | AT_RECURSIVE;

  return mount_setattr (setup->proc, "", flags, &set, sizeof set) < 0 ? -errno : 0;
}
