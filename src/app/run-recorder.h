/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history.h"
#include "run.h"
#include "settings.h"

G_BEGIN_DECLS

/* The one listener that brings every finished run into the history, whichever window it belongs
 * to and even when that window is gone by then.
 *
 * Property: busy (read-only): runs are still going on or being written; quitting would lose them.
 * Signals:
 *   run-finished (FhRun *run, const char *page_id)
 *   failed (const char *message): a run could not be kept; a sentence for people */
#define FH_TYPE_RUN_RECORDER (fh_run_recorder_get_type ())
G_DECLARE_FINAL_TYPE (FhRunRecorder, fh_run_recorder, FH, RUN_RECORDER, GObject)

FhRunRecorder *fh_run_recorder_new (FhHistory *history, FhSettings *settings);

/* `page_id`: of the tab that shows the run. `keep`: FALSE leaves this run out of the history. */
void fh_run_recorder_watch (FhRunRecorder *self, FhRun *run, const char *page_id, gboolean keep);
gboolean fh_run_recorder_get_busy (FhRunRecorder *self);

G_END_DECLS
