/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "raster.h"

#include <gdk-pixbuf/gdk-pixbuf.h>
#include <string.h>

/* So much is decoded before it is made smaller: 128 MiB of pixels. The sandbox has no room for
 * more. */
#define MAX_AREA ((guint64) 32 << 20)
#define PIECE    ((gsize) 64 << 10)

static const struct
{
  const char *format;
  guint offset;
  const char *magic;
} formats[] = {
  { "png", 0, "\x89PNG\r\n\x1a\n" },
  { "jpeg", 0, "\xff\xd8\xff" },
  { "gif", 0, "GIF87a" },
  { "gif", 0, "GIF89a" },
  { "webp", 8, "WEBP" },
};

const char *
raster_guess (GBytes *image)
{
  gsize size;
  const char *data = g_bytes_get_data (image, &size);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      const gsize length = strlen (formats[i].magic);

      if (size >= formats[i].offset + length &&
          memcmp (data + formats[i].offset, formats[i].magic, length) == 0)
        return formats[i].format;
    }
  return NULL;
}

typedef struct
{
  guint64 width;
  guint64 height;
  gboolean is_too_large;
} Sizes;

/* Called when the header was read, before anything is decoded. */
static void
size_cb (GdkPixbufLoader *loader, int width, int height, Sizes *sizes)
{
  sizes->width = (guint64) MAX (width, 0);
  sizes->height = (guint64) MAX (height, 0);
  sizes->is_too_large = sizes->width * sizes->height > MAX_AREA;
  /* A size of 0 makes it decode nothing. */
  if (sizes->is_too_large)
    gdk_pixbuf_loader_set_size (loader, 0, 0);
}

/* (transfer full) (nullable) */
static GdkPixbuf *
make_smaller (GdkPixbuf *picture)
{
  guint32 width;
  guint32 height;

  pixels_fit (gdk_pixbuf_get_width (picture), gdk_pixbuf_get_height (picture), &width, &height);
  if (width == (guint32) gdk_pixbuf_get_width (picture) &&
      height == (guint32) gdk_pixbuf_get_height (picture))
    return g_object_ref (picture);
  return gdk_pixbuf_scale_simple (picture, (int) width, (int) height, GDK_INTERP_BILINEAR);
}

static PixelsEnd
take_pixels (GdkPixbuf *picture, Pixels *pixels)
{
  g_autoptr (GdkPixbuf) upright = gdk_pixbuf_apply_embedded_orientation (picture);
  g_autoptr (GdkPixbuf) small = upright != NULL ? make_smaller (upright) : NULL;
  g_autoptr (GdkPixbuf) rgba = small != NULL ? gdk_pixbuf_add_alpha (small, FALSE, 0, 0, 0) : NULL;
  gsize row;

  if (rgba == NULL || gdk_pixbuf_get_bits_per_sample (rgba) != 8 ||
      gdk_pixbuf_get_n_channels (rgba) != 4)
    return PIXELS_TOO_LARGE;
  pixels->width = (guint32) gdk_pixbuf_get_width (rgba);
  pixels->height = (guint32) gdk_pixbuf_get_height (rgba);
  pixels->original_width = (guint32) gdk_pixbuf_get_width (upright);
  pixels->original_height = (guint32) gdk_pixbuf_get_height (upright);
  row = (gsize) pixels->width * 4;
  pixels->data = g_malloc (row * pixels->height);
  for (guint32 y = 0; y < pixels->height; y++)
    memcpy (pixels->data + y * row,
            gdk_pixbuf_read_pixels (rgba) + (gsize) y * (gsize) gdk_pixbuf_get_rowstride (rgba),
            row);
  return PIXELS_OK;
}

/* Loads in pieces, so that it ends with the header of what is too large. */
static gboolean
load (GdkPixbufLoader *loader, GBytes *image, const Sizes *sizes)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (image, &size);
  gboolean ok = TRUE;

  for (gsize at = 0; ok && at < size && !sizes->is_too_large; at += PIECE)
    ok = gdk_pixbuf_loader_write (loader, data + at, MIN (size - at, PIECE), NULL);
  /* A loader has to be closed also after an error. */
  return gdk_pixbuf_loader_close (loader, NULL) && ok;
}

PixelsEnd
raster_decode (GBytes *image, const char *format, Pixels *pixels)
{
  g_autoptr (GdkPixbufLoader) loader = gdk_pixbuf_loader_new_with_type (format, NULL);
  Sizes sizes = { 0 };
  GdkPixbufAnimation *animation;
  gboolean ok;

  if (loader == NULL)
    return PIXELS_NO_LOADER;
  g_signal_connect (loader, "size-prepared", G_CALLBACK (size_cb), &sizes);
  ok = load (loader, image, &sizes);
  if (sizes.is_too_large)
    return PIXELS_TOO_LARGE;
  animation = ok ? gdk_pixbuf_loader_get_animation (loader) : NULL;
  if (animation == NULL || gdk_pixbuf_loader_get_pixbuf (loader) == NULL)
    return PIXELS_DAMAGED;
  pixels->n_frames = gdk_pixbuf_animation_is_static_image (animation) ? 1 : 2;
  return take_pixels (gdk_pixbuf_loader_get_pixbuf (loader), pixels);
}
