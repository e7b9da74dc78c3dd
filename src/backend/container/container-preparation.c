/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "container-preparation.h"

#include <glib/gi18n-lib.h>

#include "container-creation.h"
#include "container-life.h"
#include "shown-folders.h"

/* Each step begins the next one; the task goes along. The image and a container of that name are
 * asked for at the same time, because each question costs a client. */
typedef struct
{
  FhContainerPlace *place;
  FhContainerPullFunc pulling;
  gpointer pulling_data;
  FhImagePull *pull;
  gulong pull_cancelled;
  guint n_questions;
  gboolean has_chosen_anew;
  FhContainer *found; /* a container of that name */
  GError *image_error;
  GError *container_error;
} Preparation;

static void
preparation_free (gpointer data)
{
  Preparation *self = data;

  fh_container_place_unref (self->place);
  g_clear_object (&self->pull);
  g_clear_pointer (&self->found, fh_container_free);
  g_clear_error (&self->image_error);
  g_clear_error (&self->container_error);
  g_free (self);
}

/* FALSE, and the task is over, when it was cancelled meanwhile. */
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

/* The image is there, or a container that was made from it. */
static void
make_place (GTask *task)
{
  Preparation *self = g_task_get_task_data (task);
  FhContainerPlace *place = self->place;
  gboolean was_there; /* a kept one of that name was made before */
  GError *error = NULL;

  if (!fh_container_place_check_image (place, &error) ||
      !fh_shown_folders_check (place->options, fh_engine_get_facts (place->engine), &error) ||
      (self->found != NULL && !fh_container_place_check_owner (place, self->found, &error)))
    {
      g_task_return_error (task, error);
      return;
    }
  if (place->is_looking)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  was_there = place->may_exist || fh_container_folders_exist (place->name);
  if (place->folders == NULL)
    place->folders = fh_container_folders_new (place->options, place->name, place->by_copy, &error);
  if (place->folders == NULL)
    g_task_return_error (task, error);
  else if (self->found == NULL && !place->options->is_kept && !place->by_copy)
    g_task_return_boolean (task, TRUE);
  else
    {
      place->is_anew = self->found == NULL && place->options->is_kept && was_there;
      fh_container_create_async (place,
                                 self->found,
                                 g_task_get_cancellable (task),
                                 created_cb,
                                 g_object_ref (task));
    }
}

static void
stop_pulling (GTask *task)
{
  Preparation *self = g_task_get_task_data (task);

  /* Not g_cancellable_disconnect, which waits for a handler that may be what led here. */
  g_clear_signal_handler (&self->pull_cancelled, g_task_get_cancellable (task));
  g_signal_handlers_disconnect_by_data (self->pull, task);
  g_clear_object (&self->pull);
  /* Who has cancelled it listens no more, and may be gone. */
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
      self->place->image = fh_image_copy (image);
      make_place (task);
    }
}

static void
pull_cancelled_cb (GCancellable *cancellable, FhImagePull *pull)
{
  fh_image_pull_cancel (pull);
}

/* The task is kept by the handler until the pull has finished, which it always does. */
static void
pull (GTask *task)
{
  Preparation *self = g_task_get_task_data (task);
  GCancellable *cancellable = g_task_get_cancellable (task);

  self->pull =
      fh_image_pull_start (self->place->engine, fh_container_options_image (self->place->options));
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

/* An engine that worked a while ago may not do so any more, and another one may. A container that
 * was made is with the old one. */
static gboolean
chooses_anew (GTask *task)
{
  Preparation *self = g_task_get_task_data (task);
  FhContainerPlace *place = self->place;

  if (self->has_chosen_anew || place->may_exist ||
      !(g_error_matches (self->image_error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_RUNNING) ||
        g_error_matches (self->image_error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_ALLOWED) ||
        g_error_matches (self->image_error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_INSTALLED)))
    return FALSE;
  self->has_chosen_anew = TRUE;
  fh_engine_forget (place->options->engine);
  g_clear_object (&place->engine);
  g_clear_error (&self->image_error);
  g_clear_error (&self->container_error);
  choose_engine (task);
  return TRUE;
}

static void
answered (GTask *task)
{
  Preparation *self = g_task_get_task_data (task);
  FhContainerPlace *place = self->place;
  const char *name = fh_container_options_image (place->options);

  if (--self->n_questions > 0 || !goes_on (task) || chooses_anew (task))
    return;
  if (self->container_error != NULL)
    g_task_return_error (task, g_steal_pointer (&self->container_error));
  else if (place->image != NULL)
    make_place (task);
  else if (!g_error_matches (self->image_error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_IMAGE))
    g_task_return_error (task, g_steal_pointer (&self->image_error));
  else if (self->found != NULL)
    {
      fh_container_place_set_unknown_image (place);
      make_place (task);
    }
  else if (place->options->no_pull)
    fail (task,
          FH_ENGINE_ERROR_NO_IMAGE,
          /* Translators: the name of an image */
          _ ("The image “%s” is not on this computer, and it was asked not to pull it."),
          name);
  else
    pull (task);
}

static void
image_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Preparation *self = g_task_get_task_data (task);

  self->place->image = fh_image_find_finish (result, &self->image_error);
  answered (task);
}

static void
container_found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Preparation *self = g_task_get_task_data (task);

  self->found = fh_container_find_finish (result, &self->container_error);
  if (g_error_matches (self->container_error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_CONTAINER))
    g_clear_error (&self->container_error);
  answered (task);
}

/* The engine is there. A name that was generated a moment ago is nobody's. */
static void
ask (GTask *task)
{
  Preparation *self = g_task_get_task_data (task);
  FhContainerPlace *place = self->place;
  GCancellable *cancellable = g_task_get_cancellable (task);
  const gboolean may_be_taken =
      !place->is_looking && (place->options->name != NULL || place->may_exist);

  if (place->name == NULL)
    place->name =
        place->options->name != NULL ? g_strdup (place->options->name) : fh_container_new_name ();
  self->n_questions = 1 + (place->image == NULL) + may_be_taken;
  if (place->image == NULL)
    fh_image_find_async (place->engine,
                         fh_container_options_image (place->options),
                         cancellable,
                         image_found_cb,
                         g_object_ref (task));
  if (may_be_taken)
    fh_container_find_async (place->engine,
                             place->name,
                             cancellable,
                             container_found_cb,
                             g_object_ref (task));
  answered (task);
}

static void
use_engine (GTask *task)
{
  Preparation *self = g_task_get_task_data (task);
  GError *error = NULL;

  if (!fh_container_place_check_engine (self->place, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  self->place->by_copy = fh_container_folders_must_copy (self->place->options,
                                                         fh_engine_get_facts (self->place->engine));
  if (goes_on (task))
    ask (task);
}

static void
engine_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  Preparation *self = g_task_get_task_data (task);
  GError *error = NULL;

  self->place->engine = fh_engine_choose_finish (result, &error);
  if (self->place->engine == NULL)
    g_task_return_error (task, error);
  else
    use_engine (task);
}

static void
choose_engine (GTask *task)
{
  Preparation *self = g_task_get_task_data (task);

  fh_engine_choose_async (self->place->options->engine,
                          g_task_get_cancellable (task),
                          engine_chosen_cb,
                          g_object_ref (task));
}

void
fh_container_prepare_async (FhContainerPlace *place,
                            FhContainerPullFunc pulling,
                            gpointer pulling_data,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Preparation *self = g_new0 (Preparation, 1);

  g_return_if_fail (place != NULL && pulling != NULL);

  g_task_set_source_tag (task, fh_container_prepare_async);
  self->place = fh_container_place_ref (place);
  self->pulling = pulling;
  self->pulling_data = pulling_data;
  g_task_set_task_data (task, self, preparation_free);
  if (place->engine != NULL)
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
