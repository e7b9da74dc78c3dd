/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "run.h"

/* Run; while a program runs, Stop; while it is being stopped, Force Stop. Only the icons are shown
 * if there is no room for the labels. The buttons activate win.run and win.stop. */
#define FH_TYPE_RUN_BUTTON (fh_run_button_get_type ())
G_DECLARE_FINAL_TYPE (FhRunButton, fh_run_button, FH, RUN_BUTTON, AdwBin)

/* FINISHED while nothing runs. */
void fh_run_button_set_state (FhRunButton *self, FhRunState state);
