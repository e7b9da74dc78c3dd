/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtksourceview/gtksource.h>

#include "run-request.h"
#include "run-result.h"

/* The category of marks of lines at which a block of an answer failed. */
#define FH_LINE_MARK_BLOCK "fh-cell-line"

/* Marks lines that are worth a look, with what was found as their tooltip, and those where a run
 * failed or something was stopped; a click shows the page that tells more. It is hidden when there
 * are none to show, and stays when an edit removes the last one, so that the text does not jump. */
#define FH_TYPE_LOOK_GUTTER (fh_look_gutter_get_type ())
G_DECLARE_FINAL_TYPE (FhLookGutter, fh_look_gutter, FH, LOOK_GUTTER, GtkSourceGutterRenderer)

/* Marks the lines of findings (element-type FhCodeLook), but for imports. NULL removes the marks.
 * It must be in the gutter of a view. */
void fh_look_gutter_show (FhLookGutter *self, GPtrArray *looks);

/* Marks the lines of a run of the text as it is now. A NULL result removes the marks. */
void fh_look_gutter_show_run (FhLookGutter *self, FhRunRequest *request, FhRunResult *result);

/* Removes these marks and FH_LINE_MARK_BLOCK from now on when the text of their line is changed or
 * deleted, and moves all marks of a line down with it when lines are inserted above it. */
void fh_look_gutter_follow_marks (GtkSourceBuffer *buffer);
