/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "controls/options.h"

/* The guards of one tab: what is watched, which hosts can be reached, the interpreter guard, and a
 * switch for each guard that can be switched off for one run. */
#define FH_TYPE_GUARDS_GROUP (fh_guards_group_get_type ())
G_DECLARE_FINAL_TYPE (FhGuardsGroup, fh_guards_group, FH, GUARDS_GROUP, AdwPreferencesGroup)

/* The switches, which are a group of their own. */
AdwPreferencesGroup *fh_guards_group_get_switches (FhGuardsGroup *self);

/* Called once. */
void fh_guards_group_set_options (FhGuardsGroup *self, FhOptions *options);
