/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "attempt.h"

/* The symbolic icon of a verdict, and the style class of its color. The verdict's title always
 * stands beside the icon or is its accessible name. */
const char *fh_verdict_icon_name (FhVerdict verdict);
const char *fh_verdict_style_class (FhVerdict verdict);

/* The columns of the table of attempts, in their order. Cells are bound to their FhAttempt by
 * expressions, so that a growing count is updated. */
typedef enum
{
  FH_ATTEMPT_COLUMN_WHAT,
  FH_ATTEMPT_COLUMN_BLOCK, /* of an answer; empty for other runs */
  FH_ATTEMPT_COLUMN_GUARD,
  FH_ATTEMPT_COLUMN_VERDICT,
  FH_ATTEMPT_COLUMN_COUNT,
  FH_ATTEMPT_COLUMN_TIME,
  FH_ATTEMPT_COLUMN_PROCESS,
  FH_N_ATTEMPT_COLUMNS
} FhAttemptColumn;

/* Fills `columns`, which the view owns. */
void
fh_attempt_columns_add (GtkColumnView *view, GtkColumnViewColumn *columns[FH_N_ATTEMPT_COLUMNS]);

/* The text of a cell: plain text, never markup. (transfer full) */
char *fh_attempt_column_format (FhAttempt *attempt, guint count, FhAttemptColumn column);
