/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-preparation.h"

#include <glib/gi18n-lib.h>

#include "container-creation.h"
#include "container-ops.h"
#include "kept-folder.h"

/* Each step starts the next one, which takes over the task. The image and the container are looked
 * up in parallel, because each lookup costs a client. */
typedef struct
{
  FhContainerInstance *instance;
  FhContainerPullFunc pulling;
  gpointer pulling_data;
  FhImagePull *pull;
  gulong pull_cancelled;
  guint n_lookups;
  gboolean has_chosen_again;
  FhContainer *found; /* a container of that name */
  gboolean was_there; /* a kept one of that name existed */
  GError *image_error;
  GError *container_error;
} Preparation;

static void
preparation_free (gpointer data)
{
  Preparation *self = data;

  fh_container_instance_unref (self->instance);
  g_clear_object (&self->pull);
  g_clear_pointer (&self->found, fh_container_free);
  g_clear_error (&self->image_error);
  g_clear_error (&self->container_error);
  g_free (self);
}

/* FALSE when the task was cancelled, which ends it. */
static gboolean
goes_on (GTask *task)
{
  return !g_task_return_error_if_cancelled (task);
}

static void fail (GTask *task, int code, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
fail (GTask *task, int code, const char *format, ...)
{
  va_list values;

  va_start (values, format);
  g_task_return_error (task, g_error_new_valist (FH_ENGINE_ERROR, code, format, values));
  va_end (values);
}

static void
created_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;

  if (fh_container_create_finish (result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
folders_made_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Preparation *self = g_task_get_task_data (task);
  FhContainerInstance *instance = self->instance;
  GError *error = NULL;
  g_autoptr (FhContainerFolders) folders = fh_container_folders_new_finish (result, &error);

  if (folders == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (!goes_on (task))
    return;
  g_set_object (&instance->folders, folders);
  if (self->found == NULL && !instance->options->is_kept && !instance->by_copy)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  instance->was_recreated = self->found == NULL && instance->options->is_kept && self->was_there;
  fh_container_create_async (instance,
                             self->found,
                             g_task_get_cancellable (task),
                             created_cb,
                             g_object_ref (task));
}

/* The image is there, or a container made from it. */
static void
make_folders (GTask *task)
{
  Preparation *self = g_task_get_task_data (task);
  FhContainerInstance *instance = self->instance;
  GError *error = NULL;

  if (!fh_container_instance_check_image (instance, &error) ||
      (self->found != NULL && !fh_container_instance_check_owner (instance, self->found, &error)))
    {
      g_task_return_error (task, error);
      return;
    }
  self->was_there = instance->state != FH_CONTAINER_NONE || fh_kept_folder_exists (instance->name);
  fh_container_folders_new_async (instance->options,
                                  instance->engine,
                                  instance->name,
                                  instance->by_copy,
                                  folders_made_cb,
                                  g_object_ref (task));
}

static void
stop_pulling (GTask *task)
{
  Preparation *self = g_task_get_task_data (task);

  /* Not g_cancellable_disconnect(), which would wait for a handler that may be our caller. */
  g_clear_signal_handler (&self->pull_cancelled, g_task_get_cancellable (task));
  g_signal_handlers_disconnect_by_data (self->pull, task);
  g_clear_object (&self->pull);
  /* After cancelling, the listener may be gone. */
  if (!g_cancellable_is_cancelled (g_task_get_cancellable (task)))
    self->pulling (NULL, self->pulling_data);
}

static void
pull_finished_cb (FhImagePull *pull, FhImage *image, GError *error, GTask *task)
{
  G_GNUC_UNUSED g_autoptr (GTask) alive = g_object_ref (task);
  Preparation *self = g_task_get_task_data (task);

  stop_pulling (task);
  g_object_unref (task);
  if (!goes_on (task))
    return;
  if (image == NULL)
    g_task_return_error (task, g_error_copy (error));
  else
    {
      self->instance->image = fh_image_copy (image);
      make_folders (task);
    }
}

static void
pull_cancelled_cb (GCancellable *cancellable, FhImagePull *pull)
{
  fh_image_pull_cancel (pull);
}

/* The handler keeps the task until the pull has finished, which it always does. */
static void
pull (GTask *task)
{
  Preparation *self = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);

  self->pull = fh_image_pull_start (self->instance->engine,
                                    fh_container_options_image (self->instance->options));
  g_signal_connect (self->pull, "finished", G_CALLBACK (pull_finished_cb), g_object_ref (task));
  if (cancellable != NULL)
    self->pull_cancelled = g_signal_connect_object (cancellable,
                                                    "cancelled",
                                                    G_CALLBACK (pull_cancelled_cb),
                                                    self->pull,
                                                    0);
  self->pulling (self->pull, self->pulling_data);
}

static void choose_engine (GTask *task);

/* An engine that worked before may have stopped, and another may work. An existing container
 * belongs to the old one. */
static gboolean
chooses_again (GTask *task)
{
  Preparation *self = g_task_get_task_data (task);
  FhContainerInstance *instance = self->instance;

  if (self->has_chosen_again || instance->state != FH_CONTAINER_NONE ||
      !(g_error_matches (self->image_error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_RUNNING) ||
        g_error_matches (self->image_error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_ALLOWED) ||
        g_error_matches (self->image_error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_INSTALLED)))
    return FALSE;
  self->has_chosen_again = TRUE;
  fh_engine_forget (instance->options->engine);
  g_clear_object (&instance->engine);
  g_clear_error (&self->image_error);
  g_clear_error (&self->container_error);
  choose_engine (task);
  return TRUE;
}

static void
look_up_done (GTask *task)
{
  Preparation *self = g_task_get_task_data (task);
  FhContainerInstance *instance = self->instance;
  const char *name = fh_container_options_image (instance->options);

  if (--self->n_lookups > 0 || !goes_on (task) || chooses_again (task))
    return;
  if (self->container_error != NULL)
    g_task_return_error (task, g_steal_pointer (&self->container_error));
  else if (instance->image != NULL)
    make_folders (task);
  else if (!g_error_matches (self->image_error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_IMAGE))
    g_task_return_error (task, g_steal_pointer (&self->image_error));
  else if (self->found != NULL)
    {
      fh_container_instance_set_unknown_image (instance);
      make_folders (task);
    }
  else if (instance->options->no_pull || instance->is_ahead)
    fail (task,
          FH_ENGINE_ERROR_NO_IMAGE,
          /* Translators: the name of an image */
          _ ("The image “%s” is not on this computer, and pulling it was not allowed."),
          name);
  else
    pull (task);
}

static void
image_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Preparation *self = g_task_get_task_data (task);

  self->instance->image = fh_image_find_finish (result, &self->image_error);
  look_up_done (task);
}

static void
container_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Preparation *self = g_task_get_task_data (task);

  self->found = fh_container_find_finish (result, &self->container_error);
  if (g_error_matches (self->container_error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER))
    g_clear_error (&self->container_error);
  look_up_done (task);
}

/* The engine is there. A new generated name cannot be in use. */
static void
look_up (GTask *task)
{
  Preparation *self = g_task_get_task_data (task);
  FhContainerInstance *instance = self->instance;
  GCancellable *cancellable = g_task_get_cancellable (task);
  const gboolean may_be_taken =
      instance->options->name != NULL || instance->state != FH_CONTAINER_NONE;

  if (instance->name == NULL)
    instance->name = instance->options->name != NULL ? g_strdup (instance->options->name)
                                                     : fh_container_new_name ();
  self->n_lookups = 1 + (instance->image == NULL) + may_be_taken;
  if (instance->image == NULL)
    fh_image_find_async (instance->engine,
                         fh_container_options_image (instance->options),
                         cancellable,
                         image_found_cb,
                         g_object_ref (task));
  if (may_be_taken)
    fh_container_find_async (instance->engine,
                             instance->name,
                             cancellable,
                             container_found_cb,
                             g_object_ref (task));
  look_up_done (task);
}

static void
use_engine (GTask *task)
{
  Preparation *self = g_task_get_task_data (task);
  GError *error = NULL;

  if (!fh_container_instance_check_engine (self->instance, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  self->instance->by_copy =
      fh_container_folders_must_copy (self->instance->options,
                                      fh_engine_get_facts (self->instance->engine));
  if (self->instance->is_ahead && self->instance->by_copy)
    fail (task, FH_ENGINE_ERROR_FAILED, "files would have to be copied");
  else if (goes_on (task))
    look_up (task);
}

static void
engine_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Preparation *self = g_task_get_task_data (task);
  GError *error = NULL;

  self->instance->engine = fh_engine_choose_finish (result, &error);
  if (self->instance->engine == NULL)
    g_task_return_error (task, error);
  else
    use_engine (task);
}

static void
choose_engine (GTask *task)
{
  Preparation *self = g_task_get_task_data (task);

  fh_engine_choose_async (self->instance->options->engine,
                          g_task_get_cancellable (task),
                          engine_chosen_cb,
                          g_object_ref (task));
}

void
fh_container_prepare_async (FhContainerInstance *instance,
                            FhContainerPullFunc pulling,
                            gpointer pulling_data,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Preparation *self = g_new0 (Preparation, 1);

  g_return_if_fail (instance != NULL && pulling != NULL);

  g_task_set_source_tag (task, fh_container_prepare_async);
  self->instance = fh_container_instance_ref (instance);
  self->pulling = pulling;
  self->pulling_data = pulling_data;
  g_task_set_task_data (task, self, preparation_free);
  if (instance->engine != NULL)
    use_engine (task);
  else
    choose_engine (task);
}

gboolean
fh_container_prepare_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
