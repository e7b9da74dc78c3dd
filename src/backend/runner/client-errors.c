/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client-errors.h"

#include <errno.h>
#include <glib-unix.h>
#include <unistd.h>

#include "descriptor.h"
#include "main-source.h"

/* A client that writes more than this has gone wrong. */
#define FLOOD ((gsize) 1 << 20)

#define TURNS 32

struct _FhClientErrors
{
  int fd; /* -1 after its end */
  GSource *source;
  GString *text;
  gsize size; /* all bytes */
  void (*flooded) (gpointer user_data);
  gpointer user_data;
};

void
fh_client_errors_stop (FhClientErrors *self)
{
  fh_source_clear (&self->source);
  fh_clear_fd (&self->fd);
}

void
fh_client_errors_read (FhClientErrors *self)
{
  char buffer[4096];

  for (guint turn = 0; self->fd >= 0 && turn < TURNS; turn++)
    {
      ssize_t n = read (self->fd, buffer, sizeof buffer);
      gsize room = FH_CLIENT_ERRORS_MAX - self->text->len;

      if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
      if (n <= 0)
        fh_client_errors_stop (self);
      else
        {
          g_string_append_len (self->text, buffer, (gssize) MIN ((gsize) n, room));
          self->size += (gsize) n;
          /* Killed before its standard error is closed: a client that sees it closed exits by
           * itself, and its messages would be taken for the reason. */
          if (self->size > FLOOD)
            {
              self->flooded (self->user_data);
              fh_client_errors_stop (self);
            }
        }
    }
}

static gboolean
readable_cb (int fd, GIOCondition condition, gpointer user_data)
{
  fh_client_errors_read (user_data);
  return G_SOURCE_CONTINUE;
}

FhClientErrors *
fh_client_errors_new (int fd, void (*flooded) (gpointer user_data), gpointer user_data)
{
  FhClientErrors *self = g_new0 (FhClientErrors, 1);

  self->fd = fd;
  self->flooded = flooded;
  self->user_data = user_data;
  self->text = g_string_new (NULL);
  self->source = fh_source_attach (g_unix_fd_source_new (fd, G_IO_IN | G_IO_HUP | G_IO_ERR),
                                   G_SOURCE_FUNC (readable_cb),
                                   self,
                                   NULL);
  return self;
}

void
fh_client_errors_free (FhClientErrors *self)
{
  if (self == NULL)
    return;
  fh_client_errors_stop (self);
  g_string_free (self->text, TRUE);
  g_free (self);
}

char *
fh_client_errors_dup_text (FhClientErrors *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_utf8_make_valid (self->text->str, (gssize) self->text->len);
}
