/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gdk/gdk.h>

/* The least contrast of text and background (WCAG 2.1, level AA). */
#define FH_OUTPUT_PALETTE_MIN_CONTRAST 4.5

/* The colors of a text view in libadwaita. */
void fh_output_palette_base (gboolean dark, GdkRGBA *background, GdkRGBA *text);

/* A named color (0–15) as text on the pane. */
void fh_output_palette_text (gboolean dark, int color, GdkRGBA *rgba);

/* A named color (0–15) as background; the same in both themes. */
void fh_output_palette_background (int color, GdkRGBA *rgba);

/* `color` (0–15, or -1 for the default) as text on any background: the named color if it is
 * readable there, else black or white. */
void fh_output_palette_text_on (gboolean dark, int color, const GdkRGBA *background, GdkRGBA *rgba);

/* Returns the contrast, from 1 to 21. */
double fh_output_palette_contrast (const GdkRGBA *a, const GdkRGBA *b);
