/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "series-record.h"

/* Follows every series of the process until it is saved, even when what has started it is gone by
 * then.
 *
 * Properties: keep-history (boolean, TRUE), history-size (int: older entries are removed; 0 keeps
 * all), busy (boolean, read-only: a series goes on or is being saved, so that quitting would lose
 * something; a session that has nothing to do is not busy).
 * Signals:
 *   finished (FhRunRequest *request, FhRunResult *result, const char *tab_id): a program or an
 * answer has ended, with this as a whole. `tab_id` is nullable saved (FhSeries *series, FhStep
 * *step, gint64 id, const char *problem): see FhSeriesRecord failed (const char *message):
 * something could not be saved; a sentence for people notice (const char *message): the history was
 * damaged; a sentence for people */
#define FH_TYPE_RECORDER (fh_recorder_get_type ())
G_DECLARE_FINAL_TYPE (FhRecorder, fh_recorder, FH, RECORDER, GObject)

FhRecorder *fh_recorder_new (FhHistory *history);

/* Opens the history in the background now, not when the first entry is saved. */
void fh_recorder_open (FhRecorder *self);

/* Has to be called before the series starts and before others listen to it. Nothing is kept if its
 * options or "keep-history" say so now. `title`, `text`: see fh_series_record_new. `tab_id`: of the
 * tab that shows it; nullable. The record is borrowed, and lives until everything is saved. */
FhSeriesRecord *fh_recorder_follow (FhRecorder *self,
                                    FhSeries *series,
                                    FhRecordForm form,
                                    const char *title,
                                    const char *text,
                                    const char *tab_id);

gboolean fh_recorder_get_busy (FhRecorder *self);
