/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-database.h"

G_BEGIN_DECLS

/* What a user typed into the search field, made into what SQLite can be asked. */
typedef struct
{
  char *match;         /* an FTS5 expression; nullable */
  GPtrArray *patterns; /* (element-type utf8) of LIKE, for words that FTS5 takes for nothing */
} FhHistorySearch;

/* Any text, NULL too. Words are separated by white space and must all be there; each also stands
 * for the words that begin with it. No character has a meaning of its own. */
void fh_history_search_init (FhHistorySearch *search, const char *text);
void fh_history_search_clear (FhHistorySearch *search);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FhHistorySearch, fh_history_search_clear)

/* One page of what is found, newest first. (transfer container full) (element-type
 * FhHistoryEntry) */
GPtrArray *fh_history_search_list (FhHistoryDatabase *database,
                                   const char *text,
                                   guint offset,
                                   guint limit,
                                   GError **error);

G_END_DECLS
