/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a series, for its own files: series.c is the queue, series-calls.c answers the calls
 * that its cells make. */
#pragma once

#include "cell-call.h"
#include "series-builder.h"

struct _FhSeries
{
  GObject parent_instance;

  FhExecutor *executor;
  const FhSeriesBuilder *builder;
  gpointer data; /* the builder's */
  FhAfterFailure after_failure;
  FhRunOptions *options;

  GQueue waiting;       /* (element-type FhStep) */
  FhStep *current;      /* whose turn has come; nullable */
  FhStep *shown;        /* whose run was shown last; nullable */
  FhStep *pushed;       /* the last one; nullable */
  FhRun *run;           /* of the current step; nullable */
  gboolean is_last_run; /* the step ends with it */
  guint turn;           /* the source of the next one */
  GHashTable *approved; /* const FhLanguage: no more questions */

  FhSeriesState state; /* as it was notified */
  guint n_waiting;     /* likewise */
  gboolean is_started;
  gboolean is_closed;
  gboolean is_asking;
  char *reason;         /* why the current step is to be refused; nullable */
  gboolean is_stopping; /* the run was asked to end */
  gboolean was_stopped; /* something that is shown was */
  gboolean may_begin;   /* the turn has come */
  gboolean has_last;    /* no step follows */
  gboolean is_settling;
  gboolean is_dirty;

  FhRunOutcome sums;
  FhRunResult *failed; /* the last one that did; nullable */
  char *refusal;       /* nullable */
  gboolean has_run;
  guint n_blocks;     /* of an answer, which had their turn */
  guint n_all_blocks; /* of the answer */
  guint last_block;   /* its number */
  guint n_left;       /* blocks that did not run */

  FhCellCall call;
  GQueue asked; /* (element-type FhStep): the steps of the cells that are done in the call */
  GHashTable *functions; /* (element-type utf8) names of those that are answered from outside */
  char *no_calls;        /* nullable: every call fails with it */
};

/* Does what is to be done, and tells what has changed. */
void fh_series_settle (FhSeries *self);
/* Tells listeners that the step's state has changed. */
void fh_series_tell (FhSeries *self, FhStep *step);

/* The handler of the run's "call". What the program says is checked, and not believed. */
void fh_series_take_call (FhRun *run, GBytes *json, FhSeries *self);
/* The run has ended, and so has its call. */
void fh_series_end_call (FhSeries *self);
/* Calls of the function that a cell declares are told from now on. */
void fh_series_note_function (FhSeries *self, FhCell *cell);
