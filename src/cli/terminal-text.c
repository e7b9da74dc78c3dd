/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "terminal-text.h"

#include <string.h>

#include "terminal-filter.h"

/* Scripts and emoji need them, and they affect only the characters next to them. */
static gboolean
is_joiner (gunichar c)
{
  return c == 0x200c || c == 0x200d;
}

static gboolean
is_safe (gunichar c)
{
  GUnicodeType type = g_unichar_type (c);

  if (c == g_utf8_get_char (FH_TERMINAL_SIGN) || c == g_utf8_get_char (FH_TERMINAL_SIGN_ALIKE))
    return FALSE;
  if (type == G_UNICODE_FORMAT)
    return is_joiner (c);
  return type != G_UNICODE_CONTROL && type != G_UNICODE_LINE_SEPARATOR &&
         type != G_UNICODE_PARAGRAPH_SEPARATOR;
}

static void
append_character (GString *text, gunichar c, gboolean keep_lines)
{
  if (is_safe (c) || (keep_lines && (c == '\n' || c == '\t')))
    g_string_append_unichar (text, c);
  else if (c < 0x100)
    g_string_append_printf (text, "\\x%02x", c);
  else if (c < 0x10000)
    g_string_append_printf (text, "\\u%04x", c);
  else
    g_string_append_printf (text, "\\U%08x", c);
}

static char *
make_safe (const char *bytes, gsize size, gboolean keep_lines)
{
  GString *text = g_string_sized_new (size + 1);
  /* C forbids to add even 0 to NULL, which no bytes may be. */
  const char *end = size > 0 ? bytes + size : bytes;

  while (bytes < end)
    {
      gunichar c = g_utf8_get_char_validated (bytes, end - bytes);

      /* GLib takes NUL for the end of the text. */
      if (*bytes == '\0' || c == (gunichar) -1 || c == (gunichar) -2)
        {
          g_string_append_printf (text, "\\x%02x", (guint) (guint8) *bytes);
          bytes++;
          continue;
        }
      append_character (text, c, keep_lines);
      bytes = g_utf8_next_char (bytes);
    }
  return g_string_free (text, FALSE);
}

char *
fh_terminal_text (const void *bytes, gsize size)
{
  g_return_val_if_fail (bytes != NULL || size == 0, NULL);

  return make_safe (bytes, size, TRUE);
}

char *
fh_terminal_line (const char *text)
{
  g_return_val_if_fail (text != NULL, NULL);

  return make_safe (text, strlen (text), FALSE);
}

void
fh_terminal_append_cell (GString *text, const char *word, glong width)
{
  glong n = g_utf8_strlen (word, -1);

  g_string_append_printf (text, "%s%*s", word, (int) MAX (width - n, 2), "");
}
