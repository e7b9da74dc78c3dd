/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json-member.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "readable-text.h"
#include "run-error.h"
#include "word-list.h"

gboolean
fh_json_refuse_member (const char *name, GError **error)
{
  return fh_run_error_refuse (error,
                              /* Translators: the name of a member of a JSON object */
                              _ ("The member “%s” is missing or not valid."),
                              name);
}

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

/* GLib's decoder ignores characters that are not base64, so the result is encoded again and
 * compared. */
static GBytes *
decode_base64 (const char *text)
{
  gsize size;
  g_autofree guchar *data = g_base64_decode (text, &size);
  g_autofree char *again = g_base64_encode (data, size);

  return g_str_equal (again, text) ? g_bytes_new_take (g_steal_pointer (&data), size) : NULL;
}

const char *
fh_json_node_text (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) &&
                 json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : NULL;
}

static GBytes *
bytes_from_value (JsonNode *node)
{
  const char *text = fh_json_node_text (node);
  const char *encoded = JSON_NODE_HOLDS_OBJECT (node)
                            ? fh_json_get_text (json_node_get_object (node), "base64")
                            : NULL;

  if (encoded != NULL)
    return decode_base64 (encoded);
  return text != NULL ? g_bytes_new (text, strlen (text)) : NULL;
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
  return fh_json_refuse_member (name, error);
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
    return fh_json_refuse_member (name, error);
  *string = g_strndup (size > 0 ? data : "", size);
  return TRUE;
}

static JsonNode *
get_value (JsonObject *object, const char *name, GType type, GError **error)
{
  JsonNode *node = json_object_get_member (object, name);

  if (node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == type)
    return node;
  fh_json_refuse_member (name, error);
  return NULL;
}

gboolean
fh_json_get_string (JsonObject *object, const char *name, const char **value, GError **error)
{
  const char *text;

  g_return_val_if_fail (object != NULL && name != NULL && value != NULL, FALSE);

  text = fh_json_node_text (json_object_get_member (object, name));
  if (text == NULL)
    return fh_json_refuse_member (name, error);
  *value = text;
  return TRUE;
}

const char *
fh_json_get_text (JsonObject *object, const char *name)
{
  return object != NULL ? fh_json_node_text (json_object_get_member (object, name)) : NULL;
}

gboolean
fh_json_get_int (JsonObject *object, const char *name, gint64 *value, GError **error)
{
  JsonNode *node;

  g_return_val_if_fail (object != NULL && name != NULL && value != NULL, FALSE);

  node = get_value (object, name, G_TYPE_INT64, error);
  if (node == NULL)
    return FALSE;
  *value = json_node_get_int (node);
  return TRUE;
}

gboolean
fh_json_get_bool (JsonObject *object, const char *name, gboolean *value, GError **error)
{
  JsonNode *node;

  g_return_val_if_fail (object != NULL && name != NULL && value != NULL, FALSE);

  node = get_value (object, name, G_TYPE_BOOLEAN, error);
  if (node == NULL)
    return FALSE;
  *value = json_node_get_boolean (node);
  return TRUE;
}

gboolean
fh_json_get_number (JsonObject *object,
                    const char *name,
                    guint64 maximum,
                    guint64 *value,
                    GError **error)
{
  gint64 number;

  if (!fh_json_get_int (object, name, &number, error))
    return FALSE;
  if (number < 0 || (guint64) number > maximum)
    return fh_json_refuse_member (name, error);
  *value = (guint64) number;
  return TRUE;
}

gboolean
fh_json_get_word (JsonObject *object,
                  const char *name,
                  const char *const *words,
                  guint *position,
                  GError **error)
{
  const char *word;

  if (!fh_json_get_string (object, name, &word, error))
    return FALSE;
  return fh_word_find (words, word, position) || fh_json_refuse_member (name, error);
}

JsonArray *
fh_json_get_array (JsonObject *object, const char *name, guint max_length, GError **error)
{
  JsonNode *node = json_object_get_member (object, name);

  if (node != NULL && JSON_NODE_HOLDS_ARRAY (node) &&
      json_array_get_length (json_node_get_array (node)) <= max_length)
    return json_node_get_array (node);
  fh_json_refuse_member (name, error);
  return NULL;
}

JsonObject *
fh_json_get_object (JsonObject *object, const char *name, GError **error)
{
  JsonNode *node = json_object_get_member (object, name);

  if (node != NULL && JSON_NODE_HOLDS_OBJECT (node))
    return json_node_get_object (node);
  fh_json_refuse_member (name, error);
  return NULL;
}

gboolean
fh_json_get_strings (JsonObject *object,
                     const char *name,
                     guint max_length,
                     GStrv *strings,
                     GError **error)
{
  JsonArray *array = fh_json_get_array (object, name, max_length, error);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  if (array == NULL)
    return FALSE;
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *element = json_array_get_element (array, i);
      g_autofree char *string = NULL;

      if (!fh_json_byte_string_from_node (element, name, &string, error))
        return FALSE;
      if (string == NULL)
        return fh_json_refuse_member (name, error);
      g_strv_builder_add (builder, string);
    }
  *strings = g_strv_builder_end (builder);
  return TRUE;
}

gboolean
fh_json_is_null (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_NULL (node);
}

gboolean
fh_json_check_version (JsonObject *object, gint64 version, GError **error)
{
  gint64 found;

  if (!fh_json_get_int (object, "version", &found, error))
    return FALSE;
  if (found == version)
    return TRUE;
  return fh_run_error_refuse (error,
                              _ ("This was written by another version of Fumehood (format %ld)."),
                              (glong) found);
}
