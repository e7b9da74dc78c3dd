/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The open line is an array of cells and a cursor. Every code point takes one cell, combining ones
 * too, so that the size of a line is bounded; a tab is one cell, so that it can be copied from the
 * output.
 *
 * Most output is whole lines without cursor movement, which bypass the cells.
 */
#include "text-lines.h"

#include <string.h>

/* U+21A9, dim: the program did not write this. */
#define CUT_MARK "\xe2\x86\xa9\n"

typedef struct
{
  char bytes[4]; /* one character; its first byte gives its size */
  FhAnsiStyle style;
} Cell;

struct _FhTextLines
{
  guint length; /* cells in use */
  guint column; /* where the next character goes; may be after the end following \f */
  Cell cells[FH_TEXT_LINES_MAX_COLUMNS];
};

static const FhAnsiStyle plain_style = { FH_ANSI_DEFAULT, FH_ANSI_DEFAULT };
static const FhAnsiStyle mark_style = { FH_ANSI_DEFAULT, FH_ANSI_DEFAULT, .dim = TRUE };

/* Bytes of a character by its first byte. One that cannot come first counts as one byte. */
static gsize
character_size (guint8 lead)
{
  return lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

static gboolean
moves_or_erases (guint8 byte)
{
  return byte == '\r' || byte == '\b' || byte == '\v' || byte == '\f';
}

/* Outputs the cells in runs of one style. `end` is appended to the last one: "" or "\n". */
static void
emit_cells (const FhTextLines *lines,
            const char *end,
            const FhAnsiStyle *end_style,
            FhTextRunFunc func,
            gpointer data)
{
  char text[FH_TEXT_LINES_MAX_COLUMNS * 4 + 1];
  const FhAnsiStyle *style = NULL;
  gsize size = 0;

  for (guint i = 0; i < lines->length; i++)
    {
      const Cell *cell = &lines->cells[i];
      gsize n = character_size ((guint8) cell->bytes[0]);

      if (size > 0 && !fh_ansi_style_equal (style, &cell->style))
        {
          func (text, size, style, data);
          size = 0;
        }
      style = &cell->style;
      memcpy (text + size, cell->bytes, n);
      size += n;
    }
  if (size > 0 && *end != '\0' && !fh_ansi_style_equal (style, end_style))
    {
      func (text, size, style, data);
      size = 0;
    }
  if (*end != '\0')
    {
      style = end_style;
      text[size++] = *end;
    }
  if (size > 0)
    func (text, size, style, data);
}

static void
clear (FhTextLines *lines)
{
  lines->length = 0;
  lines->column = 0;
}

/* Writes one character at the cursor; returns its size. */
static gsize
put_character (FhTextLines *lines,
               const char *text,
               gsize size,
               const FhAnsiStyle *style,
               FhTextRunFunc complete,
               gpointer data)
{
  gsize n = MIN (character_size ((guint8) *text), size);
  Cell *cell;

  if (lines->column == FH_TEXT_LINES_MAX_COLUMNS)
    {
      emit_cells (lines, "", NULL, complete, data);
      complete (CUT_MARK, strlen (CUT_MARK), &mark_style, data);
      clear (lines);
    }
  while (lines->length <= lines->column)
    lines->cells[lines->length++] = (Cell){ .bytes = " ", .style = plain_style };
  cell = &lines->cells[lines->column++];
  *cell = (Cell){ .style = *style };
  memcpy (cell->bytes, text, n);
  return n;
}

static gsize
put (FhTextLines *lines,
     const char *text,
     gsize size,
     const FhAnsiStyle *style,
     FhTextRunFunc complete,
     gpointer data)
{
  switch (*text)
    {
    case '\n':
      emit_cells (lines, "\n", style, complete, data);
      clear (lines);
      return 1;
    case '\r':
      lines->column = 0;
      return 1;
    case '\b':
      lines->column -= lines->column > 0;
      return 1;
    case '\v':
      lines->length = MIN (lines->length, lines->column);
      return 1;
    case '\f':
      lines->length = 0;
      return 1;
    default:
      return put_character (lines, text, size, style, complete, data);
    }
}

/* If the open line is empty: outputs all whole lines at the beginning of `text` at once, or a part
 * of a line that is too long. Returns the number of bytes consumed, which may be 0. */
static gsize
pass_whole_lines (const char *text,
                  gsize size,
                  const FhAnsiStyle *style,
                  FhTextRunFunc complete,
                  gpointer data)
{
  gsize whole = 0;
  guint column = 0;

  for (gsize at = 0; at < size && column <= FH_TEXT_LINES_MAX_COLUMNS; at++)
    {
      guint8 byte = (guint8) text[at];

      if (byte >= ' ')
        column += (byte & 0xc0) != 0x80;
      else if (byte == '\n')
        {
          whole = at + 1;
          column = 0;
        }
      else if (moves_or_erases (byte))
        break;
      else
        column++;
      if (column > FH_TEXT_LINES_MAX_COLUMNS && whole == 0)
        {
          complete (text, at, style, data);
          complete (CUT_MARK, strlen (CUT_MARK), &mark_style, data);
          return at;
        }
    }
  if (whole > 0)
    complete (text, whole, style, data);
  return whole;
}

FhTextLines *
fh_text_lines_new (void)
{
  return g_new0 (FhTextLines, 1);
}

void
fh_text_lines_free (FhTextLines *lines)
{
  g_free (lines);
}

void
fh_text_lines_reset (FhTextLines *lines)
{
  g_return_if_fail (lines != NULL);

  clear (lines);
}

void
fh_text_lines_feed (FhTextLines *lines,
                    const char *text,
                    gsize size,
                    const FhAnsiStyle *style,
                    FhTextRunFunc complete,
                    gpointer data)
{
  g_return_if_fail (lines != NULL);
  g_return_if_fail (text != NULL || size == 0);
  g_return_if_fail (style != NULL);
  g_return_if_fail (complete != NULL);

  while (size > 0)
    {
      gsize taken = 0;

      if (lines->length == 0 && lines->column == 0)
        taken = pass_whole_lines (text, size, style, complete, data);
      if (taken == 0)
        taken = put (lines, text, size, style, complete, data);
      text += taken;
      size -= taken;
    }
}

void
fh_text_lines_open_line (FhTextLines *lines, FhTextRunFunc func, gpointer data)
{
  g_return_if_fail (lines != NULL);
  g_return_if_fail (func != NULL);

  emit_cells (lines, "", NULL, func, data);
}
