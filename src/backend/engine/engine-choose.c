/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "engine-advice.h"
#include "engine-cache.h"
#include "engine.h"

/* Both kinds are probed in parallel. The task finishes as soon as the choice is certain; the other
 * client is then killed. */
typedef struct
{
  FhEngineKind asked;
  FhEngine *engines[2]; /* Podman, Docker; NULL while unknown, or when it does not work */
  GError *errors[2];
  GCancellable *asking; /* of the probes */
  gulong cancelled_id;
  gboolean is_decided;
} Choice;

enum
{
  PODMAN,
  DOCKER,
};

static void
choice_free (gpointer data)
{
  Choice *choice = data;

  for (guint i = 0; i < 2; i++)
    {
      g_clear_object (&choice->engines[i]);
      g_clear_error (&choice->errors[i]);
    }
  g_object_unref (choice->asking);
  g_free (choice);
}

static void
decide (GTask *task, FhEngine *engine, GError *error)
{
  Choice *choice = g_task_get_task_data (task);

  choice->is_decided = TRUE;
  g_cancellable_disconnect (g_task_get_cancellable (task), choice->cancelled_id);
  choice->cancelled_id = 0;
  if (engine == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  fh_engine_cache_write (choice->asked, engine);
  g_task_return_pointer (task, g_object_ref (engine), g_object_unref);
  g_cancellable_cancel (choice->asking);
}

static gboolean
is_known (const Choice *choice, guint index)
{
  return choice->engines[index] != NULL || choice->errors[index] != NULL;
}

/* An address in the environment is the user's choice. */
static gboolean
names_docker (void)
{
  const char *docker = g_getenv ("DOCKER_HOST");
  const char *podman = g_getenv ("CONTAINER_HOST");

  return docker != NULL && *docker != '\0' && (podman == NULL || *podman == '\0');
}

/* The one that protects best; NULL while uncertain, or when none works. */
static FhEngine *
best (const Choice *choice)
{
  FhEngine *podman = choice->engines[PODMAN];
  FhEngine *docker = choice->engines[DOCKER];

  if (names_docker ())
    {
      if (docker != NULL)
        return docker;
      return is_known (choice, DOCKER) ? podman : NULL;
    }
  if (podman != NULL && fh_engine_get_facts (podman)->is_rootless)
    return podman;
  if (!is_known (choice, PODMAN))
    return NULL;
  if (docker != NULL)
    return docker;
  return is_known (choice, DOCKER) ? podman : NULL;
}

/* Both messages, with the code of the engine that is closer to working. */
static GError *
neither (const Choice *choice)
{
  const GError *podman = choice->errors[PODMAN];
  const GError *docker = choice->errors[DOCKER];
  gboolean has_podman = !g_error_matches (podman, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_INSTALLED);
  gboolean has_docker = !g_error_matches (docker, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_INSTALLED);

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
one_answered (GTask *task, guint index, GAsyncResult *result)
{
  Choice *choice = g_task_get_task_data (task);
  FhEngine *engine;

  choice->engines[index] = fh_engine_probe_finish (result, &choice->errors[index]);
  if (choice->is_decided)
    return;
  engine = best (choice);
  if (engine != NULL)
    decide (task, engine, NULL);
  else if (is_known (choice, PODMAN) && is_known (choice, DOCKER))
    decide (task, NULL, neither (choice));
}

static void
podman_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  one_answered (task, PODMAN, result);
}

static void
docker_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  one_answered (task, DOCKER, result);
}

static void
named_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  g_autoptr (FhEngine) engine = fh_engine_probe_finish (result, &error);

  decide (task, engine, error);
}

static void
cancelled_cb (GCancellable *cancellable, gpointer user_data)
{
  g_cancellable_cancel (G_CANCELLABLE (user_data));
}

static void
probe_engines (GTask *task)
{
  Choice *choice = g_task_get_task_data (task);

  if (choice->asked != FH_ENGINE_AUTO)
    {
      fh_engine_probe_async (choice->asked, choice->asking, named_cb, g_object_ref (task));
      return;
    }
  fh_engine_probe_async (FH_ENGINE_PODMAN, choice->asking, podman_cb, g_object_ref (task));
  fh_engine_probe_async (FH_ENGINE_DOCKER, choice->asking, docker_cb, g_object_ref (task));
}

void
fh_engine_choose_async (FhEngineKind kind,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  FhEngine *noted = fh_engine_cache_read (kind);
  Choice *choice;

  g_task_set_source_tag (task, fh_engine_choose_async);
  if (noted != NULL)
    {
      g_task_return_pointer (task, noted, g_object_unref);
      return;
    }
  choice = g_new0 (Choice, 1);
  choice->asked = kind;
  choice->asking = g_cancellable_new ();
  g_task_set_task_data (task, choice, choice_free);
  if (cancellable != NULL)
    choice->cancelled_id = g_cancellable_connect (cancellable,
                                                  G_CALLBACK (cancelled_cb),
                                                  g_object_ref (choice->asking),
                                                  g_object_unref);
  probe_engines (task);
}

FhEngine *
fh_engine_choose_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, fh_engine_choose_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
