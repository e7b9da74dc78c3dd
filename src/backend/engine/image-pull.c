/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "clients.h"
#include "image-steps.h"
#include "pull-progress.h"

#define GRACE_MS 2000

/* A client writes its progress many times a second: such a silence means that the pull hangs. */
#define STALL_MS (5 * 60 * 1000)

/* A thread reads what the client writes; what is shown belongs to the context in which the object
 * was made, to which at most one source carries the latest. */
struct _FhImagePull
{
  GObject parent_instance;

  GMainContext *context;
  GCancellable *cancellable;
  FhPullProgress *progress; /* the thread's */

  /* Under the lock. */
  GMutex lock;
  char *next_text;
  double next_fraction;
  gboolean is_coming;

  char *text;
  double fraction;
};

G_DEFINE_FINAL_TYPE (FhImagePull, fh_image_pull, G_TYPE_OBJECT)

static guint changed_signal;
static guint finished_signal;

static gboolean
show_cb (gpointer user_data)
{
  FhImagePull *self = FH_IMAGE_PULL (user_data);
  g_autofree char *text = NULL;
  double fraction;

  g_mutex_lock (&self->lock);
  text = g_steal_pointer (&self->next_text);
  fraction = self->next_fraction;
  self->is_coming = FALSE;
  g_mutex_unlock (&self->lock);
  if (fraction == self->fraction && g_str_equal (text, self->text))
    return G_SOURCE_REMOVE;
  self->fraction = fraction;
  g_free (self->text);
  self->text = g_steal_pointer (&text);
  g_signal_emit (self, changed_signal, 0);
  return G_SOURCE_REMOVE;
}

/* The thread calls this. */
static void
show (FhImagePull *self, double fraction)
{
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  g_autoptr (GSource) source = NULL;

  g_free (self->next_text);
  self->next_text = fh_pull_progress_get_text (self->progress);
  self->next_fraction = fraction;
  if (self->is_coming)
    return;
  self->is_coming = TRUE;
  /* Not g_main_context_invoke, which may call it here. */
  source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, show_cb, g_object_ref (self), g_object_unref);
  g_source_attach (source, self->context);
}

static void
line_cb (const char *line, gsize size, gpointer user_data)
{
  FhImagePull *self = FH_IMAGE_PULL (user_data);

  fh_pull_progress_add (self->progress, line, size);
  show (self, fh_pull_progress_get_fraction (self->progress));
}

/* Takes the error of the client. */
static GError *
failure (FhImagePull *self, FhEngine *engine, const char *name, GError *of_client)
{
  g_autoptr (GError) error = of_client;
  g_autofree char *words = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return g_error_new (G_IO_ERROR,
                        G_IO_ERROR_CANCELLED,
                        _ ("Pulling the image “%s” was canceled."),
                        name);
  if (g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_TIMED_OUT))
    return g_error_new (FH_ENGINE_ERROR,
                        FH_ENGINE_ERROR_TIMED_OUT,
                        _ ("Pulling the image “%s” stalled and was given up."),
                        name);
  if (g_error_matches (error, FH_ENGINE_ERROR, FH_ENGINE_ERROR_NOT_INSTALLED))
    return g_steal_pointer (&error);
  words = fh_pull_progress_get_words (self->progress);
  if (*words != '\0')
    return fh_engine_error_from_text (fh_engine_get_facts (engine)->kind, words);
  return g_error_new (FH_ENGINE_ERROR,
                      FH_ENGINE_ERROR_FAILED,
                      _ ("Pulling the image “%s” failed without a message."),
                      name);
}

FhImage *
fh_image_pull_run (FhImagePull *self,
                   FhEngine *engine,
                   const char *name,
                   GCancellable *cancellable,
                   GError **error)
{
  const char *const arguments[] = { "pull", "--", name, NULL };
  g_auto (FhClient) client = fh_engine_client (engine, arguments);
  g_auto (GStrv) environment = fh_engine_environment ();
  FhImage *image;

  if (!fh_image_name_check (name, error))
    return NULL;
  environment = g_environ_setenv (g_steal_pointer (&environment), "TERM", "xterm", TRUE);
  client.environment = (const char *const *) environment;
  client.grace_ms = GRACE_MS;
  client.stall_ms = STALL_MS;
  client.is_tied = client.is_drawing = TRUE;
  client.line = line_cb;
  client.line_data = self;
  fh_clients_run (&client, 1, 0, cancellable, NULL, NULL);
  if (client.error != NULL)
    {
      g_propagate_error (error, failure (self, engine, name, g_steal_pointer (&client.error)));
      return NULL;
    }
  image = fh_image_find (engine, name, cancellable, error);
  if (image != NULL)
    show (self, 1);
  return image;
}

static gpointer
pull_in_thread (const FhEngineOrder *order, GCancellable *cancellable, GError **error)
{
  return fh_image_pull_run (order->data, order->engine, order->name, cancellable, error);
}

static void
pulled_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FhImagePull) self = FH_IMAGE_PULL (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (FhImage) image = g_task_propagate_pointer (G_TASK (result), &error);

  fh_image_pull_finish (self, image, error);
}

FhImagePull *
fh_image_pull_new (void)
{
  return g_object_new (FH_TYPE_IMAGE_PULL, NULL);
}

void
fh_image_pull_finish (FhImagePull *self, FhImage *image, const GError *error)
{
  g_signal_emit (self, finished_signal, 0, image, error);
}

FhImagePull *
fh_image_pull_start (FhEngine *engine, const char *name)
{
  FhImagePull *self;

  g_return_val_if_fail (FH_IS_ENGINE (engine) && name != NULL, NULL);

  self = fh_image_pull_new ();
  fh_engine_start (&(FhEngineOrder){ engine, name, 0, self, (GDestroyNotify) fh_image_free },
                   pull_in_thread,
                   self->cancellable,
                   pulled_cb,
                   g_object_ref (self));
  return self;
}

double
fh_image_pull_get_fraction (FhImagePull *self)
{
  g_return_val_if_fail (FH_IS_IMAGE_PULL (self), -1);

  return self->fraction;
}

const char *
fh_image_pull_get_text (FhImagePull *self)
{
  g_return_val_if_fail (FH_IS_IMAGE_PULL (self), NULL);

  return self->text;
}

void
fh_image_pull_cancel (FhImagePull *self)
{
  g_return_if_fail (FH_IS_IMAGE_PULL (self));

  g_cancellable_cancel (self->cancellable);
}

static void
fh_image_pull_finalize (GObject *object)
{
  FhImagePull *self = FH_IMAGE_PULL (object);

  g_main_context_unref (self->context);
  g_object_unref (self->cancellable);
  fh_pull_progress_free (self->progress);
  g_mutex_clear (&self->lock);
  g_free (self->next_text);
  g_free (self->text);

  G_OBJECT_CLASS (fh_image_pull_parent_class)->finalize (object);
}

static void
fh_image_pull_class_init (FhImagePullClass *klass)
{
  const GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = fh_image_pull_finalize;
  changed_signal =
      g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  finished_signal = g_signal_new ("finished",
                                  type,
                                  G_SIGNAL_RUN_LAST,
                                  0,
                                  NULL,
                                  NULL,
                                  NULL,
                                  G_TYPE_NONE,
                                  2,
                                  FH_TYPE_IMAGE,
                                  G_TYPE_ERROR);
}

static void
fh_image_pull_init (FhImagePull *self)
{
  g_mutex_init (&self->lock);
  self->context = g_main_context_ref_thread_default ();
  self->cancellable = g_cancellable_new ();
  self->progress = fh_pull_progress_new ();
  self->text = g_strdup ("");
  self->fraction = -1;
}
