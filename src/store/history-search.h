/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-database.h"

/* A search text as SQL. */
typedef struct
{
  char *match;         /* an FTS5 expression; nullable */
  GPtrArray *patterns; /* (element-type utf8) of LIKE, for words that FTS5 ignores */
} FhHistorySearch;

/* `text` may be NULL. All words, separated by white space, must be found, or words that begin with
 * them. No character is special. */
void fh_history_search_init (FhHistorySearch *search, const char *text);
void fh_history_search_clear (FhHistorySearch *search);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FhHistorySearch, fh_history_search_clear)

/* One page of results, newest first. (transfer full) (element-type
 * FhHistoryEntry) */
GPtrArray *fh_history_search_list (FhHistoryDatabase *database,
                                   const char *text,
                                   guint offset,
                                   guint limit,
                                   GError **error);

/* The samples of a batch in the order in which they were added. (transfer full) (element-type
 * FhHistoryEntry) */
GPtrArray *fh_history_search_samples (FhHistoryDatabase *database, gint64 batch, GError **error);
