/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-database.h"
#include "history-entry.h"

G_BEGIN_DECLS

/* What fh_history_schema_columns are of a row. (transfer full) */
FhHistoryEntry *fh_history_record_entry (sqlite3_stmt *row);

/* Returns the new id, or -1. */
gint64 fh_history_record_add (FhHistoryDatabase *database,
                              FhRunRequest *request,
                              FhRunResult *result,
                              GError **error);

/* Each out argument may be NULL. A row whose contents make no sense is FH_HISTORY_ERROR_DAMAGED
 * without calling the whole database damaged. */
gboolean fh_history_record_load (FhHistoryDatabase *database,
                                 gint64 id,
                                 FhHistoryEntry **entry,
                                 FhRunRequest **request,
                                 FhRunResult **result,
                                 GError **error);

/* Copies one run, deleted or not, with its id, unless it is missing or makes no sense. FALSE with
 * `error` only when `to` fails; `copied` tells whether it was. For use in a transaction. */
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

/* Removes for good what was hidden before `hidden_before_us`, and unpinned runs beyond the newest
 * `keep` (0: keep all). `changed` gets whether anything went. */
gboolean fh_history_record_prune (FhHistoryDatabase *database,
                                  gint64 hidden_before_us,
                                  guint keep,
                                  gboolean *changed,
                                  GError **error);

G_END_DECLS
