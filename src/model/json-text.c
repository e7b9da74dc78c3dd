/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json-text.h"

#include <string.h>

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

char *
fh_json_to_text (JsonNode *node, gboolean pretty)
{
  g_autofree char *text = NULL;
  GString *escaped = NULL;
  const char *from;
  gsize length;

  g_return_val_if_fail (node != NULL, NULL);

  text = json_to_string (node, pretty);
  from = text;
  /* Outside strings there is only ASCII without control characters except white space, so all of
   * these are inside strings, where an escape means the same. */
  for (const char *at = text; *at != '\0'; at += MAX (length, 1))
    {
      length = length_of_special ((const guint8 *) at);
      if (length == 0)
        continue;
      if (escaped == NULL)
        escaped = g_string_new (NULL);
      g_string_append_len (escaped, from, at - from);
      g_string_append_printf (escaped, "\\u%04x", g_utf8_get_char (at));
      from = at + length;
    }
  if (escaped == NULL)
    return g_steal_pointer (&text);
  g_string_append (escaped, from);
  return g_string_free (escaped, FALSE);
}
