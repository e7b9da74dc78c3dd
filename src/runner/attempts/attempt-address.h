/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Socket addresses given by the guest, as text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

struct address
{
  int family;
  bool is_loopback; /* AF_INET or AF_INET6: of the loopback */
  bool is_any;      /* the wildcard address */
  uint16_t port;
  char text[160]; /* "1.1.1.1:443", "[::1]:80", a path, "@name" of an abstract one */
};

/* False unless it is an address of one of the three allowed families. */
bool address_read (struct address *address, const struct sockaddr_storage *from, size_t size);
