/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "exhibit.h"

/* The gallery of exhibits: a card for each, found by words, guard and difficulty, and what the
 * selected one does and teaches. It activates the action "exhibit" of its parent, and is hidden
 * meanwhile. */
#define FH_TYPE_EXHIBITS_WINDOW (fh_exhibits_window_get_type ())
G_DECLARE_FINAL_TYPE (FhExhibitsWindow, fh_exhibits_window, FH, EXHIBITS_WINDOW, AdwWindow)

/* Lives until it is destroyed, or `parent` is, which has the action group with "exhibit" (ss): the
 * name of an exhibit, and "run", "compare" (it is run without its guard as well) or "open". */
FhExhibitsWindow *fh_exhibits_window_new (GtkWindow *parent);

/* Shows all exhibits, with this one selected and the keyboard on its card. */
void fh_exhibits_window_select (FhExhibitsWindow *self, const FhExhibit *exhibit);
