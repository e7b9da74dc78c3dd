/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "batch-command-line.h"
#include "batch.h"

G_BEGIN_DECLS

/* Whether the programs of a batch are copies of warm interpreters, and saying so, once. */
typedef struct
{
  const FhBatchCommandLine *line;
  gboolean is_told;
} FhBatchWarmth;

/* Asks the batch to keep interpreters warm, if the command line allows that. */
void fh_batch_warmth_begin (FhBatchWarmth *self, const FhBatchCommandLine *line, FhBatch *batch);

/* The run of a sample has ended. */
void fh_batch_warmth_add (FhBatchWarmth *self, FhRun *run);

G_END_DECLS
