/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A folder of the user's that an untrusted program has filled: any depth, folders without
 * permissions, links to anywhere, any number of entries. Nothing here follows a link or leaves the
 * file system. Folders are given as a parent's descriptor and one plain name.
 */
#pragma once

#include <stdbool.h>

/* Opens a folder for reading; permissions that its owner lacks are restored. -1 with errno when it
 * is a link or no folder. */
int fh_hostile_folder_open (int parent, const char *name);

/* Removes a folder and its contents. Blocks; false with errno when something is left after
 * `timeout_ms`. A missing folder is no error. */
bool fh_hostile_folder_remove (int parent, const char *name, unsigned int timeout_ms);

/* Folders that belong to a process for as long as it lives: it locks one (flock) under a name with
 * this in front, and then gives it the final name. */
#define FH_LEFTOVER_NEW "new-"
/* The names of folders that runners make for programs begin with this. */
#define FH_RUN_FOLDER_PREFIX "fumehood-run-"

/* Removes the user's folders in `parent` whose names begin with `prefix` and that nobody has
 * locked, and those that were never given the final name if they are more than a minute old.
 * Blocks, for some seconds at most with each. */
void fh_hostile_folder_remove_leftovers (int parent, const char *prefix);
