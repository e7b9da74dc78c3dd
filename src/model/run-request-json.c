/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run-request-json.h"

#include "config.h"

#include <glib/gi18n-lib.h>

#include "container-options-json.h"
#include "json-bytes.h"
#include "json-guard.h"
#include "run-error.h"
#include "run-guards-json.h"

#define VERSION 1

static JsonObject *
limits_to_json (const FhRunLimits *limits)
{
  JsonObject *object = json_object_new ();

  json_object_set_int_member (object, "wall_ms", (gint64) MIN (limits->wall_ms, G_MAXINT64));
  json_object_set_int_member (object, "cpu_ms", (gint64) MIN (limits->cpu_ms, G_MAXINT64));
  json_object_set_int_member (object,
                              "memory_bytes",
                              (gint64) MIN (limits->memory_bytes, G_MAXINT64));
  json_object_set_int_member (object, "disk_bytes", (gint64) MIN (limits->disk_bytes, G_MAXINT64));
  json_object_set_int_member (object,
                              "output_bytes",
                              (gint64) MIN (limits->output_bytes, G_MAXINT64));
  json_object_set_int_member (object, "processes", limits->processes);
  return object;
}

static JsonArray *
arguments_to_json (const char *const *arguments)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; arguments[i] != NULL; i++)
    json_array_add_element (array, fh_json_byte_string_to_node (arguments[i]));
  return array;
}

JsonNode *
fh_run_request_to_json (FhRunRequest *request)
{
  g_autoptr (JsonObject) object = NULL;

  g_return_val_if_fail (FH_IS_RUN_REQUEST (request), NULL);

  object = json_object_new ();
  json_object_set_int_member (object, "version", VERSION);
  json_object_set_string_member (object, "language", fh_run_request_get_language (request)->id);
  json_object_set_string_member (object, "title", fh_run_request_get_title (request));
  json_object_set_member (object,
                          "source",
                          fh_json_bytes_to_node (fh_run_request_get_source (request)));
  json_object_set_member (object,
                          "interpreter",
                          fh_json_byte_string_to_node (fh_run_request_get_interpreter (request)));
  json_object_set_array_member (object,
                                "arguments",
                                arguments_to_json (fh_run_request_get_arguments (request)));
  json_object_set_member (object,
                          "stdin",
                          fh_json_bytes_to_node (fh_run_request_get_standard_input (request)));
  json_object_set_object_member (object,
                                 "limits",
                                 limits_to_json (fh_run_request_get_limits (request)));
  json_object_set_object_member (object,
                                 "guards",
                                 fh_run_guards_to_json (fh_run_request_get_guards (request)));
  json_object_set_member (object,
                          "container",
                          fh_container_options_to_json (fh_run_request_get_container (request)));
  return json_node_init_object (json_node_alloc (), object);
}

static gboolean
get_limit (JsonObject *object, const char *name, guint64 maximum, guint64 *limit, GError **error)
{
  gint64 value;

  if (!fh_json_get_int (object, name, &value, error))
    return FALSE;
  if (value < 0 || (guint64) value > maximum)
    {
      g_set_error (error,
                   FH_RUN_ERROR,
                   FH_RUN_ERROR_INVALID,
                   /* Translators: the name of a member of a JSON object */
                   _ ("The member “%s” is out of range."),
                   name);
      return FALSE;
    }
  *limit = (guint64) value;
  return TRUE;
}

static gboolean
limits_from_json (JsonNode *node, FhRunLimits *limits, GError **error)
{
  JsonObject *object;
  guint64 processes;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    {
      g_set_error (error,
                   FH_RUN_ERROR,
                   FH_RUN_ERROR_INVALID,
                   _ ("The member “%s” is missing or of the wrong type."),
                   "limits");
      return FALSE;
    }
  object = json_node_get_object (node);
  if (!get_limit (object, "wall_ms", G_MAXINT64, &limits->wall_ms, error) ||
      !get_limit (object, "cpu_ms", G_MAXINT64, &limits->cpu_ms, error) ||
      !get_limit (object, "memory_bytes", G_MAXINT64, &limits->memory_bytes, error) ||
      !get_limit (object, "disk_bytes", G_MAXINT64, &limits->disk_bytes, error) ||
      !get_limit (object, "output_bytes", G_MAXINT64, &limits->output_bytes, error) ||
      !get_limit (object, "processes", G_MAXUINT, &processes, error))
    return FALSE;
  limits->processes = (guint) processes;
  return TRUE;
}

/* Absent means none. */
static gboolean
arguments_from_json (JsonNode *node, GPtrArray *arguments, GError **error)
{
  guint count;

  if (node != NULL && !JSON_NODE_HOLDS_ARRAY (node))
    {
      g_set_error (error,
                   FH_RUN_ERROR,
                   FH_RUN_ERROR_INVALID,
                   _ ("The member “%s” is missing or of the wrong type."),
                   "arguments");
      return FALSE;
    }
  count = node != NULL ? json_array_get_length (json_node_get_array (node)) : 0;
  for (guint i = 0; i < count; i++)
    {
      JsonNode *element = json_array_get_element (json_node_get_array (node), i);
      char *argument;

      if (JSON_NODE_HOLDS_NULL (element))
        element = NULL;
      if (!fh_json_byte_string_from_node (element, "arguments", &argument, error))
        return FALSE;
      g_ptr_array_add (arguments, argument);
    }
  g_ptr_array_add (arguments, NULL);
  return TRUE;
}

/* The one value that must be there: a null is refused like a missing one. */
static gboolean
source_from_json (JsonNode *node, GBytes **source, GError **error)
{
  if (node != NULL && JSON_NODE_HOLDS_NULL (node))
    node = NULL;
  return fh_json_bytes_from_node (node, "source", source, error);
}

static gboolean
check_version (JsonObject *object, GError **error)
{
  gint64 version;

  if (!fh_json_get_int (object, "version", &version, error))
    return FALSE;
  if (version == VERSION)
    return TRUE;
  g_set_error (error,
               FH_RUN_ERROR,
               FH_RUN_ERROR_INVALID,
               _ ("This was written by another version of Fumehood (format %ld)."),
               (glong) version);
  return FALSE;
}

static const FhLanguage *
get_language (JsonObject *object, GError **error)
{
  const FhLanguage *language;
  const char *id;

  if (!fh_json_get_string (object, "language", &id, error))
    return NULL;
  language = fh_language_lookup (id);
  if (language == NULL)
    g_set_error (error,
                 FH_RUN_ERROR,
                 FH_RUN_ERROR_LANGUAGE,
                 _ ("There is no language “%s” here."),
                 id);
  return language;
}

FhRunRequest *
fh_run_request_from_json (JsonObject *object, GError **error)
{
  FhRunRequestInit init = { 0 };
  g_autoptr (GBytes) source = NULL;
  g_autoptr (GBytes) standard_input = NULL;
  g_autofree char *interpreter = NULL;
  g_autoptr (GPtrArray) arguments = NULL;
  g_auto (FhRunGuardsRead) guards = { 0 };
  g_autoptr (FhContainerOptions) container = NULL;

  g_return_val_if_fail (object != NULL, NULL);

  if (!check_version (object, error))
    return NULL;
  init.language = get_language (object, error);
  if (init.language == NULL)
    return NULL;
  arguments = g_ptr_array_new_with_free_func (g_free);
  if (!fh_json_get_string (object, "title", &init.title, error) ||
      !source_from_json (json_object_get_member (object, "source"), &source, error) ||
      !arguments_from_json (json_object_get_member (object, "arguments"), arguments, error) ||
      !limits_from_json (json_object_get_member (object, "limits"), &init.limits, error) ||
      !fh_run_guards_from_json (json_object_get_member (object, "guards"), &guards, error) ||
      !fh_container_options_from_json (json_object_get_member (object, "container"),
                                       &container,
                                       error))
    return NULL;
  if (json_object_has_member (object, "interpreter") &&
      !fh_json_byte_string_from_node (json_object_get_member (object, "interpreter"),
                                      "interpreter",
                                      &interpreter,
                                      error))
    return NULL;
  if (json_object_has_member (object, "stdin") &&
      !fh_json_bytes_from_node (json_object_get_member (object, "stdin"),
                                "stdin",
                                &standard_input,
                                error))
    return NULL;
  init.source = source;
  init.interpreter = interpreter;
  init.arguments = (const char *const *) arguments->pdata;
  init.standard_input = standard_input;
  init.guards = &guards.guards;
  init.container = container;
  return fh_run_request_new (&init, error);
}
