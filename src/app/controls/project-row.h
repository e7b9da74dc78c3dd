/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/* A folder of the user's that the program gets a copy of.
 *
 * Property: path (NULL, or empty when set: none), notified when the user chooses. */
#define FH_TYPE_PROJECT_ROW (fh_project_row_get_type ())
G_DECLARE_FINAL_TYPE (FhProjectRow, fh_project_row, FH, PROJECT_ROW, AdwActionRow)
