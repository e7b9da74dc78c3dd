/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "batch-problems.h"
#include "batch-score.h"

/* Prints the score as a table and writes it to “OUTPUT.score.json”. `n_missing`: how many samples
 * have no result. `problems`: nullable; each needs a sample. FALSE after a message. */
gboolean fh_batch_score_print (const FhBatchScore *score,
                               const FhBatchProblems *problems,
                               guint64 n_missing,
                               const char *output);
