/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* What is in a variable, in pages: its items, its rows, its members, or its text. A row leads to
 * what is in it.
 *
 * Signals:
 *   look (const char *name, GVariant *path, guint offset): the page that is wanted, au
 *   back: nothing is looked at any more */
#define FH_TYPE_VARIABLE_DETAILS (fh_variable_details_get_type ())
G_DECLARE_FINAL_TYPE (FhVariableDetails, fh_variable_details, FH, VARIABLE_DETAILS, AdwBin)

/* Rows of a page. */
#define FH_VARIABLE_DETAILS_ROWS 100

/* Asks for the first page of a variable. */
void fh_variable_details_begin (FhVariableDetails *self, const char *name);
/* Asks for the same again. */
void fh_variable_details_refresh (FhVariableDetails *self);
/* The answer, see data/guest/session.py. FALSE if there is nothing to show. */
gboolean fh_variable_details_show (FhVariableDetails *self, JsonObject *answer);

G_END_DECLS
