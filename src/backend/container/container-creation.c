/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-creation.h"

#include "container-copy.h"
#include "container-ops.h"
#include "engine-call.h"

/* A slow disk may have to read the whole image, and the machine may be far away. */
#define CREATE_TIMEOUT_MS 120000

/* An engine reserves a name before it shows the container. */
#define FIND_INTERVAL_MS 100
#define FINDS_MAX        30

/* Each step starts the next one, which takes over the task. */
typedef struct
{
  FhContainerInstance *instance;
  gboolean opens_folders; /* no run has used it before */
  guint n_finds;
  GError *taken; /* the name was in use a moment ago */
} Creation;

static void
creation_free (gpointer data)
{
  Creation *self = data;

  fh_container_instance_unref (self->instance);
  g_clear_error (&self->taken);
  g_free (self);
}

/* FALSE when the task was cancelled, which ends it. */
static gboolean
goes_on (GTask *task)
{
  return !g_task_return_error_if_cancelled (task);
}

static void
opened_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Creation *self = g_task_get_task_data (task);
  GError *error = NULL;

  if (!fh_container_open_folders_finish (result, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  self->instance->state = FH_CONTAINER_CREATED;
  g_task_return_boolean (task, TRUE);
}

static void
started_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Creation *self = g_task_get_task_data (task);
  FhContainerInstance *instance = self->instance;
  GError *error = NULL;
  g_autofree char *answer = fh_engine_call_finish (result, &error);

  if (answer == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (self->opens_folders && instance->by_copy)
    {
      fh_container_open_folders_async (instance->engine,
                                       instance->name,
                                       fh_container_folders_get_workspace (instance->folders) ==
                                           NULL,
                                       g_task_get_cancellable (task),
                                       opened_cb,
                                       g_object_ref (task));
      return;
    }
  instance->state = FH_CONTAINER_CREATED;
  g_task_return_boolean (task, TRUE);
}

static void
start_container (GTask *task)
{
  Creation *self = g_task_get_task_data (task);
  const char *const arguments[] = { "start", self->instance->name, NULL };

  fh_engine_call_step (task, self->instance->engine, arguments, CREATE_TIMEOUT_MS, started_cb);
}

/* One-shot containers are started by the client that connects to the runner. */
static void
finish_creating (GTask *task)
{
  Creation *self = g_task_get_task_data (task);

  if (self->instance->options->is_kept)
    start_container (task);
  else
    g_task_return_boolean (task, TRUE);
}

static void
copied_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (!fh_container_copy_programs_finish (result, &error))
    g_task_return_error (task, error);
  else if (goes_on (task))
    finish_creating (task);
}

static void
copy_programs (GTask *task)
{
  Creation *self = g_task_get_task_data (task);
  FhContainerInstance *instance = self->instance;

  fh_container_copy_programs_async (instance->engine,
                                    instance->name,
                                    instance->runner,
                                    instance->guest_folder,
                                    g_task_get_cancellable (task),
                                    copied_cb,
                                    g_object_ref (task));
}

static void
use_found (GTask *task, const FhContainer *found)
{
  Creation *self = g_task_get_task_data (task);
  GError *error = NULL;

  if (!fh_container_instance_check_digest (self->instance, found, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  self->instance->state = FH_CONTAINER_CREATED;
  g_free (self->instance->id);
  self->instance->id = g_strdup (found->id);
  /* A program running as user 0 may have replaced our copies. Podman has them in a read-only
   * volume. */
  if (self->instance->by_copy &&
      fh_engine_get_facts (self->instance->engine)->kind == FH_ENGINE_DOCKER)
    copy_programs (task);
  else if (g_str_equal (found->state, "running"))
    g_task_return_boolean (task, TRUE);
  else
    start_container (task);
}

static void find_again (GTask *task);

static gboolean
find_again_cb (gpointer user_data)
{
  find_again (G_TASK (user_data));
  return G_SOURCE_REMOVE;
}

static void
find_later (GTask *task)
{
  g_autoptr (GSource) source = g_timeout_source_new (FIND_INTERVAL_MS);

  g_task_attach_source (task, source, find_again_cb);
}

/* Another process may still be creating it. */
static void
found_again_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Creation *self = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (FhContainer) found = fh_container_find_finish (result, &error);

  if (!goes_on (task))
    g_clear_error (&error);
  else if (found != NULL && fh_container_instance_check_owner (self->instance, found, &error))
    use_found (task, found);
  else if (!g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER))
    g_task_return_error (task, error);
  else
    {
      g_clear_error (&error);
      if (++self->n_finds < FINDS_MAX)
        find_later (task);
      else
        g_task_return_error (task, g_steal_pointer (&self->taken));
    }
}

static void
find_again (GTask *task)
{
  Creation *self = g_task_get_task_data (task);

  fh_container_find_async (self->instance->engine,
                           self->instance->name,
                           g_task_get_cancellable (task),
                           found_again_cb,
                           g_object_ref (task));
}

/* It belongs to another user, or to another run that was first. */
static void
handle_name_taken (GTask *task, GError *error)
{
  Creation *self = g_task_get_task_data (task);
  FhContainerInstance *instance = self->instance;

  instance->state = FH_CONTAINER_NONE;
  instance->was_recreated = FALSE;
  if (!instance->options->is_kept)
    {
      g_task_return_error (task, error);
      return;
    }
  self->taken = error;
  find_again (task);
}

static void
created_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Creation *self = g_task_get_task_data (task);
  FhContainerInstance *instance = self->instance;
  GError *error = NULL;
  g_autofree char *answer = fh_engine_call_finish (result, &error);

  if (answer == NULL)
    {
      if (g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NAME_TAKEN))
        handle_name_taken (task, error);
      else
        g_task_return_error (task, error);
    }
  else if (goes_on (task))
    {
      g_free (instance->id);
      instance->id = g_strstrip (g_steal_pointer (&answer));
      if (instance->by_copy)
        copy_programs (task);
      else
        finish_creating (task);
    }
}

static void
create_container (GTask *task)
{
  Creation *self = g_task_get_task_data (task);
  FhContainerInstance *instance = self->instance;
  FhContainerParts parts = fh_container_instance_get_parts (instance);
  g_auto (GStrv) arguments = fh_container_arguments_create (&parts);

  instance->state = instance->options->is_kept ? FH_CONTAINER_CREATING : FH_CONTAINER_CREATED;
  self->opens_folders = instance->options->is_kept;
  fh_engine_call_step (task,
                       instance->engine,
                       (const char *const *) arguments,
                       CREATE_TIMEOUT_MS,
                       created_cb);
}

void
fh_container_create_async (FhContainerInstance *instance,
                           const FhContainer *found,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Creation *self = g_new0 (Creation, 1);

  g_return_if_fail (instance != NULL && instance->name != NULL);

  g_task_set_source_tag (task, fh_container_create_async);
  self->instance = fh_container_instance_ref (instance);
  g_task_set_task_data (task, self, creation_free);
  if (found != NULL)
    use_found (task, found);
  else
    create_container (task);
}

gboolean
fh_container_create_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, fh_container_create_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
