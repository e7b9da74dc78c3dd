/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The user's folder that a container may read and change as a whole. So it cannot be one that holds
 * more than some work: a home or what is above one, the folders of settings, keys and caches, and
 * those of the system. */

/* Makes the folder where it is missing, with its parents, mode 0700. Returns its real path, without
 * a link in it: what is looked at here is what is bound later. NULL with a sentence. */
char *fh_work_folder_make (const char *path, GError **error);

/* The same for a folder of another machine: only what its path says can be looked at. */
gboolean fh_work_folder_check_path (const char *path, GError **error);

G_END_DECLS
