/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A folder of the user's that an untrusted program has filled: any depth, folders without
 * permissions, links to anywhere, any number of entries. Nothing here follows a link or leaves the
 * file system. Folders are given as a parent's descriptor and one plain name. */

/* Opens a folder for reading; permissions that its owner lacks are restored. -1 with errno when it
 * is a link or no folder. */
int fh_hostile_folder_open (int parent, const char *name);

/* Removes a folder and its contents. Blocks; FALSE with errno when something is left after
 * `timeout_ms`. A missing folder is no error. */
gboolean fh_hostile_folder_remove (int parent, const char *name, guint timeout_ms);

G_END_DECLS
