/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "controls/image-check.h"

#include <glib/gi18n.h>

/* After the last change of the name. */
#define DELAY_MS 400

enum
{
  PROP_STATE = 1,
  PROP_TEXT,
  PROP_DETAIL,
  PROP_FRACTION,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

/* `engine` is the one that answered last. `cancellable` is of the question that is under way. */
struct _FhImageCheck
{
  GObject parent_instance;

  FhEngineKind kind;
  char *image; /* nullable: nothing is asked */
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
notify_all (FhImageCheck *self)
{
  g_object_freeze_notify (G_OBJECT (self));
  for (guint i = PROP_STATE; i < N_PROPS; i++)
    g_object_notify_by_pspec (G_OBJECT (self), properties[i]);
  g_object_thaw_notify (G_OBJECT (self));
}

static void
show (FhImageCheck *self, FhImageCheckState state, const char *text, const char *detail)
{
  self->state = state;
  g_free (self->text);
  self->text = g_strdup (text);
  g_free (self->detail);
  self->detail = g_strdup (detail);
  notify_all (self);
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
  show (self, FH_IMAGE_CHECK_TROUBLE, _ ("No container can be made now"), error->message);
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

/* A pull that nobody waits for any more. */
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
fh_image_check_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FhImageCheck *self = FH_IMAGE_CHECK (object);

  switch (id)
    {
    case PROP_STATE:
      g_value_set_int (value, (int) self->state);
      break;
    case PROP_TEXT:
      g_value_set_string (value, self->text);
      break;
    case PROP_DETAIL:
      g_value_set_string (value, self->detail);
      break;
    case PROP_FRACTION:
      g_value_set_double (value, fh_image_check_get_fraction (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
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
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = fh_image_check_dispose;
  object_class->finalize = fh_image_check_finalize;
  object_class->get_property = fh_image_check_get_property;

  properties[PROP_STATE] = g_param_spec_int ("state",
                                             NULL,
                                             NULL,
                                             FH_IMAGE_CHECK_IDLE,
                                             FH_IMAGE_CHECK_PULL_FAILED,
                                             FH_IMAGE_CHECK_IDLE,
                                             flags);
  properties[PROP_TEXT] = g_param_spec_string ("text", NULL, NULL, "", flags);
  properties[PROP_DETAIL] = g_param_spec_string ("detail", NULL, NULL, NULL, flags);
  properties[PROP_FRACTION] = g_param_spec_double ("fraction", NULL, NULL, -1, 1, -1, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
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
                           "notify",
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
