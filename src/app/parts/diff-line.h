/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "diff-row.h"

/* One row of an FhDiffView. Property: stacked (boolean): the new text stands below the old one. */
#define FH_TYPE_DIFF_LINE (fh_diff_line_get_type ())
G_DECLARE_FINAL_TYPE (FhDiffLine, fh_diff_line, FH, DIFF_LINE, AdwBin)

/* `is_open`: of a heading. NULL: the line is not in use. */
void fh_diff_line_set_row (FhDiffLine *self, FhDiffRow *row, gboolean is_open);
FhDiffRow *fh_diff_line_get_row (FhDiffLine *self); /* nullable, borrowed */
