/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Two children: the second one stands beside the first where three fifths of the width are left for
 * that, and below it elsewhere, at the end of the line. */
#define FH_TYPE_WRAP_LAYOUT (fh_wrap_layout_get_type ())
G_DECLARE_FINAL_TYPE (FhWrapLayout, fh_wrap_layout, FH, WRAP_LAYOUT, GtkLayoutManager)
