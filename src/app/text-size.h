/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "settings.h"

/* Keeps the font of every monospace text view on the display at the size in the settings. In the
 * presenter's view all text of the app is larger, and the colors of warnings are calmer. */
void fh_text_size_follow (FhSettings *settings, GdkDisplay *display);

/* Zooms by `steps` of ten percent, within the range of the settings; 0 goes back to 100 percent. */
void fh_text_size_zoom (FhSettings *settings, int steps);
