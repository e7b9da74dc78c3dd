/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "attempt-log.h"

/* A table of attempts, in order of their first occurrence unless the user sorts by another column.
 * In little room only the most important columns are shown.
 *
 * Properties:
 *   search (write-only): shows only attempts that contain this text; never NULL
 *   only-stopped: hides attempts that were only observed
 *   selected (read-only, an FhAttempt or NULL)
 *   n-shown (read-only): the number of rows */
#define FH_TYPE_ATTEMPTS_TABLE (fh_attempts_table_get_type ())
G_DECLARE_FINAL_TYPE (FhAttemptsTable, fh_attempts_table, FH, ATTEMPTS_TABLE, AdwBin)

/* Clears the selection. NULL empties the table. */
void fh_attempts_table_set_log (FhAttemptsTable *self, FhAttemptLog *log);
void fh_attempts_table_unselect (FhAttemptsTable *self);
