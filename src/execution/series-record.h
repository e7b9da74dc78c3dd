/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history.h"
#include "series.h"

/* What the history keeps of a series. */
typedef enum
{
  FH_RECORD_RUNS,    /* an entry for each step that was run, or that a person refused */
  FH_RECORD_ANSWER,  /* one entry with the whole answer as source, and each block that was run as a
                        run that belongs to it */
  FH_RECORD_SESSION, /* the same, with the code of all cells as source; nothing if no cell was run
                      */
} FhRecordForm;

/* Writes what a series does into the history, by itself, and keeps the series until that is done.
 * The entry of an answer or a session has a table of its steps as output.
 *
 * Signals:
 *   finished: the series is done; what it comes to is known, and not yet saved
 *   saved (FhStep *step, gint64 id, const char *problem): the step, or the whole if it is NULL, is
 * in the history with that id. -1: it is not, because of the problem, a sentence for people; or it
 *     was not to be kept, if that is NULL
 *   saved-so-far: an entry has what the series comes to until now
 *   complete: nothing is left to save */
#define FH_TYPE_SERIES_RECORD (fh_series_record_get_type ())
G_DECLARE_FINAL_TYPE (FhSeriesRecord, fh_series_record, FH, SERIES_RECORD, GObject)

/* Has to be made before the series starts and before others listen to it, so that they find here
 * what they are told of. `history`: NULL if nothing is to be kept. `title`: of an answer; nullable.
 * `text`: all of the answer; NULL for other forms. */
FhSeriesRecord *fh_series_record_new (FhSeries *series,
                                      FhHistory *history,
                                      FhRecordForm form,
                                      const char *title,
                                      const char *text);

/* The attempts of all blocks of an answer, also of the one that runs. Borrowed. */
FhAttemptLog *fh_series_record_get_attempts (FhSeriesRecord *self);
/* What the series comes to, as the history has it: an answer or a session as a whole, or the last
 * run. NULL before the series is done, and if there is nothing to be kept. Borrowed. */
FhRunRequest *fh_series_record_get_request (FhSeriesRecord *self);
FhRunResult *fh_series_record_get_result (FhSeriesRecord *self);
/* The id of the entry that was saved last; -1: none. */
gint64 fh_series_record_get_id (FhSeriesRecord *self);
/* The same, or that of an entry for what has run until now. */
gint64 fh_series_record_get_id_so_far (FhSeriesRecord *self);
