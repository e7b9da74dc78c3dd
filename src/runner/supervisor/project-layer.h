/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layer over a project folder, read when everything inside is dead: what it hides of the folder
 * below, and what it only repeats. Its names and contents are the program's, and the folder may
 * change meanwhile: nothing is reached by a link, through a mount or outside of the two.
 */
#pragma once

#include "result-walk.h"

/* Borrowed descriptors. */
struct project_layer
{
  int above; /* the layer */
  int below; /* the folder, or -1: it is no such layer */
};

enum project_below
{
  PROJECT_NOTHING,
  PROJECT_FILE, /* or anything else that is no folder */
  PROJECT_FOLDER,
};

/* What the folder has at `path`. */
enum project_below project_layer_find (const struct project_layer *layer, const char *path);
/* True for the mark of something that was deleted. The folder may have some of its own, as layers
 * that others keep in it do; the program does not see these. */
bool project_layer_is_deleted (const struct project_layer *layer, const struct stat *status);
/* True if `entry`, just told by a walk of the layer, hides all that the folder has at its path, and
 * none of the folders that lead to it does so already. */
bool project_layer_hides (const struct project_layer *layer, const struct result_entry *entry);
/* True if the layer, of which nothing below shows through at `path`, has no file there. If that
 * cannot be seen, such as in a folder that the program has closed, `in_doubt` is set. */
bool project_layer_lacks (const struct project_layer *layer, const char *path, bool *in_doubt);
/* True if the folder's file has the bytes of `entry`, a regular file that is open as `fd`, and is
 * executable if it is. Leaves `fd` at its start. False after `deadline_us`. */
bool project_layer_repeats (const struct project_layer *layer,
                            const struct result_entry *entry,
                            int fd,
                            uint64_t deadline_us);
