/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "batch-sample.h"
#include "run-result.h"

/* A line of the results, about one sample. */
typedef struct
{
  char *id;
  char *task_id; /* nullable */
  char *hash;    /* of the sample, see fh_batch_sample_dup_hash */
  guint64 number;
  guint64 of; /* how many samples the whole input has */
  gboolean is_passed;
  gboolean is_shared;   /* with its tests, an interpreter */
  gboolean is_unsteady; /* it passed in some of its runs only */
} FhBatchResult;

void fh_batch_result_free (FhBatchResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhBatchResult, fh_batch_result_free)

/* Whether the program did what it had to: it succeeded, came to its end, and wrote what was
 * expected. White space at the end of the output does not matter. `words`: "passed", "timed out",
 * "failed: …". (out) (transfer full) */
gboolean fh_batch_verdict (FhRunResult *result, const FhBatchSample *sample, char **words);

/* Whether the end of the run says something about its program: it was neither stopped by the user
 * nor prevented by us. */
gboolean fh_batch_result_counts (FhRunResult *result);

/* Adds “id”, “task_id”, “passed”, “result”, “markdown”, “shared”, “doubtful”, “runs” and “passes”
 * (of a sample that ran more than once) and “sample” to the result of a run as JSON. */
void fh_batch_result_add_to_json (JsonObject *object,
                                  const FhBatchSample *sample,
                                  guint64 of,
                                  FhRunResult *result);

/* Reads them back. NULL with a sentence. */
FhBatchResult *fh_batch_result_from_json (JsonObject *object, GError **error);
