/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "attempt-log.h"

G_BEGIN_DECLS

/* A table of attempts, in the order of their first time unless the user sorts by another column.
 * Where there is little room only the columns that matter most are shown.
 *
 * Properties:
 *   search: shows only what contains this text; never NULL
 *   only-stopped: leaves out what was let through
 *   selected (read-only, an FhAttempt or NULL)
 *   n-shown (read-only): the rows that search and only-stopped leave */
#define FH_TYPE_ATTEMPTS_TABLE (fh_attempts_table_get_type ())
G_DECLARE_FINAL_TYPE (FhAttemptsTable, fh_attempts_table, FH, ATTEMPTS_TABLE, GtkWidget)

/* NULL empties the table. What was selected is no longer. */
void fh_attempts_table_set_log (FhAttemptsTable *self, FhAttemptLog *log);
void fh_attempts_table_unselect (FhAttemptsTable *self);
FhAttempt *fh_attempts_table_get_selected (FhAttemptsTable *self); /* nullable, borrowed */

G_END_DECLS
