/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "relay.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PIECE (64 * 1024)

/* One way. It has ended when nothing more will be read; it is closed when all that was read has
 * been delivered, or can no longer be. */
struct way
{
  int from;
  int to;
  bool has_limit;
  uint64_t limit;
  bool has_ended;
  bool is_closed;
  size_t start;
  size_t end;
  char buffer[PIECE];
};

static void
give_up (struct way *way)
{
  way->has_ended = way->is_closed = true;
  way->start = way->end = 0;
}

static void
close_when_delivered (struct way *way)
{
  if (!way->has_ended || way->is_closed || way->start < way->end)
    return;
  way->is_closed = true;
  /* Behind the limit the host has everything; some hosts take the end for a change of mind. */
  if (!way->has_limit)
    shutdown (way->to, SHUT_WR);
}

/* Returns how many bytes have come; the way back is lost, too, when the sender is gone. */
static size_t
take (struct way *way, struct way *back)
{
  size_t room = sizeof way->buffer;
  ssize_t size;

  if (way->has_ended || way->start < way->end)
    return 0;
  if (way->has_limit && way->limit < room)
    room = (size_t) way->limit;
  size = room > 0 ? recv (way->from, way->buffer, room, 0) : 0;
  if (size < 0 && (errno == EAGAIN || errno == EINTR))
    return 0;
  if (size < 0)
    give_up (back);
  if (size <= 0)
    {
      way->has_ended = true;
      return 0;
    }
  way->start = 0;
  way->end = (size_t) size;
  if (way->has_limit)
    way->limit -= (uint64_t) size;
  return (size_t) size;
}

static size_t
deliver (struct way *way)
{
  ssize_t size;

  if (way->start == way->end)
    return 0;
  size = send (way->to, way->buffer + way->start, way->end - way->start, MSG_NOSIGNAL);
  if (size < 0 && (errno == EAGAIN || errno == EINTR))
    return 0;
  if (size < 0)
    {
      give_up (way);
      return 0;
    }
  way->start += (size_t) size;
  return (size_t) size;
}

/* What nobody waits for is left out: a side that has hung up would be reported for ever. */
static struct pollfd
wait_for (int fd, const struct way *from, const struct way *to)
{
  short events = 0;

  if (!from->has_ended && from->start == from->end)
    events |= POLLIN;
  if (to->start < to->end)
    events |= POLLOUT;
  return (struct pollfd){ .fd = events != 0 ? fd : -1, .events = events };
}

static void
prepare (int fd)
{
  const int on = 1;

  /* Both ends have collected already what they want to send together. */
  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  fcntl (fd, F_SETFL, fcntl (fd, F_GETFL) | O_NONBLOCK);
}

static bool
is_over (const struct relay *relay, const struct way *up, const struct way *down)
{
  /* To a request with a limit there is one response. */
  return (down->is_closed && (up->is_closed || relay->has_limit)) ||
         atomic_load (relay->total) >= RELAY_MAX_BYTES;
}

void
relay_run (const struct relay *relay, const char *first, size_t size)
{
  static struct way up;
  static struct way down;

  up = (struct way){ .from = relay->client,
                     .to = relay->host,
                     .has_limit = relay->has_limit,
                     .limit = relay->limit };
  down = (struct way){ .from = relay->host, .to = relay->client };
  if (up.has_limit && size > up.limit)
    size = (size_t) up.limit;
  up.limit -= up.has_limit ? size : 0;
  memcpy (up.buffer, first, size);
  up.end = size;
  prepare (relay->client);
  prepare (relay->host);
  while (!is_over (relay, &up, &down))
    {
      struct pollfd fds[2] = { wait_for (relay->client, &up, &down),
                               wait_for (relay->host, &down, &up) };
      int n = poll (fds, 2, RELAY_IDLE_MS);
      size_t moved = 0;

      if (n == 0 || (n < 0 && errno != EINTR))
        return;
      if (fds[0].revents)
        moved += take (&up, &down);
      if (fds[1].revents)
        moved += take (&down, &up);
      deliver (&up);
      deliver (&down);
      close_when_delivered (&up);
      close_when_delivered (&down);
      atomic_fetch_add (relay->total, moved);
    }
}
