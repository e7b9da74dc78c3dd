/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "ansi-parser.h"

G_BEGIN_DECLS

#define FH_ANSI_MAX_PARAMETERS 32

/* The numbers of one control sequence. A missing one is 0, one that is too large is G_MAXUINT16. */
typedef struct
{
  guint16 values[FH_ANSI_MAX_PARAMETERS];
  guint32 colons; /* bit n: a colon, not a semicolon, stands before value n */
  guint count;    /* never 0 */
} FhAnsiParameters;

/* Changes the style as "select graphic rendition" (ECMA-48, 8.3.117) asks. What is not part of
 * FhAnsiStyle is ignored: blinking and concealing among others. */
void fh_ansi_sgr_apply (FhAnsiStyle *style, const FhAnsiParameters *parameters);

G_END_DECLS
