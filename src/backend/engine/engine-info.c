/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine-info.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/utsname.h>

#include "clients.h"
#include "engine-advice.h"
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

/* Local sockets that lead to a virtual machine. */
static const char *const virtual_sockets[] = {
  "/.docker/desktop/", "/.colima/", "/.lima/", "/.rd/", "/.orbstack/",
};

static const struct
{
  const char *machine;
  const char *architecture;
} architectures[] = {
  { "x86_64", "amd64" }, { "aarch64", "arm64" }, { "armv8l", "arm64" },
  { "armv7l", "arm" },   { "armv6l", "arm" },    { "armhf", "arm" },
  { "i386", "386" },     { "i686", "386" },      { "ppc64el", "ppc64le" },
};

const char *
fh_engine_architecture (const char *machine)
{
  for (guint i = 0; i < G_N_ELEMENTS (architectures); i++)
    if (g_str_equal (machine, architectures[i].machine))
      return architectures[i].architecture;
  return machine;
}

static gboolean
has_prefix (GStrv texts, const char *prefix)
{
  for (guint i = 0; texts[i] != NULL; i++)
    if (g_str_has_prefix (texts[i], prefix))
      return TRUE;
  return FALSE;
}

static gboolean
differs (const char *said, const char *known)
{
  return said != NULL && *said != '\0' && !g_str_equal (said, known);
}

/* Only a local daemon can bind local folders. A local socket may lead to a virtual machine, through
 * a tunnel, or out of our own container. */
static gboolean
docker_is_remote (JsonObject *info, const char *endpoint)
{
  const char *system = fh_engine_json_text (info, "OperatingSystem");
  struct utsname here;

  if (endpoint != NULL && *endpoint != '\0' && !g_str_has_prefix (endpoint, "unix://"))
    return TRUE;
  for (guint i = 0; endpoint != NULL && i < G_N_ELEMENTS (virtual_sockets); i++)
    if (strstr (endpoint, virtual_sockets[i]) != NULL)
      return TRUE;
  if (system != NULL && strstr (system, "Docker Desktop") != NULL)
    return TRUE;
  return uname (&here) == 0 &&
         (differs (fh_engine_json_text (info, "Name"), here.nodename) ||
          differs (fh_engine_json_text (info, "KernelVersion"), here.release));
}

/* Completes the facts. The version goes without what distributions append after a plus sign. */
static FhEngine *
new_engine (FhEngineFacts *facts, const char *version, const char *machine, GError **error)
{
  g_autofree char *plain = NULL;

  if (version == NULL || *version == '\0')
    {
      g_set_error_literal (error,
                           FH_ENGINE_ERROR,
                           FH_ENGINE_ERROR_FAILED,
                           _ ("The container engine did not identify itself."));
      return NULL;
    }
  plain = g_strndup (version, strcspn (version, "+"));
  facts->version = plain;
  facts->architecture = machine != NULL ? fh_engine_architecture (machine) : NULL;
  return fh_engine_new (facts);
}

/* The client answers without its daemon as well, and then has errors to tell. */
static FhEngine *
docker_from_info (const char *program, const char *endpoint, JsonObject *info, GError **error)
{
  g_auto (GStrv) errors = fh_engine_json_texts (info, "ServerErrors");
  g_auto (GStrv) security = fh_engine_json_texts (info, "SecurityOptions");
  g_autofree char *words = g_strjoinv ("\n", errors);
  FhEngineFacts facts = {
    .kind = FH_ENGINE_DOCKER,
    .program = program,
    .storage = fh_engine_json_text (info, "Driver"),
    .endpoint = endpoint,
    .is_rootless = has_prefix (security, "name=rootless"),
    .is_remote = docker_is_remote (info, endpoint),
    .limits_memory = fh_engine_json_flag (info, "MemoryLimit"),
    .limits_processes = fh_engine_json_flag (info, "PidsLimit"),
    .limits_cpus = fh_engine_json_flag (info, "CpuCfsQuota"),
  };

  if (errors[0] == NULL)
    return new_engine (&facts,
                       fh_engine_json_text (info, "ServerVersion"),
                       fh_engine_json_text (info, "Architecture"),
                       error);
  g_propagate_error (error, fh_engine_error_from_text (FH_ENGINE_DOCKER, words));
  return NULL;
}

/* Podman talks to a service only if that is remote. */
static char *
podman_endpoint (JsonObject *host)
{
  JsonObject *socket = fh_engine_json_object (host, "remoteSocket");
  const char *path = fh_engine_json_text (socket, "path");
  const char *named = fh_engine_named_endpoint (FH_ENGINE_PODMAN);

  if (fh_engine_json_flag (host, "serviceIsRemote") && named != NULL)
    return g_strdup (named);
  if (path == NULL)
    return g_strdup ("");
  return strstr (path, "://") != NULL ? g_strdup (path) : g_strconcat ("unix://", path, NULL);
}

static FhEngine *
podman_from_info (const char *program, JsonObject *info, GError **error)
{
  JsonObject *host = fh_engine_json_object (info, "host");
  JsonObject *security = fh_engine_json_object (host, "security");
  g_auto (GStrv) controllers = fh_engine_json_texts (host, "cgroupControllers");
  const char *const *limited = (const char *const *) controllers;
  g_autofree char *endpoint = podman_endpoint (host);
  FhEngineFacts facts = {
    .kind = FH_ENGINE_PODMAN,
    .program = program,
    .storage = fh_engine_json_text (fh_engine_json_object (info, "store"), "graphDriverName"),
    .endpoint = endpoint,
    .is_rootless =
        fh_engine_json_flag (security, "rootless") || fh_engine_json_flag (host, "rootless"),
    .is_remote = fh_engine_json_flag (host, "serviceIsRemote"),
    .limits_memory = g_strv_contains (limited, "memory"),
    .limits_processes = g_strv_contains (limited, "pids"),
    .limits_cpus = g_strv_contains (limited, "cpu"),
  };

  return new_engine (&facts,
                     fh_engine_json_text (fh_engine_json_object (info, "version"), "Version"),
                     fh_engine_json_text (host, "arch"),
                     error);
}

FhEngine *
fh_engine_from_info (FhEngineKind asked,
                     const char *program,
                     const char *endpoint,
                     const char *text,
                     GError **error)
{
  g_autoptr (JsonObject) info = NULL;

  g_return_val_if_fail (program != NULL && text != NULL, NULL);

  info = fh_engine_json_parse (text, error);
  if (info == NULL)
    return NULL;
  if (asked == FH_ENGINE_PODMAN || fh_engine_json_object (info, "host") != NULL)
    return podman_from_info (program, info, error);
  return docker_from_info (program, endpoint, info, error);
}
