/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "history.h"
#include "run-comparison.h"

/* Two runs side by side: how they ended, source, options, output, attempts, guards, files and
 * figures. */
#define FH_TYPE_COMPARE_WINDOW (fh_compare_window_get_type ())
G_DECLARE_FINAL_TYPE (FhCompareWindow, fh_compare_window, FH, COMPARE_WINDOW, AdwWindow)

/* A run and what it is called: “The older run”. */
typedef struct
{
  const char *name;
  FhRunRequest *request;
  FhRunResult *result;
} FhComparedRun;

/* Shows a window above that of `widget`; the older run first. */
void fh_compare_window_show (GtkWidget *widget, const FhComparedRun *runs);

/* Loads two runs of the history and shows a window that compares them. Problems are shown as
 * toasts. */
void fh_compare_past_runs (GtkWidget *widget, FhHistory *history, gint64 old_run, gint64 new_run);
