/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "answer.h"
#include "executor.h"

G_BEGIN_DECLS

/* Runs the blocks of an answer in their order, each in a sandbox of its own with the files that
 * those before it have left, and stops at the first that fails. In a container that is kept or a
 * folder of the user's the files stay by themselves. Of files the contents are handed on and
 * whether they can be executed; links, special files and empty folders are not.
 *
 * Before a block of FH_BLOCK_ASK it waits for fh_answer_run_approve or fh_answer_run_refuse;
 * without anything that listens to "asking" the block is refused, and so it is when the answer is
 * stopped.
 *
 * Signals:
 *   asking (guint index): whether the block may run
 *   started (guint index, FhRun *run)
 *   finished (guint index, FhRun *run): the run has its result
 *   saved (guint index): the block was not to be run
 *   refused (guint index, const char *message): it cannot be run, or was not approved
 *   done: nothing follows */
#define FH_TYPE_ANSWER_RUN (fh_answer_run_get_type ())
G_DECLARE_FINAL_TYPE (FhAnswerRun, fh_answer_run, FH, ANSWER_RUN, GObject)

/* The exit status of what the user stopped, see fh_run_outcome_exit_status. */
#define FH_ANSWER_STOPPED 130

/* `blocks`: (element-type FhAnswerBlock). For the history see answer-record.h. */
FhAnswerRun *
fh_answer_run_new (FhExecutor *executor, GPtrArray *blocks, const FhRunOptions *options);
/* Before it starts: files that are there already. */
void fh_answer_run_add_files (FhAnswerRun *self, FhResultFiles *files);
/* Begins in a later turn of the main loop. */
void fh_answer_run_start (FhAnswerRun *self);

/* Whether it waits for one of the two calls that follow; they do nothing if it does not. */
gboolean fh_answer_run_is_asking (FhAnswerRun *self);
/* The block is run, in a later turn of the main loop. `always`: and those in its language that come
 * after it are run without asking. */
void fh_answer_run_approve (FhAnswerRun *self, gboolean always);
/* Nothing more is run. `reason`: for the one who asked for the run; NULL or empty for none. */
void fh_answer_run_refuse (FhAnswerRun *self, const char *reason);

/* The block that runs is stopped (fh_run_stop), and none after it is run. */
void fh_answer_run_stop (FhAnswerRun *self);
const FhRunOptions *fh_answer_run_get_options (FhAnswerRun *self);
/* (element-type FhAnswerBlock) */
GPtrArray *fh_answer_run_get_blocks (FhAnswerRun *self);
gboolean fh_answer_run_is_done (FhAnswerRun *self);
/* 0, or that of the block that failed; 1 if it could not be run or was not approved. */
int fh_answer_run_get_exit_status (FhAnswerRun *self);
/* Of the project folder, by all blocks until now; NULL without one. Borrowed. */
FhFolderChanges *fh_answer_run_get_changes (FhAnswerRun *self);
/* All files that there are now. (transfer full) */
FhResultFiles *fh_answer_run_dup_files (FhAnswerRun *self);

G_END_DECLS
