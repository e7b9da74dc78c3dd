/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "batch-command-line.h"

/* Joins the results of the parts of a batch, and tells what is missing or there twice. Returns the
 * exit status. */
int fh_batch_merge (const FhBatchCommandLine *line);
