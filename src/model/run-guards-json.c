/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "run-guards-json.h"

#include <glib/gi18n-lib.h>

#include "json-guard.h"
#include "run-error.h"

/* More than any list that passes fh_run_guards_check. */
#define MAX_STRINGS 1024

void
fh_run_guards_read_clear (FhRunGuardsRead *read)
{
  g_strfreev (read->allow_hosts);
  g_strfreev (read->imports);
}

static JsonArray *
strings_to_json (const char *const *strings)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; strings != NULL && strings[i] != NULL; i++)
    json_array_add_string_element (array, strings[i]);
  return array;
}

static JsonArray *
guards_to_json (guint guards)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; i < FH_N_GUARDS; i++)
    {
      if (guards & 1u << i)
        json_array_add_string_element (array, fh_guard_to_string ((FhGuard) i));
    }
  return array;
}

JsonObject *
fh_run_guards_to_json (const FhRunGuards *guards)
{
  JsonObject *object;

  g_return_val_if_fail (guards != NULL, NULL);

  object = json_object_new ();
  json_object_set_string_member (object, "watch", fh_watch_level_to_string (guards->watch));
  json_object_set_string_member (object, "tier", fh_tier_to_string (guards->tier));
  json_object_set_array_member (object, "without", guards_to_json (guards->without));
  json_object_set_array_member (object, "allow_hosts", strings_to_json (guards->allow_hosts));
  json_object_set_boolean_member (object, "report_lines", guards->report_lines);
  json_object_set_boolean_member (object, "limit_functions", guards->limit_functions);
  if (guards->imports != NULL)
    json_object_set_array_member (object, "imports", strings_to_json (guards->imports));
  else
    json_object_set_null_member (object, "imports");
  json_object_set_int_member (object,
                              "max_operations",
                              (gint64) MIN (guards->max_operations, G_MAXINT64));
  json_object_set_boolean_member (object, "no_files", guards->no_files);
  return object;
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

/* Null gives NULL. */
static gboolean
get_strings (JsonObject *object, const char *name, GStrv *strings, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  JsonNode *node = json_object_get_member (object, name);
  JsonArray *array;

  if (node != NULL && JSON_NODE_HOLDS_NULL (node))
    return TRUE;
  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    return refuse (name, error);
  array = json_node_get_array (node);
  if (json_array_get_length (array) > MAX_STRINGS)
    return refuse (name, error);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *element = json_array_get_element (array, i);

      if (json_node_get_value_type (element) != G_TYPE_STRING)
        return refuse (name, error);
      g_strv_builder_add (builder, json_node_get_string (element));
    }
  *strings = g_strv_builder_end (builder);
  return TRUE;
}

static gboolean
get_without (JsonObject *object, guint *without, GError **error)
{
  g_auto (GStrv) names = NULL;

  if (!get_strings (object, "without", &names, error))
    return FALSE;
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      FhGuard guard;

      if (!fh_guard_from_string (names[i], &guard))
        return refuse ("without", error);
      *without |= 1u << guard;
    }
  return TRUE;
}

static gboolean
get_words (JsonObject *object, FhRunGuards *guards, GError **error)
{
  const char *watch;
  const char *tier;

  if (!fh_json_get_string (object, "watch", &watch, error) ||
      !fh_json_get_string (object, "tier", &tier, error))
    return FALSE;
  if (!fh_watch_level_from_string (watch, &guards->watch))
    return refuse ("watch", error);
  if (!fh_tier_from_string (tier, &guards->tier))
    return refuse ("tier", error);
  if (guards->tier == FH_TIER_UNPROTECTED)
    guards->tier = FH_TIER_AUTO;
  return TRUE;
}

gboolean
fh_run_guards_from_json (JsonNode *node, FhRunGuardsRead *read, GError **error)
{
  FhRunGuards *guards;
  JsonObject *object;
  gint64 operations;

  g_return_val_if_fail (read != NULL, FALSE);

  guards = &read->guards;
  *guards = FH_RUN_GUARDS_DEFAULT;
  if (node == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return refuse ("guards", error);
  object = json_node_get_object (node);
  if (!get_words (object, guards, error) || !get_without (object, &guards->without, error) ||
      !get_strings (object, "allow_hosts", &read->allow_hosts, error) ||
      !get_strings (object, "imports", &read->imports, error) ||
      !fh_json_get_bool (object, "report_lines", &guards->report_lines, error) ||
      !fh_json_get_bool (object, "limit_functions", &guards->limit_functions, error) ||
      !fh_json_get_bool (object, "no_files", &guards->no_files, error) ||
      !fh_json_get_int (object, "max_operations", &operations, error))
    return FALSE;
  if (operations < 0)
    return refuse ("max_operations", error);
  guards->max_operations = (guint64) operations;
  guards->allow_hosts = (const char *const *) read->allow_hosts;
  guards->imports = (const char *const *) read->imports;
  return TRUE;
}
