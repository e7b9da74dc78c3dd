/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mounts: the private root. It is a tmpfs with read-only overlays of the host's system folders, and
 * one sized tmpfs for everything writable. No folder is made on the host, so nothing can be left
 * behind.
 *
 * mount_setattr (2) sets the attributes of a whole tree in one call.
 */
#pragma once

#include "setup-state.h"

#include <sys/mount.h>

/* The host's folders with programs and libraries, NULL-terminated; some may be links or missing. */
extern const char *const mounts_system_entries[];

#define MOUNTS_PLAIN (MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)

int mounts_make_private (struct setup *setup);
int mounts_make_root (struct setup *setup);
/* /usr, and /bin, /lib, /sbin etc. as links or folders, as on the host. */
int mounts_bind_system (struct setup *setup);
/* Opens the root that is there. */
int mounts_open_root (struct setup *setup);
/* Where the next step attaches what is writable. */
int mounts_make_scratch_folders (struct setup *setup);
/* /workspace, /tmp and /dev/shm share one tmpfs, so that one size limits them all. */
int mounts_make_scratch (struct setup *setup);
int mounts_bind_policy (struct setup *setup);
/* Finds which of them are the host's own folders; see struct setup. */
int mounts_find_shared (struct setup *setup);
int mounts_write_files (struct setup *setup);
int mounts_make_root_read_only (struct setup *setup);
/* Leaves the host's tree, pivot_root (2). */
int mounts_pivot (struct setup *setup);
int mounts_enter_workspace (struct setup *setup);

/* Makes a file system that is not attached yet. `options` are name and value pairs, ending with
 * NULL; pairs with an empty value are skipped, and a value of NULL is a flag. Returns the mount's
 * descriptor or a negative errno. */
int mounts_new_filesystem (const char *type, const char *const options[], unsigned int attributes);
/* Attaches `tree` to `target` below `folder`; closes `tree`. */
int mounts_attach (int tree, int folder, const char *target);
/* Shows the host's own `source` as `path` inside. Only for trusted paths without links. -ENOENT if
 * it does not exist. */
int mounts_bind_from (struct setup *setup,
                      const char *source,
                      const char *path,
                      unsigned int attributes);
/* A read-only overlay over `folder`, not attached yet. Its files have the host's contents, but are
 * files of their own: sockets and pipes are not connected to the host's, locks do not keep host
 * programs waiting, and no watch sees what those do. Through an ordinary mount, even a read-only
 * one, all of this would reach the host. Returns its descriptor or a negative errno. */
int mounts_overlay (struct setup *setup, int folder);
/* Copies `source`, a regular file of the host, into the root's own file system as `target`,
 * an absolute path inside. Makes missing folders and never follows a link. -EINVAL if it is not a
 * regular file, -ENOSPC if it is too large. */
int mounts_copy (struct setup *setup, const char *source, const char *target);
