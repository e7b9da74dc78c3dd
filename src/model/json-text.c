/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json-text.h"

#include <string.h>

#define UNESCAPED '\x1f'
#define ESCAPED   "\\u001f"

char *
fh_json_to_text (JsonNode *node, gboolean pretty)
{
  g_autofree char *text = NULL;
  GString *escaped;
  const char *at;
  const char *next;

  g_return_val_if_fail (node != NULL, NULL);

  text = json_to_string (node, pretty);
  if (strchr (text, UNESCAPED) == NULL)
    return g_steal_pointer (&text);
  /* Outside strings there are no control characters but blanks, so this one is inside. */
  escaped = g_string_new (NULL);
  for (at = text; (next = strchr (at, UNESCAPED)) != NULL; at = next + 1)
    {
      g_string_append_len (escaped, at, next - at);
      g_string_append (escaped, ESCAPED);
    }
  g_string_append (escaped, at);
  return g_string_free (escaped, FALSE);
}
