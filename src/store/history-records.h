/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-database.h"
#include "history-entry.h"

G_BEGIN_DECLS

/* Of a row with the columns of fh_history_schema_columns. (transfer full) */
FhHistoryEntry *fh_history_record_entry (sqlite3_stmt *row);

/* Returns the new id, or -1. */
gint64 fh_history_record_add (FhHistoryDatabase *database,
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

/* Removes runs that were hidden before `hidden_before_us`, and all but the newest `keep` runs that
 * are not pinned (0: keeps all). `changed`: whether any was removed. */
gboolean fh_history_record_prune (FhHistoryDatabase *database,
                                  gint64 hidden_before_us,
                                  guint keep,
                                  gboolean *changed,
                                  GError **error);

G_END_DECLS
