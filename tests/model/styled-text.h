/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Styled runs written down as one string, for comparison: "{red bold}text{}more". Neighbouring
 * runs of one style are joined, because where a run is cut means nothing.
 */
#pragma once

#include "ansi-parser.h"

typedef struct
{
  GString *text;
  FhAnsiStyle style;
} StyledText;

void styled_text_init (StyledText *styled);
void styled_text_clear (StyledText *styled);
/* Fits FhAnsiFunc and FhTextRunFunc; `data` is the StyledText. Fails on what is not UTF-8. */
void styled_text_add (const char *text, gsize size, const FhAnsiStyle *style, gpointer data);
