/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "batch-result.h"

/* The probability that at least one of `k` samples passes, chosen from `n` of which `c` pass: the
 * unbiased estimate 1 - C (n - c, k) / C (n, k). `k` is at most `n`. */
double fh_batch_pass_at_k (guint64 n, guint64 c, guint64 k);

/* How many samples of each problem passed. */
typedef struct _FhBatchScore FhBatchScore;

FhBatchScore *fh_batch_score_new (void);
void fh_batch_score_free (FhBatchScore *score);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhBatchScore, fh_batch_score_free)

/* Counts a sample. One without a “task_id” is a problem of its own. */
void fh_batch_score_add (FhBatchScore *score, const FhBatchResult *result);
gboolean fh_batch_score_has (const FhBatchScore *score, const char *task_id);

typedef struct
{
  guint64 samples;
  guint64 passed;
  guint64 shared;   /* of those that passed: they shared an interpreter with their tests */
  guint64 unsteady; /* passed in some of their runs only */
} FhBatchCounts;

guint fh_batch_score_get_n_tasks (const FhBatchScore *score);
/* Of all samples. Borrowed. */
const FhBatchCounts *fh_batch_score_get_counts (const FhBatchScore *score);

/* An estimate, and where it would be for 95 of 100 other sets of so many problems of the same kind.
 */
typedef struct
{
  double value;
  double low;
  double high;
} FhBatchEstimate;

/* The mean over all problems. `is_unshared`: samples that shared an interpreter with their tests
 * count as failed, because they could have forged that they passed. FALSE if a problem has fewer
 * than `k` samples. */
gboolean fh_batch_score_estimate (const FhBatchScore *score,
                                  guint k,
                                  gboolean is_unshared,
                                  FhBatchEstimate *estimate);

/* The values of k that are shown; ends with 0. */
extern const guint fh_batch_score_ks[];

/* {"pass@1": …, "pass@1_interval": […, …], "pass@1_unshared": …, "pass@1_unshared_interval":
 * […, …], "problems": …, "samples": …, "passed": …, "shared": …,
 * "unsteady": …, "by_problem": {…}} (transfer full) */
JsonObject *fh_batch_score_to_json (const FhBatchScore *score);
