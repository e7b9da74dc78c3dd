/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Socket addresses that a guest names, as text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct address
{
  int family;
  bool is_loopback; /* of AF_INET and AF_INET6: it leads nowhere but back */
  bool is_any;      /* every address of this computer, or none in particular */
  uint16_t port;
  char text[160]; /* "1.1.1.1:443", "[::1]:80", a path, "@name" of an abstract one */
};

/* False when it is no address of the three families that a guest can have. */
bool address_read (struct address *address, const struct sockaddr_storage *from, size_t size);
