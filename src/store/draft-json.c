/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "draft-json.h"

#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "container-options-json.h"
#include "json-bytes.h"
#include "json-guard.h"
#include "json-text.h"
#include "run-error.h"

#define VERSION 1

/* Far beyond any source and standard input that somebody typed. */
#define MAX_SIZE ((gsize) 256 << 20)

static void
set_string (JsonObject *object, const char *name, const char *value)
{
  json_object_set_member (object, name, fh_json_byte_string_to_node (value));
}

static void
set_size (JsonObject *object, const char *name, guint64 value)
{
  json_object_set_int_member (object, name, (gint64) MIN (value, (guint64) G_MAXINT64));
}

static JsonObject *
limits_to_json (const FhRunLimits *limits)
{
  JsonObject *object = json_object_new ();

  set_size (object, "wall_ms", limits->wall_ms);
  set_size (object, "cpu_ms", limits->cpu_ms);
  set_size (object, "memory_bytes", limits->memory_bytes);
  set_size (object, "disk_bytes", limits->disk_bytes);
  set_size (object, "output_bytes", limits->output_bytes);
  set_size (object, "processes", limits->processes);
  return object;
}

char *
fh_draft_to_json (const FhDraft *draft, gsize *size)
{
  JsonObject *object = json_object_new ();
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  char *json;

  json_object_unref (object);
  json_object_set_int_member (object, "version", VERSION);
  json_object_set_int_member (object, "position", draft->position);
  set_string (object, "title", draft->title);
  set_string (object, "path", draft->path);
  json_object_set_boolean_member (object, "modified", draft->modified);
  set_string (object, "text", draft->text ? draft->text : "");
  set_string (object, "language", draft->language ? draft->language->id : NULL);
  set_string (object, "interpreter", draft->interpreter);
  set_string (object, "arguments", draft->arguments);
  set_string (object, "standard_input", draft->standard_input);
  json_object_set_object_member (object, "limits", limits_to_json (&draft->limits));
  json_object_set_member (object, "container", fh_container_options_to_json (draft->container));
  json_object_set_int_member (object, "cursor", draft->cursor);
  json = fh_json_to_text (node, FALSE);
  *size = strlen (json);
  return json;
}

static char *
get_string (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);
  char *value = NULL;

  if (node != NULL && !fh_json_byte_string_from_node (node, name, &value, NULL))
    return NULL;
  return value;
}

static guint64
get_size (JsonObject *object, const char *name, guint64 maximum, guint64 fallback)
{
  gint64 value;

  if (!fh_json_get_int (object, name, &value, NULL) || value < 0 || (guint64) value > maximum)
    return fallback;
  return (guint64) value;
}

static FhRunLimits
get_limits (JsonObject *object)
{
  const FhRunLimits defaults = FH_RUN_LIMITS_DEFAULT;
  JsonNode *node = json_object_get_member (object, "limits");
  FhRunLimits limits = defaults;
  JsonObject *members;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return defaults;
  members = json_node_get_object (node);
  limits.wall_ms = get_size (members, "wall_ms", G_MAXINT64, defaults.wall_ms);
  limits.cpu_ms = get_size (members, "cpu_ms", G_MAXINT64, defaults.cpu_ms);
  limits.memory_bytes = get_size (members, "memory_bytes", G_MAXINT64, defaults.memory_bytes);
  limits.disk_bytes = get_size (members, "disk_bytes", G_MAXINT64, defaults.disk_bytes);
  limits.output_bytes = get_size (members, "output_bytes", G_MAXINT64, defaults.output_bytes);
  limits.processes = (guint) get_size (members, "processes", G_MAXUINT, defaults.processes);
  return fh_run_limits_check (&limits, NULL) ? limits : defaults;
}

/* A choice that makes no sense is still one for a container: then it is the default one. */
static FhContainerOptions *
get_container (JsonObject *object)
{
  g_autoptr (FhContainerOptions) container = NULL;

  if (fh_container_options_from_json (json_object_get_member (object, "container"),
                                      &container,
                                      NULL) &&
      (container == NULL || fh_container_options_check (container, NULL)))
    return g_steal_pointer (&container);
  return g_new0 (FhContainerOptions, 1);
}

static const FhLanguage *
get_language (JsonObject *object)
{
  const char *id;
  const FhLanguage *language = NULL;

  if (fh_json_get_string (object, "language", &id, NULL))
    language = fh_language_lookup (id);
  return language ? language : fh_language_list ()[0];
}

static gboolean
check_version (JsonObject *object, GError **error)
{
  gint64 version;

  if (!fh_json_get_int (object, "version", &version, error))
    return FALSE;
  if (version == VERSION)
    return TRUE;
  g_set_error_literal (error,
                       FH_RUN_ERROR,
                       FH_RUN_ERROR_INVALID,
                       _ ("This draft was written by another version of Fumehood."));
  return FALSE;
}

static void
replace_string (char **place, char *value)
{
  if (value == NULL)
    return;
  g_free (*place);
  *place = value;
}

FhDraft *
fh_draft_from_json (const char *id, const char *json, gsize size, GError **error)
{
  g_autoptr (JsonObject) object = fh_json_guard_parse (json, size, MAX_SIZE, error);
  g_autoptr (FhDraft) draft = NULL;
  char *text;

  if (object == NULL || !check_version (object, error) ||
      !fh_json_byte_string_from_node (json_object_get_member (object, "text"),
                                      "text",
                                      &text,
                                      error))
    return NULL;
  draft = fh_draft_new ();
  replace_string (&draft->id, g_strdup (id));
  replace_string (&draft->text, text);
  draft->position = (guint) get_size (object, "position", G_MAXUINT, 0);
  draft->title = get_string (object, "title");
  draft->path = get_string (object, "path");
  fh_json_get_bool (object, "modified", &draft->modified, NULL);
  draft->language = get_language (object);
  draft->interpreter = get_string (object, "interpreter");
  replace_string (&draft->arguments, get_string (object, "arguments"));
  replace_string (&draft->standard_input, get_string (object, "standard_input"));
  draft->limits = get_limits (object);
  draft->container = get_container (object);
  draft->cursor = (guint) get_size (object, "cursor", G_MAXUINT, 0);
  return g_steal_pointer (&draft);
}
