/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "controls/options.h"

/* All options of one tab, which can be searched. The bar below the editor has the most used
 * of them, and the place, as well. */
#define FH_TYPE_OPTIONS_WINDOW (fh_options_window_get_type ())
G_DECLARE_FINAL_TYPE (FhOptionsWindow, fh_options_window, FH, OPTIONS_WINDOW, AdwWindow)

/* The window and the options follow each other. */
GtkWidget *fh_options_window_new (FhOptions *options);
/* The blocks of an answer say what they are in: there is no language to choose for all. */
void fh_options_window_set_is_answer (FhOptionsWindow *self, gboolean is_answer);
