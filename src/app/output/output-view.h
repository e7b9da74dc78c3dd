/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "run.h"

G_BEGIN_DECLS

/* What one run wrote and how it ended: everything in order of arrival, standard output or standard
 * error, and below the result line.
 *
 * Properties:
 *   pane: "output", "stdout" or "stderr"
 *   wrap: whether long lines are wrapped
 * Actions: output.pane (s), output.wrap, output.find, output.copy-all, output.save, output.clear,
 *   output.jump-to-end, output.next-place, output.previous-place
 *
 * Going to a place that the output names activates page.go-to-line (uu): line and column, both
 * from 1, column 0 when unknown. */
#define FH_TYPE_OUTPUT_VIEW (fh_output_view_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputView, fh_output_view, FH, OUTPUT_VIEW, AdwBin)

FhOutputView *fh_output_view_new (void);

/* Shows a run from now to its end; what was shown before goes. NULL empties the view. */
void fh_output_view_set_run (FhOutputView *self, FhRun *run);

/* Shows a run of the past. */
void fh_output_view_show_result (FhOutputView *self, FhRunRequest *request, FhRunResult *result);

/* Opens the search bar over the output. */
void fh_output_view_begin_search (FhOutputView *self);

G_END_DECLS
