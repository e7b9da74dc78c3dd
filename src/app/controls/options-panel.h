/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "controls/options.h"

G_BEGIN_DECLS

/* The controls for the options of one tab in sections, made for a popover; those that the bar below
 * the editor has are not among them. */
#define FH_TYPE_OPTIONS_PANEL (fh_options_panel_get_type ())
G_DECLARE_FINAL_TYPE (FhOptionsPanel, fh_options_panel, FH, OPTIONS_PANEL, GtkWidget)

/* Called once; from then on, both sides follow each other. */
void fh_options_panel_set_options (FhOptionsPanel *self, FhOptions *options);

G_END_DECLS
