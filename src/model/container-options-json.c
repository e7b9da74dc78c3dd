/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-options-json.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "json-bytes.h"
#include "json-guard.h"
#include "run-error.h"

/* More than any list that passes fh_container_options_check. */
#define MAX_STRINGS 1024

static JsonArray *
strings_to_json (const char *const *strings)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; strings != NULL && strings[i] != NULL; i++)
    json_array_add_element (array, fh_json_byte_string_to_node (strings[i]));
  return array;
}

static void
set_string (JsonObject *object, const char *name, const char *value)
{
  json_object_set_member (object, name, fh_json_byte_string_to_node (value));
}

JsonNode *
fh_container_options_to_json (const FhContainerOptions *options)
{
  g_autoptr (JsonObject) object = NULL;

  if (options == NULL)
    return json_node_init_null (json_node_alloc ());
  object = json_object_new ();
  set_string (object, "engine", fh_engine_kind_to_string (options->engine));
  set_string (object, "image", options->image);
  json_object_set_boolean_member (object, "no_pull", options->no_pull);
  set_string (object, "name", options->name);
  json_object_set_boolean_member (object, "kept", options->is_kept);
  set_string (object, "after", fh_container_after_to_string (options->after));
  set_string (object, "work_dir", options->work_dir);
  set_string (object, "bind_dir", options->bind_dir);
  set_string (object, "files", fh_container_files_to_string (options->files));
  set_string (object, "network", options->network);
  json_object_set_int_member (object, "milli_cpus", options->milli_cpus);
  set_string (object, "gpus", options->gpus);
  json_object_set_array_member (object, "volumes", strings_to_json (options->volumes));
  json_object_set_array_member (object, "hosts", strings_to_json (options->hosts));
  json_object_set_array_member (object, "environment", strings_to_json (options->environment));
  json_object_set_boolean_member (object, "writable", options->is_writable);
  json_object_set_boolean_member (object, "root", options->is_root);
  return json_node_init_object (json_node_alloc (), object);
}

static gboolean
refuse (const char *name, GError **error)
{
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_INVALID,
               /* Translators: the name of a member of a JSON object */
               _ ("The member “%s” is missing or makes no sense."),
               name);
  return FALSE;
}

static gboolean
get_string (JsonObject *object, const char *name, const char **value, GError **error)
{
  JsonNode *node = json_object_get_member (object, name);

  return node == NULL || fh_json_byte_string_from_node (node, name, (char **) value, error);
}

static gboolean
get_bool (JsonObject *object, const char *name, gboolean *value, GError **error)
{
  return !json_object_has_member (object, name) || fh_json_get_bool (object, name, value, error);
}

static gboolean
get_strings (JsonObject *object, const char *name, const char *const **strings, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  JsonNode *node = json_object_get_member (object, name);
  JsonArray *array;

  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return refuse (name, error);
  array = json_node_get_array (node);
  if (json_array_get_length (array) > MAX_STRINGS)
    return refuse (name, error);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      g_autofree char *string = NULL;

      if (!fh_json_byte_string_from_node (json_array_get_element (array, i), name, &string, error))
        return FALSE;
      if (string == NULL)
        return refuse (name, error);
      g_strv_builder_add (builder, string);
    }
  if (json_array_get_length (array) > 0)
    *strings = (const char *const *) g_strv_builder_end (builder);
  return TRUE;
}

/* Words that are not known are no choice at all. */
static gboolean
get_words (JsonObject *object, FhContainerOptions *options, GError **error)
{
  g_autofree const char *engine = NULL;
  g_autofree const char *after = NULL;
  g_autofree const char *files = NULL;

  if (!get_string (object, "engine", &engine, error) ||
      !get_string (object, "after", &after, error) || !get_string (object, "files", &files, error))
    return FALSE;
  if (engine != NULL && !fh_engine_kind_from_string (engine, &options->engine))
    return refuse ("engine", error);
  if (after != NULL && !fh_container_after_from_string (after, &options->after))
    return refuse ("after", error);
  if (files != NULL && !fh_container_files_from_string (files, &options->files))
    return refuse ("files", error);
  return TRUE;
}

static gboolean
get_cpus (JsonObject *object, guint *milli_cpus, GError **error)
{
  gint64 value;

  if (!json_object_has_member (object, "milli_cpus"))
    return TRUE;
  if (!fh_json_get_int (object, "milli_cpus", &value, error))
    return FALSE;
  if (value < 0 || value > G_MAXINT)
    return refuse ("milli_cpus", error);
  *milli_cpus = (guint) value;
  return TRUE;
}

gboolean
fh_container_options_from_json (JsonNode *node, FhContainerOptions **options, GError **error)
{
  g_autoptr (FhContainerOptions) read = NULL;
  JsonObject *object;

  g_return_val_if_fail (options != NULL, FALSE);

  *options = NULL;
  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return refuse ("container", error);
  object = json_node_get_object (node);
  read = g_new0 (FhContainerOptions, 1);
  if (!get_words (object, read, error) || !get_string (object, "image", &read->image, error) ||
      !get_string (object, "name", &read->name, error) ||
      !get_string (object, "work_dir", &read->work_dir, error) ||
      !get_string (object, "bind_dir", &read->bind_dir, error) ||
      !get_string (object, "network", &read->network, error) ||
      !get_string (object, "gpus", &read->gpus, error) ||
      !get_bool (object, "no_pull", &read->no_pull, error) ||
      !get_bool (object, "kept", &read->is_kept, error) ||
      !get_bool (object, "writable", &read->is_writable, error) ||
      !get_bool (object, "root", &read->is_root, error) ||
      !get_cpus (object, &read->milli_cpus, error) ||
      !get_strings (object, "volumes", &read->volumes, error) ||
      !get_strings (object, "hosts", &read->hosts, error) ||
      !get_strings (object, "environment", &read->environment, error))
    return FALSE;
  *options = g_steal_pointer (&read);
  return TRUE;
}
