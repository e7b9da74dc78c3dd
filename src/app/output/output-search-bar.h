/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "output/output-search.h"

/* The search bar of the output.
 *
 * Property: search-mode (whether it is shown).
 * Signals:
 *   searching (): the search is about to scroll.
 *   stopped (): a key has closed the bar, and the keyboard is nowhere. */
#define FH_TYPE_OUTPUT_SEARCH_BAR (fh_output_search_bar_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputSearchBar, fh_output_search_bar, FH, OUTPUT_SEARCH_BAR, AdwBin)

void fh_output_search_bar_set_search (FhOutputSearchBar *self, FhOutputSearch *search);

/* Shows and focuses the bar and searches for `text`, if not NULL. */
void fh_output_search_bar_open (FhOutputSearchBar *self, const char *text);
