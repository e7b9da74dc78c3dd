/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "history-entry.h"

/* One past run in the sidebar: status, title, time and duration.
 *
 * Signals:
 *   clicked (): once, or for the first time of several
 *   menu-requested (double x, double y): at this point of the row */
#define FH_TYPE_HISTORY_ROW (fh_history_row_get_type ())
G_DECLARE_FINAL_TYPE (FhHistoryRow, fh_history_row, FH, HISTORY_ROW, AdwBin)

/* NULL: the row is not in use. `is_running`: what was saved of the run is not its end. */
void fh_history_row_set_entry (FhHistoryRow *self, FhHistoryEntry *entry, gboolean is_running);
FhHistoryEntry *fh_history_row_get_entry (FhHistoryRow *self);

/* Updates the relative time. */
void fh_history_row_update_time (FhHistoryRow *self);
