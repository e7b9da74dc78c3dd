/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "editor/editor-blocks.h"
#include "editor/editor-cells.h"
#include "series.h"

/* Shows in the editor how the steps of a series are: beside the blocks of an answer, or beside the
 * cells of a session. */
typedef struct _FhSeriesMarks FhSeriesMarks;

/* Has to be made before the series starts. Either `blocks` or `cells` is NULL. */
FhSeriesMarks *fh_series_marks_new (FhSeries *series, FhEditorBlocks *blocks, FhEditorCells *cells);
/* What still runs is marked as failed, and what still waits as not run. */
void fh_series_marks_free (FhSeriesMarks *self);
/* Shows how the blocks were at the end of a past run of the text that is there. */
void fh_series_marks_show_past (FhEditorBlocks *blocks, FhRunResult *result);
