/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loopback-sockets.h"

#include "descriptor.h"
#include "syscalls.h"
#include "wire-proxy.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#define DNS_PORT 53

/* Connections waiting for the proxy. */
#define BACKLOG 128

/* Returns the descriptor, or -1 with errno. */
static int
make_bound (int type, in_port_t port)
{
  const struct sockaddr_in address = {
    .sin_family = AF_INET,
    .sin_port = htons (port),
    .sin_addr.s_addr = htonl (INADDR_LOOPBACK),
  };
  fh_autofd int fd = socket (AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

  if (fd < 0 || bind (fd, (const struct sockaddr *) &address, sizeof address) < 0)
    return -1;
  return fh_steal_fd (&fd);
}

/* Keeps the descriptor, or tells the error. */
static int
keep (int *place, int fd)
{
  if (fd < 0)
    return -errno;
  *place = fd;
  return 0;
}

int
loopback_make_dns_socket (struct setup *setup)
{
  /* Without a network of its own the guest has no way to send a query. */
  if (!setup->plan->has_own_network || setup->plan->policy->flags & FH_POLICY_NO_SOCKETS)
    return 0;
  return keep (&setup->dns, make_bound (SOCK_DGRAM, DNS_PORT));
}

int
loopback_make_socket_list (struct setup *setup)
{
  return setup->plan->has_own_network ? keep (&setup->sockets, sys_open_socket_list ()) : 0;
}

int
loopback_make_proxy_socket (struct setup *setup)
{
  int error;

  if (!setup->plan->has_proxy)
    return 0;
  error = keep (&setup->proxy, make_bound (SOCK_STREAM, FH_PROXY_PORT));
  if (error == 0 && listen (setup->proxy, BACKLOG) < 0)
    error = -errno;
  return error;
}
