/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <netinet/in.h>
#include <stdbool.h>

/* True for an address of the public internet: not this computer, not the local network, not a range
 * with a purpose of its own (RFC 6890 and the IANA registries), not many at once. Where an IPv6
 * address stands for an IPv4 one, that one counts. */
bool public_address_is (const struct sockaddr *address);
