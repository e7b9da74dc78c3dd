/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The path of a program that was asked for by its name, as execvp (3) finds it: the first file in
 * the folders of PATH that may be executed. It is the guest's PATH and not the runner's.
 *
 * Folders that the user can write to come after all others: in a container that is kept, an earlier
 * run could have put its own python3 into one of them, and have all later programs in its hands.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* False with errno, ENOENT when there is none. Folders of PATH that are not absolute do not count.
 */
bool program_path_find (const char *name, char *const env[], char *path, size_t size);
