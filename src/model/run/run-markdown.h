/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-request.h"
#include "run-result.h"

/* A run or an answer as Markdown. Translated. What the program wrote or chose stands in fences and
 * code spans that it cannot close, or is one readable line. */

/* Writes what is handed back to a model: how it ended, what was blocked, the limits, and code and
 * output, the longer ones with their beginning and end only. (transfer full) */
char *fh_run_markdown_new_reply (FhRunRequest *request, FhRunResult *result);

/* Writes what helps people to decide whether the code can be trusted: how it ended, what it tried
 * and what the guards did about it, what it left, and its output. (transfer full) */
char *fh_run_markdown_new_review (FhRunRequest *request, FhRunResult *result);
