/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/utsname.h>

#include "clients.h"
#include "engine-advice.h"
#include "engine-cache.h"
#include "engine-info.h"

#define PROBE_TIMEOUT_MS 10000

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
  FhEnginePlace place = { .program = self->programs[kind], .endpoint = endpoint };
  struct utsname here;

  if (uname (&here) == 0)
    {
      place.host = here.nodename;
      place.kernel = here.release;
    }
  if (info != NULL)
    self->engines[kind] = fh_engine_from_info (kinds[kind], &place, info, &error);
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
  FhEngine *known = fh_engine_cache_read (kind);
  g_auto (Choice) choice = { .asked = kind };
  FhEngine *engine;

  if (known != NULL)
    return known;
  look (&choice, cancellable);
  engine = best (&choice);
  if (engine != NULL)
    {
      fh_engine_cache_write (kind, engine);
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
  return g_task_propagate_pointer (G_TASK (result), error);
}
