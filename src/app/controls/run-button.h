/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "run.h"

G_BEGIN_DECLS

/* Run, and while something runs, Stop in its place; once a stop was asked for it offers to force
 * it. Where there is no room only the icons are shown. The buttons activate win.run and win.stop.
 *
 * Properties: state (int, an FhRunState; FINISHED while nothing runs). */
#define FH_TYPE_RUN_BUTTON (fh_run_button_get_type ())
G_DECLARE_FINAL_TYPE (FhRunButton, fh_run_button, FH, RUN_BUTTON, GtkWidget)

GtkWidget *fh_run_button_new (void);
void fh_run_button_set_state (FhRunButton *self, FhRunState state);

G_END_DECLS
