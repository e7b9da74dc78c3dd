/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "answer-run.h"
#include "old-series-record.h"

G_BEGIN_DECLS

/* What there is of an answer as a whole, as the history keeps it: one entry, with the whole answer
 * as source, and each block that is run as a run that belongs to it. To be made before the answer
 * is started and before others listen to it, and saved when it is done; NULL for an answer without
 * blocks. `history`: NULL if it is not to be kept. `title`: nullable. (transfer full) */
FhOldSeriesRecord *
fh_answer_record_new (FhAnswerRun *answer, FhHistory *history, const char *title, const char *text);

G_END_DECLS
