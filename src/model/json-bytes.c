/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json-bytes.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "run-error.h"
#include "valid-text.h"

static JsonNode *
to_node (const guint8 *data, gsize size)
{
  JsonNode *node;

  if (fh_valid_text_check (data, size))
    {
      g_autofree char *text = g_strndup (size > 0 ? (const char *) data : "", size);

      node = json_node_init_string (json_node_alloc (), text);
    }
  else
    {
      g_autofree char *encoded = g_base64_encode (data, size);
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "base64", encoded);
      node = json_node_init_object (json_node_alloc (), object);
      json_object_unref (object);
    }
  return node;
}

JsonNode *
fh_json_bytes_to_node (GBytes *bytes)
{
  gconstpointer data;
  gsize size;

  if (bytes == NULL)
    return json_node_init_null (json_node_alloc ());
  data = g_bytes_get_data (bytes, &size);
  return to_node (data, size);
}

JsonNode *
fh_json_byte_string_to_node (const char *string)
{
  if (string == NULL)
    return json_node_init_null (json_node_alloc ());
  return to_node ((const guint8 *) string, strlen (string));
}

/* GLib's decoder passes over whatever is not base64; a text that says something else once it is
 * encoded again was damaged. */
static GBytes *
decode_base64 (const char *text)
{
  gsize size;
  g_autofree guchar *data = g_base64_decode (text, &size);
  g_autofree char *again = g_base64_encode (data, size);

  return g_str_equal (again, text) ? g_bytes_new_take (g_steal_pointer (&data), size) : NULL;
}

static GBytes *
bytes_from_value (JsonNode *node)
{
  if (JSON_NODE_HOLDS_OBJECT (node))
    {
      JsonNode *member = json_object_get_member (json_node_get_object (node), "base64");

      if (member != NULL && JSON_NODE_HOLDS_VALUE (member) &&
          json_node_get_value_type (member) == G_TYPE_STRING)
        return decode_base64 (json_node_get_string (member));
    }
  else if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
    {
      const char *text = json_node_get_string (node);

      return g_bytes_new (text, strlen (text));
    }
  return NULL;
}

gboolean
fh_json_bytes_from_node (JsonNode *node, const char *name, GBytes **bytes, GError **error)
{
  g_return_val_if_fail (name != NULL && bytes != NULL, FALSE);

  *bytes = NULL;
  if (node != NULL && JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (node != NULL)
    *bytes = bytes_from_value (node);
  if (*bytes != NULL)
    return TRUE;
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_INVALID,
               /* Translators: the name of a member of a JSON object */
               _ ("The member “%s” is missing or of the wrong type."),
               name);
  return FALSE;
}

gboolean
fh_json_byte_string_from_node (JsonNode *node, const char *name, char **string, GError **error)
{
  g_autoptr (GBytes) bytes = NULL;
  const char *data;
  gsize size;

  g_return_val_if_fail (string != NULL, FALSE);

  *string = NULL;
  if (!fh_json_bytes_from_node (node, name, &bytes, error))
    return FALSE;
  if (bytes == NULL)
    return TRUE;
  data = g_bytes_get_data (bytes, &size);
  if (size > 0 && memchr (data, '\0', size) != NULL)
    {
      g_set_error (error,
                   FH_RUN_ERROR,
                   FH_RUN_ERROR_INVALID,
                   /* Translators: the name of a member of a JSON object */
                   _ ("The member “%s” must not hold a NUL."),
                   name);
      return FALSE;
    }
  *string = g_strndup (size > 0 ? data : "", size);
  return TRUE;
}
