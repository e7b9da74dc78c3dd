/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-database.h"

/* Renames a damaged database, creates a new one in its place and copies all runs that can be read
 * completely. `damaged`: the connection that found the damage, which is closed, or NULL if the
 * database could not be opened. If another process was faster, its new database is opened.
 *
 * `notice` gets a sentence that says what happened and names the file, or NULL. */
FhHistoryDatabase *
fh_history_rescue (const char *path, FhHistoryDatabase *damaged, char **notice, GError **error);
