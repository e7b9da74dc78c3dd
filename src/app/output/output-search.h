/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "output/output-styles.h"

/* Further matches are neither highlighted nor counted. */
#define FH_OUTPUT_SEARCH_MAX_MATCHES 10000

/* Searches a text view, which may be growing, in steps of a few milliseconds when idle; ignores
 * case. GtkSourceSearchContext would block for seconds on a full pane with many matches.
 *
 * Signal "changed": the number of matches, the selected match or is_busy has changed. */
#define FH_TYPE_OUTPUT_SEARCH (fh_output_search_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputSearch, fh_output_search, FH, OUTPUT_SEARCH, GObject)

FhOutputSearch *fh_output_search_new (FhOutputStyles *styles);

/* Starts over; nullable. */
void fh_output_search_set_view (FhOutputSearch *self, GtkTextView *view);
/* Starts over and selects the first match from the cursor; NULL or empty ends the search. */
void fh_output_search_set_query (FhOutputSearch *self, const char *query);

/* Selects the next or previous match and scrolls to it, wrapping around. */
void fh_output_search_go (FhOutputSearch *self, gboolean forward);

guint fh_output_search_get_n_matches (FhOutputSearch *self);
/* The number of the selected match, from 1; 0: none. */
guint fh_output_search_get_position (FhOutputSearch *self);
gboolean fh_output_search_is_busy (FhOutputSearch *self);
