/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether what a guest names is there: for the guest, and on the user's computer. Nothing is ever
 * opened for it but a handle of a path, O_PATH of open (2).
 *
 * Looking must not do anything that the guest itself cannot do: a look at /net/example.com would
 * have the automounter call that host. So on the host only filesystems of this computer are walked
 * through, one folder after the other, and the home of the user, which is in use anyhow. What lies
 * elsewhere is not known to be there. For the same reason a server that does not answer cannot hold
 * up the supervisor.
 */
#pragma once

#include <stdbool.h>

/* A handle of what `path` leads to for the guest, whose root is `root`; or a negative errno. */
int existence_open_inside (int root, const char *path);
/* A handle of what `path`, absolute and without dots, leads to on the host, where a last link stays
 * a link; or a negative errno. */
int existence_open_outside (const char *path);
/* True when there is something at `path`, relative to the home that the handle is of. */
bool existence_is_in_home (int home, const char *path);
/* errno of what keeps the guest from reading or writing (R_OK, W_OK) what `handle` is, or 0. */
int existence_error (int handle, int mode);
/* True when what `handle` is can only be read, whoever tries. */
bool existence_is_read_only (int handle);
