/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "control-channel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* What is pending is sent before the end of the run, after what is in the socket and in the guest's
 * pipes: keep it small enough that a busy backend takes it at once. */
#define SLOW_BYTES (128u * 1024)

/* One piece of output may exceed SLOW_BYTES, then small frames. */
#define SMALL_FRAMES_BYTES (1024u * 1024)

/* Never reached: the guest's few messages and the end still fit. */
#define PENDING_MAX (4u * 1024 * 1024)

static bool
set_nonblocking (int fd)
{
  const int flags = fcntl (fd, F_GETFL);

  return flags >= 0 && fcntl (fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

bool
control_channel_init (struct control_channel *channel, int in, int out)
{
  *channel = (struct control_channel){ .in = in, .out = out };
  fh_buffer_init (&channel->pending, PENDING_MAX);
  return set_nonblocking (in) && set_nonblocking (out) && fh_frame_reader_init (&channel->reader);
}

void
control_channel_clear (struct control_channel *channel)
{
  fh_frame_reader_clear (&channel->reader);
  fh_buffer_clear (&channel->pending);
}

static void
wait_for (int fd, short events)
{
  struct pollfd poll_fd = { .fd = fd, .events = events };

  poll (&poll_fd, 1, -1);
}

void
control_channel_receive (struct control_channel *channel)
{
  size_t room;
  uint8_t *space = fh_frame_reader_space (&channel->reader, &room);
  ssize_t n = read (channel->in, space, room);

  if (n > 0)
    fh_frame_reader_filled (&channel->reader, (size_t) n);
  else if (n == 0 || (errno != EAGAIN && errno != EINTR))
    channel->closed = true;
}

int
control_channel_wait (struct control_channel *channel, struct fh_frame *frame)
{
  int result;

  while ((result = fh_frame_reader_next (&channel->reader, frame)) == 0 && !channel->closed)
    {
      wait_for (channel->in, POLLIN);
      control_channel_receive (channel);
    }
  return result;
}

int
control_channel_next (struct control_channel *channel, struct fh_frame *frame)
{
  return fh_frame_reader_next (&channel->reader, frame);
}

/* main.c ignores SIGPIPE, so a closed connection is an error here. */
static void
send_some (struct control_channel *channel)
{
  size_t size = channel->pending.size - channel->sent;
  ssize_t n = write (channel->out, channel->pending.data + channel->sent, size);

  if (n > 0)
    channel->sent += (size_t) n;
  else if (n < 0 && errno != EAGAIN && errno != EINTR)
    channel->closed = true;
  if (channel->sent == channel->pending.size)
    channel->sent = channel->pending.size = 0;
}

/* Drop what was sent once it is the larger part. */
static void
compact (struct control_channel *channel)
{
  size_t left = channel->pending.size - channel->sent;

  if (channel->sent < left)
    return;
  if (left > 0)
    memmove (channel->pending.data, channel->pending.data + channel->sent, left);
  channel->pending.size = left;
  channel->sent = 0;
}

void
control_channel_flush (struct control_channel *channel)
{
  if (!channel->closed && control_channel_pending (channel) > 0)
    {
      send_some (channel);
      compact (channel);
    }
}

void
control_channel_drain (struct control_channel *channel)
{
  while (!channel->closed && control_channel_pending (channel) > 0)
    {
      wait_for (channel->out, POLLOUT);
      send_some (channel);
    }
}

size_t
control_channel_pending (const struct control_channel *channel)
{
  return channel->pending.size - channel->sent;
}

bool
control_channel_is_slow (const struct control_channel *channel)
{
  return control_channel_pending (channel) >= SLOW_BYTES;
}

bool
control_channel_has_room (const struct control_channel *channel)
{
  return control_channel_pending (channel) < SLOW_BYTES + SMALL_FRAMES_BYTES;
}
