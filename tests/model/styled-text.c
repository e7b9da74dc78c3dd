/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "styled-text.h"

static const FhAnsiStyle plain = { FH_ANSI_DEFAULT, FH_ANSI_DEFAULT };

static const char *const colors[] = { "black", "red",      "green", "yellow", "blue",   "magenta",
                                      "cyan",  "white",    "grey",  "red+",   "green+", "yellow+",
                                      "blue+", "magenta+", "cyan+", "white+" };

void
styled_text_init (StyledText *styled)
{
  styled->text = g_string_new (NULL);
  styled->style = plain;
}

void
styled_text_clear (StyledText *styled)
{
  g_string_free (styled->text, TRUE);
  styled->text = NULL;
}

static void
add_style (GString *text, const FhAnsiStyle *style)
{
  gsize start = text->len;

  if (style->foreground != FH_ANSI_DEFAULT)
    g_string_append_printf (text, " %s", colors[style->foreground]);
  if (style->background != FH_ANSI_DEFAULT)
    g_string_append_printf (text, " on-%s", colors[style->background]);
  g_string_append (text, style->bold ? " bold" : "");
  g_string_append (text, style->dim ? " dim" : "");
  g_string_append (text, style->italic ? " italic" : "");
  g_string_append (text, style->underline ? " underline" : "");
  g_string_append (text, style->strike ? " strike" : "");
  g_string_append (text, style->inverse ? " inverse" : "");
  if (text->len > start)
    text->str[start] = '{';
  else
    g_string_append_c (text, '{');
  g_string_append_c (text, '}');
}

void
styled_text_add (const char *text, gsize size, const FhAnsiStyle *style, gpointer data)
{
  StyledText *styled = data;

  g_assert_cmpuint (size, >, 0);
  g_assert_true (g_utf8_validate (text, (gssize) size, NULL));
  if (!fh_ansi_style_equal (style, &styled->style))
    add_style (styled->text, style);
  styled->style = *style;
  g_string_append_len (styled->text, text, (gssize) size);
}
