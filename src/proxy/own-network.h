/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This computer's own addresses and those of its neighbours: of networks that it is connected to
 * without a router. They may be public, as with IPv6 at home or in a data centre, but they are not
 * the internet that a run was allowed to reach.
 */
#pragma once

#include <ifaddrs.h>
#include <stdbool.h>
#include <sys/socket.h>

/* `interfaces`: from getifaddrs (3). An IPv6 address that embeds an IPv4 one is checked as that,
 * too. False for other families. */
bool own_network_has (const struct ifaddrs *interfaces, const struct sockaddr *address);
/* True if both ends of a connection have the same address: it has not left this computer. Also true
 * if that cannot be determined. */
bool own_network_is_loop (int fd);
