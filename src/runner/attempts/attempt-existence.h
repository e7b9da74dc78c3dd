/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether what a guest names exists: for the guest, and on the user's computer. Only O_PATH handles
 * are opened for that, open (2).
 *
 * Looking must not do anything that the guest cannot do: looking at /net/example.com would make the
 * automounter call that host. So on the host only local file systems are walked, one folder at a
 * time, and the user's home, which is in use anyway. Everything else counts as not there. For the
 * same reason a server that does not answer cannot block the supervisor.
 */
#pragma once

#include <stdbool.h>

/* An O_PATH handle of `path` as seen by the guest, whose root is `root`; or a negative errno. */
int existence_open_inside (int root, const char *path);
/* An O_PATH handle of `path`, absolute and without dots, on the host, not following a last link; or
 * a negative errno. */
int existence_open_outside (const char *path);
/* True if `path` exists, relative to `home`. */
bool existence_is_in_home (int home, const char *path);
/* The errno that keeps the guest from reading or writing (R_OK, W_OK) `handle`, or 0. */
int existence_error (int handle, int mode);
/* True if `handle` is on a read-only file system. */
bool existence_is_read_only (int handle);
