/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "controls/options.h"

/* Binds every widget below `root` whose name is a property of the options to it, both ways where
 * the property can be written: a row's text, value or selection, a switch, a label. A “!” before
 * the name inverts a switch. Widgets that are bound already are left alone. */
void fh_option_rows_bind (GtkWidget *root, FhOptions *options);

/* A row for a number of the table, with the name that binds it. */
GtkWidget *fh_option_rows_new_limit (const FhRunOption *option);

/* Puts a row behind another one of the same list. */
void fh_option_rows_insert_after (GtkWidget *row, GtkWidget *previous);

/* Opens what the row of an option is in, such as a popover, and focuses it. `value`: the guard, of
 * the switches of guards. Returns FALSE if there is no row for it below `root`. */
gboolean fh_option_rows_show (GtkWidget *root, const char *key, const char *value);
