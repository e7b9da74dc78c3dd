/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "history.h"

/* The sidebar: all past runs, newest first, with a search entry above.
 *
 * A click activates win.history-show (x). Actions on the selected run: history.open,
 * history.run-again, history.pin, history.unpin, history.export, history.delete; history.compare,
 * after which the run that is chosen next activates win.history-compare ((xx)), and
 * history.cancel-compare. The first two activate win.history-open (x) and win.history-run (x) with
 * the run's id; delete can be undone. */
#define FH_TYPE_HISTORY_VIEW (fh_history_view_get_type ())
G_DECLARE_FINAL_TYPE (FhHistoryView, fh_history_view, FH, HISTORY_VIEW, AdwBin)

GtkWidget *fh_history_view_new (FhHistory *history);

/* A sentence above the list, such as that the history was damaged; NULL hides it. */
void fh_history_view_set_notice (FhHistoryView *self, const char *notice);

/* Searches as if the user had typed the text above the list. */
void fh_history_view_set_search (FhHistoryView *self, const char *text);

/* Writes the run of that id to the file; a toast says how it ended. */
void fh_history_view_export (FhHistoryView *self, gint64 id, GFile *file);
