/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "history.h"
#include "run-comparison.h"

/* Two runs side by side: how they ended, source, options, output, attempts, guards, files and
 * figures. */
#define FH_TYPE_COMPARE_WINDOW (fh_compare_window_get_type ())
G_DECLARE_FINAL_TYPE (FhCompareWindow, fh_compare_window, FH, COMPARE_WINDOW, AdwWindow)

/* Two runs for a thread that compares them, the older run first. */
typedef struct
{
  FhRunRequest *requests[2];
  FhRunResult *results[2];
} FhRunPair;

FhRunPair *fh_run_pair_new (FhRunRequest *const *requests, FhRunResult *const *results);
void fh_run_pair_free (gpointer pair);
FhRunComparison *fh_run_pair_compare (const FhRunPair *pair); /* (transfer full) */

/* Shows a window above that of `widget`, the older run first. `names`: what they are called, such
 * as “The older run”. */
void fh_compare_window_show (GtkWidget *widget,
                             const char *const *names,
                             FhRunRequest *const *requests,
                             FhRunResult *const *results);

/* Loads two runs of the history and shows a window that compares them. Problems are shown as
 * toasts. */
void fh_compare_past_runs (GtkWidget *widget, FhHistory *history, gint64 old_run, gint64 new_run);
