/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A folder of the user's that a program under guard has filled: of any depth, with folders that
 * nobody may enter, with links to anywhere, with as many entries as there was room for. Nothing
 * here follows a link or leaves the file system by one. Folders are given as the descriptor of
 * another one and one plain name in it. */

/* Opens a folder for reading, whatever its mode is: one that its owner may not enter is given to
 * him again. -1 with errno when it is none, or a link. */
int fh_hostile_folder_open (int parent, const char *name);

/* Removes a folder and all that is in it. Blocks; FALSE with errno when something is left after
 * `timeout_ms`. A folder that is not there is no error. */
gboolean fh_hostile_folder_remove (int parent, const char *name, guint timeout_ms);

G_END_DECLS
