/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "public-address.h"

#include <arpa/inet.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static const struct
{
  uint32_t network;
  unsigned int bits;
} reserved_v4[] = {
  { 0x00000000, 8 },  /* 0.0.0.0, "this network"; on Linux this host */
  { 0x0a000000, 8 },  /* 10.0.0.0, private */
  { 0x64400000, 10 }, /* 100.64.0.0, carrier-grade NAT */
  { 0x7f000000, 8 },  /* 127.0.0.0, loopback */
  { 0xa9fe0000, 16 }, /* 169.254.0.0, link-local; cloud metadata services */
  { 0xac100000, 12 }, /* 172.16.0.0, private */
  { 0xc0000000, 24 }, /* 192.0.0.0, protocols */
  { 0xc0000200, 24 }, /* 192.0.2.0, documentation */
  { 0xc0586300, 24 }, /* 192.88.99.0, relays of 6to4 */
  { 0xc0a80000, 16 }, /* 192.168.0.0, private */
  { 0xc6120000, 15 }, /* 198.18.0.0, benchmarks */
  { 0xc6336400, 24 }, /* 198.51.100.0, documentation */
  { 0xcb007100, 24 }, /* 203.0.113.0, documentation */
  { 0xe0000000, 3 },  /* 224.0.0.0 multicast, 240.0.0.0 reserved, broadcast */
};

static bool
is_public_v4 (uint32_t address)
{
  for (size_t i = 0; i < sizeof reserved_v4 / sizeof reserved_v4[0]; i++)
    {
      if ((address ^ reserved_v4[i].network) >> (32 - reserved_v4[i].bits) == 0)
        return false;
    }
  return true;
}

static bool
begins_with (const uint8_t address[16], const uint8_t prefix[], unsigned int bits)
{
  if (memcmp (address, prefix, bits / 8) != 0)
    return false;
  return bits % 8 == 0 || (address[bits / 8] ^ prefix[bits / 8]) >> (8 - bits % 8) == 0;
}

static uint32_t
v4_at (const uint8_t *bytes)
{
  uint32_t address;

  memcpy (&address, bytes, sizeof address);
  return ntohl (address);
}

bool
public_address_v4_in (const uint8_t address[16], uint32_t *v4)
{
  static const uint8_t mapped[12] = { [10] = 0xff, 0xff };          /* ::ffff:0:0/96 */
  static const uint8_t translated[12] = { 0x00, 0x64, 0xff, 0x9b }; /* 64:ff9b::/96, NAT64 */
  static const uint8_t six_to_four[] = { 0x20, 0x02 };              /* 2002::/16 */

  if (begins_with (address, mapped, 96) || begins_with (address, translated, 96))
    *v4 = v4_at (address + 12);
  else if (begins_with (address, six_to_four, 16))
    *v4 = v4_at (address + 2);
  else
    return false;
  return true;
}

/* Only 2000::/3 is assigned to the public internet. */
static bool
is_public_v6 (const uint8_t address[16])
{
  static const uint8_t global[] = { 0x20 };                          /* 2000::/3 */
  static const uint8_t protocols[] = { 0x20, 0x01, 0x00 };           /* 2001::/23, with Teredo */
  static const uint8_t documentation[] = { 0x20, 0x01, 0x0d, 0xb8 }; /* 2001:db8::/32 */
  static const uint8_t more_documentation[] = { 0x3f, 0xff, 0x00 };  /* 3fff::/20 */
  uint32_t v4;

  if (public_address_v4_in (address, &v4))
    return is_public_v4 (v4);
  return begins_with (address, global, 3) && !begins_with (address, protocols, 23) &&
         !begins_with (address, documentation, 32) &&
         !begins_with (address, more_documentation, 20);
}

bool
public_address_is (const struct sockaddr *address)
{
  if (address->sa_family == AF_INET)
    {
      struct sockaddr_in v4;

      memcpy (&v4, address, sizeof v4);
      return is_public_v4 (ntohl (v4.sin_addr.s_addr));
    }
  if (address->sa_family == AF_INET6)
    {
      struct sockaddr_in6 v6;

      memcpy (&v6, address, sizeof v6);
      return is_public_v6 (v6.sin6_addr.s6_addr);
    }
  return false;
}
