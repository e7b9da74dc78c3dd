/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "output/output-styles.h"

/* Makes links of the tagged text in a text view: for the pointer, the Return key, and
 * fh_output_links_go(). They go to the line of the code that they name. The view is not owned. */
#define FH_TYPE_OUTPUT_LINKS (fh_output_links_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputLinks, fh_output_links, FH, OUTPUT_LINKS, GObject)

FhOutputLinks *fh_output_links_new (GtkTextView *view, FhOutputStyles *styles);

/* See output-sources.h; NULL: no links. */
void fh_output_links_set_sources (FhOutputLinks *self, GPtrArray *sources);

/* Selects and activates the next or previous link from the cursor, wrapping around. FALSE if there
 * is none. */
gboolean fh_output_links_go (FhOutputLinks *self, gboolean forward);
