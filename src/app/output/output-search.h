/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "output/output-styles.h"

G_BEGIN_DECLS

/* More matches than this are neither marked nor counted. */
#define FH_OUTPUT_SEARCH_MAX_MATCHES 10000

/* Looks for a text in a text view while that may still be growing: in small steps when the window
 * has nothing better to do. Upper and lower case are the same.
 *
 * Signal "changed": the number of matches, the chosen one or the state of the search is another. */
#define FH_TYPE_OUTPUT_SEARCH (fh_output_search_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputSearch, fh_output_search, FH, OUTPUT_SEARCH, GObject)

FhOutputSearch *fh_output_search_new (FhOutputStyles *styles);

/* NULL: nowhere. Begins anew. */
void fh_output_search_set_view (FhOutputSearch *self, GtkTextView *view);
/* NULL or empty: nothing. Begins anew, and chooses the first match from the cursor on. */
void fh_output_search_set_query (FhOutputSearch *self, const char *query);

/* Chooses the next or the previous match and scrolls to it, beginning anew at the end. */
void fh_output_search_go (FhOutputSearch *self, gboolean forward);

guint fh_output_search_get_n_matches (FhOutputSearch *self);
/* Which match is chosen, from 1; 0: none. */
guint fh_output_search_get_position (FhOutputSearch *self);
gboolean fh_output_search_is_busy (FhOutputSearch *self);

G_END_DECLS
