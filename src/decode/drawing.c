/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "drawing.h"

#include <librsvg/rsvg.h>
#include <math.h>
#include <string.h>

/* "<svg" has to stand in so much of the text. */
#define BEGINNING 4096
/* A drawing that does not say how large it is. */
#define USUAL_SIDE 512.0
/* Small drawings are drawn larger than they say, so that they stay sharp when they are enlarged. */
#define SHARP_SIDE 1024.0
#define MAX_SIDE   1e6

gboolean
drawing_guess (GBytes *image)
{
  gsize size;
  const char *data = g_bytes_get_data (image, &size);
  gsize begin = size >= 3 && memcmp (data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

  while (begin < size && g_ascii_isspace (data[begin]))
    begin++;
  return begin < size && data[begin] == '<' &&
         g_strstr_len (data + begin, (gssize) MIN (size - begin, BEGINNING), "<svg") != NULL;
}

static void
find_size (RsvgHandle *handle, double *width, double *height)
{
  gboolean has_box;
  RsvgRectangle box;

  if (!rsvg_handle_get_intrinsic_size_in_pixels (handle, width, height))
    {
      rsvg_handle_get_intrinsic_dimensions (handle, NULL, NULL, NULL, NULL, &has_box, &box);
      *width = has_box ? box.width : USUAL_SIDE;
      *height = has_box ? box.height : USUAL_SIDE;
    }
}

/* Cairo has words of 32 bits with the alpha multiplied in. */
static void
take_pixels (cairo_surface_t *surface, Pixels *pixels)
{
  const guint8 *data = cairo_image_surface_get_data (surface);
  const gsize stride = (gsize) cairo_image_surface_get_stride (surface);
  guint8 *to = g_malloc ((gsize) pixels->width * pixels->height * 4);

  pixels->data = to;
  for (guint32 y = 0; y < pixels->height; y++)
    for (guint32 x = 0; x < pixels->width; x++, to += 4)
      {
        guint32 word;
        guint32 alpha;

        memcpy (&word, data + y * stride + (gsize) x * 4, 4);
        alpha = word >> 24;
        for (guint i = 0; i < 3; i++)
          {
            const guint32 value = word >> (16 - 8 * i) & 0xff;

            to[i] = alpha == 0 ? 0 : (guint8) MIN ((value * 255 + alpha / 2) / alpha, 255);
          }
        to[3] = (guint8) alpha;
      }
}

static PixelsEnd
draw (RsvgHandle *handle, Pixels *pixels)
{
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) pixels->width, (int) pixels->height);
  cairo_t *cairo = cairo_create (surface);
  const RsvgRectangle all = { 0, 0, pixels->width, pixels->height };
  PixelsEnd end = PIXELS_DAMAGED;

  if (cairo_status (cairo) != CAIRO_STATUS_SUCCESS)
    end = PIXELS_TOO_LARGE;
  else if (rsvg_handle_render_document (handle, cairo, &all, NULL))
    {
      cairo_surface_flush (surface);
      take_pixels (surface, pixels);
      end = PIXELS_OK;
    }
  cairo_destroy (cairo);
  cairo_surface_destroy (surface);
  return end;
}

/* Chooses how large a picture is drawn, by how large it is. */
static PixelsEnd
choose_size (RsvgHandle *handle, Pixels *pixels)
{
  double width;
  double height;
  double scale;

  find_size (handle, &width, &height);
  if (!isfinite (width) || !isfinite (height) || width <= 0 || height <= 0)
    return PIXELS_DAMAGED;
  if (width > MAX_SIDE || height > MAX_SIDE)
    return PIXELS_TOO_LARGE;
  pixels->n_frames = 1;
  pixels->original_width = (guint32) ceil (width);
  pixels->original_height = (guint32) ceil (height);
  scale = MAX (1.0, SHARP_SIDE / MAX (width, height));
  pixels_fit (width * scale, height * scale, &pixels->width, &pixels->height);
  return PIXELS_OK;
}

PixelsEnd
drawing_decode (GBytes *image, Pixels *pixels)
{
  g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_bytes (image);
  RsvgHandle *handle =
      rsvg_handle_new_from_stream_sync (stream, NULL, RSVG_HANDLE_FLAGS_NONE, NULL, NULL);
  PixelsEnd end;

  if (handle == NULL)
    return PIXELS_DAMAGED;
  end = choose_size (handle, pixels);
  if (end == PIXELS_OK)
    end = draw (handle, pixels);
  g_object_unref (handle);
  return end;
}
