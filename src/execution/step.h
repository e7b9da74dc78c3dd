/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "answer.h"
#include "cell.h"
#include "run.h"

typedef enum
{
  FH_STEP_WAITING,
  FH_STEP_ASKING,   /* a person is asked whether it may run */
  FH_STEP_RUNNING,  /* the run that is shown has begun */
  FH_STEP_FINISHED, /* the run that is shown has its result; a reset has none */
  FH_STEP_SAVED,    /* the file of a block was written, which is all that was wanted */
  FH_STEP_REFUSED,  /* it was not approved, or could not be run; the note says why */
  FH_STEP_NOT_RUN,  /* it was stopped or dropped before its run began */
} FhStepState;

/* One step of a series, as people see it: a program, a block of an answer, a cell. A silent step,
 * such as the listing of variables, is neither counted nor recorded, and says nothing about the
 * state of its series. */
#define FH_TYPE_STEP (fh_step_get_type ())
G_DECLARE_FINAL_TYPE (FhStep, fh_step, FH, STEP, GObject)

FhStepState fh_step_get_state (FhStep *self);
/* The number that people see, from 1 on. Cells get theirs when their turn comes: 0 before, and for
 * silent steps. */
guint fh_step_get_number (FhStep *self);
gboolean fh_step_is_silent (FhStep *self);
/* The run that is shown, or NULL. A step may need other runs before it, which no one sees. */
FhRun *fh_step_get_run (FhStep *self);
/* Why it was refused, where its block was saved, that later blocks lack something of what it has
 * left, or whether the variables of a cell are still there: for people, or NULL. */
const char *fh_step_get_note (FhStep *self);
/* The line above what it writes, "[2] Python, line 9". NULL for a step that is alone. (transfer
 * full) */
char *fh_step_dup_heading (FhStep *self);
/* Where its code stands in the text of the series, "Python, line 9", for people. NULL where its
 * heading says it, or nothing does. (transfer full) */
char *fh_step_dup_place (FhStep *self);
/* A sentence that says that `n` steps after this one did not run because of it. NULL if n is 0.
 * (transfer full) */
char *fh_step_dup_left (FhStep *self, guint n);
/* NULL if it is not known, or there is nothing to run. */
const FhLanguage *fh_step_get_language (FhStep *self);
/* The first line of its code in the text of the series, from 0. */
guint fh_step_get_line (FhStep *self);
/* What it is run with, where that is known before its turn: NULL for blocks and cells. */
FhRunRequest *fh_step_get_request (FhStep *self);
/* The block, in a series of fh_series_new_answer; NULL in others, and if the answer has none. */
const FhAnswerBlock *fh_step_get_block (FhStep *self);
/* The cell, in a series of fh_series_new_session; NULL in others. */
FhCell *fh_step_get_cell (FhStep *self);
/* What the interpreter answered to a cell that has finished, see data/guest/session.py. The program
 * chooses it. NULL if the interpreter has ended, or its answer cannot be read. */
JsonObject *fh_step_get_answer (FhStep *self);
/* Tells what was done to its code so that it could be read as it is meant: a sentence each. Of a
 * cell this is known when it has finished. (transfer full) */
char **fh_step_dup_repairs (FhStep *self);
/* Whether a cell was run by a new interpreter that nobody has asked for, so that the variables of
 * earlier cells are gone. Known when it has finished. */
gboolean fh_step_is_restarted (FhStep *self);
/* Whether it was refused, or its run has ended with an exit status other than 0. */
gboolean fh_step_has_failed (FhStep *self);
