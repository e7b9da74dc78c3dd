/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Removes containers that a crash left behind, and those of a process that exits. */
#include "container-ops.h"

#include "config.h"

#include <string.h>
#include <unistd.h>

#include "container-arguments.h"
#include "engine-call.h"

/* One line per container of ours: id, owner, and how long a kept one lives. */
#define LINE(label)        "{{.ID}} " label (FH_CONTAINER_LABEL_OWNER) " " label (FH_CONTAINER_LABEL_KEPT)
#define DOCKER_LABEL(name) "{{.Label \"" name "\"}}"
#define PODMAN_LABEL(name) "{{index .Labels \"" name "\"}}"

typedef struct
{
  FhEngine *engine;
  guint pending;
  int n_removed;
} Reaping;

static void
reaping_free (gpointer data)
{
  Reaping *reaping = data;

  g_object_unref (reaping->engine);
  g_free (reaping);
}

static void
one_done (GTask *task)
{
  Reaping *reaping = g_task_get_task_data (task);

  if (--reaping->pending == 0 && !g_task_return_error_if_cancelled (task))
    g_task_return_int (task, reaping->n_removed);
}

/* A container that cannot be removed does not stop the others; the next start tries again. */
static void
reaped_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Reaping *reaping = g_task_get_task_data (task);

  if (fh_container_remove_finish (result, NULL))
    reaping->n_removed++;
  one_done (task);
}

static gboolean
goes_with_owner (const char *kept)
{
  return *kept == '\0' || g_str_equal (kept, FH_CONTAINER_KEPT_BY_OWNER);
}

/* By id: the name may belong to another container by now. All in parallel, because we may exit
 * soon. */
static void
reap_one (GTask *task, const char *line)
{
  Reaping *reaping = g_task_get_task_data (task);
  g_auto (GStrv) fields = g_strsplit (line, " ", 3);

  if (g_strv_length (fields) != 3 || !goes_with_owner (fields[2]) ||
      !fh_container_owner_is_dead (fields[1]))
    return;
  reaping->pending++;
  fh_container_remove_async (reaping->engine,
                             fields[0],
                             g_task_get_cancellable (task),
                             reaped_cb,
                             g_object_ref (task));
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Reaping *reaping = g_task_get_task_data (task);
  g_auto (GStrv) lines = NULL;
  GError *error = NULL;
  g_autofree char *answer = fh_engine_call_finish (result, &error);

  if (answer == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  reaping->pending = 1;
  lines = g_strsplit (answer, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    reap_one (task, lines[i]);
  one_done (task);
}

void
fh_container_reap_async (FhEngine *engine,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  const char *arguments[] = {
    "ps", "--all", "--no-trunc", "--filter=label=" FH_CONTAINER_LABEL "=1", NULL, NULL,
  };
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Reaping *reaping;

  g_return_if_fail (FH_IS_ENGINE (engine));

  arguments[4] = fh_engine_get_facts (engine)->kind == FH_ENGINE_PODMAN
                     ? "--format=" LINE (PODMAN_LABEL)
                     : "--format=" LINE (DOCKER_LABEL);
  reaping = g_new0 (Reaping, 1);
  reaping->engine = g_object_ref (engine);
  g_task_set_source_tag (task, fh_container_reap_async);
  g_task_set_task_data (task, reaping, reaping_free);
  fh_engine_call_step (task, engine, arguments, FH_ENGINE_CALL_TIMEOUT_MS, listed_cb);
}

int
fh_container_reap_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, fh_container_reap_async), -1);

  return (int) g_task_propagate_int (G_TASK (result), error);
}

/* A process group of its own, so that signals to ours do not reach it. */
static void
detach_cb (gpointer user_data)
{
  setsid ();
}

/* The daemon may still be creating the container when its client is dead, so look for it again. By
 * then another user may have a container of that name: later passes remove only what this process
 * has created. $1 is the client, $2 and $3 find the container. */
static const char removal_script[] =
    "remove () { [ -z \"$2\" ] || \"$1\" rm --force --volumes -- $2; }\n"
    "remove \"$1\" \"$(\"$1\" ps --all --quiet --no-trunc \"$2\" "
    "--filter=label=" FH_CONTAINER_LABEL "=1)\"\n"
    "for pause in 0.3 1 3; do\n"
    "  sleep $pause\n"
    "  remove \"$1\" \"$(\"$1\" ps --all --quiet --no-trunc \"$2\" \"$3\")\"\n"
    "done\n";

/* Names may contain dots, which the engine's filter takes for any character. */
static char *
name_filter (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, ".", -1);
  g_autofree char *pattern = g_strjoinv ("[.]", parts);

  return g_strdup_printf ("--filter=name=^/?%s$", pattern);
}

void
fh_container_remove_later (FhEngine *engine, const char *name)
{
  g_autofree char *by_name = NULL;
  g_autofree char *by_owner = NULL;
  g_autofree char *owner = NULL;
  g_auto (GStrv) environment = NULL;
  g_autoptr (GError) error = NULL;

  g_return_if_fail (FH_IS_ENGINE (engine) && name != NULL);

  owner = fh_container_owner ();
  by_name = name_filter (name);
  by_owner = g_strdup_printf ("--filter=label=%s=%s", FH_CONTAINER_LABEL_OWNER, owner);
  environment = fh_engine_environment ();
  {
    const char *const arguments[] = {
      "/bin/sh",
      "-c",
      removal_script,
      "fumehood-removal",
      fh_engine_get_facts (engine)->program,
      by_name,
      by_owner,
      NULL,
    };

    /* Not waited for: GLib spawns it through an intermediate process, which reaps it. */
    if (!g_spawn_async ("/",
                        (char **) (gpointer) arguments,
                        environment,
                        G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                        detach_cb,
                        NULL,
                        NULL,
                        &error))
      g_warning ("The container %s is left behind: %s", name, error->message);
  }
}
