/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/utsname.h>

#include "engine-advice.h"
#include "engine-call.h"
#include "engine-info.h"

#define PROBE_TIMEOUT_MS 10000

static const char *const info_arguments[] = { "info", "--format", "{{json .}}", NULL };

/* Reads only the user's files, so it works without the daemon. */
static const char *const context_arguments[] = {
  "context", "inspect", "--format", "{{.Endpoints.docker.Host}}", NULL,
};

/* Probes one kind: the engine's facts and, for docker, its client's address. Both are asked in
 * parallel; the task finishes when both have answered. */
typedef struct
{
  FhEngineKind kind;
  char *program;
  char *endpoint; /* NULL while unknown */
  char *info;     /* NULL while there is no valid answer */
  GError *error;
  guint pending;
} Probe;

static void
probe_free (gpointer data)
{
  Probe *probe = data;

  g_free (probe->program);
  g_free (probe->endpoint);
  g_free (probe->info);
  g_clear_error (&probe->error);
  g_free (probe);
}

static FhEngine *
make_engine (Probe *probe, GError **error)
{
  struct utsname here;
  FhEnginePlace place = { .program = probe->program, .endpoint = probe->endpoint };
  g_autoptr (GError) reason = g_steal_pointer (&probe->error);
  FhEngine *engine = NULL;

  if (uname (&here) == 0)
    {
      place.host = here.nodename;
      place.kernel = here.release;
    }
  if (probe->info != NULL)
    engine = fh_engine_from_info (probe->kind, &place, probe->info, &reason);
  if (engine == NULL)
    g_propagate_error (error, fh_engine_advise (reason, probe->kind, probe->endpoint));
  return engine;
}

static void
one_done (GTask *task)
{
  Probe *probe = g_task_get_task_data (task);
  GError *error = NULL;
  FhEngine *engine;

  if (--probe->pending > 0)
    return;
  engine = make_engine (probe, &error);
  if (engine != NULL)
    g_task_return_pointer (task, engine, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
info_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Probe *probe = g_task_get_task_data (task);

  probe->info = fh_engine_call_finish (result, &probe->error);
  one_done (task);
}

/* A client without contexts; the address stays unknown. */
static void
context_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Probe *probe = g_task_get_task_data (task);
  g_autofree char *answer = fh_engine_call_finish (result, NULL);

  if (answer != NULL && strstr (answer, "://") != NULL)
    probe->endpoint = g_strdup (g_strstrip (answer));
  one_done (task);
}

static void
call (GTask *task, const char *const *arguments, GAsyncReadyCallback callback)
{
  Probe *probe = g_task_get_task_data (task);

  probe->pending++;
  fh_engine_call_program_async (probe->kind,
                                probe->program,
                                arguments,
                                PROBE_TIMEOUT_MS,
                                g_task_get_cancellable (task),
                                callback,
                                g_object_ref (task));
}

static void
find_endpoint (GTask *task)
{
  Probe *probe = g_task_get_task_data (task);
  const char *named = g_getenv ("DOCKER_HOST");

  if (probe->kind == FH_ENGINE_PODMAN)
    return;
  if (named != NULL && *named != '\0')
    probe->endpoint = g_strdup (named);
  else
    call (task, context_arguments, context_cb);
}

static GError *
missing_error (FhEngineKind kind)
{
  g_autofree char *advice = fh_engine_advice (kind, FH_ENGINE_ERROR_NOT_INSTALLED, NULL);

  return g_error_new_literal (FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_INSTALLED, advice);
}

void
fh_engine_probe_async (FhEngineKind kind,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Probe *probe;

  g_return_if_fail (kind == FH_ENGINE_DOCKER || kind == FH_ENGINE_PODMAN);

  g_task_set_source_tag (task, fh_engine_probe_async);
  probe = g_new0 (Probe, 1);
  probe->kind = kind;
  probe->program = fh_engine_program (kind);
  g_task_set_task_data (task, probe, probe_free);
  if (probe->program == NULL)
    {
      g_task_return_error (task, missing_error (kind));
      return;
    }
  call (task, info_arguments, info_cb);
  find_endpoint (task);
}

FhEngine *
fh_engine_probe_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, fh_engine_probe_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
