/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "batch-sample.h"

/* The samples of a batch, one after the other: lines of JSON, programs, and folders of both. They
 * are read when they are asked for, so their number does not matter. */
typedef struct _FhBatchInput FhBatchInput;

/* `paths`: files, folders, and patterns such as "*.py" that no shell has expanded. `problems`:
 * nullable, must outlive the input, as must `options`. NULL with a sentence. */
FhBatchInput *fh_batch_input_new (const char *const *paths,
                                  const FhBatchProblems *problems,
                                  const FhRunOptions *options,
                                  GError **error);
void fh_batch_input_free (FhBatchInput *input);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhBatchInput, fh_batch_input_free)

/* NULL at the end, or with a sentence that names file and line. (transfer full) */
FhBatchSample *fh_batch_input_next (FhBatchInput *input, GError **error);

/* Begins again, with the same samples. */
void fh_batch_input_rewind (FhBatchInput *input);
