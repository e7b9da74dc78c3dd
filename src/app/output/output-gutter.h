/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "output/output-styles.h"

/* The strip left of the text, with a bar beside each line tagged as standard error, so that the
 * streams can be told apart without colors. */
#define FH_TYPE_OUTPUT_GUTTER (fh_output_gutter_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputGutter, fh_output_gutter, FH, OUTPUT_GUTTER, GtkWidget)

/* Becomes the left gutter of `view`, which owns it. */
FhOutputGutter *fh_output_gutter_attach (GtkTextView *view, FhOutputStyles *styles);
