/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

/* True for an address of the public internet: not this computer, the local network, a
 * special-purpose range (RFC 6890 and the IANA registries) or multicast. An IPv6 address that
 * embeds an IPv4 one is judged by that. */
bool public_address_is (const struct sockaddr *address);
/* The IPv4 address embedded in an IPv6 one: mapped, NAT64 with the well-known prefix, or 6to4. In
 * host order; false if there is none. */
bool public_address_v4_in (const uint8_t address[16], uint32_t *v4);
