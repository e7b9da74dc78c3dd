/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "opened-path.h"

/* The user's folder that a container may read and change as a whole. It must contain nothing but
 * work: no home or parent of one, no folders of settings, keys or caches, none of the system. */

/* Opens the folder; creates it and its parents if missing, mode 0700. NULL with a sentence.
 * (transfer full) */
FhOpenedPath *fh_work_folder_make (const char *path, GError **error);

/* Whether an open folder is allowed. */
gboolean fh_work_folder_check (FhOpenedPath *opened, GError **error);

/* The same by path alone, for a folder of another machine. */
gboolean fh_work_folder_check_path (const char *path, GError **error);

/* Whether a file or folder may be shown to a container besides its work folder. A writable one must
 * be allowed as a work folder; a read-only one must not contain keys or data of engines or of
 * Fumehood. */
gboolean fh_work_folder_check_volume (FhOpenedPath *opened, gboolean is_writable, GError **error);
