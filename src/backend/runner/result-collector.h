/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result-file.h"
#include "wire-result-file.h"

/* Assembles the files of one run from the runner's frames. A frame that exceeds the protocol's
 * limits or contradicts what was announced is an error. */
typedef struct _FhResultCollector FhResultCollector;

FhResultCollector *fh_result_collector_new (gboolean hands_on);
void fh_result_collector_free (FhResultCollector *self);

/* Handles a FH_FRAME_RESULT_FILE, FH_FRAME_RESULT_PIECE or FH_FRAME_RESULTS_END. FALSE when it is
 * invalid. */
gboolean fh_result_collector_take (FhResultCollector *self, const struct fh_frame *frame);

/* Moves the files to `files`, sorted by path. Marks the list incomplete when the end is missing;
 * changes nothing when nothing arrived. */
void fh_result_collector_finish (FhResultCollector *self, FhResultFiles *files);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhResultCollector, fh_result_collector_free)
