/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pixels.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#define MAGIC   "FHPX"
#define VERSION 1u

void
pixels_fit (double width, double height, guint32 *fit_width, guint32 *fit_height)
{
  double scale = MIN (1.0, sqrt ((double) PIXELS_MAX_AREA / (width * height)));

  scale = MIN (scale, PIXELS_MAX_SIDE / MAX (width, height));
  *fit_width = (guint32) CLAMP (floor (width * scale), 1, PIXELS_MAX_SIDE);
  *fit_height = (guint32) CLAMP (floor (height * scale), 1, PIXELS_MAX_SIDE);
}

static gboolean
write_all (int fd, const guint8 *data, gsize size)
{
  while (size > 0)
    {
      gssize n = write (fd, data, size);

      if (n <= 0)
        return FALSE;
      data += n;
      size -= (gsize) n;
    }
  return TRUE;
}

PixelsEnd
pixels_write (const Pixels *pixels, const char *name)
{
  const guint32 numbers[] = {
    VERSION,
    pixels->width,
    pixels->height,
    pixels->original_width,
    pixels->original_height,
    pixels->n_frames,
    0,
  };
  const gsize size = (gsize) pixels->width * pixels->height * 4;
  guint8 header[PIXELS_HEADER];
  gboolean ok;
  int fd;

  G_STATIC_ASSERT (sizeof header == 4 + sizeof numbers);
  memcpy (header, MAGIC, 4);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      const guint32 number = GUINT32_TO_LE (numbers[i]);

      memcpy (header + 4 + 4 * i, &number, 4);
    }
  fd = open (name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    return PIXELS_LOST;
  ok = write_all (fd, header, sizeof header) && write_all (fd, pixels->data, size);
  return close (fd) == 0 && ok ? PIXELS_OK : PIXELS_LOST;
}
