/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live-output.h"

#include <errno.h>
#include <glib-unix.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "stop-signals.h"
#include "terminal-filter.h"

/* How long a reader may take for the last output of a program that was stopped. */
#define LAST_OUTPUT_MS 50

/* Output kept after a stop. If more comes, the rest of the stream is dropped, so that what is
 * written has no gaps. */
#define WAITING_MAX ((gsize) 64 << 10)

/* One of our own streams. */
typedef struct
{
  int fd;
  int failure; /* errno of the write that failed, or 0 */
  gboolean is_terminal;
  FhTerminalFilter *filter; /* of a terminal, unless raw */
  GString *waiting;
  guint source; /* while something waits */
  guint64 left_out;
} Stream;

/* Writing blocks until a stop is requested. From then on it must not, because the end of the run is
 * reported after its output. */
struct _FhLiveOutput
{
  FhSeries *series;
  FhRun *run;
  gulong handler;
  Stream streams[2];
  gboolean is_stopped;
};

static void
kill_run (FhRun *run)
{
  fh_run_stop (run);
  fh_run_stop (run);
}

/* Waits up to `wait_ms` until at least PIPE_BUF bytes can be written without blocking. */
static gboolean
has_room (const Stream *stream, int wait_ms)
{
  struct pollfd fd = { .fd = stream->fd, .events = POLLOUT };

  return poll (&fd, 1, wait_ms) > 0;
}

/* The same without a time limit, until a signal arrives. */
static gboolean
wait_for_room (FhLiveOutput *self, const Stream *stream)
{
  struct pollfd fds[] = {
    { .fd = stream->fd, .events = POLLOUT },
    { .fd = fh_stop_signals_get_fd (), .events = POLLIN },
  };

  while (!self->is_stopped)
    {
      if (poll (fds, G_N_ELEMENTS (fds), -1) < 0 && errno == EINTR)
        continue;
      while (fds[1].revents != 0 && fh_stop_signals_take () != 0)
        {
          self->is_stopped = TRUE;
          fh_series_stop (self->series);
        }
      if (fds[0].revents != 0)
        return TRUE;
    }
  return has_room (stream, 0);
}

static void
fail (FhLiveOutput *self, Stream *stream, int code)
{
  stream->failure = code;
  if (stream->fd == STDOUT_FILENO)
    kill_run (self->run);
}

/* The filter's end of a style moves nothing. */
static gboolean
ends_line (const char *data, gsize size)
{
  const char plain[] = "\x1b[0m";
  gsize n = strlen (plain);

  if (size > n && memcmp (data + size - n, plain, n) == 0)
    size -= n;
  return data[size - 1] == '\n';
}

/* Returns the number of bytes written, at most PIPE_BUF. */
static gsize
write_some (FhLiveOutput *self, Stream *stream, const char *data, gsize size)
{
  gssize n = write (stream->fd, data, MIN (size, PIPE_BUF));

  if (n < 0 && errno != EINTR && errno != EAGAIN)
    fail (self, stream, errno);
  if (n <= 0)
    return 0;
  if (stream->is_terminal)
    fh_message_set_inside_line (!ends_line (data, (gsize) n));
  return (gsize) n;
}

static void
write_waiting (FhLiveOutput *self, Stream *stream)
{
  gsize n = write_some (self, stream, stream->waiting->str, stream->waiting->len);

  g_string_erase (stream->waiting, 0, (gssize) n);
  if (stream->failure != 0)
    g_string_truncate (stream->waiting, 0);
}

static gboolean
room_cb (int fd, GIOCondition condition, gpointer user_data)
{
  FhLiveOutput *self = user_data;
  Stream *stream = &self->streams[fd - STDOUT_FILENO];

  write_waiting (self, stream);
  if (stream->waiting->len > 0)
    return G_SOURCE_CONTINUE;
  stream->source = 0;
  return G_SOURCE_REMOVE;
}

static void
keep_waiting (FhLiveOutput *self, Stream *stream, const char *data, gsize size)
{
  gsize part = stream->left_out > 0 ? 0 : MIN (size, WAITING_MAX - stream->waiting->len);

  g_string_append_len (stream->waiting, data, (gssize) part);
  stream->left_out += size - part;
  if (stream->source == 0 && stream->waiting->len > 0)
    stream->source = g_unix_fd_add (stream->fd, G_IO_OUT, room_cb, self);
}

static void
write_bytes (FhLiveOutput *self, Stream *stream, const char *data, gsize size)
{
  while (size > 0 && stream->failure == 0 && stream->waiting->len == 0 && stream->left_out == 0 &&
         wait_for_room (self, stream))
    {
      gsize n = write_some (self, stream, data, size);

      data += n;
      size -= n;
    }
  if (size > 0 && stream->failure == 0)
    keep_waiting (self, stream, data, size);
}

static void
output_cb (FhRun *run, const FhOutputPiece *piece, FhLiveOutput *self)
{
  Stream *stream = &self->streams[piece->stream == FH_STREAM_STDOUT ? 0 : 1];
  const char *data = (const char *) piece->data;
  g_autoptr (GString) text = NULL;

  if (fh_run_get_state (run) == FH_RUN_STOPPING)
    self->is_stopped = TRUE;
  if (stream->filter == NULL)
    {
      write_bytes (self, stream, data, piece->size);
      return;
    }
  text = g_string_sized_new (piece->size);
  fh_terminal_filter_feed (stream->filter, data, piece->size, text);
  write_bytes (self, stream, text->str, text->len);
}

FhLiveOutput *
fh_live_output_new (FhSeries *series, FhRun *run, gboolean is_raw)
{
  FhLiveOutput *self = g_new0 (FhLiveOutput, 1);

  self->series = g_object_ref (series);
  self->run = g_object_ref (run);
  for (guint i = 0; i < G_N_ELEMENTS (self->streams); i++)
    {
      Stream *stream = &self->streams[i];

      stream->fd = STDOUT_FILENO + (int) i;
      stream->waiting = g_string_new (NULL);
      stream->is_terminal = isatty (stream->fd) != 0;
      if (stream->is_terminal && !is_raw)
        stream->filter = fh_terminal_filter_new (fh_color_is_on (stream->fd));
    }
  self->handler = g_signal_connect (run, "output", G_CALLBACK (output_cb), self);
  return self;
}

/* Only a program that was stopped leaves something waiting. */
static void
write_last (FhLiveOutput *self, Stream *stream, gint64 deadline)
{
  gint64 now;

  g_clear_handle_id (&stream->source, g_source_remove);
  while (stream->waiting->len > 0 && (now = g_get_monotonic_time ()) < deadline &&
         has_room (stream, (int) ((deadline - now) / 1000)))
    write_waiting (self, stream);
  stream->left_out += stream->waiting->len;
  g_string_truncate (stream->waiting, 0);
}

void
fh_live_output_finish (FhLiveOutput *self)
{
  gint64 deadline = g_get_monotonic_time () + LAST_OUTPUT_MS * 1000;

  for (guint i = 0; i < G_N_ELEMENTS (self->streams); i++)
    {
      Stream *stream = &self->streams[i];
      g_autoptr (GString) text = g_string_new (NULL);

      if (stream->filter != NULL)
        {
          fh_terminal_filter_finish (stream->filter, text);
          write_bytes (self, stream, text->str, text->len);
        }
      write_last (self, stream, deadline);
    }
}

void
fh_live_output_free (FhLiveOutput *self)
{
  g_clear_signal_handler (&self->handler, self->run);
  g_clear_object (&self->run);
  g_clear_object (&self->series);
  for (guint i = 0; i < G_N_ELEMENTS (self->streams); i++)
    {
      g_clear_handle_id (&self->streams[i].source, g_source_remove);
      g_string_free (self->streams[i].waiting, TRUE);
      fh_terminal_filter_free (self->streams[i].filter);
    }
  g_free (self);
}

gboolean
fh_live_output_is_unread (FhLiveOutput *self)
{
  return self->streams[0].failure == EPIPE;
}

int
fh_live_output_get_error (FhLiveOutput *self)
{
  int code = self->streams[0].failure;

  return code == EPIPE ? 0 : code;
}

guint64
fh_live_output_get_left_out (FhLiveOutput *self)
{
  return self->streams[0].left_out + self->streams[1].left_out;
}
