/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "opened-path.h"

/* Private folders that Fumehood keeps for one container:
 * $XDG_CACHE_HOME/fumehood/containers/NAME/…. */

/* Whether it is one plain folder name. */
gboolean fh_kept_folder_is_name (const char *name);

/* Opens the folder `name` of a container, creating it if missing and restoring its permissions.
 * NULL with a sentence. (transfer full) */
FhOpenedPath *fh_kept_folder_make (const char *container_name, const char *name, GError **error);

/* Whether a container of this name existed and was not removed with its folders. */
gboolean fh_kept_folder_exists (const char *container_name);

/* Where the folders are or would be. (transfer full) */
char *fh_kept_folder_dup_path (const char *container_name);

/* Removes the folders of a container that is gone; never a work folder. Blocks for some seconds at
 * most; FALSE when something is left. */
gboolean fh_kept_folder_remove (const char *container_name);
