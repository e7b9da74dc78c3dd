/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loopback-sockets.h"

#include "wire-proxy.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#define DNS_PORT 53

/* Connections that may wait for the proxy. */
#define BACKLOG 128

/* Returns the descriptor or a negative errno. */
static int
make_bound (int type, in_port_t port)
{
  const struct sockaddr_in address = {
    .sin_family = AF_INET,
    .sin_port = htons (port),
    .sin_addr.s_addr = htonl (INADDR_LOOPBACK),
  };
  int fd = socket (AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  int error;

  if (fd < 0)
    return -errno;
  if (bind (fd, (const struct sockaddr *) &address, sizeof address) == 0)
    return fd;
  error = -errno;
  close (fd);
  return error;
}

int
loopback_make_dns_socket (struct setup *setup)
{
  int fd;

  if (!setup->plan->has_own_network)
    return 0;
  fd = make_bound (SOCK_DGRAM, DNS_PORT);
  if (fd < 0)
    return fd;
  setup->dns = fd;
  return 0;
}

int
loopback_make_proxy_socket (struct setup *setup)
{
  int fd;

  if (!setup->plan->has_proxy)
    return 0;
  fd = make_bound (SOCK_STREAM, FH_PROXY_PORT);
  if (fd < 0)
    return fd;
  setup->proxy = fd;
  return listen (fd, BACKLOG) < 0 ? -errno : 0;
}
