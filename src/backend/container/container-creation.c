/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-creation.h"

#include "container-copy.h"
#include "container-life.h"
#include "engine-call.h"

/* Creating one has to read the whole image once on a slow disk, and a machine far away. */
#define CREATE_TIMEOUT_MS 120000

/* An engine keeps a name from the beginning of a creation on, and shows the container later. */
#define LOOK_INTERVAL_MS 100
#define LOOKS_MAX        30

/* Each step begins the next one; the task goes along. */
typedef struct
{
  FhContainerPlace *place;
  gboolean opens_folders; /* no run has used it before */
  guint n_looks;
  GError *taken; /* the name was somebody's a moment ago */
} Creation;

static void
creation_free (gpointer data)
{
  Creation *self = data;

  fh_container_place_unref (self->place);
  g_clear_error (&self->taken);
  g_free (self);
}

/* FALSE, and the task is over, when it was cancelled meanwhile. */
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
  self->place->is_half = FALSE;
  g_task_return_boolean (task, TRUE);
}

static void
started_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Creation *self = g_task_get_task_data (task);
  FhContainerPlace *place = self->place;
  GError *error = NULL;
  g_autoptr (FhEngineAnswer) answer = fh_engine_call_finish (result, &error);

  if (answer == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (self->opens_folders && place->by_copy)
    {
      fh_container_open_folders_async (place->engine,
                                       place->name,
                                       fh_container_folders_get_workspace (place->folders) == NULL,
                                       g_task_get_cancellable (task),
                                       opened_cb,
                                       g_object_ref (task));
      return;
    }
  place->is_half = FALSE;
  g_task_return_boolean (task, TRUE);
}

static void
start_container (GTask *task)
{
  Creation *self = g_task_get_task_data (task);
  const char *const arguments[] = { "start", self->place->name, NULL };

  fh_engine_call_async (self->place->engine,
                        arguments,
                        CREATE_TIMEOUT_MS,
                        g_task_get_cancellable (task),
                        started_cb,
                        g_object_ref (task));
}

/* One-shot ones are started by the client that carries the conversation. */
static void
finish_creating (GTask *task)
{
  Creation *self = g_task_get_task_data (task);

  if (self->place->options->is_kept)
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
  FhContainerPlace *place = self->place;

  fh_container_copy_programs_async (place->engine,
                                    place->name,
                                    place->runner,
                                    place->guest_folder,
                                    g_task_get_cancellable (task),
                                    copied_cb,
                                    g_object_ref (task));
}

static void
use_found (GTask *task, const FhContainer *found)
{
  Creation *self = g_task_get_task_data (task);
  GError *error = NULL;

  if (!fh_container_place_check_digest (self->place, found, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  self->place->may_exist = TRUE;
  /* A program that was user 0 may have put others in the place of our copies. Podman has them in a
   * volume that is read-only. */
  if (self->place->by_copy && fh_engine_get_facts (self->place->engine)->kind == FH_ENGINE_DOCKER)
    copy_programs (task);
  else if (g_str_equal (found->state, "running"))
    g_task_return_boolean (task, TRUE);
  else
    start_container (task);
}

static void look_again (GTask *task);

static gboolean
look_again_cb (gpointer user_data)
{
  look_again (G_TASK (user_data));
  return G_SOURCE_REMOVE;
}

static void
look_later (GTask *task)
{
  g_autoptr (GSource) source = g_timeout_source_new (LOOK_INTERVAL_MS);

  g_task_attach_source (task, source, look_again_cb);
}

/* Whoever has the name may still be at it. */
static void
looked_again_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Creation *self = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (FhContainer) found = fh_container_find_finish (result, &error);

  if (!goes_on (task))
    g_clear_error (&error);
  else if (found != NULL && fh_container_place_check_owner (self->place, found, &error))
    use_found (task, found);
  else if (!g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER))
    g_task_return_error (task, error);
  else
    {
      g_clear_error (&error);
      if (++self->n_looks < LOOKS_MAX)
        look_later (task);
      else
        g_task_return_error (task, g_steal_pointer (&self->taken));
    }
}

static void
look_again (GTask *task)
{
  Creation *self = g_task_get_task_data (task);

  fh_container_find_async (self->place->engine,
                           self->place->name,
                           g_task_get_cancellable (task),
                           looked_again_cb,
                           g_object_ref (task));
}

/* It belongs to somebody else, or to another run of the user that came first. */
static void
be_second (GTask *task, GError *error)
{
  Creation *self = g_task_get_task_data (task);
  FhContainerPlace *place = self->place;

  place->may_exist = place->is_half = place->is_anew = FALSE;
  if (!place->options->is_kept)
    {
      g_task_return_error (task, error);
      return;
    }
  self->taken = error;
  look_again (task);
}

static void
created_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Creation *self = g_task_get_task_data (task);
  FhContainerPlace *place = self->place;
  GError *error = NULL;
  g_autoptr (FhEngineAnswer) answer = fh_engine_call_finish (result, &error);

  if (answer == NULL)
    {
      if (g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NAME_TAKEN))
        be_second (task, error);
      else
        g_task_return_error (task, error);
    }
  else if (!goes_on (task))
    return;
  else if (place->by_copy)
    copy_programs (task);
  else
    finish_creating (task);
}

static void
create_container (GTask *task)
{
  Creation *self = g_task_get_task_data (task);
  FhContainerPlace *place = self->place;
  FhContainerParts parts = fh_container_place_get_parts (place);
  g_auto (GStrv) arguments = fh_container_arguments_create (&parts);

  place->may_exist = TRUE;
  place->is_half = self->opens_folders = place->options->is_kept;
  fh_engine_call_async (place->engine,
                        (const char *const *) arguments,
                        CREATE_TIMEOUT_MS,
                        g_task_get_cancellable (task),
                        created_cb,
                        g_object_ref (task));
}

void
fh_container_create_async (FhContainerPlace *place,
                           const FhContainer *found,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Creation *self = g_new0 (Creation, 1);

  g_return_if_fail (place != NULL && place->name != NULL);

  g_task_set_source_tag (task, fh_container_create_async);
  self->place = fh_container_place_ref (place);
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
