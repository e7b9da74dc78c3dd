/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "run.h"

G_BEGIN_DECLS

/* What came of one run. Its first page is what the run wrote: everything in order of arrival,
 * standard output or standard error; others can be added. Below all pages is the result line.
 *
 * Properties:
 *   page: the name of the page in sight; "output" is the first one
 *   pane: "output", "stdout" or "stderr"
 *   wrap: whether long lines are wrapped
 * Actions: output.page (s), output.pane (s), output.wrap, output.find, output.copy-all,
 * output.save, output.clear, output.jump-to-end, output.next-place, output.previous-place
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

/* What is going on while the run is prepared, such as a pull; NULL: the usual. */
void fh_output_view_set_preparation (FhOutputView *self, const char *text);

/* Which engine it was that the present run has taken. */
void fh_output_view_set_engine (FhOutputView *self, FhEngineKind engine);

/* Adds a page beside the output. `tools`: a widget for the toolbar while the page is in sight. The
 * page is borrowed; its badge, its visibility and whether it needs attention are the caller's. */
AdwViewStackPage *fh_output_view_add_page (FhOutputView *self,
                                           GtkWidget *page,
                                           const char *name,
                                           const char *title,
                                           const char *icon_name,
                                           GtkWidget *tools);

/* Turns to a page and puts the focus there; does nothing when there is none of that name. */
void fh_output_view_show_page (FhOutputView *self, const char *name);

/* Turns to the output and opens the search bar over it. */
void fh_output_view_begin_search (FhOutputView *self);

G_END_DECLS
