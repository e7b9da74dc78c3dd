/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/* A row with a text entry for a short list, one item per line. Its title labels the entry.
 *
 * Properties: text (string, notified), hint (write-only, an example below the title), min-height
 * (write-only, of the entry, in pixels). */
#define FH_TYPE_LINES_ROW (fh_lines_row_get_type ())
G_DECLARE_FINAL_TYPE (FhLinesRow, fh_lines_row, FH, LINES_ROW, AdwPreferencesRow)
