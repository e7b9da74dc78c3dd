/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "parts/result-page.h"

/* What a program changed in its copy of a project folder: a list with check boxes, the lines that
 * differ in the selected file, and a button that writes the chosen ones to the folder, after
 * asking. An FhResultPage.
 *
 * Actions: changes.apply, changes.undo (what was applied last, if that were changes of this run).
 */
#define FH_TYPE_CHANGES_VIEW (fh_changes_view_get_type ())
G_DECLARE_FINAL_TYPE (FhChangesView, fh_changes_view, FH, CHANGES_VIEW, AdwBin)
