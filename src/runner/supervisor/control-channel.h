/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The control channel: the frames to and from the backend, on one socket or on two pipes. What is
 * to be sent is kept in a bounded buffer until the backend takes it, so that a slow backend holds
 * back the guest's output and nothing else.
 */
#pragma once

#include "wire-event.h"

struct control_channel
{
  int in;
  int out; /* the same where it is a socket */
  struct fh_frame_reader reader;
  struct fh_buffer pending;
  size_t sent; /* of `pending` */
  bool closed; /* the backend went away */
};

/* Borrows the descriptors, which from now on do not block. False when there is no memory. */
bool control_channel_init (struct control_channel *channel, int in, int out);
void control_channel_clear (struct control_channel *channel);

/* Waits for the next frame. 1: `frame` was filled in; 0: the backend went away; -1: it does not
 * speak the protocol. */
int control_channel_wait (struct control_channel *channel, struct fh_frame *frame);
/* Reads what is there, without waiting. */
void control_channel_receive (struct control_channel *channel);
/* As control_channel_wait, but of what was received; 0 also means that there is no more. */
int control_channel_next (struct control_channel *channel, struct fh_frame *frame);

/* Sends as much as the backend takes now. */
void control_channel_flush (struct control_channel *channel);
/* Sends everything, waiting as long as it takes. */
void control_channel_drain (struct control_channel *channel);
size_t control_channel_pending (const struct control_channel *channel);
/* True while so much is pending that the guest's output should wait. */
bool control_channel_is_slow (const struct control_channel *channel);
/* True while there is room beyond that for frames that the backend can do without. */
bool control_channel_has_room (const struct control_channel *channel);
