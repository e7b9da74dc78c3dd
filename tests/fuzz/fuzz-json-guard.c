/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the guard reads is what json-glib would read in the same text. */
#include "fuzz-target.h"
#include "json-guard.h"

#define MAX_SIZE ((gsize) 1 << 20)

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *text = (const char *) data;
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (JsonObject) object = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GError) parse_error = NULL;
  g_autoptr (JsonObject) rest = NULL;
  g_autofree char *fault = NULL;
  g_autoptr (JsonNode) root = fh_json_guard_parse_any (text, size, MAX_SIZE, &error);

  rest = fh_json_guard_parse_rest (text, size, MAX_SIZE, &fault);
  g_assert (rest != NULL || fault == NULL);
  g_assert ((root == NULL) == (error != NULL));
  object = fh_json_guard_parse (text, size, MAX_SIZE, &parse_error);
  g_assert ((object != NULL) == (parse_error == NULL));
  if (root == NULL)
    {
      g_assert (object == NULL);
      return 0;
    }
  g_assert (g_utf8_validate (text, (gssize) size, NULL));
  g_assert (json_parser_load_from_data (parser, text, (gssize) size, NULL));
  g_assert (json_node_equal (root, json_parser_get_root (parser)));
  g_assert ((object != NULL) == JSON_NODE_HOLDS_OBJECT (root));
  g_assert ((object != NULL) == (rest != NULL) && fault == NULL);
  return 0;
}
