/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* Writes below an open folder. Each part of a path is opened in the folder before it and no link is
 * followed, so that everything ends up below that folder even if names change meanwhile. All
 * functions block. */

/* Opens a folder to write in (opened-path.h); creates missing folders with mode 0700. -1 with an
 * error. */
int fh_folder_open (const char *path, GError **error);

/* Opens the parent folder of the relative `path`, creating missing ones; `name` is set to the last
 * part. -1 with errno. */
int fh_folder_open_parent (int folder, const char *path, const char **name);

/* Creates a file that is not executable under this name or, if that is in use, with a number added;
 * `taken` is set to the name used (transfer full). FALSE with errno, and no file is left. */
gboolean fh_folder_add_file (int folder, const char *name, GBytes *content, char **taken);

/* Replaces a file atomically. `mode`: 0 follows the umask. FALSE with errno, and nothing has
 * changed. */
gboolean fh_folder_replace_file (int folder, const char *name, GBytes *content, mode_t mode);
