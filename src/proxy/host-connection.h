/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdint.h>

enum host_answer
{
  HOST_CONNECTED,
  HOST_UNKNOWN,     /* the name has no address */
  HOST_PRIVATE,     /* none of its addresses is public */
  HOST_NEAR,        /* only addresses of this computer and its neighbours, see own-network.h */
  HOST_UNCHECKED,   /* this computer's own addresses could not be read */
  HOST_UNREACHABLE, /* none of the allowed addresses answered */
};

struct host_addresses;

/* Looks the name up once: the proxy connects to the addresses that were checked here, even if the
 * name's change. HOST_CONNECTED if there are allowed ones. */
enum host_answer host_look_up (const char *name, uint16_t port, struct host_addresses **addresses);
/* Connects to one of them and frees them. Sets `fd` on success. */
enum host_answer host_connect (struct host_addresses *addresses, int *fd);
