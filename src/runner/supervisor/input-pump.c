/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input-pump.h"

#include "descriptor.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void
fill (struct input_pump *pump)
{
  pump->start = 0;
  pump->end = input_store_take (pump->store, pump->buffer, sizeof pump->buffer);
}

void
input_pump_init (struct input_pump *pump, struct input_store *store, int to)
{
  pump->store = store;
  pump->to = to;
  fill (pump);
}

void
input_pump_close (struct input_pump *pump)
{
  fh_clear_fd (&pump->to);
}

void
input_pump_prepare (const struct input_pump *pump, struct pollfd *fd)
{
  const bool has_bytes =
      pump->to >= 0 && (pump->start < pump->end || pump->store->taken < pump->store->size);

  *fd = (struct pollfd){ .fd = pump->to, .events = has_bytes ? POLLOUT : 0 };
}

void
input_pump_move (struct input_pump *pump, const struct pollfd *fd)
{
  ssize_t n;

  if (pump->to < 0)
    return;
  if (fd->fd >= 0 && (fd->revents & POLLERR))
    {
      input_pump_close (pump);
      return;
    }
  if (pump->start == pump->end)
    fill (pump);
  if (pump->start < pump->end)
    {
      n = write (pump->to, pump->buffer + pump->start, pump->end - pump->start);
      if (n > 0)
        pump->start += (size_t) n;
      else if (n < 0 && errno != EAGAIN && errno != EINTR)
        input_pump_close (pump);
    }
  if (pump->start == pump->end)
    fill (pump);
  /* Everything was written: end of file. */
  if (pump->start == pump->end && !pump->store->is_open)
    input_pump_close (pump);
}

bool
input_pump_is_dry (const struct input_pump *pump)
{
  int unread;

  return pump->to >= 0 && pump->store->is_open && pump->start == pump->end &&
         pump->store->taken == pump->store->size && ioctl (pump->to, FIONREAD, &unread) == 0 &&
         unread == 0;
}
