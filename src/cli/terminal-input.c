/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "terminal-input.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "message.h"

/* read(2) returns no more than that of a terminal at once, and a whole line unless it is longer:
 * termios(3). */
#define MAX_READ 4096

struct _FhTerminalInput
{
  FhLiveInput *input;
  guint source; /* while the program waits */
  gboolean is_explained;
};

gboolean
fh_terminal_input_is_possible (void)
{
  return isatty (STDIN_FILENO) && isatty (STDOUT_FILENO);
}

/* Reading in the background would stop us by SIGTTIN, credentials(7), but not the program. */
static gboolean
is_in_foreground (void)
{
  return tcgetpgrp (STDIN_FILENO) == getpgrp ();
}

static gboolean
typed_cb (int fd, GIOCondition condition, gpointer user_data)
{
  FhTerminalInput *self = user_data;
  g_autoptr (GBytes) bytes = NULL;
  char text[MAX_READ];
  gssize size = is_in_foreground () ? read (fd, text, sizeof text) : 0;

  if (size < 0 && (errno == EINTR || errno == EAGAIN))
    return G_SOURCE_CONTINUE;
  if (size <= 0)
    {
      self->source = 0;
      fh_live_input_end (self->input);
      return G_SOURCE_REMOVE;
    }
  /* The terminal has shown it. */
  fh_message_set_inside_line (text[size - 1] != '\n');
  bytes = g_bytes_new (text, (gsize) size);
  if (!fh_live_input_send (self->input, bytes) && fh_live_input_is_open (self->input))
    {
      fh_message (_ ("The program cannot be given more input than that."));
      fh_live_input_end (self->input);
    }
  return G_SOURCE_CONTINUE;
}

/* A program that asks in words has left the cursor behind them. */
static void
explain (FhTerminalInput *self)
{
  if (!self->is_explained && !fh_message_is_inside_line ())
    fh_message (_ ("The program waits for input. Ctrl+D ends it."));
  self->is_explained = TRUE;
}

static void
waiting_cb (FhTerminalInput *self)
{
  const gboolean is_waiting = fh_live_input_is_waiting (self->input);

  if (!is_waiting)
    g_clear_handle_id (&self->source, g_source_remove);
  else if (!is_in_foreground ())
    fh_live_input_end (self->input);
  else
    {
      explain (self);
      /* Before what the runner sends: its news that the program goes on would leave the next line
       * unread until the program is seen to wait again. */
      self->source =
          g_unix_fd_add_full (G_PRIORITY_HIGH, STDIN_FILENO, G_IO_IN, typed_cb, self, NULL);
    }
}

FhTerminalInput *
fh_terminal_input_new (FhRun *run)
{
  FhTerminalInput *self;

  g_return_val_if_fail (FH_IS_RUN (run), NULL);

  self = g_new0 (FhTerminalInput, 1);
  self->input = g_object_ref (fh_run_get_input (run));
  g_signal_connect_swapped (self->input, "notify::waiting", G_CALLBACK (waiting_cb), self);
  return self;
}

void
fh_terminal_input_free (FhTerminalInput *self)
{
  if (self == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->input, self);
  g_clear_handle_id (&self->source, g_source_remove);
  g_object_unref (self->input);
  g_free (self);
}
