/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "terminal-filter.h"

#include <string.h>

#include "ansi-parser.h"

#define REPLACEMENT "\uFFFD"

/* FhAnsiParser passes these on for "erase to the end of the line" and "erase the line". */
#define ERASE_REST 0x0b
#define ERASE_LINE 0x0c

struct _FhTerminalFilter
{
  FhAnsiParser *parser;
  FhAnsiStyle shown; /* the style of the terminal after what was written */
  gboolean has_colors;
};

typedef struct
{
  FhTerminalFilter *filter;
  GString *out;
} Target;

static const FhAnsiStyle plain = { .foreground = FH_ANSI_DEFAULT, .background = FH_ANSI_DEFAULT };

static void
append_color (GString *out, int color, int normal, int bright)
{
  if (color != FH_ANSI_DEFAULT)
    g_string_append_printf (out, ";%d", color < 8 ? normal + color : bright + color - 8);
}

/* Starts with a reset, because some weights cannot be switched off alone. */
static void
append_style (GString *out, const FhAnsiStyle *style)
{
  const struct
  {
    gboolean is_on;
    const char *code;
  } weights[] = {
    { style->bold, ";1" },      { style->dim, ";2" },     { style->italic, ";3" },
    { style->underline, ";4" }, { style->inverse, ";7" }, { style->strike, ";9" },
  };

  g_string_append (out, "\x1b[0");
  for (guint i = 0; i < G_N_ELEMENTS (weights); i++)
    {
      if (weights[i].is_on)
        g_string_append (out, weights[i].code);
    }
  append_color (out, style->foreground, 30, 90);
  append_color (out, style->background, 40, 100);
  g_string_append_c (out, 'm');
}

static void
change_style (FhTerminalFilter *filter, const FhAnsiStyle *style, GString *out)
{
  if (!filter->has_colors || fh_ansi_style_equal (style, &filter->shown))
    return;
  append_style (out, style);
  filter->shown = *style;
}

/* Handles a special character at `at` and returns its size, or 0 if there is none. */
static gsize
append_special (FhTerminalFilter *filter, const char *at, gsize size, GString *out)
{
  static const char *const signs[] = { FH_TERMINAL_SIGN, FH_TERMINAL_SIGN_ALIKE };

  if (*at == ERASE_REST || *at == ERASE_LINE)
    {
      if (filter->has_colors)
        g_string_append (out, *at == ERASE_REST ? "\x1b[K" : "\x1b[2K");
      return 1;
    }
  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    {
      if (size >= strlen (signs[i]) && memcmp (at, signs[i], strlen (signs[i])) == 0)
        {
          g_string_append (out, REPLACEMENT);
          return strlen (signs[i]);
        }
    }
  return 0;
}

static void
text_cb (const char *text, gsize size, const FhAnsiStyle *style, gpointer data)
{
  Target *target = data;
  const char *end = text + size;
  const char *from = text;

  change_style (target->filter, style, target->out);
  for (const char *at = text; at < end;)
    {
      gsize length = 0;

      if (*at == ERASE_REST || *at == ERASE_LINE || *at == FH_TERMINAL_SIGN[0] ||
          *at == FH_TERMINAL_SIGN_ALIKE[0])
        {
          g_string_append_len (target->out, from, at - from);
          from = at;
          length = append_special (target->filter, at, (gsize) (end - at), target->out);
          from += length;
        }
      at += MAX (length, 1);
    }
  g_string_append_len (target->out, from, end - from);
}

FhTerminalFilter *
fh_terminal_filter_new (gboolean has_colors)
{
  FhTerminalFilter *filter = g_new0 (FhTerminalFilter, 1);

  filter->parser = fh_ansi_parser_new ();
  filter->shown = plain;
  filter->has_colors = has_colors;
  return filter;
}

void
fh_terminal_filter_free (FhTerminalFilter *filter)
{
  if (filter == NULL)
    return;
  fh_ansi_parser_free (filter->parser);
  g_free (filter);
}

void
fh_terminal_filter_feed (FhTerminalFilter *filter, const void *bytes, gsize size, GString *out)
{
  g_return_if_fail (filter != NULL);
  g_return_if_fail (bytes != NULL || size == 0);
  g_return_if_fail (out != NULL);

  fh_ansi_parser_feed (filter->parser, bytes, size, text_cb, &(Target){ filter, out });
  change_style (filter, &plain, out);
}

void
fh_terminal_filter_finish (FhTerminalFilter *filter, GString *out)
{
  g_return_if_fail (filter != NULL);
  g_return_if_fail (out != NULL);

  fh_ansi_parser_finish (filter->parser, text_cb, &(Target){ filter, out });
  change_style (filter, &plain, out);
}
