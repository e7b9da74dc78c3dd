/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The control sequence that sets colours and weights. Colours of the 256 and of the RGB kind are
 * folded to the nearest of the 16 named ones, by the distance to xterm's values of those.
 */
#include "ansi-sgr.h"

typedef struct
{
  guint8 red;
  guint8 green;
  guint8 blue;
} Color;

static const Color palette[16] = {
  { 0, 0, 0 },       { 205, 0, 0 },   { 0, 205, 0 },   { 205, 205, 0 },
  { 0, 0, 238 },     { 205, 0, 205 }, { 0, 205, 205 }, { 229, 229, 229 },
  { 127, 127, 127 }, { 255, 0, 0 },   { 0, 255, 0 },   { 255, 255, 0 },
  { 92, 92, 255 },   { 255, 0, 255 }, { 0, 255, 255 }, { 255, 255, 255 },
};

static gint8
nearest_of_16 (Color color)
{
  int best_distance = G_MAXINT;
  gint8 best = 0;

  for (gint8 i = 0; i < 16; i++)
    {
      int red = color.red - palette[i].red;
      int green = color.green - palette[i].green;
      int blue = color.blue - palette[i].blue;
      int distance = red * red + green * green + blue * blue;

      if (distance < best_distance)
        {
          best_distance = distance;
          best = i;
        }
    }
  return best;
}

/* The 16 named colours, a cube of 6 × 6 × 6, and 24 greys. */
static gint8
fold_256 (guint index)
{
  static const guint8 steps[6] = { 0, 95, 135, 175, 215, 255 };
  guint8 grey;

  if (index < 16)
    return (gint8) index;
  if (index < 232)
    {
      index -= 16;
      return nearest_of_16 ((Color){ steps[index / 36], steps[index / 6 % 6], steps[index % 6] });
    }
  grey = (guint8) (8 + 10 * (index - 232));
  return nearest_of_16 ((Color){ grey, grey, grey });
}

static gint8
fold_rgb (const guint16 *values)
{
  return nearest_of_16 ((Color){ (guint8) MIN (values[0], 255),
                                 (guint8) MIN (values[1], 255),
                                 (guint8) MIN (values[2], 255) });
}

/* How many values after `at` are joined to it by colons. */
static guint
count_joined (const FhAnsiParameters *parameters, guint at, guint count)
{
  guint joined = 0;

  while (at + joined + 1 < count && (parameters->colons >> (at + joined + 1) & 1))
    joined++;
  return joined;
}

/* Reads "5;n", "2;r;g;b" or the same with colons, where an empty colour space may stand before
 * the r, from behind a 38, 48 or 58 at `at`. `*color` stays when it is none of these. Returns how
 * many values belong to it. */
static guint
read_color (const FhAnsiParameters *parameters, guint at, guint count, gint8 *color)
{
  const guint16 *values = parameters->values + at + 1;
  guint joined = count_joined (parameters, at, count);
  guint available = joined > 0 ? joined : count - at - 1;

  if (available >= 2 && values[0] == 5)
    {
      if (values[1] <= 255)
        *color = fold_256 (values[1]);
      return joined > 0 ? joined : 2;
    }
  if (available >= 4 && values[0] == 2)
    {
      *color = fold_rgb (values + (joined > 4 ? 2 : 1));
      return joined > 0 ? joined : 4;
    }
  return available;
}

static void
apply_simple (FhAnsiStyle *style, guint value)
{
  if (value >= 30 && value <= 37)
    style->foreground = (gint8) (value - 30);
  else if (value >= 40 && value <= 47)
    style->background = (gint8) (value - 40);
  else if (value >= 90 && value <= 97)
    style->foreground = (gint8) (value - 90 + 8);
  else if (value >= 100 && value <= 107)
    style->background = (gint8) (value - 100 + 8);
  else if (value == 39)
    style->foreground = FH_ANSI_DEFAULT;
  else if (value == 49)
    style->background = FH_ANSI_DEFAULT;
  else if (value == 0)
    *style = (FhAnsiStyle){ .foreground = FH_ANSI_DEFAULT, .background = FH_ANSI_DEFAULT };
  else if (value == 1)
    style->bold = TRUE;
  else if (value == 2)
    style->dim = TRUE;
  else if (value == 22)
    style->bold = style->dim = FALSE;
  else if (value == 3 || value == 23)
    style->italic = value == 3;
  else if (value == 4 || value == 21 || value == 24)
    style->underline = value != 24;
  else if (value == 7 || value == 27)
    style->inverse = value == 7;
  else if (value == 9 || value == 29)
    style->strike = value == 9;
}

void
fh_ansi_sgr_apply (FhAnsiStyle *style, const FhAnsiParameters *parameters)
{
  guint count = MIN (parameters->count, FH_ANSI_MAX_PARAMETERS);
  gint8 underline_color = FH_ANSI_DEFAULT;

  for (guint i = 0; i < count; i++)
    {
      guint value = parameters->values[i];
      guint joined = count_joined (parameters, i, count);

      if (value == 38)
        i += read_color (parameters, i, count, &style->foreground);
      else if (value == 48)
        i += read_color (parameters, i, count, &style->background);
      else if (value == 58)
        i += read_color (parameters, i, count, &underline_color);
      else if (value == 4 && joined > 0)
        style->underline = parameters->values[i + 1] != 0;
      else
        apply_simple (style, value);
      if (value != 38 && value != 48 && value != 58)
        i += joined;
    }
}

gboolean
fh_ansi_style_equal (const FhAnsiStyle *a, const FhAnsiStyle *b)
{
  return a->foreground == b->foreground && a->background == b->background && a->bold == b->bold &&
         a->dim == b->dim && a->italic == b->italic && a->underline == b->underline &&
         a->strike == b->strike && a->inverse == b->inverse;
}

gboolean
fh_ansi_style_is_plain (const FhAnsiStyle *style)
{
  return fh_ansi_style_equal (
      style,
      &(const FhAnsiStyle){ .foreground = FH_ANSI_DEFAULT, .background = FH_ANSI_DEFAULT });
}
