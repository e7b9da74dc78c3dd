/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "attempt-address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/un.h>

static bool
read_ipv4 (struct address *address, const struct sockaddr_in *from)
{
  const uint32_t number = ntohl (from->sin_addr.s_addr);
  char text[INET_ADDRSTRLEN];

  address->port = ntohs (from->sin_port);
  address->is_any = number == INADDR_ANY;
  address->is_loopback = number >> 24 == IN_LOOPBACKNET;
  snprintf (address->text,
            sizeof address->text,
            "%s:%u",
            inet_ntop (AF_INET, &from->sin_addr, text, sizeof text),
            (unsigned int) address->port);
  return true;
}

static bool
read_ipv6 (struct address *address, const struct sockaddr_in6 *from)
{
  const struct in6_addr *number = &from->sin6_addr;
  char text[INET6_ADDRSTRLEN];

  address->port = ntohs (from->sin6_port);
  address->is_any = IN6_IS_ADDR_UNSPECIFIED (number);
  address->is_loopback = IN6_IS_ADDR_LOOPBACK (number) ||
                         (IN6_IS_ADDR_V4MAPPED (number) && number->s6_addr[12] == IN_LOOPBACKNET);
  snprintf (address->text,
            sizeof address->text,
            "[%s]:%u",
            inet_ntop (AF_INET6, number, text, sizeof text),
            (unsigned int) address->port);
  return true;
}

/* A path need not end with NUL; an abstract name may contain NULs, unix (7). */
static bool
read_unix (struct address *address, const struct sockaddr_un *from, size_t size)
{
  size_t length = size - offsetof (struct sockaddr_un, sun_path);

  if (length > sizeof from->sun_path)
    length = sizeof from->sun_path;
  memcpy (address->text, from->sun_path, length);
  address->text[length] = '\0';
  if (address->text[0] != '\0')
    return true;
  for (size_t i = 0; i < length; i++)
    {
      if (address->text[i] == '\0')
        address->text[i] = '@';
    }
  return length > 0;
}

bool
address_read (struct address *address, const struct sockaddr_storage *from, size_t size)
{
  *address = (struct address){ .family = from->ss_family };
  if (size < sizeof from->ss_family)
    return false;
  if (from->ss_family == AF_INET && size >= sizeof (struct sockaddr_in))
    return read_ipv4 (address, (const struct sockaddr_in *) from);
  if (from->ss_family == AF_INET6 && size >= offsetof (struct sockaddr_in6, sin6_scope_id))
    return read_ipv6 (address, (const struct sockaddr_in6 *) from);
  if (from->ss_family == AF_UNIX && size > offsetof (struct sockaddr_un, sun_path))
    return read_unix (address, (const struct sockaddr_un *) from, size);
  return false;
}
