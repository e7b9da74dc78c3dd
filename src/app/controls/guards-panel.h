/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "controls/options.h"

G_BEGIN_DECLS

/* The guards of one tab: what is watched, which hosts can be reached, a switch for each guard that
 * can be switched off for one run, and the interpreter guard. */
#define FH_TYPE_GUARDS_PANEL (fh_guards_panel_get_type ())
G_DECLARE_FINAL_TYPE (FhGuardsPanel, fh_guards_panel, FH, GUARDS_PANEL, GtkWidget)

/* Once. */
void fh_guards_panel_set_options (FhGuardsPanel *self, FhOptions *options);

G_END_DECLS
