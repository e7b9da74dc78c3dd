/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "run-options.h"

/* A row for an option that is a number: typed ("1.5 s", "2 min", "256 MiB", "no limit") or chosen
 * from a menu. A text that is not such a number leaves the value as it was, and the row says why.
 *
 * Properties: option (construct only, the key of a time, size, count or number of CPUs; gives the
 * row its title unless it has one), value (guint64, 0: no limit), problem (read-only, a sentence or
 * NULL). */
#define FH_TYPE_LIMIT_ROW (fh_limit_row_get_type ())
G_DECLARE_FINAL_TYPE (FhLimitRow, fh_limit_row, FH, LIMIT_ROW, AdwActionRow)

GtkWidget *fh_limit_row_new (const FhRunOption *option);
/* The common limits as a menu of its own instead of the row's: `action` gets the value, a uint64.
 * (transfer full) */
GMenu *fh_limit_row_take_choices (FhLimitRow *self, const char *action);
const FhRunOption *fh_limit_row_get_option (FhLimitRow *self);

const char *fh_limit_row_get_problem (FhLimitRow *self);
