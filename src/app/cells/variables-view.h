/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>
#include <json-glib/json-glib.h>

#include "parts/result-page.h"

/* The variables of a session, in a table that can be searched. All it shows is chosen by the
 * program, and plain text. An FhResultPage.
 *
 * Signal: refresh: other variables are wanted. */
#define FH_TYPE_VARIABLES_VIEW (fh_variables_view_get_type ())
G_DECLARE_FINAL_TYPE (FhVariablesView, fh_variables_view, FH, VARIABLES_VIEW, AdwBin)

/* Whether modules, functions and private names are wanted, too. */
gboolean fh_variables_view_wants_all (FhVariablesView *self);
/* Whether there is a session, so that the page is present. */
void fh_variables_view_set_active (FhVariablesView *self, gboolean active);
/* Marks the variables that are new or have changed, as a cell has answered. */
void fh_variables_view_set_changes (FhVariablesView *self, JsonObject *answer);
/* The answer to a list of them; NULL: there are none any more. */
void fh_variables_view_show (FhVariablesView *self, JsonObject *answer);
