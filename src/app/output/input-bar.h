/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "run.h"

/* Lines for a program that runs. It appears when the program first waits for one and stays until
 * its input ends. By itself it takes the focus only from what is beside it.
 *
 * Signals: "appeared"; "left": it disappears, and had the focus.
 * Actions: input.send, and input.end, which sends what is there without the end of a line. */
#define FH_TYPE_INPUT_BAR (fh_input_bar_get_type ())
G_DECLARE_FINAL_TYPE (FhInputBar, fh_input_bar, FH, INPUT_BAR, AdwBin)

/* NULL: none. */
void fh_input_bar_set_run (FhInputBar *self, FhRun *run);
/* FALSE if there is nothing to type into. */
gboolean fh_input_bar_focus (FhInputBar *self);
