/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtksourceview/gtksource.h>

#include "run-request.h"
#include "run-result.h"

/* Marks lines that are worth a look, with what was found as their tooltip, and those where a run
 * failed or something was stopped; a click shows the page that tells more. It is hidden while there
 * are none. */
#define FH_TYPE_LOOK_GUTTER (fh_look_gutter_get_type ())
G_DECLARE_FINAL_TYPE (FhLookGutter, fh_look_gutter, FH, LOOK_GUTTER, GtkSourceGutterRenderer)

/* Marks the lines of findings (element-type FhCodeLook), but for imports. NULL removes the marks.
 * They move with their lines while the text is edited. It must be in the gutter of a view. */
void fh_look_gutter_show (FhLookGutter *self, GPtrArray *looks);

/* Marks the lines of a run of the text as it is now. A NULL result removes the marks. */
void fh_look_gutter_show_run (FhLookGutter *self, FhRunRequest *request, FhRunResult *result);
