/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The styled text of a program's output: valid, without controls, in lines of bounded length, and
 * the same however the bytes arrive. */
#include "fuzz-target.h"
#include "text-lines.h"

#include <string.h>

typedef struct
{
  FhTextLines *lines;
  GString *text; /* each character behind its style */
  guint columns;
} Screen;

static void
check_text (const char *text, gsize size, const char *allowed)
{
  g_assert (size > 0);
  g_assert (g_utf8_validate (text, (gssize) size, NULL));
  for (gsize i = 0; i < size; i++)
    if ((guchar) text[i] < 0x20 || text[i] == 0x7f)
      g_assert (strchr (allowed, text[i]) != NULL);
}

static void
add_run (const char *text, gsize size, const FhAnsiStyle *style, gpointer data)
{
  Screen *screen = data;

  check_text (text, size, "\n\t");
  g_assert (style->foreground >= FH_ANSI_DEFAULT && style->foreground < 16);
  g_assert (style->background >= FH_ANSI_DEFAULT && style->background < 16);
  for (gsize i = 0; i < size; i++)
    {
      guchar byte = (guchar) text[i];

      screen->columns += (byte & 0xc0) != 0x80;
      if (byte == '\n')
        screen->columns = 0;
      /* One more for the mark where a line was cut. */
      g_assert (screen->columns <= FH_TEXT_LINES_MAX_COLUMNS + 1);
      g_string_append_c (screen->text, (char) style->foreground);
      g_string_append_c (screen->text, (char) style->background);
      g_string_append_c (screen->text,
                         (char) (style->bold | style->dim << 1 | style->italic << 2 |
                                 style->underline << 3 | style->strike << 4 | style->inverse << 5));
      g_string_append_c (screen->text, text[i]);
    }
}

static void
add_text (const char *text, gsize size, const FhAnsiStyle *style, gpointer data)
{
  Screen *screen = data;

  check_text (text, size, "\n\r\t\b\v\f");
  fh_text_lines_feed (screen->lines, text, size, style, add_run, screen);
}

static GString *
lay_out (const uint8_t *data, size_t size, size_t piece)
{
  g_autoptr (FhAnsiParser) parser = fh_ansi_parser_new ();
  g_autoptr (FhTextLines) lines = fh_text_lines_new ();
  Screen screen = { .lines = lines, .text = g_string_new (NULL) };

  for (size_t at = 0; at < size; at += piece)
    fh_ansi_parser_feed (parser, data + at, MIN (piece, size - at), add_text, &screen);
  fh_ansi_parser_finish (parser, add_text, &screen);
  fh_text_lines_open_line (lines, add_run, &screen);
  return screen.text;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  GString *whole = lay_out (data, size, MAX (size, 1));
  GString *pieces = lay_out (data, size, size > 0 ? 1 + data[size / 2] % 7 : 1);

  g_assert (g_string_equal (whole, pieces));
  g_string_free (whole, TRUE);
  g_string_free (pieces, TRUE);
  return 0;
}
