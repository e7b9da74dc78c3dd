/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "output/output-search.h"

G_BEGIN_DECLS

/* The bar over the output in which one types what to look for.
 *
 * Property: search-mode (whether it is shown). Signal "searching": the text under it is about to
 * show another part. */
#define FH_TYPE_OUTPUT_SEARCH_BAR (fh_output_search_bar_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputSearchBar, fh_output_search_bar, FH, OUTPUT_SEARCH_BAR, AdwBin)

void fh_output_search_bar_set_search (FhOutputSearchBar *self, FhOutputSearch *search);

/* Shows the bar and takes the focus; `text`, nullable, is looked for. */
void fh_output_search_bar_open (FhOutputSearchBar *self, const char *text);

G_END_DECLS
