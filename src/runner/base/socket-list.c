/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "socket-list.h"

#include <errno.h>
#include <linux/netlink.h>
#include <sys/socket.h>

int
socket_list_open (void)
{
  const int fd = socket (AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);

  return fd < 0 ? -errno : fd;
}
