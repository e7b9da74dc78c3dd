/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "json-guard-private.h"
#include "run-error.h"

JsonNode *
fh_json_guard_parse_any (const char *text, gsize size, gsize max_size, GError **error)
{
  g_autoptr (JsonParser) parser = NULL;
  g_autoptr (GError) parse_error = NULL;
  JsonNode *root;

  if (!fh_json_guard_check (text, size, max_size, error))
    return NULL;

  parser = json_parser_new_immutable ();
  if (!json_parser_load_from_data (parser, text, (gssize) size, &parse_error))
    {
      g_set_error (error,
                   FH_RUN_ERROR,
                   FH_RUN_ERROR_INVALID,
                   _ ("Not valid JSON: %s"),
                   parse_error->message);
      return NULL;
    }
  root = json_parser_get_root (parser);
  return root != NULL ? json_node_ref (root) : json_node_init_null (json_node_alloc ());
}

JsonObject *
fh_json_guard_parse (const char *text, gsize size, gsize max_size, GError **error)
{
  g_autoptr (JsonNode) root = fh_json_guard_parse_any (text, size, max_size, error);

  if (root == NULL)
    return NULL;
  if (!JSON_NODE_HOLDS_OBJECT (root))
    {
      g_set_error_literal (error,
                           FH_RUN_ERROR,
                           FH_RUN_ERROR_INVALID,
                           _ ("A JSON object was expected."));
      return NULL;
    }
  return json_node_dup_object (root);
}

JsonObject *
fh_json_guard_parse_rest (const char *text, gsize size, gsize max_size, char **fault)
{
  g_autofree char *copy = g_strndup (text, size);
  g_autofree char *sentence = NULL;
  g_autoptr (GPtrArray) bad = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (JsonObject) object = NULL;

  g_return_val_if_fail (text != NULL || size == 0, NULL);

  *fault = NULL;
  if (fh_json_guard_check_rest (text, size, max_size, copy, bad, &sentence))
    object = fh_json_guard_parse (copy, size, max_size, NULL);
  if (object == NULL)
    return NULL;
  for (guint i = 0; i < bad->len; i++)
    json_object_remove_member (object, g_ptr_array_index (bad, i));
  *fault = g_steal_pointer (&sentence);
  return g_steal_pointer (&object);
}
