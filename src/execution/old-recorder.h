/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history.h"
#include "run.h"

G_BEGIN_DECLS

/* Adds finished runs to the history, even when the window of a run is gone by then.
 *
 * Properties: keep-history (boolean, TRUE), history-size (int: older runs are removed; 0 keeps
 * all), busy (boolean, read-only: runs are still going on or being saved; quitting would lose
 * them).
 * Signals:
 *   run-finished (FhRun *run, const char *page_id)
 *   failed (const char *message): a run could not be saved; a sentence for people
 *   notice (const char *message): the history was damaged; a sentence for people */
#define FH_TYPE_OLD_RECORDER (fh_old_recorder_get_type ())
G_DECLARE_FINAL_TYPE (FhOldRecorder, fh_old_recorder, FH, OLD_RECORDER, GObject)

FhOldRecorder *fh_old_recorder_new (FhHistory *history);

/* Opens the history in the background now, not when the first run is saved. */
void fh_old_recorder_open (FhOldRecorder *self);

/* Records the run when it has finished. `page_id`: of the tab that shows it, or NULL. `keep`: FALSE
 * leaves this run out of the history. */
void fh_old_recorder_watch (FhOldRecorder *self, FhRun *run, const char *page_id, gboolean keep);

/* Adds a finished run, and returns its id when that is done, or -1: for a command that has nothing
 * else to do. */
gint64 fh_old_recorder_save (FhOldRecorder *self, FhRun *run);

gboolean fh_old_recorder_get_busy (FhOldRecorder *self);

G_END_DECLS
