/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* Removes from the folder `path`, which may be missing, what processes that have ended left there
 * under names that begin with `prefix`, see fh_hostile_folder_remove_leftovers. Blocks. */
void fh_leftover_folders_remove (const char *path, const char *prefix);

/* Removes, in a thread, what runners have made for a program (run-folder.c) and could not remove
 * themselves. `callback` gets `source`, which stays alive until then. */
void fh_leftover_folders_sweep_async (gpointer source, GAsyncReadyCallback callback);
