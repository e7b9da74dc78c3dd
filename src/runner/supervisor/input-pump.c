/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input-pump.h"

#include "descriptor.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Written at a time. */
#define PIECE ((size_t) 64 * 1024)

void
input_pump_init (struct input_pump *pump, struct input_store *store, int to)
{
  *pump = (struct input_pump){ store, to };
}

/* What is still to be written. */
static size_t
left_of (const struct input_pump *pump)
{
  return pump->store->size - pump->store->taken;
}

void
input_pump_close (struct input_pump *pump)
{
  fh_clear_fd (&pump->to);
}

void
input_pump_prepare (const struct input_pump *pump, struct pollfd *fd)
{
  const bool has_bytes = pump->to >= 0 && left_of (pump) > 0;

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
  if (left_of (pump) > 0)
    {
      n = write (pump->to,
                 pump->store->data + pump->store->taken,
                 left_of (pump) < PIECE ? left_of (pump) : PIECE);
      if (n > 0)
        input_store_skip (pump->store, (size_t) n);
      else if (n < 0 && errno != EAGAIN && errno != EINTR)
        input_pump_close (pump);
    }
  /* Everything was written: end of file. */
  if (left_of (pump) == 0 && !pump->store->is_open)
    input_pump_close (pump);
}

bool
input_pump_is_dry (const struct input_pump *pump)
{
  int unread;

  return pump->to >= 0 && pump->store->is_open && left_of (pump) == 0 &&
         ioctl (pump->to, FIONREAD, &unread) == 0 && unread == 0;
}
