/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "answer-run.h"
#include "series-record.h"

G_BEGIN_DECLS

/* What the history keeps of an answer: one entry, with the whole answer as source, and each block
 * that is run as a run that belongs to it. To be made before the answer is started, and saved when
 * it is done; an answer without blocks is not kept. `title`: nullable. (transfer full) (nullable)
 */
FhSeriesRecord *
fh_answer_record_new (FhAnswerRun *answer, FhHistory *history, const char *title, const char *text);

G_END_DECLS
