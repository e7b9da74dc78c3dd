/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths given by the guest, as text: normalized, and classified by the part of the sandbox's tree.
 * No file system is accessed.
 */
#pragma once

#include "path-within.h"
#include "wire-policy.h"

#include <limits.h>

enum path_place
{
  PATH_SYSTEM,    /* shown read-only and not personal: reading it is not reported */
  PATH_WORKSPACE, /* the program's own files, and its home */
  PATH_SCRATCH,   /* /tmp and /dev/shm */
  PATH_PRIVATE,   /* the user's or the system's, whether it exists or not */
  PATH_QUIET,     /* what libraries routinely look for */
  PATH_ELSEWHERE,
};

/* Joins and normalizes: `path` may be relative, `base` is absolute. ".." is resolved textually, and
 * a way through /proc to the root is removed. False if it does not fit. */
bool path_join (const char *base, const char *path, char joined[PATH_MAX]);
/* `path` is absolute and has no dots. */
enum path_place path_place_of (const char *path, const struct fh_policy *policy);
/* True for what the policy shows the guest, by its path on the host. */
bool path_is_shown (const char *path, const struct fh_policy *policy);
/* A quick test: true if `path` is absolute, has no dots, and is certainly PATH_SYSTEM. */
bool path_is_plainly_system (const char *path);
/* True if `path`, or "~/name", goes through a folder where secrets are kept, in whosever home. */
bool path_has_private_name (const char *path);
/* "~/name" for a path below the guest's home, otherwise the path itself. */
void path_in_home (const char *path, char shown[PATH_MAX]);
