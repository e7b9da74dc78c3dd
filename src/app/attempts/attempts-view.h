/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "run.h"

G_BEGIN_DECLS

/* What one run tried: a table, and one attempt of it in words. While the run lasts it grows.
 *
 * Properties:
 *   n-stopped (read-only): how many of the attempts were stopped
 *   tools (read-only): a widget with the switches of this view, for a toolbar beside it */
#define FH_TYPE_ATTEMPTS_VIEW (fh_attempts_view_get_type ())
G_DECLARE_FINAL_TYPE (FhAttemptsView, fh_attempts_view, FH, ATTEMPTS_VIEW, AdwBin)

FhAttemptsView *fh_attempts_view_new (void);

/* Shows a run from now to its end. NULL empties the view. */
void fh_attempts_view_set_run (FhAttemptsView *self, FhRun *run);
/* Shows a run of the past. */
void
fh_attempts_view_show_result (FhAttemptsView *self, FhRunRequest *request, FhRunResult *result);

GtkWidget *fh_attempts_view_get_tools (FhAttemptsView *self);

G_END_DECLS
