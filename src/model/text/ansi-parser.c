/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A state machine over the bytes of one stream, like that of the VT500, but for text only. In
 * STATE_TEXT bytes are output; in all other states they belong to an escape sequence and are
 * dropped. A sequence ends at its end, at CAN or SUB, at any byte that cannot be part of it (which
 * then counts as text again), and at a limit, so that an unfinished one cannot hide the rest of the
 * output.
 *
 * Runs of plain bytes are output without a copy; replacements are collected in a sink, so that a
 * stream of NULs does not cost one call per byte.
 */
#include "ansi-parser.h"

#include <string.h>

#define CAN 0x18
#define SUB 0x1a
#define ESC 0x1b

#define REPLACEMENT      "\xef\xbf\xbd" /* U+FFFD */
#define REPLACEMENT_SIZE 3

/* Real control sequences stay under 100 bytes; pictures in device control strings are long. */
#define MAX_SEQUENCE 256
#define MAX_STRING   ((gsize) 1 << 20)

#define MAX_PARAMETERS 32

/* The numbers of one control sequence. A missing one is 0, one that is too large is G_MAXUINT16. */
typedef struct
{
  guint16 values[MAX_PARAMETERS];
  guint32 colons; /* bit n: a colon, not a semicolon, stands before value n */
  guint count;    /* never 0 */
} Parameters;

typedef enum
{
  STATE_TEXT,
  STATE_ESCAPE,       /* after ESC */
  STATE_INTERMEDIATE, /* after ESC and one of SP … / */
  STATE_CONTROL,      /* after ESC [ */
  STATE_STRING,       /* after ESC ] and similar: one line, which BEL may end */
  STATE_DEVICE,       /* after ESC P: may span lines */
} State;

struct _FhAnsiParser
{
  State state;
  gsize swallowed; /* bytes of the present sequence */
  gboolean is_private;
  Parameters parameters;
  FhAnsiStyle style;
  guint8 partial[4]; /* a character whose last bytes have not arrived yet */
  gsize n_partial;
};

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

typedef struct
{
  FhAnsiFunc func;
  gpointer data;
  FhAnsiStyle style;
  gsize size;
  char text[1024];
} Sink;

static void
sink_init (Sink *sink, FhAnsiFunc func, gpointer data)
{
  sink->func = func;
  sink->data = data;
  sink->size = 0;
}

static void
sink_flush (Sink *sink)
{
  if (sink->size > 0)
    sink->func (sink->text, sink->size, &sink->style, sink->data);
  sink->size = 0;
}

static void
sink_put (Sink *sink, const FhAnsiStyle *style, const void *text, gsize size)
{
  if (size == 0)
    return;
  if (sink->size + size > sizeof sink->text || !fh_ansi_style_equal (style, &sink->style))
    sink_flush (sink);
  if (size > sizeof sink->text / 4)
    {
      sink_flush (sink);
      sink->func (text, size, style, sink->data);
      return;
    }
  sink->style = *style;
  memcpy (sink->text + sink->size, text, size);
  sink->size += size;
}

static gboolean
is_plain_byte (guint8 byte)
{
  return (byte >= 0x20 && byte < 0x7f) || byte == '\n' || byte == '\r' || byte == '\t' ||
         byte == '\b';
}

/* Leaves out C1 controls, direction controls, which reorder the text around them, and line and
 * paragraph separators, because only \n ends a line here. */
static gboolean
is_shown (gunichar character)
{
  return !((character >= 0x80 && character <= 0x9f) ||
           (character >= 0x2028 && character <= 0x202e) ||
           (character >= 0x2066 && character <= 0x2069));
}

/* The size of the character at `bytes`, which begin with one over 0x7f. 0: it is cut off. Else
 * minus the size of what is invalid, counted as Unicode recommends (chapter 3.9, "maximal
 * subparts"): as Python's errors="replace" does. */
static int
decode (const guint8 *bytes, gsize size, gunichar *character)
{
  guint8 lead = bytes[0];
  guint8 lower = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  guint8 upper = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  int length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  gunichar value = lead & (0x7f >> length);

  if (lead < 0xc2 || lead > 0xf4)
    return -1;
  for (int i = 1; i < length; i++)
    {
      if ((gsize) i == size)
        return 0;
      if (bytes[i] < lower || bytes[i] > upper)
        return -i;
      lower = 0x80;
      upper = 0xbf;
      value = value << 6 | (bytes[i] & 0x3f);
    }
  *character = value;
  return length;
}

/* The end of the bytes that are output unchanged. */
static const guint8 *
skip_plain (const guint8 *at, const guint8 *end)
{
  while (TRUE)
    {
      gunichar character;
      int length;

      while (at < end && is_plain_byte (*at))
        at++;
      if (at == end || *at < 0x80)
        return at;
      length = decode (at, (gsize) (end - at), &character);
      if (length <= 0 || !is_shown (character))
        return at;
      at += length;
    }
}

static void
put_control_picture (FhAnsiParser *parser, Sink *sink, guint8 byte)
{
  /* U+2400 and the 31 after it; U+2421 for DEL. */
  char picture[3] = { '\xe2', '\x90', (char) (0x80 + (byte == 0x7f ? 0x21 : byte)) };

  sink_put (sink, &parser->style, picture, sizeof picture);
}

/* One character that is replaced, or the beginning of one. */
static const guint8 *
read_special (FhAnsiParser *parser, Sink *sink, const guint8 *at, const guint8 *end)
{
  gunichar character;
  int length;

  if (*at < 0x80)
    {
      put_control_picture (parser, sink, *at);
      return at + 1;
    }
  length = decode (at, (gsize) (end - at), &character);
  if (length == 0)
    {
      parser->n_partial = (gsize) (end - at);
      memcpy (parser->partial, at, parser->n_partial);
      return end;
    }
  sink_put (sink, &parser->style, REPLACEMENT, REPLACEMENT_SIZE);
  return at + ABS (length);
}

/* Adds one byte to a character that was cut off; a byte that does not belong to it is left. */
static const guint8 *
read_partial (FhAnsiParser *parser, Sink *sink, const guint8 *at)
{
  gunichar character;
  int length;

  parser->partial[parser->n_partial] = *at;
  length = decode (parser->partial, parser->n_partial + 1, &character);
  if (length == 0)
    {
      parser->n_partial++;
      return at + 1;
    }
  parser->n_partial = 0;
  if (length > 0 && is_shown (character))
    sink_put (sink, &parser->style, parser->partial, (gsize) length);
  else
    sink_put (sink, &parser->style, REPLACEMENT, REPLACEMENT_SIZE);
  return length > 0 ? at + 1 : at;
}

static const guint8 *
read_text (FhAnsiParser *parser, Sink *sink, const guint8 *at, const guint8 *end)
{
  const guint8 *stop;

  if (parser->n_partial > 0)
    return read_partial (parser, sink, at);
  stop = skip_plain (at, end);
  sink_put (sink, &parser->style, at, (gsize) (stop - at));
  if (stop == end)
    return end;
  if (*stop != ESC)
    return read_special (parser, sink, stop, end);
  parser->state = STATE_ESCAPE;
  parser->swallowed = 0;
  return stop + 1;
}

/* Each of the following takes one byte of a sequence; FALSE: it is not part of it. */

static gboolean
read_escape (FhAnsiParser *parser, guint8 byte)
{
  switch (byte)
    {
    case '[':
      parser->state = STATE_CONTROL;
      parser->is_private = FALSE;
      parser->parameters = (Parameters){ .count = 1 };
      return TRUE;
    case ']': /* operating system command: titles, links, the clipboard */
    case 'X': /* start of string */
    case '^': /* privacy message */
    case '_': /* application program command */
      parser->state = STATE_STRING;
      return TRUE;
    case 'P': /* device control string */
      parser->state = STATE_DEVICE;
      return TRUE;
    default:
      parser->state = byte >= 0x20 && byte <= 0x2f ? STATE_INTERMEDIATE : STATE_TEXT;
      return byte >= 0x20 && byte <= 0x7e;
    }
}

static gboolean
read_intermediate (FhAnsiParser *parser, guint8 byte)
{
  if (byte < 0x20 || byte > 0x2f)
    parser->state = STATE_TEXT;
  return byte >= 0x20 && byte <= 0x7e;
}

static void
read_parameter (Parameters *parameters, guint8 byte)
{
  guint at = parameters->count - 1;

  if (byte != ';' && byte != ':')
    {
      if (at < MAX_PARAMETERS)
        parameters->values[at] =
            (guint16) MIN (parameters->values[at] * 10u + (byte - '0'), G_MAXUINT16);
      return;
    }
  if (at + 1 < MAX_PARAMETERS && byte == ':')
    parameters->colons |= 1u << (at + 1);
  if (at < MAX_PARAMETERS)
    parameters->count++;
}

typedef struct
{
  guint8 red;
  guint8 green;
  guint8 blue;
} Color;

/* Colours of the 256 and of the RGB kind are folded to the nearest of the 16 named ones, by the
 * distance to xterm's values of those. */
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
count_joined (const Parameters *parameters, guint at, guint count)
{
  guint joined = 0;

  while (at + joined + 1 < count && (parameters->colons >> (at + joined + 1) & 1))
    joined++;
  return joined;
}

/* Reads the color that follows a 38, 48 or 58 at `at`: "5;n", "2;r;g;b" or the same with colons.
 * With colons an empty color space may stand before the r. Leaves `*color` alone if there is no
 * such color. Returns how many values belong to it. */
static guint
read_color (const Parameters *parameters, guint at, guint count, gint8 *color)
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

/* Applies "select graphic rendition" (ECMA-48, 8.3.117), which sets colours and weights. What
 * FhAnsiStyle cannot express, such as blinking, is ignored. */
static void
apply_sgr (FhAnsiStyle *style, const Parameters *parameters)
{
  guint count = MIN (parameters->count, MAX_PARAMETERS);
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

static void
end_control (FhAnsiParser *parser, Sink *sink, guint8 byte)
{
  guint16 first = parser->parameters.values[0];

  parser->state = STATE_TEXT;
  if (parser->is_private)
    return;
  if (byte == 'm')
    apply_sgr (&parser->style, &parser->parameters);
  else if (byte == 'K' && (first == 0 || first == 2))
    sink_put (sink, &parser->style, first == 0 ? "\v" : "\f", 1);
}

static gboolean
read_control (FhAnsiParser *parser, Sink *sink, guint8 byte)
{
  if ((byte >= '0' && byte <= '9') || byte == ';' || byte == ':')
    read_parameter (&parser->parameters, byte);
  else if (byte >= 0x20 && byte <= 0x3f)
    parser->is_private = TRUE;
  else if (byte >= 0x40 && byte <= 0x7e)
    end_control (parser, sink, byte);
  else
    return FALSE;
  return TRUE;
}

static gboolean
read_string (FhAnsiParser *parser, guint8 byte)
{
  if (byte == '\n' && parser->state == STATE_STRING)
    return FALSE;
  if (byte == '\a' && parser->state == STATE_STRING)
    parser->state = STATE_TEXT;
  return TRUE;
}

static const guint8 *
read_sequence (FhAnsiParser *parser, Sink *sink, const guint8 *at)
{
  gboolean in_string = parser->state == STATE_STRING || parser->state == STATE_DEVICE;
  gboolean taken = FALSE;

  /* The end of a string, ESC \, is an escape sequence of its own that does nothing. */
  if (*at == ESC || *at == CAN || *at == SUB)
    {
      parser->state = *at == ESC ? STATE_ESCAPE : STATE_TEXT;
      parser->swallowed = 0;
      return at + 1;
    }
  if (parser->swallowed++ == (in_string ? MAX_STRING : MAX_SEQUENCE))
    taken = FALSE;
  else if (in_string)
    taken = read_string (parser, *at);
  else if (parser->state == STATE_ESCAPE)
    taken = read_escape (parser, *at);
  else if (parser->state == STATE_INTERMEDIATE)
    taken = read_intermediate (parser, *at);
  else
    taken = read_control (parser, sink, *at);
  if (taken)
    return at + 1;
  parser->state = STATE_TEXT;
  return at;
}

FhAnsiParser *
fh_ansi_parser_new (void)
{
  FhAnsiParser *parser = g_new (FhAnsiParser, 1);

  fh_ansi_parser_reset (parser);
  return parser;
}

void
fh_ansi_parser_free (FhAnsiParser *parser)
{
  g_free (parser);
}

void
fh_ansi_parser_reset (FhAnsiParser *parser)
{
  g_return_if_fail (parser != NULL);

  *parser = (FhAnsiParser){
    .state = STATE_TEXT,
    .style = { .foreground = FH_ANSI_DEFAULT, .background = FH_ANSI_DEFAULT },
  };
}

void
fh_ansi_parser_feed (FhAnsiParser *parser,
                     const void *bytes,
                     gsize size,
                     FhAnsiFunc func,
                     gpointer data)
{
  const guint8 *at = bytes;
  const guint8 *end = at + size;
  Sink sink;

  g_return_if_fail (parser != NULL);
  g_return_if_fail (bytes != NULL || size == 0);
  g_return_if_fail (func != NULL);

  sink_init (&sink, func, data);
  while (at < end)
    at = parser->state == STATE_TEXT ? read_text (parser, &sink, at, end)
                                     : read_sequence (parser, &sink, at);
  sink_flush (&sink);
}

void
fh_ansi_parser_finish (FhAnsiParser *parser, FhAnsiFunc func, gpointer data)
{
  g_return_if_fail (parser != NULL);
  g_return_if_fail (func != NULL);

  if (parser->n_partial > 0)
    func (REPLACEMENT, REPLACEMENT_SIZE, &parser->style, data);
  parser->n_partial = 0;
  parser->state = STATE_TEXT;
}
