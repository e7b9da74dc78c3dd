/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "controls/container-panel.h"
#include "controls/options.h"

/* The options of one tab below its editor: what people set most has a button of its own that shows
 * its value (time, memory, where it runs); the first has the language and opens the window of all
 * options.
 *
 * Signal "panel-made" (FhContainerPanel *): the panel of the place is about to be opened for the
 * first time. */
#define FH_TYPE_CONTROLS_BAR (fh_controls_bar_get_type ())
G_DECLARE_FINAL_TYPE (FhControlsBar, fh_controls_bar, FH, CONTROLS_BAR, AdwBin)

/* Called once; from then on, both sides follow each other. */
void fh_controls_bar_set_options (FhControlsBar *self, FhOptions *options);

/* Whether the text is an answer, whose blocks have languages of their own. */
void fh_controls_bar_set_is_answer (FhControlsBar *self, gboolean is_answer);

/* Opens one: "options", "time", "memory" or "place". */
void fh_controls_bar_open (FhControlsBar *self, const char *name);

/* Opens what the row of an option is in, and focuses it; see fh_option_rows_show. */
void fh_controls_bar_show_option (FhControlsBar *self, const char *key, const char *value);

/* NULL until it was opened. */
FhContainerPanel *fh_controls_bar_get_container_panel (FhControlsBar *self);
