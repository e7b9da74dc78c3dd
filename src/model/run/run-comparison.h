/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-request.h"
#include "run-result.h"
#include "text-diff.h"

/* The parts by which two runs are compared, in the order in which they are shown. */
typedef enum
{
  FH_COMPARED_ENDING,
  FH_COMPARED_SOURCE,
  FH_COMPARED_OPTIONS,
  FH_COMPARED_OUTPUT,
  FH_COMPARED_ERRORS,
  FH_COMPARED_ATTEMPTS,
  FH_COMPARED_GUARDS,
  FH_COMPARED_FILES,
  FH_COMPARED_FIGURES, /* never count as a difference: no two runs take the same time */
  FH_N_COMPARED,
} FhComparedPart;

/* Two values that stand for each other in the two runs. `what`: for FH_COMPARED_OPTIONS a row of
 * fh_run_option_list, or behind those an FhComparedInput; for FH_COMPARED_FIGURES an FhFigure. */
typedef struct
{
  FhComparedPart part;
  guint what;
  gboolean differs;
  /* Borrowed; NULL: this run has none. FhAttempt, FhGuardState, FhResultFile; FhRunRequest for
   * options; FhRunResult for endings and figures. */
  GObject *items[2];
} FhComparedPair;

/* Inputs of a program besides its options. */
typedef enum
{
  FH_COMPARED_LANGUAGE,
  FH_COMPARED_ARGUMENTS,
  FH_COMPARED_INPUT,
  FH_N_COMPARED_INPUTS,
} FhComparedInput;

typedef enum
{
  FH_FIGURE_TIME,   /* microseconds */
  FH_FIGURE_CPU,    /* the same */
  FH_FIGURE_MEMORY, /* bytes */
  FH_FIGURE_PROCESSES,
  FH_N_FIGURES,
} FhFigure;

/* The differences between two runs, the older one first. Immutable. */
#define FH_TYPE_RUN_COMPARISON (fh_run_comparison_get_type ())
G_DECLARE_FINAL_TYPE (FhRunComparison, fh_run_comparison, FH, RUN_COMPARISON, GObject)

/* Takes bounded time, but for large texts up to a second. */
FhRunComparison *fh_run_comparison_new (FhRunRequest *old_request,
                                        FhRunResult *old_result,
                                        FhRunRequest *new_request,
                                        FhRunResult *new_result);

/* Whether all parts are the same, and whether one is. */
gboolean fh_run_comparison_is_same (FhRunComparison *self);
gboolean fh_run_comparison_differs (FhRunComparison *self, FhComparedPart part);

/* The difference of source, output and error output; NULL for other parts. Borrowed. */
FhTextDiff *fh_run_comparison_get_diff (FhRunComparison *self, FhComparedPart part);
/* The pairs of the other parts: (element-type FhComparedPair), borrowed. Options that are the same
 * are left out. */
GArray *fh_run_comparison_get_pairs (FhRunComparison *self, FhComparedPart part);

guint64 fh_figure_get (FhRunResult *result, FhFigure figure); /* 0: not known */

/* Translated, for people: a heading such as "Error Output"; */
const char *fh_compared_part_title (FhComparedPart part);
/* and what one of the runs has, such as "Time Limit: 30 s". NULL: nothing. (transfer full) */
char *fh_compared_pair_dup_text (const FhComparedPair *pair, guint side);
