/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ansi-parser.h"

#define FH_ANSI_MAX_PARAMETERS 32

/* The numbers of one control sequence. A missing one is 0, one that is too large is G_MAXUINT16. */
typedef struct
{
  guint16 values[FH_ANSI_MAX_PARAMETERS];
  guint32 colons; /* bit n: a colon, not a semicolon, stands before value n */
  guint count;    /* never 0 */
} FhAnsiParameters;

/* Applies "select graphic rendition" (ECMA-48, 8.3.117) to the style. What FhAnsiStyle cannot
 * express, such as blinking, is ignored. */
void fh_ansi_sgr_apply (FhAnsiStyle *style, const FhAnsiParameters *parameters);
