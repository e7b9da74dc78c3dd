/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json-output.h"

#include "json-text.h"
#include "message.h"

void
fh_json_set_text (JsonObject *object, const char *name, const char *text)
{
  if (text != NULL)
    json_object_set_string_member (object, name, text);
  else
    json_object_set_null_member (object, name);
}

char *
fh_json_object_to_text (JsonObject *object, gboolean is_indented)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  g_autofree char *text = fh_json_to_text (node, is_indented);

  return g_strconcat (text, "\n", NULL);
}

gboolean
fh_print_json (JsonObject *object, gboolean is_indented)
{
  g_autofree char *text = fh_json_object_to_text (object, is_indented);

  return fh_print (text);
}
