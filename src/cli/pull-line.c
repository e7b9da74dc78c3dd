/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pull-line.h"

#include <glib/gi18n-lib.h>

#include "message.h"

/* At most ten updates per second. */
#define INTERVAL_US 100000

struct _FhPullLine
{
  gint64 shown_at; /* 0: nothing yet */
  gboolean is_done;
};

static void
show (const FhSandboxProgress *progress)
{
  const char *text = progress->text != NULL ? progress->text : "";
  g_autofree char *line = NULL;

  if (progress->fraction >= 0)
    /* Translators: an image, how much of it is there, and what of: "3 of 5 layers" */
    line = g_strdup_printf (_ ("Pulling %s: %.0f %%, %s"),
                            progress->image,
                            CLAMP (progress->fraction, 0, 1) * 100,
                            text);
  else
    line = g_strdup_printf (_ ("Pulling %s… %s"), progress->image, text);
  fh_message_progress (line);
}

static void
show_end (const FhSandboxProgress *progress)
{
  g_autofree char *size = g_format_size_full (progress->size, G_FORMAT_SIZE_IEC_UNITS);

  fh_message_progress (NULL);
  /* Translators: an image and its size: "Pulled python:3-slim (120.5 MiB)." */
  fh_message (_ ("Pulled %s (%s)."), progress->image, size);
}

FhPullLine *
fh_pull_line_new (void)
{
  return g_new0 (FhPullLine, 1);
}

void
fh_pull_line_update (FhPullLine *self, const FhSandboxProgress *progress)
{
  const gint64 now = g_get_monotonic_time ();

  g_return_if_fail (self != NULL && progress != NULL);

  if (self->is_done)
    return;
  self->is_done = progress->is_done;
  if (self->shown_at == 0 && !fh_message_can_progress ())
    fh_message (_ ("Pulling %s…"), progress->image);
  if (progress->is_done)
    show_end (progress);
  else if (self->shown_at == 0 || now - self->shown_at >= INTERVAL_US)
    show (progress);
  else
    return;
  self->shown_at = now;
}

void
fh_pull_line_free (FhPullLine *self)
{
  fh_message_progress (NULL);
  g_free (self);
}
