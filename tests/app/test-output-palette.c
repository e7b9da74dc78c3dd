/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever two colours a program pairs, in light and in dark, the text can be read. */
#include "output/output-palette.h"

static void
test_on_pane (gconstpointer data)
{
  gboolean dark = GPOINTER_TO_INT (data);
  GdkRGBA background, text;

  fh_output_palette_base (dark, &background, &text);
  g_assert_cmpfloat (fh_output_palette_contrast (&text, &background), >=, 7);
  for (int color = 0; color < 16; color++)
    {
      fh_output_palette_text (dark, color, &text);
      g_assert_cmpfloat (fh_output_palette_contrast (&text, &background),
                         >=,
                         FH_OUTPUT_PALETTE_MIN_CONTRAST);
    }
}

static void
test_pairs (gconstpointer data)
{
  gboolean dark = GPOINTER_TO_INT (data);

  for (int behind = 0; behind < 16; behind++)
    for (int color = -1; color < 16; color++)
      {
        GdkRGBA background, text;

        fh_output_palette_background (behind, &background);
        fh_output_palette_text_on (dark, color, &background, &text);
        g_assert_cmpfloat (fh_output_palette_contrast (&text, &background),
                           >=,
                           FH_OUTPUT_PALETTE_MIN_CONTRAST);
        /* Inverse video: a text colour is behind. */
        fh_output_palette_text (dark, behind, &background);
        fh_output_palette_text_on (dark, color, &background, &text);
        g_assert_cmpfloat (fh_output_palette_contrast (&text, &background),
                           >=,
                           FH_OUTPUT_PALETTE_MIN_CONTRAST);
      }
}

/* The definition's own examples. */
static void
test_contrast (void)
{
  const GdkRGBA black = { 0, 0, 0, 1 };
  const GdkRGBA white = { 1, 1, 1, 1 };
  const GdkRGBA grey = { 0x76 / 255.f, 0x76 / 255.f, 0x76 / 255.f, 1 };

  g_assert_cmpfloat_with_epsilon (fh_output_palette_contrast (&black, &white), 21, 0.001);
  g_assert_cmpfloat_with_epsilon (fh_output_palette_contrast (&white, &white), 1, 0.001);
  g_assert_cmpfloat_with_epsilon (fh_output_palette_contrast (&grey, &white), 4.54, 0.01);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/palette/contrast", test_contrast);
  g_test_add_data_func ("/palette/on-light", GINT_TO_POINTER (FALSE), test_on_pane);
  g_test_add_data_func ("/palette/on-dark", GINT_TO_POINTER (TRUE), test_on_pane);
  g_test_add_data_func ("/palette/pairs-light", GINT_TO_POINTER (FALSE), test_pairs);
  g_test_add_data_func ("/palette/pairs-dark", GINT_TO_POINTER (TRUE), test_pairs);
  return g_test_run ();
}
