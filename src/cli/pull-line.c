/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pull-line.h"

#include <glib/gi18n-lib.h>

#include "message.h"

/* More often nobody can read it. */
#define INTERVAL_US 100000

struct _FhPullLine
{
  FhImagePull *pull;
  char *image;
  gint64 shown_at;
};

static void
show (FhPullLine *self)
{
  const char *text = fh_image_pull_get_text (self->pull);
  double fraction = fh_image_pull_get_fraction (self->pull);
  g_autofree char *line = NULL;

  if (fraction >= 0)
    /* Translators: an image, how much of it is there, and what of: "3 of 5 layers" */
    line = g_strdup_printf (_ ("Pulling %s: %.0f %%, %s"),
                            self->image,
                            CLAMP (fraction, 0, 1) * 100,
                            text != NULL ? text : "");
  else
    line = g_strdup_printf (_ ("Pulling %s… %s"), self->image, text != NULL ? text : "");
  fh_message_progress (line);
  self->shown_at = g_get_monotonic_time ();
}

static void
changed_cb (FhImagePull *pull, GParamSpec *pspec, FhPullLine *self)
{
  if (g_get_monotonic_time () - self->shown_at >= INTERVAL_US)
    show (self);
}

static void
finished_cb (FhImagePull *pull, FhImage *image, GError *error, FhPullLine *self)
{
  g_autofree char *size = NULL;

  fh_message_progress (NULL);
  if (image == NULL)
    return;
  size = g_format_size_full (image->size, G_FORMAT_SIZE_IEC_UNITS);
  /* Translators: an image and its size: "Pulled python:3-slim (120.5 MiB)." */
  fh_message (_ ("Pulled %s (%s)."), self->image, size);
}

FhPullLine *
fh_pull_line_new (FhImagePull *pull, const char *image)
{
  FhPullLine *self;

  g_return_val_if_fail (FH_IS_IMAGE_PULL (pull), NULL);
  g_return_val_if_fail (image != NULL, NULL);

  self = g_new0 (FhPullLine, 1);
  self->pull = g_object_ref (pull);
  self->image = g_strdup (image);
  g_signal_connect (pull, "notify", G_CALLBACK (changed_cb), self);
  g_signal_connect (pull, "finished", G_CALLBACK (finished_cb), self);
  if (fh_message_can_progress ())
    show (self);
  else
    fh_message (_ ("Pulling %s…"), image);
  return self;
}

void
fh_pull_line_free (FhPullLine *self)
{
  fh_message_progress (NULL);
  g_signal_handlers_disconnect_by_data (self->pull, self);
  g_object_unref (self->pull);
  g_free (self->image);
  g_free (self);
}
