/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* How the program ends. The reader (session/picture-decoder.c) has a sentence for each. */
typedef enum
{
  PIXELS_OK = 0,
  PIXELS_UNKNOWN = 3,   /* no picture of a kind that is known here */
  PIXELS_DAMAGED = 4,   /* the header promises what the rest does not keep */
  PIXELS_TOO_LARGE = 5, /* it would not fit into memory */
  PIXELS_NO_LOADER = 6, /* this computer cannot read that kind */
  PIXELS_LOST = 7,      /* what came in could not be read, or the result not be written */
} PixelsEnd;

/* A picture whose rows follow each other without gaps: red, green, blue and alpha, one byte each,
 * alpha not multiplied in. */
typedef struct
{
  guint32 width;
  guint32 height;
  guint32 original_width; /* as the picture says of itself */
  guint32 original_height;
  guint32 n_frames; /* 1, or 2 for “more”: only the first one is shown */
  guint8 *data;     /* width × height × 4 */
} Pixels;

/* More pixels are never written: 16 MiB is what a runner collects of one file. */
#define PIXELS_MAX_AREA ((((guint64) 16 << 20) - PIXELS_HEADER) / 4)
/* The header has so many bytes: the eight letters and numbers before the rows, each of 4 bytes,
 * little-endian. */
#define PIXELS_HEADER   32u
#define PIXELS_MAX_SIDE 16384u

/* The largest size with these proportions that may be written; never larger than they are. */
void pixels_fit (double width, double height, guint32 *fit_width, guint32 *fit_height);

/* Writes the header and the rows to a new file in the present folder. */
PixelsEnd pixels_write (const Pixels *pixels, const char *name);
