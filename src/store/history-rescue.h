/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-database.h"

G_BEGIN_DECLS

/* Sets a damaged database aside, begins a new one in its place and copies every run into it that
 * can still be read whole. `damaged`: the connection that found the damage while in use, or NULL
 * when it could not even be opened; it is closed. When another process was faster, its new
 * database is opened and nothing is touched.
 *
 * `notice` gets a sentence that says what happened and names the file, or NULL. */
FhHistoryDatabase *
fh_history_rescue (const char *path, FhHistoryDatabase *damaged, char **notice, GError **error);

G_END_DECLS
