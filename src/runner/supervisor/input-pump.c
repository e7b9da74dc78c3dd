/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input-pump.h"

#include <errno.h>
#include <unistd.h>

void
input_pump_init (struct input_pump *pump, int from, int to)
{
  pump->from = from;
  pump->store = NULL;
  pump->to = to;
  pump->start = 0;
  pump->end = 0;
}

/* Everything was read: end of file. */
static void
fill_from_store (struct input_pump *pump)
{
  pump->start = 0;
  pump->end = input_store_take (pump->store, pump->buffer, sizeof pump->buffer);
}

void
input_pump_init_stored (struct input_pump *pump, struct input_store *store, int to)
{
  input_pump_init (pump, -1, to);
  pump->store = store;
  fill_from_store (pump);
}

void
input_pump_close (struct input_pump *pump)
{
  if (pump->to >= 0)
    close (pump->to);
  pump->to = -1;
  pump->from = -1;
}

void
input_pump_prepare (const struct input_pump *pump, struct pollfd fds[2])
{
  const bool is_empty = pump->start == pump->end;

  /* Without events poll still reports that the guest has closed its end. */
  fds[0] = (struct pollfd){ .fd = is_empty && pump->to >= 0 ? pump->from : -1, .events = POLLIN };
  fds[1] = (struct pollfd){ .fd = pump->to, .events = is_empty ? 0 : POLLOUT };
}

/* The original may be blocking and must stay so, because it is shared with the runner's parent:
 * read it once, only after poll. */
static void
fill (struct input_pump *pump)
{
  ssize_t n = read (pump->from, pump->buffer, sizeof pump->buffer);

  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if (n <= 0)
    {
      pump->from = -1;
      return;
    }
  pump->start = 0;
  pump->end = (size_t) n;
}

void
input_pump_move (struct input_pump *pump, const struct pollfd fds[2])
{
  if (fds[0].fd >= 0 && fds[0].revents)
    fill (pump);
  if (fds[1].fd >= 0 && (fds[1].revents & POLLERR))
    {
      input_pump_close (pump);
      return;
    }
  if (pump->to >= 0 && pump->start < pump->end)
    {
      ssize_t n = write (pump->to, pump->buffer + pump->start, pump->end - pump->start);

      if (n > 0)
        pump->start += (size_t) n;
      else if (n < 0 && errno != EAGAIN && errno != EINTR)
        input_pump_close (pump);
    }
  if (pump->store != NULL && pump->start == pump->end)
    fill_from_store (pump);
  /* Forward the end of file after all data. */
  if (pump->from < 0 && pump->start == pump->end)
    input_pump_close (pump);
}
