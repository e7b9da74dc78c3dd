/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths that a guest names, as text: what they come to, and in which part of the sandbox's tree.
 * Nothing here looks at a filesystem.
 */
#pragma once

#include "wire-policy.h"

#include <limits.h>

enum path_place
{
  PATH_SYSTEM,    /* shown read-only, the same for everybody: of no interest when it is read */
  PATH_WORKSPACE, /* the program's own files, and its home */
  PATH_SCRATCH,   /* /tmp and /dev/shm */
  PATH_PRIVATE,   /* what belongs to the user or the computer, whether it is there or not */
  PATH_QUIET,     /* what libraries look for in passing */
  PATH_ELSEWHERE,
};

/* Joins and tidies: `path` may be relative, `base` is absolute. Two dots are taken literally, and
 * what leads through /proc to the root is left out. False when it does not fit. */
bool path_join (const char *base, const char *path, char joined[PATH_MAX]);
/* Of an absolute path without dots. */
enum path_place path_place_of (const char *path, const struct fh_policy *policy);
/* True for what the policy shows the guest, by the path that it has on the host. */
bool path_is_shown (const char *path, const struct fh_policy *policy);
/* True without looking closer when `path` is absolute, has no dots, and is a PATH_SYSTEM that needs
 * no second look. */
bool path_is_plainly_system (const char *path);
/* True when `path` is `folder` or something below it. */
bool path_is_within (const char *path, const char *folder);
/* "~/name" for what lies below the guest's home, else the path itself. */
void path_in_home (const char *path, char shown[PATH_MAX]);
