/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtksourceview/gtksource.h>

/* The categories of marks that tell about the text of a line: what it may do, that something was
 * stopped there, that a run failed there, and the same of a block of an answer. */
#define FH_LINE_MARK_CALL    "fh-look-call"
#define FH_LINE_MARK_SIGN    "fh-look-sign"
#define FH_LINE_MARK_STOPPED "fh-run-stopped"
#define FH_LINE_MARK_FAILED  "fh-run-failed"
#define FH_LINE_MARK_BLOCK   "fh-cell-line"

/* Removes these marks from now on when the text of their line is changed or deleted, and moves all
 * marks of a line down with it when lines are inserted above it. */
void fh_line_marks_follow (GtkSourceBuffer *buffer);
