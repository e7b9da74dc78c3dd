/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "output/output-styles.h"

#include <adwaita.h>

#include "output/output-palette.h"

#include "parts/calls.h"

#define N_COLORS 17 /* the 16 named ones and the default */

typedef enum
{
  EMPHASIS_BOLD,
  EMPHASIS_DIM,
  EMPHASIS_ITALIC,
  EMPHASIS_UNDERLINE,
  EMPHASIS_STRIKE,
  N_EMPHASES,
} Emphasis;

struct _FhOutputStyles
{
  GObject parent_instance;
  GtkTextTagTable *table;
  GtkTextTag *meanings[FH_N_OUTPUT_TAGS]; /* owned by the table */
  GtkTextTag *emphases[N_EMPHASES];       /* owned by the table */
  /* NULL until used; the indices: whether they are swapped, foreground, background */
  GtkTextTag *pairs[2][N_COLORS][N_COLORS];
  gboolean dark;
};

G_DEFINE_FINAL_TYPE (FhOutputStyles, fh_output_styles, G_TYPE_OBJECT)

static GtkTextTag *
add_tag (FhOutputStyles *self)
{
  g_autoptr (GtkTextTag) tag = gtk_text_tag_new (NULL);

  gtk_text_tag_table_add (self->table, tag);
  return tag;
}

/* Colors are -1 (the default) to 15. */
static void
paint_pair (FhOutputStyles *self, GtkTextTag *tag, int foreground, int background, gboolean inverse)
{
  GdkRGBA base_background, base_text, behind, text;

  fh_output_palette_base (self->dark, &base_background, &base_text);
  if (inverse)
    {
      if (foreground >= 0)
        fh_output_palette_text (self->dark, foreground, &behind);
      else
        behind = base_text;
      fh_output_palette_text_on (self->dark, background, &behind, &text);
    }
  else if (background >= 0)
    {
      fh_output_palette_background (background, &behind);
      fh_output_palette_text_on (self->dark, foreground, &behind, &text);
    }
  else
    {
      fh_output_palette_text (self->dark, foreground, &text);
      g_object_set (tag, "foreground-rgba", &text, NULL);
      return;
    }
  g_object_set (tag, "foreground-rgba", &text, "background-rgba", &behind, NULL);
}

static GtkTextTag *
pair_tag (FhOutputStyles *self, int foreground, int background, gboolean inverse)
{
  GtkTextTag **tag = &self->pairs[inverse != FALSE][foreground + 1][background + 1];

  if (*tag == NULL)
    {
      *tag = add_tag (self);
      /* Links, matches and emphasis stay visible on any colour. */
      gtk_text_tag_set_priority (*tag, 1);
      paint_pair (self, *tag, foreground, background, inverse);
    }
  return *tag;
}

static void
repaint_pairs (FhOutputStyles *self)
{
  for (int inverse = 0; inverse < 2; inverse++)
    for (int foreground = -1; foreground < 16; foreground++)
      for (int background = -1; background < 16; background++)
        {
          GtkTextTag *tag = self->pairs[inverse][foreground + 1][background + 1];

          if (tag != NULL)
            paint_pair (self, tag, foreground, background, inverse);
        }
}

/* A background across the whole line: programs can only colour text. */
static void
repaint_cells (FhOutputStyles *self)
{
  GdkRGBA color, text;

  fh_output_palette_base (self->dark, &color, &text);
  color = text;
  color.alpha = 0.08F;
  g_object_set (self->meanings[FH_OUTPUT_TAG_HEADING], "paragraph-background-rgba", &color, NULL);
  fh_output_palette_text (self->dark, 5, &color);
  g_object_set (self->meanings[FH_OUTPUT_TAG_VALUE], "foreground-rgba", &color, NULL);
  fh_output_palette_text (self->dark, 8, &color);
  g_object_set (self->meanings[FH_OUTPUT_TAG_ENDING], "foreground-rgba", &color, NULL);
}

static void
repaint_meanings (FhOutputStyles *self)
{
  static const char *const matches[] = { "#f9f06b", "#865e3c" }; /* light, dark */
  static const char *const current_matches[] = { "#ffbe6f", "#e5a50a" };
  GdkRGBA color, background, text;

  fh_output_styles_get_stderr_color (self, &color);
  g_object_set (self->meanings[FH_OUTPUT_TAG_STDERR], "foreground-rgba", &color, NULL);
  repaint_cells (self);
  fh_output_palette_text (self->dark, 4, &color);
  g_object_set (self->meanings[FH_OUTPUT_TAG_LINK], "foreground-rgba", &color, NULL);
  for (guint tag = FH_OUTPUT_TAG_MATCH; tag <= FH_OUTPUT_TAG_CURRENT_MATCH; tag++)
    {
      gdk_rgba_parse (&background,
                      tag == FH_OUTPUT_TAG_MATCH ? matches[self->dark]
                                                 : current_matches[self->dark]);
      fh_output_palette_text_on (self->dark, -1, &background, &text);
      g_object_set (self->meanings[tag],
                    "background-rgba",
                    &background,
                    "foreground-rgba",
                    &text,
                    NULL);
    }
  fh_output_palette_text (self->dark, 8, &color);
  g_object_set (self->emphases[EMPHASIS_DIM], "foreground-rgba", &color, NULL);
}

static void
follow_theme (FhOutputStyles *self)
{
  self->dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  repaint_pairs (self);
  repaint_meanings (self);
}

static void
fh_output_styles_finalize (GObject *object)
{
  g_object_unref (FH_OUTPUT_STYLES (object)->table);
  G_OBJECT_CLASS (fh_output_styles_parent_class)->finalize (object);
}

static void
fh_output_styles_class_init (FhOutputStylesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fh_output_styles_finalize;
}

static void
fh_output_styles_init (FhOutputStyles *self)
{
  self->table = gtk_text_tag_table_new ();
  /* Later tags override earlier ones; see pair_tag() for pairs of colors. */
  for (guint i = FH_OUTPUT_TAG_STDERR; i < FH_OUTPUT_TAG_LINK; i++)
    self->meanings[i] = add_tag (self);
  for (guint i = 0; i < N_EMPHASES; i++)
    self->emphases[i] = add_tag (self);
  for (guint i = FH_OUTPUT_TAG_LINK; i < FH_N_OUTPUT_TAGS; i++)
    self->meanings[i] = add_tag (self);
  /* Only the default color is dimmed: others would be unreadable. */
  gtk_text_tag_set_priority (self->emphases[EMPHASIS_DIM], 1);
  g_object_set (self->emphases[EMPHASIS_BOLD], "weight", PANGO_WEIGHT_BOLD, NULL);
  g_object_set (self->emphases[EMPHASIS_ITALIC], "style", PANGO_STYLE_ITALIC, NULL);
  g_object_set (self->emphases[EMPHASIS_UNDERLINE], "underline", PANGO_UNDERLINE_SINGLE, NULL);
  g_object_set (self->emphases[EMPHASIS_STRIKE], "strikethrough", TRUE, NULL);
  g_object_set (self->meanings[FH_OUTPUT_TAG_HEADING],
                "weight",
                PANGO_WEIGHT_BOLD,
                "pixels-above-lines",
                6,
                NULL);
  g_object_set (self->meanings[FH_OUTPUT_TAG_ENDING], "scale", PANGO_SCALE_SMALL, NULL);
  g_object_set (self->meanings[FH_OUTPUT_TAG_LINK], "underline", PANGO_UNDERLINE_SINGLE, NULL);
  fh_connect (adw_style_manager_get_default (), "notify::dark", follow_theme, self);
  follow_theme (self);
}

FhOutputStyles *
fh_output_styles_new (void)
{
  return g_object_new (FH_TYPE_OUTPUT_STYLES, NULL);
}

GtkTextTagTable *
fh_output_styles_get_table (FhOutputStyles *self)
{
  g_return_val_if_fail (FH_IS_OUTPUT_STYLES (self), NULL);

  return self->table;
}

GtkTextTag *
fh_output_styles_get_tag (FhOutputStyles *self, FhOutputTag tag)
{
  g_return_val_if_fail (FH_IS_OUTPUT_STYLES (self), NULL);
  g_return_val_if_fail (tag < FH_N_OUTPUT_TAGS, NULL);

  return self->meanings[tag];
}

guint
fh_output_styles_lookup (FhOutputStyles *self,
                         const FhAnsiStyle *style,
                         GtkTextTag *tags[FH_OUTPUT_STYLES_MAX_TAGS])
{
  guint count = 0;
  gboolean colored;

  g_return_val_if_fail (FH_IS_OUTPUT_STYLES (self), 0);
  g_return_val_if_fail (style != NULL && tags != NULL, 0);

  colored = style->foreground >= 0 || style->background >= 0 || style->inverse;
  if (colored)
    tags[count++] = pair_tag (self,
                              CLAMP (style->foreground, -1, 15),
                              CLAMP (style->background, -1, 15),
                              style->inverse);
  if (style->dim && !colored)
    tags[count++] = self->emphases[EMPHASIS_DIM];
  if (style->bold)
    tags[count++] = self->emphases[EMPHASIS_BOLD];
  if (style->italic)
    tags[count++] = self->emphases[EMPHASIS_ITALIC];
  if (style->underline)
    tags[count++] = self->emphases[EMPHASIS_UNDERLINE];
  if (style->strike)
    tags[count++] = self->emphases[EMPHASIS_STRIKE];
  return count;
}

void
fh_output_styles_get_stderr_color (FhOutputStyles *self, GdkRGBA *rgba)
{
  g_return_if_fail (FH_IS_OUTPUT_STYLES (self));
  g_return_if_fail (rgba != NULL);

  fh_output_palette_text (self->dark, self->dark ? 9 : 1, rgba);
}
