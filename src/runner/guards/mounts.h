/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Mounts: the private root. It is a tmpfs on which read-only clones of the host's system folders
 * are hung, and one sized tmpfs for all that can be written. No folder is made on the host, so
 * nothing of it can be left behind.
 *
 * A tree gets its attributes in one call for all that is mounted below it, mount_setattr (2).
 */
#pragma once

#include "setup.h"

#include <sys/mount.h>

/* The host's folders that hold programs and libraries, NULL-terminated; some may be links, or not
 * be there. */
extern const char *const mounts_system_entries[];

#define MOUNTS_PLAIN (MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV)

int mounts_make_private (struct setup *setup);
int mounts_make_root (struct setup *setup);
/* /usr, and /bin, /lib, /sbin and the like as links or folders, whichever the host has. */
int mounts_bind_system (struct setup *setup);
/* /workspace, /tmp and /dev/shm share one tmpfs, so that one size holds for all of them. */
int mounts_make_scratch (struct setup *setup);
int mounts_bind_policy (struct setup *setup);
int mounts_write_files (struct setup *setup);
int mounts_make_root_read_only (struct setup *setup);
/* Leaves the host's tree for good, pivot_root (2). */
int mounts_pivot (struct setup *setup);

/* Makes a filesystem that is not attached anywhere yet. `options` is an array of name and value
 * pairs that ends with NULL; pairs with an empty value are left out. Returns the mount's
 * descriptor or a negative errno. */
int mounts_new_filesystem (const char *type, const char *const options[], unsigned int attributes);
/* Clones the tree at `source` with these attributes. Returns its descriptor or a negative errno. */
int mounts_clone (int folder, const char *source, unsigned int attributes);
/* Attaches what `tree` is to `target` beneath `folder`; closes `tree`. */
int mounts_attach (int tree, int folder, const char *target);
/* Shows `path` of the host under the same path inside. Only for paths of our own choice, none of
 * whose parts is a link. -ENOENT when there is none. */
int mounts_bind_same (struct setup *setup, const char *path, unsigned int attributes);
/* Clones `source` of the host and attaches it to `target`, any absolute path inside. Missing
 * folders are made, no link is ever followed. -ENOENT when there is no such source. */
int mounts_bind (struct setup *setup, const char *source, const char *target, unsigned int attrs);

/* Copies `source`, a regular file of the host, into the root's own filesystem. What is in the way
 * of `target` is treated as by mounts_bind. -EINVAL when it is no regular file, -ENOSPC when it is
 * too large. */
int mounts_copy (struct setup *setup, const char *source, const char *target);

/* True when a policy may put something there: an absolute path without empty, "." or ".." parts
 * that neither covers the root, /workspace or /tmp nor lies in or covers /proc or /dev. */
bool mounts_target_is_allowed (const char *target);
