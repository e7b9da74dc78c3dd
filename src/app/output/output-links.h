/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "output/output-styles.h"

G_BEGIN_DECLS

/* Makes the tagged places of a text view work: the pointer changes over them, a click or the Return
 * key on one goes there, and fh_output_links_go steps through them.
 *
 * Signal "activated" (guint line, guint column): a place was chosen; both from 1, column 0 when
 * unknown. Owned by whoever makes it; it holds no reference on the view. */
#define FH_TYPE_OUTPUT_LINKS (fh_output_links_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputLinks, fh_output_links, FH, OUTPUT_LINKS, GObject)

FhOutputLinks *fh_output_links_new (GtkTextView *view, FhOutputStyles *styles);

/* The program's file as the output names it; NULL: there are no places. */
void fh_output_links_set_file_name (FhOutputLinks *self, const char *file_name);

/* Selects the next or the previous place from the cursor on, beginning anew at the end, and
 * activates it. FALSE when there is none. */
gboolean fh_output_links_go (FhOutputLinks *self, gboolean forward);

G_END_DECLS
