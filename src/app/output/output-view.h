/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "history-entry.h"
#include "run.h"

#include "output/output-pictures.h"
#include "output/output-section.h"
#include "output/output-status.h"
#include "parts/result-page.h"

/* The results of one run. The first page is its output: both streams in order of arrival, standard
 * output or standard error. Other pages can be added. Below all pages is the result line.
 *
 * Properties:
 *   page: the name of the visible page; the first is "output"
 *   pane: "output", "stdout" or "stderr"
 *   wrap: whether long lines are wrapped
 * Actions: output.page (s), output.pane (s), output.wrap, output.find, output.copy-all,
 * output.save, output.clear, output.jump-to-end, output.next-place, output.previous-place
 *
 * output.find shows the output and opens its search bar. Following a link to the source activates
 * page.go-to-line (uu): line and column, both from 1, column 0 if unknown. In a session
 * or an answer it activates page.go-to-cell-line (uuu), with the number of the cell or block behind
 * them. */
#define FH_TYPE_OUTPUT_VIEW (fh_output_view_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputView, fh_output_view, FH, OUTPUT_VIEW, AdwBin)

/* Shows a live run in place of what was shown before. NULL empties the view. */
void fh_output_view_set_run (FhOutputView *self, FhRun *run);

/* Shows a past run, or a past answer, in which lines of output count within a block that they do
 * not name. */
void fh_output_view_show_result (FhOutputView *self,
                                 FhRunRequest *request,
                                 FhRunResult *result,
                                 gboolean is_answer);

/* Empties the view, for the cells of a session or the blocks of an answer. `sources`: the files
 * that they may name, see output-sources.h; NULL for none. */
void fh_output_view_begin_session (FhOutputView *self, GPtrArray *sources);
/* Shows one more cell. Its run, if it has one, is that of the result line. */
void fh_output_view_add_section (FhOutputView *self, FhOutputSection *section);

/* The result line. */
FhOutputStatus *fh_output_view_get_status (FhOutputView *self);

/* Adds a page of this type, an FhResultPage, beside the output. It is made when it is first turned
 * to or has something to show, and then told of by the signal "page-made", whose detail is its
 * name. Borrowed. */
AdwViewStackPage *fh_output_view_add_page (FhOutputView *self, GType type);
/* The page of that type; NULL if it was not made yet and shall not be made now. Borrowed. */
FhResultPage *fh_output_view_get_page (FhOutputView *self, GType type, gboolean make);
/* Shows this on all pages beside the output. */
void fh_output_view_show_pages (FhOutputView *self, const FhShownResult *shown);

/* The pictures of what is shown, below its text; they need a decoder. */
FhOutputPictures *fh_output_view_get_pictures (FhOutputView *self);

/* Shows a page and focuses it; does nothing if no page has that name. */
void fh_output_view_show_page (FhOutputView *self, const char *name);
