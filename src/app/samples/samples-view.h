/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "history.h"
#include "parts/result-page.h"

/* The samples of a batch of the history: a table to search and sort. A row opens the sample in a
 * tab, by win.history-open (x). An FhResultPage, which is present while it has samples.
 *
 * Property: only-failed. */
#define FH_TYPE_SAMPLES_VIEW (fh_samples_view_get_type ())
G_DECLARE_FINAL_TYPE (FhSamplesView, fh_samples_view, FH, SAMPLES_VIEW, AdwBin)

/* `batch`: the id of its entry; 0 empties the table. */
void fh_samples_view_show (FhSamplesView *self, FhHistory *history, gint64 batch);

/* Says what the rows are called, and one of them: samples, blocks or cells. Translated, in header
 * case. */
void fh_samples_view_set_words (FhSamplesView *self, const char *rows, const char *row);
