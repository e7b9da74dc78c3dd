/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result-file.h"
#include "wire-result-file.h"

G_BEGIN_DECLS

/* Puts together the files of one run from what its runner sends. A runner that sends more than the
 * protocol allows, or something else than it announced, is not believed any more. */
typedef struct _FhResultCollector FhResultCollector;

FhResultCollector *fh_result_collector_new (void);
void fh_result_collector_free (FhResultCollector *self);

/* Takes a FH_FRAME_RESULT_FILE, FH_FRAME_RESULT_PIECE or FH_FRAME_RESULTS_END. FALSE when it makes
 * no sense. */
gboolean fh_result_collector_take (FhResultCollector *self, const struct fh_frame *frame);

/* Moves what came into `files`, sorted by path. When the end did not come, the list is incomplete;
 * when nothing came, nothing is changed. */
void fh_result_collector_finish (FhResultCollector *self, FhResultFiles *files);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhResultCollector, fh_result_collector_free)

G_END_DECLS
