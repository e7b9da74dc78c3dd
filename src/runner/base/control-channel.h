/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The control channel: frames to and from the backend, on a socket or two pipes. A bounded buffer
 * holds what the backend has not taken yet, so that a slow backend delays the guest's output and
 * nothing else.
 */
#pragma once

#include "wire-event.h"

struct control_channel
{
  int in;
  int out; /* equal to `in` for a socket */
  struct fh_frame_reader reader;
  struct fh_buffer pending;
  size_t sent; /* of `pending` */
  bool closed; /* the backend is gone */
};

/* Borrows the descriptors and makes them non-blocking. False if out of memory. */
bool control_channel_init (struct control_channel *channel, int in, int out);
void control_channel_clear (struct control_channel *channel);

/* Waits for the next frame. 1: `frame` is set; 0: the backend is gone; -1: protocol error. */
int control_channel_wait (struct control_channel *channel, struct fh_frame *frame);
/* Reads what is available, without waiting. */
void control_channel_receive (struct control_channel *channel);
/* Does what control_channel_wait does, for frames that were received; 0 also means that there is no
 * more. */
int control_channel_next (struct control_channel *channel, struct fh_frame *frame);

/* Sends what the backend takes without waiting. */
void control_channel_flush (struct control_channel *channel);
/* Sends everything, waiting as long as necessary. */
void control_channel_drain (struct control_channel *channel);
size_t control_channel_pending (const struct control_channel *channel);
/* True while so much is pending that the guest's output should wait. */
bool control_channel_is_slow (const struct control_channel *channel);
/* True if there is room for frames that can be left out. */
bool control_channel_has_room (const struct control_channel *channel);
