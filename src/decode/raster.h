/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "pixels.h"

/* gdk-pixbuf's name of the format that these bytes begin like: "png", "jpeg", "gif" or "webp"; NULL
 * for any other. Only loaders that are named here are ever given a byte. */
const char *raster_guess (GBytes *image);

/* Decodes the first frame; the pixels are freed with g_free. */
PixelsEnd raster_decode (GBytes *image, const char *format, Pixels *pixels);
