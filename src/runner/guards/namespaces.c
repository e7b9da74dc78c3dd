/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "namespaces.h"

#include "descriptor.h"
#include "init-message.h"
#include "kernel-file.h"
#include "syscalls.h"
#include "wire-proxy.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* The runner kills this process if it could not do that, or is gone. */
static int
wait_for (struct setup *setup, char expected)
{
  char word = '\0';

  while (recv (setup->status, &word, 1, 0) < 0)
    {
      if (errno != EINTR)
        return -errno;
    }
  return word == expected ? 0 : -EPIPE;
}

int
namespaces_map_ids (struct setup *setup)
{
  int error = kernel_file_write (AT_FDCWD, "/proc/self/setgroups", "deny");

  if (error == 0)
    error = kernel_file_write (AT_FDCWD, "/proc/self/gid_map", setup->plan->gid_map);
  if (error == 0 && setup->plan->guest_user.is_own)
    error = wait_for (setup, INIT_USERS_MAPPED);
  else if (error == 0)
    error = kernel_file_write (AT_FDCWD, "/proc/self/uid_map", setup->plan->uid_map);
  return error;
}

int
namespaces_make_network (struct setup *setup)
{
  return unshare (CLONE_NEWNET) < 0 ? -errno : 0;
}

int
namespaces_enter_box (struct setup *setup)
{
  const int error = wait_for (setup, INIT_BOXED);

  if (error < 0)
    return error;
  return unshare (CLONE_NEWCGROUP) < 0 ? -errno : 0;
}

int
namespaces_set_hostname (struct setup *setup)
{
  return sethostname ("sandbox", strlen ("sandbox")) < 0 ? -errno : 0;
}

int
namespaces_raise_loopback (struct setup *setup)
{
  struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
  fh_autofd int fd = -1;

  if (!setup->plan->has_own_network)
    return 0;
  fd = socket (AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  return fd < 0 || ioctl (fd, SIOCSIFFLAGS, &request) < 0 ? -errno : 0;
}

int
namespaces_join_keyring (struct setup *setup)
{
  return sys_keyctl (KEYCTL_JOIN_SESSION_KEYRING, NULL) < 0 ? -errno : 0;
}

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
