/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live-output.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include "message.h"
#include "stop-signals.h"
#include "terminal-filter.h"

/* `failures`: for each of our streams the errno that ended it, 0 while it works. `filters`: for
 * those that are terminals, unless bytes were asked for. After the second Stop nothing more is
 * waited for: a reader that never reads must not keep us. */
struct _FhLiveOutput
{
  FhRun *run;
  gulong handler;
  int failures[STDERR_FILENO + 1];
  gboolean is_terminal[STDERR_FILENO + 1];
  FhTerminalFilter *filters[STDERR_FILENO + 1];
  gboolean is_hurried;
};

void
fh_live_output_obey_signals (FhRun *run)
{
  while (fh_stop_signals_take () != 0)
    fh_run_stop (run);
}

static void
kill_run (FhRun *run)
{
  fh_run_stop (run);
  fh_run_stop (run);
}

/* TRUE when the descriptor takes at least PIPE_BUF bytes without blocking. */
static gboolean
wait_for_room (FhLiveOutput *self, int fd)
{
  struct pollfd fds[] = {
    { .fd = fd, .events = POLLOUT },
    { .fd = fh_stop_signals_get_fd (), .events = POLLIN },
  };

  for (;;)
    {
      if (poll (fds, G_N_ELEMENTS (fds), self->is_hurried ? 0 : -1) < 0 && errno != EINTR)
        return TRUE;
      while (fds[1].revents != 0 && fh_stop_signals_take () != 0)
        {
          if (fh_run_get_state (self->run) == FH_RUN_STOPPING)
            self->is_hurried = TRUE;
          fh_run_stop (self->run);
        }
      if (fds[0].revents != 0)
        return TRUE;
      if (self->is_hurried)
        return FALSE;
      fds[1].revents = 0;
    }
}

static void
fail (FhLiveOutput *self, int fd, int code)
{
  self->failures[fd] = code;
  if (fd == STDOUT_FILENO)
    kill_run (self->run);
}

static void
write_bytes (FhLiveOutput *self, int fd, const char *data, gsize size)
{
  while (size > 0 && self->failures[fd] == 0 && wait_for_room (self, fd))
    {
      gssize n = write (fd, data, MIN (size, PIPE_BUF));

      if (n < 0 && (errno == EINTR || errno == EAGAIN))
        continue;
      if (n < 0)
        {
          fail (self, fd, errno);
          return;
        }
      if (self->is_terminal[fd])
        fh_message_set_inside_line (data[n - 1] != '\n');
      data += n;
      size -= (gsize) n;
    }
}

static void
output_cb (FhRun *run, guint stream, guint64 time_us, GBytes *bytes, FhLiveOutput *self)
{
  int fd = stream == FH_STREAM_STDOUT ? STDOUT_FILENO : STDERR_FILENO;
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  g_autoptr (GString) text = NULL;

  if (self->filters[fd] == NULL)
    {
      write_bytes (self, fd, data, size);
      return;
    }
  text = g_string_sized_new (size);
  fh_terminal_filter_feed (self->filters[fd], data, size, text);
  write_bytes (self, fd, text->str, text->len);
}

FhLiveOutput *
fh_live_output_new (FhRun *run, gboolean is_raw)
{
  FhLiveOutput *self = g_new0 (FhLiveOutput, 1);

  self->run = g_object_ref (run);
  for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
    {
      self->is_terminal[fd] = isatty (fd) != 0;
      if (self->is_terminal[fd] && !is_raw)
        self->filters[fd] = fh_terminal_filter_new (fh_terminal_has_colors ());
    }
  self->handler = g_signal_connect (run, "output", G_CALLBACK (output_cb), self);
  return self;
}

void
fh_live_output_finish (FhLiveOutput *self)
{
  for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      if (self->filters[fd] == NULL)
        continue;
      fh_terminal_filter_finish (self->filters[fd], text);
      write_bytes (self, fd, text->str, text->len);
    }
}

void
fh_live_output_free (FhLiveOutput *self)
{
  g_clear_signal_handler (&self->handler, self->run);
  g_clear_object (&self->run);
  for (guint i = 0; i < G_N_ELEMENTS (self->filters); i++)
    fh_terminal_filter_free (self->filters[i]);
  g_free (self);
}

gboolean
fh_live_output_is_unread (FhLiveOutput *self)
{
  return self->failures[STDOUT_FILENO] == EPIPE;
}

int
fh_live_output_get_error (FhLiveOutput *self)
{
  int code = self->failures[STDOUT_FILENO];

  return code == EPIPE ? 0 : code;
}
