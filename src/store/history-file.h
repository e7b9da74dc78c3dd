/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* The file of the database: its folder (0700), its mode (0600), its name if it is damaged. */

/* Creates file and folder if missing, and removes the permissions of other users. Refuses a file
 * that is not regular. FH_HISTORY_ERROR_OPEN or FH_HISTORY_ERROR_FULL if it cannot be created; a
 * read-only file is no error here. */
gboolean fh_history_file_prepare (const char *path, GError **error);

/* Locks the folder of the database: exclusively (`alone`) to create, migrate or replace the
 * database, else shared to connect to it, because a connection could open the old database with the
 * journal of a new one. Blocks. Returns a descriptor that has the lock until it is closed, or -1 if
 * the folder cannot be opened; then it cannot be changed either. */
int fh_history_file_lock (const char *path, gboolean alone);

/* Renames the database with its journals to "NAME.damaged-<time>"; `aside` gets the new path. The
 * caller has the exclusive lock. FH_HISTORY_ERROR_DAMAGED if it cannot be renamed. */
gboolean fh_history_file_set_aside (const char *path, char **aside, GError **error);
