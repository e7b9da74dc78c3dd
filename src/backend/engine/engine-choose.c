/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "cache-file.h"
#include "clients.h"
#include "engine-advice.h"
#include "engine-info.h"

#define PROBE_TIMEOUT_MS 10000

/* A daemon may change without a trace that is visible here. */
#define MAX_AGE_US (10 * G_TIME_SPAN_MINUTE)

#define GROUP "engine"

static const char *const info_arguments[] = { "info", "--format", "{{json .}}", NULL };

/* Reads only the user's files, so it works without the daemon. */
static const char *const context_arguments[] = {
  "context", "inspect", "--format", "{{.Endpoints.docker.Host}}", NULL,
};

enum
{
  PODMAN,
  DOCKER,
  CONTEXT, /* of Docker's client: its address */
  N_CLIENTS,
};

static const FhEngineKind kinds[] = { FH_ENGINE_PODMAN, FH_ENGINE_DOCKER };

/* All are asked side by side, and the choice is made as soon as it is certain. */
typedef struct
{
  FhEngineKind asked;
  gboolean wants_all;
  char *programs[2];
  FhClient clients[N_CLIENTS];
  guint n_clients;
  const FhClient *of[N_CLIENTS]; /* NULL: not asked */
  char *endpoint;                /* of Docker; NULL while unknown */
  FhEngine *engines[2];          /* NULL while unknown, or when it does not work */
  GError *errors[2];
} Choice;

static void
choice_clear (Choice *self)
{
  for (guint i = 0; i < self->n_clients; i++)
    fh_client_clear (&self->clients[i]);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_free (self->programs[i]);
      g_clear_object (&self->engines[i]);
      g_clear_error (&self->errors[i]);
    }
  g_free (self->endpoint);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Choice, choice_clear)

static void
ask (Choice *self, guint what, guint kind, const char *const *arguments)
{
  FhClient *client = &self->clients[self->n_clients++];

  *client = (FhClient){
    .kind = kinds[kind],
    .program = self->programs[kind],
    .arguments = arguments,
    .is_tied = TRUE,
  };
  self->of[what] = client;
}

static void
ask_kind (Choice *self, guint kind)
{
  const char *named = fh_engine_named_endpoint (FH_ENGINE_DOCKER);

  self->programs[kind] = fh_engine_program (kinds[kind]);
  if (self->programs[kind] == NULL)
    {
      g_autofree char *advice = fh_engine_advice (kinds[kind], FH_ENGINE_ERROR_NOT_INSTALLED, NULL);

      self->errors[kind] =
          g_error_new_literal (FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_INSTALLED, advice);
      return;
    }
  ask (self, kind, kind, info_arguments);
  if (kind == DOCKER && named != NULL)
    self->endpoint = g_strdup (named);
  else if (kind == DOCKER)
    ask (self, CONTEXT, kind, context_arguments);
}

static gboolean
is_known (const Choice *self, guint kind)
{
  return self->engines[kind] != NULL || self->errors[kind] != NULL;
}

/* A client without contexts does not answer with an address, which then stays unknown. */
static void
read_endpoint (Choice *self)
{
  g_autofree char *answer = fh_client_take_answer ((FhClient *) self->of[CONTEXT], NULL);

  if (answer != NULL && strstr (answer, "://") != NULL)
    self->endpoint = g_strdup (g_strstrip (answer));
}

static void
read_info (Choice *self, guint kind)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *info = fh_client_take_answer ((FhClient *) self->of[kind], &error);
  const char *endpoint = kind == DOCKER ? self->endpoint : NULL;

  if (info != NULL)
    self->engines[kind] =
        fh_engine_from_info (kinds[kind], self->programs[kind], endpoint, info, &error);
  if (self->engines[kind] == NULL)
    self->errors[kind] = fh_engine_advise (error, kinds[kind], endpoint);
}

/* The one that protects best; NULL while uncertain, or when none works. */
static FhEngine *
best (const Choice *self)
{
  FhEngine *podman = self->engines[PODMAN];
  FhEngine *docker = self->engines[DOCKER];

  if (self->asked != FH_ENGINE_AUTO)
    return self->asked == FH_ENGINE_PODMAN ? podman : docker;
  /* An address in the environment is the user's choice. */
  if (fh_engine_named_endpoint (FH_ENGINE_DOCKER) == NULL ||
      fh_engine_named_endpoint (FH_ENGINE_PODMAN) != NULL)
    {
      if (podman != NULL && fh_engine_get_facts (podman)->is_rootless)
        return podman;
      if (!is_known (self, PODMAN))
        return NULL;
    }
  if (docker != NULL)
    return docker;
  return is_known (self, DOCKER) ? podman : NULL;
}

static gboolean
has_answered (const Choice *self, guint what)
{
  return self->of[what] == NULL || self->of[what]->is_over;
}

static gboolean
enough_cb (FhClient *clients, gpointer user_data)
{
  Choice *self = user_data;

  if (self->of[PODMAN] != NULL && has_answered (self, PODMAN) && !is_known (self, PODMAN))
    read_info (self, PODMAN);
  if (self->of[DOCKER] != NULL && has_answered (self, DOCKER) && has_answered (self, CONTEXT) &&
      !is_known (self, DOCKER))
    {
      if (self->of[CONTEXT] != NULL)
        read_endpoint (self);
      read_info (self, DOCKER);
    }
  return !self->wants_all && best (self) != NULL;
}

/* Both messages, with the code of the engine that is closer to working. */
static GError *
neither (const Choice *self)
{
  const GError *podman = self->errors[PODMAN];
  const GError *docker = self->errors[DOCKER];
  gboolean has_podman = !g_error_matches (podman, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_INSTALLED);
  gboolean has_docker = !g_error_matches (docker, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_INSTALLED);

  if (self->asked != FH_ENGINE_AUTO)
    return g_error_copy (self->asked == FH_ENGINE_PODMAN ? podman : docker);
  if (!has_podman && !has_docker)
    {
      g_autofree char *advice =
          fh_engine_advice (FH_ENGINE_AUTO, FH_ENGINE_ERROR_NOT_INSTALLED, NULL);

      return g_error_new_literal (FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_INSTALLED, advice);
    }
  return g_error_new (has_docker ? docker->domain : podman->domain,
                      has_docker ? docker->code : podman->code,
                      "%s %s",
                      has_docker ? docker->message : podman->message,
                      has_docker ? podman->message : docker->message);
}

static void
look (Choice *self, GCancellable *cancellable)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (self->asked == FH_ENGINE_AUTO || self->asked == kinds[i])
      ask_kind (self, i);
  fh_clients_run (self->clients, self->n_clients, PROBE_TIMEOUT_MS, cancellable, enough_cb, self);
}

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

/* Returns the engine that was chosen for AUTO or a kind, or NULL if it is not noted or something
 * has changed on which the choice depends. */
static FhEngine *
read_note (FhEngineKind asked)
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

/* Notes the engine; NULL removes the note. */
static void
write_note (FhEngineKind asked, FhEngine *engine)
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
  write_note (FH_ENGINE_AUTO, NULL);
  if (kind != FH_ENGINE_PODMAN)
    write_note (FH_ENGINE_DOCKER, NULL);
  if (kind != FH_ENGINE_DOCKER)
    write_note (FH_ENGINE_PODMAN, NULL);
}

void
fh_engine_probe (FhEngineKind kind, FhEngine **engines, GError **errors)
{
  g_auto (Choice) choice = { .asked = kind, .wants_all = TRUE };

  look (&choice, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      engines[kinds[i]] = g_steal_pointer (&choice.engines[i]);
      errors[kinds[i]] = g_steal_pointer (&choice.errors[i]);
    }
}

FhEngine *
fh_engine_choose (FhEngineKind kind, GCancellable *cancellable, GError **error)
{
  FhEngine *known = read_note (kind);
  g_auto (Choice) choice = { .asked = kind };
  FhEngine *engine;

  if (known != NULL)
    return known;
  look (&choice, cancellable);
  engine = best (&choice);
  if (engine != NULL)
    {
      write_note (kind, engine);
      return g_object_ref (engine);
    }
  if (!g_cancellable_set_error_if_cancelled (cancellable, error))
    g_propagate_error (error, neither (&choice));
  return NULL;
}

static gpointer
choose_in_thread (const FhEngineOrder *order, GCancellable *cancellable, GError **error)
{
  return fh_engine_choose (order->number, cancellable, error);
}

void
fh_engine_choose_async (FhEngineKind kind,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  fh_engine_start (&(FhEngineOrder){ .number = kind, .destroy = g_object_unref },
                   choose_in_thread,
                   cancellable,
                   callback,
                   user_data);
}

FhEngine *
fh_engine_choose_finish (GAsyncResult *result, GError **error)
{
  /* An answer may come just after it was cancelled, when nobody expects it any more. */
  g_task_set_check_cancellable (G_TASK (result), TRUE);
  return g_task_propagate_pointer (G_TASK (result), error);
}
