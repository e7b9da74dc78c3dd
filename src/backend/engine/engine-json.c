/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "clients.h"
#include "engine-info.h"
#include "json-guard.h"

static JsonObject *
object_of (JsonNode *root)
{
  if (root != NULL && JSON_NODE_HOLDS_ARRAY (root))
    {
      JsonArray *array = json_node_get_array (root);

      root = json_array_get_length (array) > 0 ? json_array_get_element (array, 0) : NULL;
    }
  return root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_dup_object (root) : NULL;
}

JsonObject *
fh_engine_json_parse (const char *text, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonObject *object;

  g_return_val_if_fail (text != NULL, NULL);

  root = fh_json_guard_parse_any (text, strlen (text), FH_ENGINE_CALL_MAX_BYTES, &reason);
  object = object_of (root);
  if (object == NULL)
    g_set_error (error,
                 FH_ENGINE_ERROR,
                 FH_ENGINE_ERROR_FAILED,
                 /* Translators: what is wrong with it, or "?" */
                 _ ("Invalid answer from the container engine (%s)."),
                 reason != NULL ? reason->message : "?");
  return object;
}

const char *
fh_engine_json_text (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node) ||
      json_node_get_value_type (node) != G_TYPE_STRING)
    return NULL;
  return json_node_get_string (node);
}

gboolean
fh_engine_json_flag (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) &&
         json_node_get_value_type (node) == G_TYPE_BOOLEAN && json_node_get_boolean (node);
}

gint64
fh_engine_json_number (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node) ||
      json_node_get_value_type (node) != G_TYPE_INT64)
    return 0;
  return json_node_get_int (node);
}

JsonObject *
fh_engine_json_object (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

JsonArray *
fh_engine_json_array (JsonObject *object, const char *name)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}
