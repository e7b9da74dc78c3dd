/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "ansi-parser.h"

/* Tags with a meaning of their own, from the weakest to the strongest. */
typedef enum
{
  FH_OUTPUT_TAG_STDERR,
  FH_OUTPUT_TAG_VALUE,   /* of the last expression of a cell */
  FH_OUTPUT_TAG_HEADING, /* of a cell; its own, so that a program cannot imitate it */
  FH_OUTPUT_TAG_ENDING,  /* of a cell: its result line */
  FH_OUTPUT_TAG_LINK,
  FH_OUTPUT_TAG_MATCH,
  FH_OUTPUT_TAG_CURRENT_MATCH,
} FhOutputTag;
#define FH_N_OUTPUT_TAGS (FH_OUTPUT_TAG_CURRENT_MATCH + 1)

#define FH_OUTPUT_STYLES_MAX_TAGS 6

/* The tags of styled text: one per pair of colors and one per kind of emphasis, a few hundred at
 * most. Their colors follow the light or dark theme. */
#define FH_TYPE_OUTPUT_STYLES (fh_output_styles_get_type ())
G_DECLARE_FINAL_TYPE (FhOutputStyles, fh_output_styles, FH, OUTPUT_STYLES, GObject)

FhOutputStyles *fh_output_styles_new (void);

/* The table for the buffers that use these styles. */
GtkTextTagTable *fh_output_styles_get_table (FhOutputStyles *self);
GtkTextTag *fh_output_styles_get_tag (FhOutputStyles *self, FhOutputTag tag);

/* The tags for a style, borrowed; returns how many. */
guint fh_output_styles_lookup (FhOutputStyles *self,
                               const FhAnsiStyle *style,
                               GtkTextTag *tags[FH_OUTPUT_STYLES_MAX_TAGS]);

void fh_output_styles_get_stderr_color (FhOutputStyles *self, GdkRGBA *rgba);
