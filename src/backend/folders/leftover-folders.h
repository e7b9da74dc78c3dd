/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Folders that belong to a process for as long as it lives: it locks one (flock) under a name with
 * this in front, and then gives it the final name. */
#define FH_LEFTOVER_NEW "new-"

/* Removes the user's folders in `path` whose names begin with `prefix` and that nobody has locked,
 * and those that were never given the final name if they are more than a minute old. Follows no
 * link. Blocks, for some seconds at most with each. */
void fh_leftover_folders_remove (const char *path, const char *prefix);

/* Removes, in a thread, what runners have made for a program (run-folder.c) and could not remove
 * themselves. `callback` gets `source`, which stays alive until then. */
void fh_leftover_folders_sweep_async (gpointer source, GAsyncReadyCallback callback);

G_END_DECLS
