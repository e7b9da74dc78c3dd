/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "attempt.h"

G_BEGIN_DECLS

/* The columns of the table of attempts, in their order. What a cell shows comes from its FhAttempt
 * by expressions, so that a count which grows is seen to grow. */
typedef enum
{
  FH_ATTEMPT_COLUMN_WHAT,
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

/* What a cell reads: plain text, never markup. (transfer full) */
char *fh_attempt_column_format (FhAttempt *attempt, guint count, FhAttemptColumn column);

G_END_DECLS
