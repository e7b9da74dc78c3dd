/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "own-network.h"

#include "public-address.h"

#include <net/if.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The bytes of an address in network order; NULL for other families. */
static const uint8_t *
bytes_of (const struct sockaddr *address, sa_family_t family)
{
  if (address == NULL || address->sa_family != family)
    return NULL;
  return (const uint8_t *) address + (family == AF_INET
                                          ? offsetof (struct sockaddr_in, sin_addr)
                                          : offsetof (struct sockaddr_in6, sin6_addr));
}

/* `mask`: NULL to compare the address only. Some links to a single peer have an empty one, which
 * says nothing about neighbours. */
static bool
is_near (const uint8_t *address, const uint8_t *other, const uint8_t *mask, size_t size)
{
  bool has_mask = false;

  if (other == NULL)
    return false;
  for (size_t i = 0; mask != NULL && i < size; i++)
    has_mask = has_mask || mask[i] != 0;
  for (size_t i = 0; i < size; i++)
    {
      if ((address[i] ^ other[i]) & (has_mask ? mask[i] : 0xff))
        return false;
    }
  return true;
}

static bool
has_bytes (const struct ifaddrs *interfaces, sa_family_t family, const uint8_t *address)
{
  const size_t size = family == AF_INET ? 4 : 16;

  for (const struct ifaddrs *one = interfaces; one != NULL; one = one->ifa_next)
    {
      const uint8_t *mask = bytes_of (one->ifa_netmask, family);

      if (is_near (address, bytes_of (one->ifa_addr, family), mask, size))
        return true;
      if (one->ifa_flags & IFF_POINTOPOINT &&
          is_near (address, bytes_of (one->ifa_dstaddr, family), mask, size))
        return true;
    }
  return false;
}

bool
own_network_has (const struct ifaddrs *interfaces, const struct sockaddr *address)
{
  const uint8_t *bytes = bytes_of (address, AF_INET);
  uint32_t v4;

  if (bytes != NULL)
    return has_bytes (interfaces, AF_INET, bytes);
  bytes = bytes_of (address, AF_INET6);
  if (bytes == NULL)
    return false;
  if (has_bytes (interfaces, AF_INET6, bytes))
    return true;
  if (!public_address_v4_in (bytes, &v4))
    return false;
  v4 = htonl (v4);
  return has_bytes (interfaces, AF_INET, (const uint8_t *) &v4);
}

bool
own_network_is_loop (int fd)
{
  struct sockaddr_storage here;
  struct sockaddr_storage there;
  socklen_t size_here = sizeof here;
  socklen_t size_there = sizeof there;
  const uint8_t *bytes;

  if (getsockname (fd, (struct sockaddr *) &here, &size_here) < 0 ||
      getpeername (fd, (struct sockaddr *) &there, &size_there) < 0 ||
      here.ss_family != there.ss_family ||
      (here.ss_family != AF_INET && here.ss_family != AF_INET6))
    return true;
  bytes = bytes_of ((const struct sockaddr *) &there, there.ss_family);
  return memcmp (bytes_of ((const struct sockaddr *) &here, here.ss_family),
                 bytes,
                 here.ss_family == AF_INET ? 4 : 16) == 0;
}
