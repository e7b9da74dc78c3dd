/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "run.h"

G_BEGIN_DECLS

/* The attempts of one run: a table, and the details of the selected one.
 *
 * Property: n-stopped (read-only), how many of the attempts were stopped. */
#define FH_TYPE_ATTEMPTS_VIEW (fh_attempts_view_get_type ())
G_DECLARE_FINAL_TYPE (FhAttemptsView, fh_attempts_view, FH, ATTEMPTS_VIEW, AdwBin)

FhAttemptsView *fh_attempts_view_new (void);

/* Shows a live run. NULL empties the view. */
void fh_attempts_view_set_run (FhAttemptsView *self, FhRun *run);
/* Shows those of a live answer. `run`: of a block; `log`: of all blocks. Until a result is shown,
 * more may come. */
void fh_attempts_view_set_answer (FhAttemptsView *self, FhRun *run, FhAttemptLog *log);
/* Shows a past run. */
void
fh_attempts_view_show_result (FhAttemptsView *self, FhRunRequest *request, FhRunResult *result);

/* The buttons of the view, for a toolbar beside it. */
GtkWidget *fh_attempts_view_get_tools (FhAttemptsView *self);

G_END_DECLS
