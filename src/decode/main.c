/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads an image from standard input and writes it as plain pixels to the file "pixels" in the
 * present folder. The image is hostile, and what decodes it is large: this runs in a sandbox of its
 * own, which has nothing else in it. What it writes is not trusted either. */

#include <stdlib.h>
#include <unistd.h>

#include "drawing.h"
#include "raster.h"

#define MAX_IMAGE ((gsize) 16 << 20)

/* NULL if it cannot be read or is longer than that. */
static GBytes *
read_image (void)
{
  g_autoptr (GByteArray) image = g_byte_array_new ();
  static guint8 piece[1 << 16];
  gssize n;

  while ((n = read (STDIN_FILENO, piece, sizeof piece)) > 0)
    {
      if (image->len + (gsize) n > MAX_IMAGE)
        return NULL;
      g_byte_array_append (image, piece, (guint) n);
    }
  return n == 0 ? g_byte_array_free_to_bytes (g_steal_pointer (&image)) : NULL;
}

int
main (void)
{
  g_autoptr (GBytes) image = read_image ();
  const char *format = image != NULL ? raster_guess (image) : NULL;
  Pixels pixels = { 0 };
  PixelsEnd end;

  if (image == NULL)
    end = PIXELS_LOST;
  else if (format != NULL)
    end = raster_decode (image, format, &pixels);
  else if (drawing_guess (image))
    end = drawing_decode (image, &pixels);
  else
    end = PIXELS_UNKNOWN;
  if (end == PIXELS_OK)
    end = pixels_write (&pixels, "pixels");
  /* The process ends without tidying up: what a hostile image has left in memory is not walked
   * through. */
  _exit (end);
}
