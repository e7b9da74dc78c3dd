/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history.h"
#include "run.h"

G_BEGIN_DECLS

/* What there is of several runs that belong together, as the history keeps it: one entry, with a
 * table of them as output, and each as a run that belongs to it. It ended as the last of them that
 * failed did. */
#define FH_TYPE_OLD_SERIES_RECORD (fh_old_series_record_get_type ())
G_DECLARE_FINAL_TYPE (FhOldSeriesRecord, fh_old_series_record, FH, OLD_SERIES_RECORD, GObject)

/* Of a session: its source is that of the cells. */
FhOldSeriesRecord *fh_old_series_record_new (FhHistory *history, const FhRunOptions *options);
/* Of an answer, see answer-record.h. `history`: NULL if it is not to be kept. `title`: nullable.
 * `text`: all of it. */
FhOldSeriesRecord *fh_old_series_record_new_answer (FhHistory *history,
                                                    const FhRunOptions *options,
                                                    const FhLanguage *language,
                                                    const char *title,
                                                    const char *text);

void fh_old_series_record_add (FhOldSeriesRecord *self, FhRunRequest *request, FhRunResult *result);
/* A block of an answer was started. `number`: from 1 on. `line`: of its first line of code in the
 * answer. */
void
fh_old_series_record_begin_block (FhOldSeriesRecord *self, guint number, guint line, FhRun *run);
/* It has its result: what it has written follows its row. `place`: which it is. */
void fh_old_series_record_end_block (FhOldSeriesRecord *self, const char *place);
/* Those of all blocks, also of the one that goes on. Borrowed. */
FhAttemptLog *fh_old_series_record_get_attempts (FhOldSeriesRecord *self);
/* What all of them have left. `changes`: of the project folder; nullable. */
void fh_old_series_record_set_files (FhOldSeriesRecord *self,
                                     FhResultFiles *files,
                                     FhFolderChanges *changes);
/* Why nothing more was run: what was to come was not allowed or not possible. NULL: the user has
 * stopped it; how a run failed before counts more. */
void fh_old_series_record_refuse (FhOldSeriesRecord *self, const char *message);

/* A line about what is going on, such as a call that was answered: into the table. */
void fh_old_series_record_say (FhOldSeriesRecord *self, const char *line);

/* The entry, when all runs are added. (transfer full) */
FhRunRequest *fh_old_series_record_dup_request (FhOldSeriesRecord *self, GError **error);
FhRunResult *fh_old_series_record_dup_result (FhOldSeriesRecord *self);
/* Writes the entry, once, when all runs are added; nothing if there were none and nothing was said
 * or refused. The record lives until that is done. */
void fh_old_series_record_save_async (FhOldSeriesRecord *self,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);
/* Of the entry, once it is written; else 0 or less. */
gint64 fh_old_series_record_get_id (FhOldSeriesRecord *self);
gboolean
fh_old_series_record_save_finish (FhOldSeriesRecord *self, GAsyncResult *result, GError **error);

G_END_DECLS
