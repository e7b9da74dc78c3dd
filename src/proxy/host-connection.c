/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host-connection.h"

#include "descriptor.h"
#include "own-network.h"
#include "public-address.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_ADDRESSES 8

/* Per address. */
#define CONNECT_MS 10000

struct host_addresses
{
  size_t n;
  struct
  {
    struct sockaddr_storage address;
    socklen_t size;
  } addresses[MAX_ADDRESSES];
};

/* Returns HOST_CONNECTED or the reason why not. */
static enum host_answer
keep_public (struct host_addresses *kept,
             const struct addrinfo *found,
             const struct ifaddrs *interfaces)
{
  enum host_answer answer = HOST_PRIVATE;

  for (; found != NULL && kept->n < MAX_ADDRESSES; found = found->ai_next)
    {
      if (found->ai_addrlen > sizeof kept->addresses[0].address ||
          !public_address_is (found->ai_addr))
        continue;
      if (own_network_has (interfaces, found->ai_addr))
        {
          answer = HOST_NEAR;
          continue;
        }
      memcpy (&kept->addresses[kept->n].address, found->ai_addr, found->ai_addrlen);
      kept->addresses[kept->n++].size = found->ai_addrlen;
    }
  return kept->n > 0 ? HOST_CONNECTED : answer;
}

/* Addresses change, so read them each time. There is always one of the loopback. */
static enum host_answer
keep_far (struct host_addresses *kept, const struct addrinfo *found)
{
  struct ifaddrs *interfaces = NULL;
  enum host_answer answer = HOST_UNCHECKED;

  if (getifaddrs (&interfaces) == 0 && interfaces != NULL)
    answer = keep_public (kept, found, interfaces);
  freeifaddrs (interfaces);
  return answer;
}

enum host_answer
host_look_up (const char *name, uint16_t port, struct host_addresses **addresses)
{
  const struct addrinfo hints = { .ai_family = AF_UNSPEC,
                                  .ai_socktype = SOCK_STREAM,
                                  .ai_flags = AI_NUMERICSERV };
  enum host_answer answer = HOST_UNKNOWN;
  struct addrinfo *found;
  char service[8];

  snprintf (service, sizeof service, "%u", port);
  if (getaddrinfo (name, service, &hints, &found) != 0)
    return HOST_UNKNOWN;
  *addresses = calloc (1, sizeof **addresses);
  if (*addresses != NULL)
    answer = keep_far (*addresses, found);
  freeaddrinfo (found);
  if (answer == HOST_CONNECTED)
    return answer;
  free (*addresses);
  *addresses = NULL;
  return answer;
}

static int
connect_to (const struct sockaddr_storage *address, socklen_t size)
{
  fh_autofd int fd = socket (address->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  struct pollfd ready = { .fd = fd, .events = POLLOUT };
  int error = 0;
  socklen_t error_size = sizeof error;

  if (fd < 0)
    return -1;
  if (connect (fd, (const struct sockaddr *) address, size) == 0 ||
      (errno == EINPROGRESS && poll (&ready, 1, CONNECT_MS) == 1 &&
       getsockopt (fd, SOL_SOCKET, SO_ERROR, &error, &error_size) == 0 && error == 0))
    return fh_steal_fd (&fd);
  return -1;
}

enum host_answer
host_connect (struct host_addresses *addresses, int *fd)
{
  enum host_answer answer = HOST_UNREACHABLE;

  *fd = -1;
  for (size_t i = 0; i < addresses->n && *fd < 0; i++)
    {
      *fd = connect_to (&addresses->addresses[i].address, addresses->addresses[i].size);
      if (*fd >= 0 && own_network_is_loop (*fd))
        {
          fh_clear_fd (fd);
          answer = HOST_NEAR;
        }
    }
  free (addresses);
  return *fd >= 0 ? HOST_CONNECTED : answer;
}
