/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens files under rules for the way to them, which the kernel keeps even if names change at the
 * same time.
 */
#pragma once

#include <dirent.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <sys/types.h>

/* openat2 (2), close-on-exec. `flags` are those of open (2), `resolve` the rules (RESOLVE_…). Tries
 * again while the kernel asks for it: anything that is renamed or mounted on the computer can
 * disturb it. -1 with errno. */
int fh_openat2 (int folder, const char *path, uint64_t flags, uint64_t resolve);

/* The same below `folder`: the way leaves it nowhere, follows no link and enters no other mount.
 * What is opened is no link either, unless `flags` have O_PATH. */
int fh_open_below (int folder, const char *path, uint64_t flags);

/* Opens the folder below `folder` in which `path` lies (O_PATH), part by part, so that no part is a
 * link; `name` is set to the last part. Missing folders are made with `mode`, if it is not 0.
 * `depth` (nullable) is set to the number of folders that were entered. -1 with errno. */
int
fh_open_parent (int folder, const char *path, mode_t mode, const char **name, unsigned int *depth);

/* The entries of an open folder, from the first on; `folder` may be O_PATH and stays open. NULL
 * with errno. */
DIR *fh_open_entries (int folder);
