/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/* A row with a switch, which libadwaita has from 1.4 on. Property: active (notified). */
#define FH_TYPE_SWITCH_ROW (fh_switch_row_get_type ())
G_DECLARE_FINAL_TYPE (FhSwitchRow, fh_switch_row, FH, SWITCH_ROW, AdwActionRow)

gboolean fh_switch_row_get_active (FhSwitchRow *self);
void fh_switch_row_set_active (FhSwitchRow *self, gboolean active);
