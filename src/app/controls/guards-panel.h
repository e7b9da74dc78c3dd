/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "controls/guard-options.h"

G_BEGIN_DECLS

/* The guards of the runs of one tab: what is watched, which hosts may be reached, one switch for
 * each guard that a run can go without, and the extra guard of the interpreter. */
#define FH_TYPE_GUARDS_PANEL (fh_guards_panel_get_type ())
G_DECLARE_FINAL_TYPE (FhGuardsPanel, fh_guards_panel, FH, GUARDS_PANEL, GtkWidget)

/* Once. */
void fh_guards_panel_set_options (FhGuardsPanel *self, FhGuardOptions *options);

G_END_DECLS
