/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-palette.h"

#include <math.h>

/* Every pair of colors must be readable on a light and on a dark pane. So "black" on dark and
 * "white" on light are gray, and text on a colored background falls back to black or white, one of
 * which always has a contrast of 4.58:1. */

#define RGB(hex)                                                                                   \
  {                                                                                                \
    (float) (((hex) >> 16) & 0xff) / 255.f, (float) (((hex) >> 8) & 0xff) / 255.f,                 \
        (float) ((hex) &0xff) / 255.f, 1.f                                                         \
  }

static const GdkRGBA light_text[16] = {
  RGB (0x241f31), RGB (0xc01c28), RGB (0x1b7a3f), RGB (0x8c6200), RGB (0x1a5fb4), RGB (0x813d9c),
  RGB (0x0f7080), RGB (0x63616b), RGB (0x5e5c64), RGB (0xd91a24), RGB (0x1a7f43), RGB (0x966800),
  RGB (0x1c6bcd), RGB (0x9141ac), RGB (0x0b7889), RGB (0x6a6872),
};

static const GdkRGBA dark_text[16] = {
  RGB (0x9a97a3), RGB (0xff7a80), RGB (0x57d98a), RGB (0xe5b93c), RGB (0x78aeed), RGB (0xd48be0),
  RGB (0x45c4d6), RGB (0xd6d4cf), RGB (0x8f8d98), RGB (0xff9a9e), RGB (0x8ff0a4), RGB (0xf9e26a),
  RGB (0x99c1f1), RGB (0xe3abec), RGB (0x7fdcea), RGB (0xffffff),
};

static const GdkRGBA backgrounds[16] = {
  RGB (0x241f31), RGB (0xc01c28), RGB (0x26a269), RGB (0xcd9309), RGB (0x1a5fb4), RGB (0x9141ac),
  RGB (0x1f8a9b), RGB (0xdeddda), RGB (0x5e5c64), RGB (0xed333b), RGB (0x57e389), RGB (0xf8e45c),
  RGB (0x51a1ff), RGB (0xc061cb), RGB (0x4fd2fd), RGB (0xf6f5f4),
};

static const GdkRGBA black = RGB (0x000000);
static const GdkRGBA white = RGB (0xffffff);

static double
linear (float channel)
{
  return channel <= 0.03928f ? channel / 12.92 : pow ((channel + 0.055) / 1.055, 2.4);
}

static double
luminance (const GdkRGBA *rgba)
{
  return 0.2126 * linear (rgba->red) + 0.7152 * linear (rgba->green) + 0.0722 * linear (rgba->blue);
}

double
fh_output_palette_contrast (const GdkRGBA *a, const GdkRGBA *b)
{
  double first, second;

  g_return_val_if_fail (a != NULL && b != NULL, 1);

  first = luminance (a);
  second = luminance (b);
  return (MAX (first, second) + 0.05) / (MIN (first, second) + 0.05);
}

void
fh_output_palette_base (gboolean dark, GdkRGBA *background, GdkRGBA *text)
{
  g_return_if_fail (background != NULL && text != NULL);

  *background = dark ? (GdkRGBA) RGB (0x1e1e1e) : white;
  *text = dark ? white : (GdkRGBA) RGB (0x333333);
}

void
fh_output_palette_text (gboolean dark, int color, GdkRGBA *rgba)
{
  g_return_if_fail (color >= 0 && color < 16);
  g_return_if_fail (rgba != NULL);

  *rgba = dark ? dark_text[color] : light_text[color];
}

void
fh_output_palette_background (int color, GdkRGBA *rgba)
{
  g_return_if_fail (color >= 0 && color < 16);
  g_return_if_fail (rgba != NULL);

  *rgba = backgrounds[color];
}

void
fh_output_palette_text_on (gboolean dark, int color, const GdkRGBA *background, GdkRGBA *rgba)
{
  g_return_if_fail (color >= -1 && color < 16);
  g_return_if_fail (background != NULL && rgba != NULL);

  if (color >= 0)
    {
      const GdkRGBA *candidates[] = { &backgrounds[color], &light_text[color], &dark_text[color] };

      for (guint i = 0; i < G_N_ELEMENTS (candidates); i++)
        if (fh_output_palette_contrast (candidates[i], background) >=
            FH_OUTPUT_PALETTE_MIN_CONTRAST)
          {
            *rgba = *candidates[i];
            return;
          }
    }
  *rgba = fh_output_palette_contrast (&black, background) >=
                  fh_output_palette_contrast (&white, background)
              ? black
              : white;
}
