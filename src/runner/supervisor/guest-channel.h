/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The guest channel: a stream socket on which the code that runs around the user's program, inside
 * the sandbox, gets one message and may send some; wire-guest.h. Everything that comes out of it
 * was written by the guest. Each message goes to the backend as one frame, kind and rest, until
 * they are too many or one is no message; from then on all of it is thrown away.
 */
#pragma once

#include "control-channel.h"
#include "wire-guest.h"

#include <poll.h>

/* All messages of one run together. */
#define GUEST_CHANNEL_MAX_BYTES (64u * 1024)

struct guest_channel
{
  int fd; /* -1: there is none, or it was closed */
  const uint8_t *greeting;
  size_t greeting_size; /* what is still to be sent */
  size_t total;         /* what was passed on */
  bool is_ignored;
  bool is_out_of_memory; /* the guest says that its program ended for want of memory */
  size_t size;           /* of what is in the buffer */
  uint8_t buffer[sizeof (uint32_t) + FH_GUEST_MESSAGE_MAX];
};

void guest_channel_init (struct guest_channel *guest, int fd, const uint8_t *greeting, size_t size);
void guest_channel_close (struct guest_channel *guest);
void guest_channel_prepare (const struct guest_channel *guest, struct pollfd *fd);
/* A bounded amount at a time, so that a guest that writes without end keeps nobody busy. */
void guest_channel_move (struct guest_channel *guest, struct control_channel *channel);
