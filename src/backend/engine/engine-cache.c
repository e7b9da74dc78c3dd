/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine-cache.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "cache-file.h"

/* A daemon may change without a trace that is visible here. */
#define MAX_AGE_US (10 * G_TIME_SPAN_MINUTE)

#define GROUP "engine"

/* The variables that select another engine. */
static const char *const variables[] = {
  "DOCKER_HOST",
  "DOCKER_CONTEXT",
  "DOCKER_CONFIG",
  "DOCKER_TLS_VERIFY",
  "DOCKER_CERT_PATH",
  "CONTAINER_HOST",
  "CONTAINERS_CONF",
  "CONTAINERS_STORAGE_CONF",
  "STORAGE_DRIVER",
  "CONTAINER_CONNECTION",
  "HOME",
  "XDG_CONFIG_HOME",
};

static char *
note_path (FhEngineKind asked)
{
  g_autofree char *name = g_strconcat ("engine-", fh_engine_kind_to_string (asked), NULL);

  return fh_cache_file_path (name);
}

static void
append_program (GString *text, FhEngineKind kind)
{
  g_autofree char *program = fh_engine_program (kind);

  fh_cache_file_append_file (text,
                             fh_engine_kind_to_string (kind),
                             program != NULL ? program : "(none)");
}

/* The user's settings of either client, in their usual places. */
static void
append_settings (GString *text)
{
  const char *folder = g_getenv ("DOCKER_CONFIG");
  g_autofree char *docker = folder != NULL
                                ? g_build_filename (folder, "config.json", NULL)
                                : g_build_filename (g_get_home_dir (), ".docker/config.json", NULL);
  g_autofree char *podman =
      g_build_filename (g_get_user_config_dir (), "containers", "containers.conf", NULL);

  fh_cache_file_append_file (text, "docker-settings", docker);
  fh_cache_file_append_file (text, "podman-settings", podman);
}

/* Everything that the answer depends on; NULL when unknown. A new socket means a restarted
 * daemon. */
static char *
describe_here (const char *endpoint)
{
  g_autoptr (GString) text = g_string_new ("fumehood-engine 1\n");

  if (!fh_cache_file_append_boot (text))
    return NULL;
  g_string_append_printf (text, "user %u\n", (guint) geteuid ());
  append_program (text, FH_ENGINE_DOCKER);
  append_program (text, FH_ENGINE_PODMAN);
  append_settings (text);
  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    {
      const char *value = g_getenv (variables[i]);
      g_autofree char *escaped = value != NULL ? g_strescape (value, NULL) : NULL;

      g_string_append_printf (text, "%s %s\n", variables[i], escaped != NULL ? escaped : "-");
    }
  if (g_str_has_prefix (endpoint, "unix://"))
    fh_cache_file_append_file (text, "socket", endpoint + strlen ("unix://"));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
is_fresh (GKeyFile *note)
{
  gint64 then = g_key_file_get_int64 (note, GROUP, "time", NULL);
  gint64 now = g_get_real_time ();

  return then <= now && now - then < MAX_AGE_US;
}

static gboolean
is_of_here (GKeyFile *note, const char *endpoint)
{
  g_autofree char *here = describe_here (endpoint);
  g_autofree char *there = g_key_file_get_string (note, GROUP, "here", NULL);

  return here != NULL && g_strcmp0 (here, there) == 0;
}

static FhEngine *
engine_from_note (GKeyFile *note)
{
  g_autofree char *kind = g_key_file_get_string (note, GROUP, "kind", NULL);
  g_autofree char *program = g_key_file_get_string (note, GROUP, "program", NULL);
  g_autofree char *version = g_key_file_get_string (note, GROUP, "version", NULL);
  g_autofree char *architecture = g_key_file_get_string (note, GROUP, "architecture", NULL);
  g_autofree char *storage = g_key_file_get_string (note, GROUP, "storage", NULL);
  g_autofree char *endpoint = g_key_file_get_string (note, GROUP, "endpoint", NULL);
  FhEngineFacts facts = { .program = program,
                          .version = version,
                          .architecture = architecture,
                          .storage = storage,
                          .endpoint = endpoint };

  if (kind == NULL || program == NULL || !g_path_is_absolute (program) || endpoint == NULL ||
      !fh_engine_kind_from_string (kind, &facts.kind) || facts.kind == FH_ENGINE_AUTO ||
      !is_fresh (note) || !is_of_here (note, endpoint))
    return NULL;
  facts.is_rootless = g_key_file_get_boolean (note, GROUP, "rootless", NULL);
  facts.is_remote = g_key_file_get_boolean (note, GROUP, "remote", NULL);
  facts.limits_memory = g_key_file_get_boolean (note, GROUP, "limits-memory", NULL);
  facts.limits_processes = g_key_file_get_boolean (note, GROUP, "limits-processes", NULL);
  facts.limits_cpus = g_key_file_get_boolean (note, GROUP, "limits-cpus", NULL);
  return fh_engine_new (&facts);
}

FhEngine *
fh_engine_cache_read (FhEngineKind asked)
{
  g_autofree char *path = note_path (asked);
  g_autofree char *text = fh_cache_file_read (path);
  g_autoptr (GKeyFile) note = g_key_file_new ();

  if (text == NULL || !g_key_file_load_from_data (note, text, -1, G_KEY_FILE_NONE, NULL))
    return NULL;
  return engine_from_note (note);
}

static char *
note_of (const FhEngineFacts *facts, const char *here)
{
  g_autoptr (GKeyFile) note = g_key_file_new ();

  g_key_file_set_string (note, GROUP, "here", here);
  g_key_file_set_int64 (note, GROUP, "time", g_get_real_time ());
  g_key_file_set_string (note, GROUP, "kind", fh_engine_kind_to_string (facts->kind));
  g_key_file_set_string (note, GROUP, "program", facts->program);
  g_key_file_set_string (note, GROUP, "version", facts->version);
  g_key_file_set_string (note, GROUP, "architecture", facts->architecture);
  g_key_file_set_string (note, GROUP, "storage", facts->storage);
  g_key_file_set_string (note, GROUP, "endpoint", facts->endpoint);
  g_key_file_set_boolean (note, GROUP, "rootless", facts->is_rootless);
  g_key_file_set_boolean (note, GROUP, "remote", facts->is_remote);
  g_key_file_set_boolean (note, GROUP, "limits-memory", facts->limits_memory);
  g_key_file_set_boolean (note, GROUP, "limits-processes", facts->limits_processes);
  g_key_file_set_boolean (note, GROUP, "limits-cpus", facts->limits_cpus);
  return g_key_file_to_data (note, NULL, NULL);
}

void
fh_engine_cache_write (FhEngineKind asked, FhEngine *engine)
{
  g_autofree char *path = note_path (asked);
  g_autofree char *here = NULL;
  g_autofree char *text = NULL;

  if (engine != NULL)
    here = describe_here (fh_engine_get_facts (engine)->endpoint);
  if (here == NULL)
    {
      g_unlink (path);
      return;
    }
  text = note_of (fh_engine_get_facts (engine), here);
  fh_cache_file_write (path, text);
}

void
fh_engine_forget (FhEngineKind kind)
{
  fh_engine_cache_write (FH_ENGINE_AUTO, NULL);
  if (kind != FH_ENGINE_PODMAN)
    fh_engine_cache_write (FH_ENGINE_DOCKER, NULL);
  if (kind != FH_ENGINE_DOCKER)
    fh_engine_cache_write (FH_ENGINE_PODMAN, NULL);
}
