/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "folder-change.h"

/* A change in a list: a check box, what happened to the file, its name, and why it stands out.
 *
 * Signal "toggled" (FhFolderChange *change, gboolean is_chosen): by the user. */
#define FH_TYPE_CHANGES_ROW (fh_changes_row_get_type ())
G_DECLARE_FINAL_TYPE (FhChangesRow, fh_changes_row, FH, CHANGES_ROW, AdwBin)

/* NULL: the row is not in use. */
void fh_changes_row_set_change (FhChangesRow *self,
                                FhFolderChange *change,
                                gboolean is_chosen,
                                gboolean is_applied);
