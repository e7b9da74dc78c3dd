/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "history.h"

G_BEGIN_DECLS

/* The sidebar with all past runs, newest first, searched while one types.
 *
 * Property: notice (a sentence over the list, for example that the history was damaged; NULL hides
 * it). Actions, on the chosen run: history.open, history.run-again, history.pin, history.unpin,
 * history.delete. The first two activate win.history-open (x) and win.history-run (x) with the
 * run's id; deleting offers to undo it. */
#define FH_TYPE_HISTORY_VIEW (fh_history_view_get_type ())
G_DECLARE_FINAL_TYPE (FhHistoryView, fh_history_view, FH, HISTORY_VIEW, AdwBin)

GtkWidget *fh_history_view_new (FhHistory *history);

/* Takes the focus to the search entry. */
void fh_history_view_begin_search (FhHistoryView *self);

G_END_DECLS
