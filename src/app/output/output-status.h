/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "run.h"

G_BEGIN_DECLS

/* The result line. It stands outside of the text that a program fills, so that nothing a program
 * prints can pass for it: how the run ended, what to do about it, and what it used; while it lives,
 * time and memory. Its sentence has the role of a status for screen readers. */
#define FH_TYPE_OUTPUT_STATUS (fh_output_status_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputStatus, fh_output_status, FH, OUTPUT_STATUS, AdwBin)

/* A run from now to its end; NULL empties the line. */
void fh_output_status_set_run (FhOutputStatus *self, FhRun *run);
/* A run of the past. */
void
fh_output_status_show_result (FhOutputStatus *self, FhRunRequest *request, FhRunResult *result);
/* What is going on while the run is prepared, such as a pull; NULL: the usual. */
void fh_output_status_set_preparation (FhOutputStatus *self, const char *text);
/* Which engine it was that the present run has taken. */
void fh_output_status_set_engine (FhOutputStatus *self, FhEngineKind engine);

G_END_DECLS
