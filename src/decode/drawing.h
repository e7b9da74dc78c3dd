/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "pixels.h"

/* Whether these bytes begin like SVG. */
gboolean drawing_guess (GBytes *image);

/* Draws it. Nothing that it refers to is loaded: it has no address that a reference could be
 * relative to, and librsvg loads no absolute ones. */
PixelsEnd drawing_decode (GBytes *image, Pixels *pixels);
