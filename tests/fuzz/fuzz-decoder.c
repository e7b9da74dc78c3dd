/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fumehood-decode, without the sandbox around it: our part of it, and the libraries behind it as
 * they are installed, which are not instrumented. */
#include "drawing.h"
#include "fuzz-target.h"
#include "raster.h"

const char *__lsan_default_suppressions (void);

/* The decoder ends after one picture; what libraries forget of damaged ones is not ours. */
const char *
__lsan_default_suppressions (void)
{
  return "leak:libxml2\nleak:librsvg\nleak:libgdk_pixbuf\nleak:libpixbufloader\nleak:"
         "libfontconfig\n";
}

static void
ignore (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GBytes) image = g_bytes_new (data, size);
  const char *format = raster_guess (image);
  Pixels pixels = { 0 };
  PixelsEnd end = PIXELS_UNKNOWN;

  /* The libraries' own warnings end nothing. */
  g_log_set_default_handler (ignore, NULL);
  g_log_set_always_fatal (G_LOG_LEVEL_ERROR);
  /* Its loader cannot be told to stop at a size; in the sandbox it runs into the limits. */
  if (g_strcmp0 (format, "webp") == 0)
    return 0;
  if (format != NULL)
    end = raster_decode (image, format, &pixels);
  else if (drawing_guess (image))
    end = drawing_decode (image, &pixels);
  g_assert ((end == PIXELS_OK) == (pixels.data != NULL));
  if (end == PIXELS_OK)
    {
      g_assert (pixels.width >= 1 && pixels.width <= PIXELS_MAX_SIDE);
      g_assert (pixels.height >= 1 && pixels.height <= PIXELS_MAX_SIDE);
      g_assert ((guint64) pixels.width * pixels.height <= PIXELS_MAX_AREA);
      g_assert (pixels.n_frames >= 1 && pixels.n_frames <= 2);
      g_assert (pixels.original_width >= 1 && pixels.original_height >= 1);
    }
  g_free (pixels.data);
  return 0;
}
