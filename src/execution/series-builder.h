/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a series leaves to those who know what its steps are: program-steps.c, answer-steps.c and
 * session-steps.c. */
#pragma once

#include "series.h"
#include "step-private.h"

/* `self` is what was given to fh_series_new. */
typedef struct
{
  /* Whether the series goes on when all its steps have ended, until it is closed. */
  gboolean stays_open;
  /* The step of a cell that is pushed. NULL where the series does not stay open. (transfer full) */
  FhStep *(*new_cell) (FhCell *cell);
  /* The next run of the step, whose turn has come: called until the step is complete. `is_last`:
   * the step ends with this run, which is the one that is shown. NULL without an error: it is
   * complete without one, and ends as step->ending. NULL with an error refuses the step. (transfer
   * full) */
  FhRunRequest *(*next_request) (gpointer self,
                                 FhStep *step,
                                 const FhRunOptions *options,
                                 gboolean *is_last,
                                 GError **error);
  /* Called when a run has ended. `run` is NULL if the cell was done inside another cell's call.
   * FALSE refuses the step, unless it was the last run. Nullable. */
  gboolean (*take_result) (gpointer self, FhStep *step, FhRun *run, GError **error);
  /* A silent step after the last one, unless the series was stopped, or when a series that stays
   * open is closed; or NULL. Nullable. (transfer full) */
  FhStep *(*last_step) (gpointer self);
  /* What all steps have left until now; nullable: what the last run has left. (transfer full) */
  FhResultFiles *(*dup_files) (gpointer self);
  FhFolderChanges *(*get_changes) (gpointer self);
  /* The series is closed, or it was complete, and its last run has ended. Nullable. */
  void (*close) (gpointer self);
  void (*free) (gpointer self);
} FhSeriesBuilder;

/* Takes `self`. */
FhSeries *fh_series_new (FhExecutor *executor,
                         const FhSeriesBuilder *builder,
                         gpointer self,
                         const FhRunOptions *options,
                         FhAfterFailure after_failure);
/* Adds a step, before the start. Takes it. */
void fh_series_add_step (FhSeries *self, FhStep *step);
