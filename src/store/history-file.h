/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The database as a file: its folder (0700), its mode (0600), its place when it is damaged. */

/* Creates what is missing and takes rights away from others. Refuses what is not a regular file.
 * A file that cannot be created is FH_HISTORY_ERROR_OPEN or FH_HISTORY_ERROR_FULL; one that
 * exists but cannot be written is no error here. */
gboolean fh_history_file_prepare (const char *path, GError **error);

/* Whoever creates, migrates or replaces the database holds the lock of its folder alone; whoever
 * connects to it holds it together with others until the connection has its files. Otherwise it
 * could get the old database and the journal of the new one. Blocks until it is free. Returns a
 * descriptor that holds the lock until it is closed, or -1 when the folder cannot be opened: then
 * nobody can change anything in it either. */
int fh_history_file_lock (const char *path, gboolean alone);

/* Renames the database with its journals to "NAME.damaged-<time>"; `aside` gets the new path.
 * The caller holds the lock. FH_HISTORY_ERROR_DAMAGED when it cannot be moved. */
gboolean fh_history_file_set_aside (const char *path, char **aside, GError **error);

G_END_DECLS
