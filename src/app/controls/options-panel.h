/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "controls/container-panel.h"
#include "controls/options.h"

G_BEGIN_DECLS

/* The controls for the options of one tab, made for a popover. */
#define FH_TYPE_OPTIONS_PANEL (fh_options_panel_get_type ())
G_DECLARE_FINAL_TYPE (FhOptionsPanel, fh_options_panel, FH, OPTIONS_PANEL, GtkWidget)

/* Once; from then on, both sides follow each other. */
void fh_options_panel_set_options (FhOptionsPanel *self, FhOptions *options);
FhContainerPanel *fh_options_panel_get_container_panel (FhOptionsPanel *self);

G_END_DECLS
