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

static JsonNode *
member_of (JsonObject *object, const char *name)
{
  return object != NULL ? json_object_get_member (object, name) : NULL;
}

/* NULL unless it is a plain value of this type. */
static JsonNode *
value_of (JsonObject *object, const char *name, GType type)
{
  JsonNode *node = member_of (object, name);

  return node != NULL && json_node_get_value_type (node) == type ? node : NULL;
}

const char *
fh_engine_json_text (JsonObject *object, const char *name)
{
  JsonNode *node = value_of (object, name, G_TYPE_STRING);

  return node != NULL ? json_node_get_string (node) : NULL;
}

gboolean
fh_engine_json_flag (JsonObject *object, const char *name)
{
  JsonNode *node = value_of (object, name, G_TYPE_BOOLEAN);

  return node != NULL && json_node_get_boolean (node);
}

gint64
fh_engine_json_number (JsonObject *object, const char *name)
{
  JsonNode *node = value_of (object, name, G_TYPE_INT64);

  return node != NULL ? json_node_get_int (node) : 0;
}

JsonObject *
fh_engine_json_object (JsonObject *object, const char *name)
{
  JsonNode *node = member_of (object, name);

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

GStrv
fh_engine_json_texts (JsonObject *object, const char *name)
{
  JsonNode *node = member_of (object, name);
  JsonArray *array =
      node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  const guint n = array != NULL ? json_array_get_length (array) : 0;
  g_autoptr (GStrvBuilder) texts = g_strv_builder_new ();

  for (guint i = 0; i < n; i++)
    {
      JsonNode *element = json_array_get_element (array, i);

      if (json_node_get_value_type (element) == G_TYPE_STRING)
        g_strv_builder_add (texts, json_node_get_string (element));
    }
  return g_strv_builder_end (texts);
}
