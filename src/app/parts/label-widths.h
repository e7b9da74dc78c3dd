/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Has every label of this process tell the same least width for a height as without one; call it
 * once GTK is initialized, before there are widgets.
 *
 * GTK looks for the least width of a wrapped label by halving, as if a text that fits into a width
 * fitted into each larger one. It does not where a line may hang over by the spaces at its end: at
 * the end of a text, and where left-to-right and right-to-left meet. Such a label then needs
 * more for an endless height than at all, which a box around it complains about. */
void fh_label_widths_mend (void);
