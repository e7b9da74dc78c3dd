/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdint.h>

enum host_answer
{
  HOST_CONNECTED,
  HOST_UNKNOWN,     /* the name has no address */
  HOST_PRIVATE,     /* none of its addresses is one of the public internet */
  HOST_UNREACHABLE, /* nobody answered at any of those that are */
};

struct host_addresses;

/* Looks the name up, once and for all: what is connected to is what was checked here, whatever the
 * name stands for a moment later. HOST_CONNECTED when there are public addresses. */
enum host_answer host_look_up (const char *name, uint16_t port, struct host_addresses **addresses);
/* Connects to one of them and frees them. Sets `fd` when it could. */
enum host_answer host_connect (struct host_addresses *addresses, int *fd);
