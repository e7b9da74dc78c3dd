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
/* The same of `path` relative to the user's home. */
int existence_open_in_home (int home, const char *path);
/* Whether something is on the user's computer. */
enum existence
{
  EXISTENCE_UNKNOWN, /* it could not be looked for */
  EXISTENCE_THERE,
  EXISTENCE_MISSING,
};
/* What `handle`, which a function above has returned, says of that; closes it. Flatpak shows this
 * process another tree than the computer's, where what is missing means nothing. */
enum existence existence_of (int handle);
/* True if `operation` would make a new name, for which its folder must exist and nothing else. */
bool existence_is_of_folder (const char *operation);
/* The errno that keeps the guest from reading or writing (R_OK, W_OK) `handle`, or 0. */
int existence_error (int handle, int mode);
/* True if `handle` is on a read-only file system. */
bool existence_is_read_only (int handle);
