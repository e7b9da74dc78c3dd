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
 * fh_run_option_list, or behind those an FhComparedInput; for FH_COMPARED_FIGURES a figure. */
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

/* The differences between two runs, the older one first. Immutable. */
typedef struct _FhRunComparison FhRunComparison;

/* Takes bounded time, but for large texts up to a second. */
FhRunComparison *fh_run_comparison_new (FhRunRequest *old_request,
                                        FhRunResult *old_result,
                                        FhRunRequest *new_request,
                                        FhRunResult *new_result);
void fh_run_comparison_free (FhRunComparison *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhRunComparison, fh_run_comparison_free)

/* Whether all parts are the same, and whether one is. */
gboolean fh_run_comparison_is_same (FhRunComparison *self);
gboolean fh_run_comparison_differs (FhRunComparison *self, FhComparedPart part);

/* The difference of source, output and error output; NULL for other parts. Borrowed. */
FhTextDiff *fh_run_comparison_get_diff (FhRunComparison *self, FhComparedPart part);
/* The pairs of the other parts: (element-type FhComparedPair), borrowed. Options that are the same
 * are left out. */
GArray *fh_run_comparison_get_pairs (FhRunComparison *self, FhComparedPart part);

/* Translated, for people: a heading such as "Error Output"; */
const char *fh_compared_part_title (FhComparedPart part);
/* and what one of the runs has, such as "Time Limit: 30 s". NULL: nothing. (transfer full) */
char *fh_compared_pair_dup_text (const FhComparedPair *pair, guint side);
