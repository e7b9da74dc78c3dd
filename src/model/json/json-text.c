/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json-text.h"

#include <string.h>

/* Everything that needs a closer look begins with one of these bytes: quotes, backslashes, the
 * characters that are escaped here, and fractions. The text between them is only searched. */
#define NOTABLE "\"\\.\x1f\x7f\xc2\xe2"

/* The length of the character at `at` if it must be escaped, else 0. Escaped are U+001F, which
 * json-glib leaves, and what a terminal would interpret: U+007F to U+009F, line separators and
 * direction controls. */
static gsize
length_of_special (const guint8 *at)
{
  if (at[0] == 0x1f || at[0] == 0x7f)
    return 1;
  if (at[0] == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f)
    return 2;
  if (at[0] == 0xe2 && at[1] == 0x80 && at[2] >= 0xa8 && at[2] <= 0xae)
    return 3;
  if (at[0] == 0xe2 && at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9)
    return 3;
  return 0;
}

/* json-glib 1.6 writes 1e22 as 1e+22.0, which is no number: the ".0" behind an exponent goes. */
static gboolean
is_behind_exponent (const char *text, const char *at)
{
  const char *from = at;

  if (at[0] != '.' || at[1] != '0')
    return FALSE;
  while (from > text && g_ascii_isdigit (from[-1]))
    from--;
  return from < at && from - text >= 2 && (from[-1] == '+' || from[-1] == '-') && from[-2] == 'e';
}

char *
fh_json_to_text (JsonNode *node, gboolean pretty)
{
  g_autofree char *text = NULL;
  GString *mended = NULL;
  gboolean in_string = FALSE;
  const char *from;
  gsize length;

  g_return_val_if_fail (node != NULL, NULL);

  text = json_to_string (node, pretty);
  from = text;
  /* Outside strings there is only ASCII without control characters except white space, so all that
   * is special is inside strings, where an escape means the same. */
  for (const char *at = text; *(at += strcspn (at, NOTABLE)) != '\0'; at += MAX (length, 1))
    {
      const gboolean has_fraction = !in_string && is_behind_exponent (text, at);

      in_string ^= *at == '"';
      length = has_fraction ? strlen (".0") : length_of_special ((const guint8 *) at);
      if (in_string && *at == '\\')
        length = 2;
      else if (length > 0)
        {
          if (mended == NULL)
            mended = g_string_new (NULL);
          g_string_append_len (mended, from, at - from);
          if (!has_fraction)
            g_string_append_printf (mended, "\\u%04x", g_utf8_get_char (at));
          from = at + length;
        }
    }
  if (mended == NULL)
    return g_steal_pointer (&text);
  g_string_append (mended, from);
  return g_string_free (mended, FALSE);
}
