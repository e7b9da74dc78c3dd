/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds a program by name as execvp (3) does: the first executable file in the folders of PATH. It
 * is the guest's PATH, not the runner's.
 *
 * Folders that the user can write to come last: in a kept container an earlier run could have put
 * its own python3 into one of them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* False with errno, ENOENT if there is none. Relative folders in PATH are skipped. */
bool program_path_find (const char *name, char *const env[], char *path, size_t size);
