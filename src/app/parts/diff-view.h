/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "diff-row.h"

/* Below this width the new text stands below the old one. */
#define FH_DIFF_VIEW_NARROW 700

/* A list of FhDiffRow: the old text on the left, the new one on the right. A click or Enter opens
 * and closes headings, and opens gaps. Headings over what is the same are closed at first.
 *
 * Property (read-only, notified): stacked. Actions: diff.next, diff.previous (Alt+Down, Alt+Up) go
 * to the next difference; diff.copy (Ctrl+C) copies the selected line. */
#define FH_TYPE_DIFF_VIEW (fh_diff_view_get_type ())
G_DECLARE_FINAL_TYPE (FhDiffView, fh_diff_view, FH, DIFF_VIEW, AdwBin)

/* (element-type FhDiffRow) */
void fh_diff_view_set_rows (FhDiffView *self, GPtrArray *rows);
