/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "controls/options.h"

G_BEGIN_DECLS

/* The guards of one tab: what is watched, which hosts can be reached, the interpreter guard, and a
 * switch for each guard that can be switched off for one run. */
#define FH_TYPE_GUARDS_PANEL (fh_guards_panel_get_type ())
G_DECLARE_FINAL_TYPE (FhGuardsPanel, fh_guards_panel, FH, GUARDS_PANEL, GtkWidget)

/* The switches, which have a place of their own. To be added to it once. */
GtkWidget *fh_guards_panel_get_switches (FhGuardsPanel *self);

/* Called once. */
void fh_guards_panel_set_options (FhGuardsPanel *self, FhOptions *options);

G_END_DECLS
