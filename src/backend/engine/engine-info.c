/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "engine-info.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "clients.h"

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
array_has (JsonArray *array, const char *text, gboolean is_prefix)
{
  guint length = array != NULL ? json_array_get_length (array) : 0;

  for (guint i = 0; i < length; i++)
    {
      JsonNode *node = json_array_get_element (array, i);
      const char *element;

      if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING)
        continue;
      element = json_node_get_string (node);
      if (is_prefix ? g_str_has_prefix (element, text) : g_str_equal (element, text))
        return TRUE;
    }
  return FALSE;
}

/* Without what distributions append after a plus sign. (transfer full) */
static char *
short_version (const char *version)
{
  return g_strndup (version, strcspn (version, "+"));
}

static gboolean
differs (const char *said, const char *known)
{
  return said != NULL && *said != '\0' && known != NULL && !g_str_equal (said, known);
}

/* Only a local daemon can bind local folders. A local socket may lead to a virtual machine, through
 * a tunnel, or out of our own container. */
static gboolean
docker_is_remote (JsonObject *info, const FhEnginePlace *place)
{
  const char *system = fh_engine_json_text (info, "OperatingSystem");

  if (place->endpoint != NULL && *place->endpoint != '\0' &&
      !g_str_has_prefix (place->endpoint, "unix://"))
    return TRUE;
  for (guint i = 0; place->endpoint != NULL && i < G_N_ELEMENTS (virtual_sockets); i++)
    if (strstr (place->endpoint, virtual_sockets[i]) != NULL)
      return TRUE;
  if (system != NULL && strstr (system, "Docker Desktop") != NULL)
    return TRUE;
  return differs (fh_engine_json_text (info, "Name"), place->host) ||
         differs (fh_engine_json_text (info, "KernelVersion"), place->kernel);
}

/* The error of an unreachable daemon, or NULL. (transfer full) */
static char *
server_errors (JsonObject *info)
{
  JsonArray *errors = fh_engine_json_array (info, "ServerErrors");
  GString *text;

  if (errors == NULL || json_array_get_length (errors) == 0)
    return NULL;
  text = g_string_new (NULL);
  for (guint i = 0; i < json_array_get_length (errors); i++)
    {
      JsonNode *node = json_array_get_element (errors, i);

      if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
        g_string_append_printf (text, "%s\n", json_node_get_string (node));
    }
  return g_string_free (text, FALSE);
}

static void
set_no_version (GError **error)
{
  g_set_error_literal (error,
                       FH_ENGINE_ERROR,
                       FH_ENGINE_ERROR_FAILED,
                       _ ("The container engine did not identify itself."));
}

static FhEngine *
docker_from_info (const FhEnginePlace *place, JsonObject *info, GError **error)
{
  g_autofree char *words = server_errors (info);
  const char *said = fh_engine_json_text (info, "ServerVersion");
  const char *machine = fh_engine_json_text (info, "Architecture");
  g_autofree char *version = NULL;
  FhEngineFacts facts = { .kind = FH_ENGINE_DOCKER };

  if (words != NULL)
    {
      g_propagate_error (error, fh_engine_error_from_text (FH_ENGINE_DOCKER, words));
      return NULL;
    }
  if (said == NULL || *said == '\0')
    {
      set_no_version (error);
      return NULL;
    }
  version = short_version (said);
  facts.program = place->program;
  facts.version = version;
  facts.architecture = machine != NULL ? fh_engine_architecture (machine) : NULL;
  facts.storage = fh_engine_json_text (info, "Driver");
  facts.endpoint = place->endpoint;
  facts.is_rootless =
      array_has (fh_engine_json_array (info, "SecurityOptions"), "name=rootless", TRUE);
  facts.is_remote = docker_is_remote (info, place);
  facts.limits_memory = fh_engine_json_flag (info, "MemoryLimit");
  facts.limits_processes = fh_engine_json_flag (info, "PidsLimit");
  facts.limits_cpus = fh_engine_json_flag (info, "CpuCfsQuota");
  return fh_engine_new (&facts);
}

/* Podman talks to a service only if that is remote. */
static char *
podman_endpoint (JsonObject *host)
{
  JsonObject *socket = fh_engine_json_object (host, "remoteSocket");
  const char *path = fh_engine_json_text (socket, "path");
  const char *named = g_getenv ("CONTAINER_HOST");

  if (fh_engine_json_flag (host, "serviceIsRemote") && named != NULL && *named != '\0')
    return g_strdup (named);
  if (path == NULL)
    return g_strdup ("");
  return strstr (path, "://") != NULL ? g_strdup (path) : g_strconcat ("unix://", path, NULL);
}

static FhEngine *
podman_from_info (const FhEnginePlace *place, JsonObject *info, GError **error)
{
  JsonObject *host = fh_engine_json_object (info, "host");
  JsonArray *controllers = fh_engine_json_array (host, "cgroupControllers");
  JsonObject *security = fh_engine_json_object (host, "security");
  const char *said = fh_engine_json_text (fh_engine_json_object (info, "version"), "Version");
  const char *machine = fh_engine_json_text (host, "arch");
  g_autofree char *endpoint = podman_endpoint (host);
  g_autofree char *version = NULL;
  FhEngineFacts facts = { .kind = FH_ENGINE_PODMAN };

  if (said == NULL || *said == '\0')
    {
      set_no_version (error);
      return NULL;
    }
  version = short_version (said);
  facts.program = place->program;
  facts.version = version;
  facts.architecture = machine != NULL ? fh_engine_architecture (machine) : NULL;
  facts.storage = fh_engine_json_text (fh_engine_json_object (info, "store"), "graphDriverName");
  facts.endpoint = endpoint;
  facts.is_rootless =
      fh_engine_json_flag (security, "rootless") || fh_engine_json_flag (host, "rootless");
  facts.is_remote = fh_engine_json_flag (host, "serviceIsRemote");
  facts.limits_memory = array_has (controllers, "memory", FALSE);
  facts.limits_processes = array_has (controllers, "pids", FALSE);
  facts.limits_cpus = array_has (controllers, "cpu", FALSE);
  return fh_engine_new (&facts);
}

FhEngine *
fh_engine_from_info (FhEngineKind asked,
                     const FhEnginePlace *place,
                     const char *text,
                     GError **error)
{
  g_autoptr (JsonObject) info = NULL;

  g_return_val_if_fail (place != NULL && text != NULL, NULL);

  info = fh_engine_json_parse (text, error);
  if (info == NULL)
    return NULL;
  if (asked == FH_ENGINE_PODMAN || fh_engine_json_object (info, "host") != NULL)
    return podman_from_info (place, info, error);
  return docker_from_info (place, info, error);
}
