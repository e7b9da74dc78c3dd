/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live-output.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include "stop-signals.h"

/* `failures`: for each of our streams the errno that ended it, 0 while it works. After the second
 * Stop nothing more is waited for: a reader that never reads must not keep us. */
struct _FhLiveOutput
{
  FhRun *run;
  gulong handler;
  int failures[STDERR_FILENO + 1];
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
output_cb (FhRun *run, guint stream, guint64 time_us, GBytes *bytes, FhLiveOutput *self)
{
  int fd = stream == FH_STREAM_STDOUT ? STDOUT_FILENO : STDERR_FILENO;
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);

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
      data += n;
      size -= (gsize) n;
    }
}

FhLiveOutput *
fh_live_output_new (FhRun *run)
{
  FhLiveOutput *self = g_new0 (FhLiveOutput, 1);

  self->run = g_object_ref (run);
  self->handler = g_signal_connect (run, "output", G_CALLBACK (output_cb), self);
  return self;
}

void
fh_live_output_free (FhLiveOutput *self)
{
  g_clear_signal_handler (&self->handler, self->run);
  g_clear_object (&self->run);
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
