/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "run-request.h"
#include "run-result.h"

G_BEGIN_DECLS

/* A run as Markdown to hand back to a model: how it ended, what was stopped, the limits, and
 * code and output, the longer ones with their beginning and end only. Translated. What the program
 * wrote stands in fences that it cannot close, or is one readable line. (transfer full) */
char *fh_run_report_new (FhRunRequest *request, FhRunResult *result);

G_END_DECLS
