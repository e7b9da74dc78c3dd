/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "controls/options.h"

/* The presets of options: a row that unfolds into a list of them, read anew each time, and an entry
 * that saves the options under a name. What is chosen for one run only is no part of a preset. */
#define FH_TYPE_PRESETS_ROW (fh_presets_row_get_type ())
G_DECLARE_FINAL_TYPE (FhPresetsRow, fh_presets_row, FH, PRESETS_ROW, AdwExpanderRow)

/* Called once. */
void fh_presets_row_set_options (FhPresetsRow *self, FhOptions *options);
