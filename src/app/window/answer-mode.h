/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "answer-run.h"
#include "controls/options.h"
#include "editor/editor-blocks.h"
#include "output/output-view.h"

G_BEGIN_DECLS

/* The blocks of an answer in a tab, run one after the other, with their output one below the other.
 *
 * Signals:
 *   started (FhRun *run): of a block
 *   asking (FhAnswerBlock *block): whether it may run, see fh_answer_mode_approve
 *   done: also of what was asked */
#define FH_TYPE_ANSWER_MODE (fh_answer_mode_get_type ())
G_DECLARE_FINAL_TYPE (FhAnswerMode, fh_answer_mode, FH, ANSWER_MODE, GObject)

/* `blocks`: see fh_answer_find_blocks; `first`: number of the first one in the
 * tab's answer, from 1 on. `marks`: shows how they are. `files`: nullable: those that earlier
 * blocks have left. */
FhAnswerMode *fh_answer_mode_new (FhExecutor *executor,
                                  GPtrArray *blocks,
                                  guint first,
                                  FhEditorBlocks *marks,
                                  FhResultFiles *files,
                                  FhOptions *options,
                                  FhOutputView *output);
/* To be called once. `history`: NULL if it is not to be kept. `title`: nullable. `text`: the whole
 * answer. */
void
fh_answer_mode_start (FhAnswerMode *self, FhHistory *history, const char *title, const char *text);

/* The answers to "asking". */
void fh_answer_mode_approve (FhAnswerMode *self, gboolean always);
void fh_answer_mode_refuse (FhAnswerMode *self, const char *reason);
/* Asks the block that runs to end; none after it is run. */
void fh_answer_mode_stop (FhAnswerMode *self);
/* Nothing is shown or emitted after that. */
void fh_answer_mode_close (FhAnswerMode *self);

gboolean fh_answer_mode_is_busy (FhAnswerMode *self);
/* How it ended, if not as its last run did; else NULL. Borrowed. */
const char *fh_answer_mode_get_ending (FhAnswerMode *self, FhRunStatus *status);
/* Of the last block that was run; nullable. Borrowed. */
FhRun *fh_answer_mode_get_run (FhAnswerMode *self);
/* Of all its blocks: the tab's may be others by now. Borrowed. */
const FhRunOptions *fh_answer_mode_get_options (FhAnswerMode *self);
/* The attempts of all blocks that have begun. Borrowed. */
FhAttemptLog *fh_answer_mode_get_attempts (FhAnswerMode *self);
/* The result of the whole answer, as the history has it; NULL until it is done. `request`, if it is
 * not NULL, is set to what was run. Both are borrowed. */
FhRunResult *fh_answer_mode_get_result (FhAnswerMode *self, FhRunRequest **request);
/* What all blocks have left until now. (transfer full) */
FhResultFiles *fh_answer_mode_dup_files (FhAnswerMode *self);

G_END_DECLS
