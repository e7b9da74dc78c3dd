/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-database.h"
#include "history-entry.h"

/* Makes an entry of a row with the columns of fh_history_schema_columns. (transfer full) */
FhHistoryEntry *fh_history_record_entry (sqlite3_stmt *row);

/* `reserved`: an id for it, if it is still reserved, or 0. `verdict`: of a batch, else NULL.
 * Returns the id, or -1. */
gint64 fh_history_record_add (FhHistoryDatabase *database,
                              gint64 reserved,
                              const char *verdict,
                              FhRunRequest *request,
                              FhRunResult *result,
                              GError **error);

/* An id for a batch, which is added after its samples; -1 on failure. */
gint64 fh_history_record_reserve (FhHistoryDatabase *database, GError **error);
/* Within a transaction of the caller's. FH_HISTORY_ERROR_NOT_FOUND if `batch` is no longer
 * reserved.
 */
gboolean fh_history_record_insert_sample (FhHistoryDatabase *database,
                                          gint64 batch,
                                          const char *verdict,
                                          FhRunRequest *request,
                                          FhRunResult *result,
                                          GError **error);

/* Each out argument may be NULL. FH_HISTORY_ERROR_DAMAGED if the contents of the row are invalid;
 * the database is not marked as damaged. */
gboolean fh_history_record_load (FhHistoryDatabase *database,
                                 gint64 id,
                                 FhHistoryEntry **entry,
                                 FhRunRequest **request,
                                 FhRunResult **result,
                                 GError **error);

/* Copies a run, even a deleted one, with its id. `copied` is FALSE if it is missing or invalid.
 * Fails only if `to` does. For use in a transaction. */
gboolean fh_history_record_copy (FhHistoryDatabase *from,
                                 FhHistoryDatabase *to,
                                 gint64 id,
                                 gboolean *copied,
                                 GError **error);

gboolean fh_history_record_set_pinned (FhHistoryDatabase *database,
                                       gint64 id,
                                       gboolean pinned,
                                       GError **error);
gboolean fh_history_record_hide (FhHistoryDatabase *database, gint64 id, GError **error);
gboolean fh_history_record_show (FhHistoryDatabase *database, gint64 id, GError **error);
