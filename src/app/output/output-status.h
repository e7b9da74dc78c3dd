/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "history-entry.h"
#include "run.h"

/* The status line of a run: how it ended, advice, and the resources it used; while it runs, time
 * and memory. It is outside of the output, so that no program can imitate it. For screen readers it
 * has the role of a status. */
#define FH_TYPE_OUTPUT_STATUS (fh_output_status_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputStatus, fh_output_status, FH, OUTPUT_STATUS, AdwBin)

/* Shows a live run; NULL empties the line. `is_part`: its code is only a part of the tab's, such as
 * a cell. */
void fh_output_status_set_run (FhOutputStatus *self, FhRun *run, gboolean is_part);
/* The figures of parts are told together from now on: those of the cells that were run at once. */
void fh_output_status_begin_parts (FhOutputStatus *self);
/* The run is a block of an answer. `attempts`: of all blocks. */
void fh_output_status_set_answer (FhOutputStatus *self, FhAttemptLog *attempts);
/* Shows an answer that has ended. */
void
fh_output_status_show_answer (FhOutputStatus *self, FhRunRequest *request, FhRunResult *result);
/* Shows a button that leads to the line of a cell, both from 1 on, in which the shown cell has
 * failed. */
void fh_output_status_set_cell_line (FhOutputStatus *self, guint line, guint cell);
/* Shows a past run, or a past answer. */
void fh_output_status_show_result (FhOutputStatus *self,
                                   FhRunRequest *request,
                                   FhRunResult *result,
                                   gboolean is_answer);
/* The status text while the run is prepared, such as “Pulling…”; NULL for the default. */
void fh_output_status_set_preparation (FhOutputStatus *self, const char *text);
/* The engine of the current run. */
void fh_output_status_set_engine (FhOutputStatus *self, FhEngineKind engine);
/* After fh_output_status_show_result: the result is that of several runs, with a table of them in
 * the place of their output, whose size says nothing. `score`: of a batch that ran to its end;
 * nullable. */
void fh_output_status_set_parts (FhOutputStatus *self, const FhHistoryScore *score);
