/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "batch-command-line.h"
#include "batch.h"

/* Whether the programs of a batch are copies of warm interpreters, and saying so, once. */
typedef struct _FhBatchWarmth FhBatchWarmth;

FhBatchWarmth *fh_batch_warmth_new (const FhBatchCommandLine *line);
void fh_batch_warmth_free (FhBatchWarmth *self);

/* This sample is to be run: interpreters are kept warm for the limits that most of them have. */
void fh_batch_warmth_expect (FhBatchWarmth *self, const FhBatchSample *sample);

/* Asks the batch to keep interpreters warm, if the command line allows that. */
void fh_batch_warmth_begin (FhBatchWarmth *self, FhBatch *batch);

/* The run of a sample has ended. */
void fh_batch_warmth_add (FhBatchWarmth *self, const FhBatchSample *sample, FhRun *run);
