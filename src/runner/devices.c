/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices.h"

#include "mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const nodes[] = {
  "/dev/null", "/dev/zero", "/dev/full", "/dev/urandom", NULL,
};

static const struct
{
  const char *target;
  const char *name;
} links[] = {
  { "urandom", "dev/random" }, /* the same source, random (4) */
  { "/proc/self/fd", "dev/fd" },       { "/proc/self/fd/0", "dev/stdin" },
  { "/proc/self/fd/1", "dev/stdout" }, { "/proc/self/fd/2", "dev/stderr" },
};

/* What names the user's keys and the devices of the machine, or could be read by root. Everything
 * else under /proc is read-only. */
static const char *const covered_files[] = {
  "keys", "kcore", "kmsg", "sysrq-trigger", "timer_list", "sched_debug", NULL,
};
static const char *const covered_folders[] = {
  "asound",
  "bus",
  "scsi",
  NULL,
};

/* Device files work on a read-only mount, and nobody can change their mode there. */
int
devices_apply (struct setup *setup)
{
  const unsigned int attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;

  for (size_t i = 0; nodes[i] != NULL; i++)
    {
      int error = mounts_bind_same (setup, nodes[i], attributes);

      if (error < 0)
        return error;
    }
  for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
    {
      if (symlinkat (links[i].target, setup->root, links[i].name) < 0)
        return -errno;
    }
  return 0;
}

/* Puts `cover_with`, an entry of the scratch filesystem that nobody can reach, over those of the
 * names that are there and could be opened at all. */
static int
cover (struct setup *setup, const char *cover_with, const char *const names[])
{
  const unsigned int attributes = MOUNTS_PLAIN | MOUNT_ATTR_NOEXEC | MOUNT_ATTR_RDONLY;

  for (size_t i = 0; names[i] != NULL; i++)
    {
      int tree;
      int error;

      if (faccessat (setup->proc, names[i], R_OK, 0) < 0 &&
          faccessat (setup->proc, names[i], W_OK, 0) < 0)
        continue;
      tree = mounts_clone (setup->scratch, cover_with, attributes);
      if (tree < 0)
        return tree;
      error = mounts_attach (tree, setup->proc, names[i]);
      if (error < 0)
        return error;
    }
  return 0;
}

static int
make_covers (struct setup *setup)
{
  int fd;

  if (mkdirat (setup->scratch, "empty-folder", 0555) < 0)
    return -errno;
  fd = openat (setup->scratch, "empty-file", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
  if (fd < 0)
    return -errno;
  close (fd);
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
  if (mkdirat (setup->root, "proc", 0555) < 0)
    return -errno;
  if (move_mount (setup->proc, "", setup->root, "proc", MOVE_MOUNT_F_EMPTY_PATH) < 0)
    return -errno;
  error = make_covers (setup);
  if (error == 0)
    error = cover (setup, "empty-file", covered_files);
  return error == 0 ? cover (setup, "empty-folder", covered_folders) : error;
}

int
proc_make_read_only (struct setup *setup)
{
  struct mount_attr set = { .attr_set = MOUNT_ATTR_RDONLY };

  return mount_setattr (setup->proc, "", AT_EMPTY_PATH, &set, sizeof set) < 0 ? -errno : 0;
}
