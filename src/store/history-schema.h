/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-database.h"

G_BEGIN_DECLS

/* The newest format that this program knows. */
int fh_history_schema_version (void);

/* Opens the database of `path`, creates or migrates it when needed, each step in a transaction of
 * its own. A format newer than ours is refused with FH_HISTORY_ERROR_OPEN and left alone, as is
 * a database of another program. `has_lock`: the caller holds the folder's lock
 * alone. */
FhHistoryDatabase *fh_history_schema_open (const char *path, gboolean has_lock, GError **error);

/* The columns of `runs` that a list reads: fixed text. One that the format of the database does not
 * have yet is empty. */
#define FH_HISTORY_N_COLUMNS 9
const char *fh_history_schema_columns (FhHistoryDatabase *database);

G_END_DECLS
