/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* One of the 16 named colours, or none. Others (256, RGB) are folded to the nearest of the 16, so
 * that both the light and the dark palette stay readable. */
#define FH_ANSI_DEFAULT (-1)

typedef struct
{
  gint8 foreground; /* FH_ANSI_DEFAULT or 0–15 */
  gint8 background;
  guint bold : 1;
  guint dim : 1;
  guint italic : 1;
  guint underline : 1;
  guint strike : 1;
  guint inverse : 1;
} FhAnsiStyle;

gboolean fh_ansi_style_equal (const FhAnsiStyle *a, const FhAnsiStyle *b);
gboolean fh_ansi_style_is_plain (const FhAnsiStyle *style);

/* Turns a program's output into styled text. Colours and weights (SGR) are supported; every other
 * escape sequence, including OSC 8 and OSC 52, is dropped. The result is valid UTF-8 without
 * control characters except \n, \r, \t, \b, and two for the sequences of progress bars: \v for
 * "erase to the end of the line", \f for "erase the line". Invalid bytes become U+FFFD, NUL U+2400,
 * other controls their picture (U+2401 …, \v and \f among them), bidirectional overrides and
 * Unicode's line separators U+FFFD. Sequences and characters may be split over any number of calls.
 * Memory is bounded. */
typedef struct _FhAnsiParser FhAnsiParser;

typedef void (*FhAnsiFunc) (const char *text, gsize size, const FhAnsiStyle *style, gpointer data);

FhAnsiParser *fh_ansi_parser_new (void);
void fh_ansi_parser_free (FhAnsiParser *parser);
void fh_ansi_parser_reset (FhAnsiParser *parser);
void fh_ansi_parser_feed (FhAnsiParser *parser,
                          const void *bytes,
                          gsize size,
                          FhAnsiFunc func,
                          gpointer data);
/* At the end of the stream: outputs the replacement of an unfinished character. */
void fh_ansi_parser_finish (FhAnsiParser *parser, FhAnsiFunc func, gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (FhAnsiParser, fh_ansi_parser_free)
