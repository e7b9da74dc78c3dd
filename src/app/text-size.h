/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "settings.h"

G_BEGIN_DECLS

/* Gives every monospace text view of a display the size that the settings ask for, as long as the
 * object lives. */
#define FH_TYPE_TEXT_SIZE (fh_text_size_get_type ())
G_DECLARE_FINAL_TYPE (FhTextSize, fh_text_size, FH, TEXT_SIZE, GObject)

FhTextSize *fh_text_size_new (FhSettings *settings, GdkDisplay *display);

/* Zooms by `steps` of ten percent, within the range of the settings; 0 goes back to 100 percent. */
void fh_text_size_zoom (FhSettings *settings, int steps);

G_END_DECLS
