/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "history.h"

/* Loads two runs of the history and shows a window that compares them. Problems are shown as
 * toasts. */
void fh_compare_past_runs (GtkWidget *widget, FhHistory *history, gint64 old_run, gint64 new_run);
