/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* What is shown of a file that a program left, within fixed limits: its beginning as text, or as a
 * table. Control characters and direction controls are written as escapes. */

typedef enum
{
  FH_FILE_CONTENT_OTHER, /* neither text nor a picture by its name */
  FH_FILE_CONTENT_TEXT,  /* also HTML and whatever else is text */
  FH_FILE_CONTENT_TABLE,
  FH_FILE_CONTENT_PICTURE,
} FhFileContentKind;

#define FH_FILE_TABLE_MAX_ROWS    1000
#define FH_FILE_TABLE_MAX_COLUMNS 50

/* Decides by the name and the first bytes. A picture is one by its name alone: what is in it is for
 * the decoder to say. */
FhFileContentKind fh_file_content_kind (const char *path, GBytes *content);

/* At most 5000 lines of 500 characters. `is_cut` is set if that is not all. (transfer full) */
char *fh_file_content_text (GBytes *content, gboolean *is_cut);

/* Rows of cells: GStrv of the same length each, not all of it necessarily. */
typedef struct
{
  GPtrArray *rows; /* (element-type GStrv) */
  guint n_columns; /* of the widest row */
  gboolean is_cut;
} FhFileTable;

/* Comma-separated values as in RFC 4180: quotes, "" inside of them, and line breaks. Other
 * separators are found by the first line: tab and semicolon. (transfer full) */
FhFileTable *fh_file_content_table (GBytes *content);
void fh_file_table_free (FhFileTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhFileTable, fh_file_table_free)

/* The cell, or "" if its row is shorter. */
const char *fh_file_table_get (const FhFileTable *table, guint row, guint column);
