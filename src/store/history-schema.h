/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-database.h"

/* The newest format that this version supports. */
int fh_history_schema_version (void);

/* Opens, creates or migrates a database, each step in a transaction of its own. A newer format and
 * a database of another program are refused with FH_HISTORY_ERROR_OPEN and left unchanged.
 * `has_lock`: the caller has the folder's exclusive lock. */
FhHistoryDatabase *fh_history_schema_open (const char *path, gboolean has_lock, GError **error);

/* The columns of `runs` for a list, as SQL. Columns that the format does not have are NULL. */
#define FH_HISTORY_N_COLUMNS 13
const char *fh_history_schema_columns (FhHistoryDatabase *database);
/* The condition, as SQL, for runs that a list shows: neither deleted nor samples of a batch. */
const char *fh_history_schema_listed (FhHistoryDatabase *database);
