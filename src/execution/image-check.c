/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "image-check.h"

#include <glib/gi18n-lib.h>

#include "engine-image.h"

/* The image is looked up so long after the last change of its name. */
#define DELAY_MS 400

static guint changed_signal;

/* `engine` answered last. `cancellable` is that of the query in progress. */
struct _FhImageCheck
{
  GObject parent_instance;

  FhEngineKind kind;
  char *image; /* NULL: nothing is checked */
  guint timer;
  GCancellable *cancellable;
  FhEngine *engine;   /* nullable */
  FhImagePull *pull;  /* nullable */
  gboolean cancelled; /* the user has ended the pull */

  FhImageCheckState state;
  char *text;
  char *detail;
};

G_DEFINE_FINAL_TYPE (FhImageCheck, fh_image_check, G_TYPE_OBJECT)

static void
show (FhImageCheck *self, FhImageCheckState state, const char *text, const char *detail)
{
  self->state = state;
  g_free (self->text);
  self->text = g_strdup (text);
  g_free (self->detail);
  self->detail = g_strdup (detail);
  g_signal_emit (self, changed_signal, 0);
}

static void
show_missing (FhImageCheck *self)
{
  show (self,
        FH_IMAGE_CHECK_MISSING,
        _ ("The image will be pulled first"),
        _ ("The engine does not have it yet."));
}

static void
show_present (FhImageCheck *self, FhImage *image)
{
  g_autofree char *engine = fh_engine_describe (self->engine);
  g_autofree char *size = g_format_size (image->size);
  /* Translators: an engine and the size of an image: “Docker 20.10.24, rootless · 127 MB” */
  g_autofree char *detail = g_strdup_printf (_ ("%s · %s"), engine, size);

  show (self,
        FH_IMAGE_CHECK_PRESENT,
        fh_engine_get_facts (self->engine)->is_remote ? _ ("The engine has the image")
                                                      : _ ("The image is on this computer"),
        image->size > 0 ? detail : engine);
}

static void
show_trouble (FhImageCheck *self, const GError *error)
{
  show (self, FH_IMAGE_CHECK_TROUBLE, _ ("No container engine available"), error->message);
}

static void
found_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhImageCheck) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FhImage) image = fh_image_find_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->cancellable);
  if (image != NULL)
    show_present (self, image);
  else if (g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NO_IMAGE))
    show_missing (self);
  else
    show_trouble (self, error);
}

static void
chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhImageCheck) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FhEngine) engine = fh_engine_choose_finish (result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_set_object (&self->engine, engine);
  if (engine == NULL)
    {
      g_clear_object (&self->cancellable);
      show_trouble (self, error);
      return;
    }
  fh_image_find_async (engine, self->image, self->cancellable, found_cb, g_object_ref (self));
}

static void
stop_asking (FhImageCheck *self)
{
  g_clear_handle_id (&self->timer, g_source_remove);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static void
ask (FhImageCheck *self)
{
  stop_asking (self);
  self->cancellable = g_cancellable_new ();
  fh_engine_choose_async (self->kind, self->cancellable, chosen_cb, g_object_ref (self));
}

static gboolean
timer_cb (gpointer user_data)
{
  FhImageCheck *self = FH_IMAGE_CHECK (user_data);

  self->timer = 0;
  ask (self);
  return G_SOURCE_REMOVE;
}

/* Cancels the pull. */
static void
drop_pull (FhImageCheck *self)
{
  if (self->pull == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->pull, self);
  fh_image_pull_cancel (self->pull);
  g_clear_object (&self->pull);
}

static void
pull_moved_cb (FhImageCheck *self)
{
  show (self,
        FH_IMAGE_CHECK_PULLING,
        self->cancelled ? _ ("Stopping…") : _ ("Pulling the image…"),
        fh_image_pull_get_text (self->pull));
}

static void
pull_finished_cb (FhImageCheck *self, FhImage *image, const GError *error)
{
  gboolean cancelled = self->cancelled;

  drop_pull (self);
  if (image != NULL)
    show_present (self, image);
  else if (cancelled)
    show_missing (self);
  else
    show (self,
          FH_IMAGE_CHECK_PULL_FAILED,
          _ ("The image could not be pulled"),
          error != NULL ? error->message : NULL);
}

static void
fh_image_check_dispose (GObject *object)
{
  FhImageCheck *self = FH_IMAGE_CHECK (object);

  stop_asking (self);
  drop_pull (self);
  g_clear_object (&self->engine);

  G_OBJECT_CLASS (fh_image_check_parent_class)->dispose (object);
}

static void
fh_image_check_finalize (GObject *object)
{
  FhImageCheck *self = FH_IMAGE_CHECK (object);

  g_free (self->image);
  g_free (self->text);
  g_free (self->detail);

  G_OBJECT_CLASS (fh_image_check_parent_class)->finalize (object);
}

static void
fh_image_check_class_init (FhImageCheckClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = fh_image_check_dispose;
  object_class->finalize = fh_image_check_finalize;

  changed_signal = g_signal_new ("changed",
                                 FH_TYPE_IMAGE_CHECK,
                                 G_SIGNAL_RUN_LAST,
                                 0,
                                 NULL,
                                 NULL,
                                 NULL,
                                 G_TYPE_NONE,
                                 0);
}

static void
fh_image_check_init (FhImageCheck *self)
{
  self->text = g_strdup ("");
}

FhImageCheck *
fh_image_check_new (void)
{
  return g_object_new (FH_TYPE_IMAGE_CHECK, NULL);
}

void
fh_image_check_set (FhImageCheck *self, FhEngineKind engine, const char *image)
{
  g_autoptr (GError) error = NULL;
  FhContainerOptions options = { .engine = engine, .image = image };

  g_return_if_fail (FH_IS_IMAGE_CHECK (self));

  if (self->kind == engine && g_strcmp0 (self->image, image) == 0)
    return;
  stop_asking (self);
  drop_pull (self);
  self->kind = engine;
  g_free (self->image);
  self->image = g_strdup (image);
  if (image == NULL)
    {
      show (self, FH_IMAGE_CHECK_IDLE, "", NULL);
      return;
    }
  if (!fh_container_options_check (&options, &error))
    {
      show (self, FH_IMAGE_CHECK_INVALID, error->message, NULL);
      return;
    }
  show (self, FH_IMAGE_CHECK_CHECKING, _ ("Looking for the image…"), NULL);
  self->timer = g_timeout_add (DELAY_MS, timer_cb, self);
}

void
fh_image_check_again (FhImageCheck *self)
{
  g_return_if_fail (FH_IS_IMAGE_CHECK (self));

  if (self->image == NULL || self->state == FH_IMAGE_CHECK_INVALID || self->pull != NULL)
    return;
  fh_engine_forget (self->kind);
  show (self, FH_IMAGE_CHECK_CHECKING, _ ("Looking for the image…"), NULL);
  ask (self);
}

void
fh_image_check_pull (FhImageCheck *self)
{
  g_return_if_fail (FH_IS_IMAGE_CHECK (self));

  if (self->state != FH_IMAGE_CHECK_MISSING && self->state != FH_IMAGE_CHECK_PULL_FAILED)
    return;
  self->cancelled = FALSE;
  self->pull = fh_image_pull_start (self->engine, self->image);
  g_signal_connect_object (self->pull,
                           "changed",
                           G_CALLBACK (pull_moved_cb),
                           self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->pull,
                           "finished",
                           G_CALLBACK (pull_finished_cb),
                           self,
                           G_CONNECT_SWAPPED);
  pull_moved_cb (self);
}

void
fh_image_check_cancel_pull (FhImageCheck *self)
{
  g_return_if_fail (FH_IS_IMAGE_CHECK (self));

  if (self->pull == NULL)
    return;
  self->cancelled = TRUE;
  pull_moved_cb (self);
  fh_image_pull_cancel (self->pull);
}

FhImageCheckState
fh_image_check_get_state (FhImageCheck *self)
{
  g_return_val_if_fail (FH_IS_IMAGE_CHECK (self), FH_IMAGE_CHECK_IDLE);

  return self->state;
}

const char *
fh_image_check_get_text (FhImageCheck *self)
{
  g_return_val_if_fail (FH_IS_IMAGE_CHECK (self), NULL);

  return self->text;
}

const char *
fh_image_check_get_detail (FhImageCheck *self)
{
  g_return_val_if_fail (FH_IS_IMAGE_CHECK (self), NULL);

  return self->detail;
}

double
fh_image_check_get_fraction (FhImageCheck *self)
{
  g_return_val_if_fail (FH_IS_IMAGE_CHECK (self), -1);

  return self->pull != NULL ? fh_image_pull_get_fraction (self->pull) : -1;
}

static void
listed_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  GError *error = NULL;
  GStrv names = fh_image_list_finish (result, &error);

  if (names != NULL)
    g_task_return_pointer (task, names, (GDestroyNotify) g_strfreev);
  else
    g_task_return_error (task, error);
}

static void
engine_chosen_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  GError *error = NULL;
  g_autoptr (FhEngine) engine = fh_engine_choose_finish (result, &error);

  if (engine != NULL)
    fh_image_list_async (engine, g_task_get_cancellable (task), listed_cb, g_object_ref (task));
  else
    g_task_return_error (task, error);
}

void
fh_image_names_async (FhEngineKind engine,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, fh_image_names_async);
  fh_engine_choose_async (engine, cancellable, engine_chosen_cb, task);
}

GStrv
fh_image_names_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, fh_image_names_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
