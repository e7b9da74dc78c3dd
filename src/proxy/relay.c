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

/* One direction. It has ended when nothing more will be read; it is closed when everything was
 * delivered, or cannot be. */
struct way
{
  int from;
  int to;
  bool has_limit;
  uint64_t limit;
  struct tls_handshake *handshake; /* NULL, or follows the handshake */
  bool is_up;                      /* from the program to the host */
  bool is_refused;
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
  /* With a limit the host knows the end already; some hosts take an early end of file for a
   * cancellation. */
  if (!way->has_limit)
    shutdown (way->to, SHUT_WR);
}

/* Handles new bytes; empties the buffer if they must not be forwarded. */
static void
follow (struct way *way)
{
  const uint8_t *bytes = (const uint8_t *) way->buffer;

  if (way->handshake == NULL)
    return;
  if (!way->is_up)
    tls_handshake_of_host (way->handshake, bytes, way->end);
  else if (!tls_handshake_of_program (way->handshake, bytes, way->end))
    {
      way->is_refused = true;
      way->end = 0;
    }
}

/* Returns the number of bytes received. If the sender is gone, the opposite direction is lost,
 * too. */
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
  follow (way);
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

/* Poll only what is expected: a side that has hung up would be reported forever. */
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

  /* Both ends batch their data already. */
  setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  fcntl (fd, F_SETFL, fcntl (fd, F_GETFL) | O_NONBLOCK);
}

static bool
is_over (const struct relay *relay, const struct way *up, const struct way *down)
{
  /* A request with a limit gets one response. */
  return (down->is_closed && (up->is_closed || relay->has_limit)) ||
         atomic_load (relay->total) >= RELAY_MAX_BYTES;
}

bool
relay_run (const struct relay *relay, const char *first, size_t size)
{
  static struct way up;
  static struct way down;

  up = (struct way){ .from = relay->client,
                     .to = relay->host,
                     .has_limit = relay->has_limit,
                     .limit = relay->limit,
                     .handshake = relay->handshake,
                     .is_up = true };
  down = (struct way){ .from = relay->host, .to = relay->client, .handshake = relay->handshake };
  if (up.has_limit && size > up.limit)
    size = (size_t) up.limit;
  up.limit -= up.has_limit ? size : 0;
  memcpy (up.buffer, first, size);
  up.end = size;
  follow (&up);
  prepare (relay->client);
  prepare (relay->host);
  while (!up.is_refused && !is_over (relay, &up, &down))
    {
      struct pollfd fds[2] = { wait_for (relay->client, &up, &down),
                               wait_for (relay->host, &down, &up) };
      int n = poll (fds, 2, RELAY_IDLE_MS);
      size_t moved = 0;

      if (n == 0 || (n < 0 && errno != EINTR))
        break;
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
  return !up.is_refused;
}
