/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "readable-text.h"

#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */
#define NUL_PICTURE "\xe2\x90\x80" /* U+2400 */

char *
fh_valid_text_new (const void *bytes, gsize size)
{
  const char *rest = bytes;
  GString *text = g_string_sized_new (size + 1);

  while (size > 0)
    {
      const char *invalid;
      gsize valid;

      /* g_utf8_validate_len treats a NUL as an invalid byte, so both end a valid part. */
      g_utf8_validate_len (rest, size, &invalid);
      valid = (gsize) (invalid - rest);
      g_string_append_len (text, rest, (gssize) valid);
      if (valid == size)
        break;
      g_string_append (text, *invalid == '\0' ? NUL_PICTURE : REPLACEMENT);
      rest = invalid + 1;
      size -= valid + 1;
    }
  return g_string_free (text, FALSE);
}

gboolean
fh_valid_text_check (const void *bytes, gsize size)
{
  return size == 0 || g_utf8_validate_len (bytes, size, NULL);
}

static gboolean
is_readable (gunichar character)
{
  GUnicodeType type = g_unichar_type (character);

  return g_unichar_isprint (character) && type != G_UNICODE_FORMAT &&
         type != G_UNICODE_LINE_SEPARATOR && type != G_UNICODE_PARAGRAPH_SEPARATOR;
}

/* The three controls that people know are written as programs write them. */
static void
append_escape (GString *readable, gunichar character)
{
  if (character == '\n')
    g_string_append (readable, "\\n");
  else if (character == '\r')
    g_string_append (readable, "\\r");
  else if (character == '\t')
    g_string_append (readable, "\\t");
  else
    g_string_append_printf (readable, "\\u%04x", character);
}

char *
fh_readable_text_new (const void *bytes, gsize size)
{
  g_autofree char *text = fh_valid_text_new (bytes, size);
  GString *readable = g_string_sized_new (size);

  for (const char *at = text; *at != '\0'; at = g_utf8_next_char (at))
    {
      gunichar character = g_utf8_get_char (at);

      if (is_readable (character))
        g_string_append_unichar (readable, character);
      else
        append_escape (readable, character);
    }
  return g_string_free (readable, FALSE);
}

void
fh_readable_text_append (GString *text, const char *at, const char *end, const char *tab)
{
  while (at < end)
    {
      const char *found = memchr (at, '\t', (gsize) (end - at));
      const char *stop = found != NULL ? found : end;
      g_autofree char *part = fh_readable_text_new (at, (gsize) (stop - at));

      g_string_append (text, part);
      if (found != NULL)
        g_string_append (text, tab);
      at = found != NULL ? found + 1 : end;
    }
}
