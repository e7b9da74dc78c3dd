/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* A row for a short list that is typed, one thing per line. Its title is the label of the text.
 *
 * Properties: text (string, notified), hint (an example below the title, construct-only). */
#define FH_TYPE_LINES_ROW (fh_lines_row_get_type ())
G_DECLARE_FINAL_TYPE (FhLinesRow, fh_lines_row, FH, LINES_ROW, AdwPreferencesRow)

GtkWidget *fh_lines_row_new (const char *title, const char *hint);

G_END_DECLS
