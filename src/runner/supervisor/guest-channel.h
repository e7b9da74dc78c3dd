/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The guest channel: a stream socket on which the code around the user's program inside the sandbox
 * gets one message and may send some; wire-guest.h. All of it is written by the guest. Each message
 * is forwarded as one frame, kind and rest, until they are too many or one is invalid; from then on
 * everything is dropped.
 */
#pragma once

#include "control-channel.h"
#include "wire-guest.h"

#include <poll.h>

/* All messages of a run together take no more. */
#define GUEST_CHANNEL_MAX_BYTES (64u * 1024)
/* All messages of one cell take no more. */
#define GUEST_CHANNEL_MAX_CELL_BYTES (32u * 1024 * 1024)
/* Replies that a cell does not read may take so much. */
#define GUEST_CHANNEL_MAX_REPLY_BYTES (2u * FH_GUEST_ANSWER_MAX)

struct guest_channel
{
  int fd; /* -1: none, or closed */
  const uint8_t *greeting;
  size_t greeting_size; /* bytes that are still to be sent */
  size_t total;         /* bytes that were forwarded */
  size_t max_total;
  size_t other_total; /* of a cell's messages that are none of its answer */
  bool is_ignored;
  bool is_kept;             /* of a kept sandbox: what breaks the rules is not ignored but */
  bool is_broken;           /* told */
  bool has_answered;        /* the cell has ended; nothing is read after that */
  bool is_calling;          /* the cell has told a call, for which there is no reply yet */
  uint32_t cell;            /* whose messages are taken; 0: none */
  struct fh_buffer replies; /* for the guest */
  size_t replies_sent;
  bool is_out_of_memory; /* the guest reported that its program ran out of memory */
  bool has_spoken;       /* something was received */
  bool is_unread;        /* it is gone, and has neither read what it was sent nor spoken */
  size_t size;           /* of the buffer's contents */
  uint8_t buffer[sizeof (uint32_t) + FH_GUEST_MESSAGE_MAX];
};

void guest_channel_init (struct guest_channel *guest, int fd);
/* Sends the messages for the guest, which are borrowed. */
void guest_channel_greet (struct guest_channel *guest, const uint8_t *greeting, size_t size);
void guest_channel_close (struct guest_channel *guest);
/* From now on it is that of a kept sandbox. */
void guest_channel_keep (struct guest_channel *guest);
/* Drops what came since the last cell. Messages are taken once `cell` is set. */
void guest_channel_begin_cell (struct guest_channel *guest);
/* Sends a message, a reply or a piece of one, to the cell, behind others that it has not read yet.
 */
void guest_channel_reply (struct guest_channel *guest, const void *message, size_t size);
bool guest_channel_has_replies (const struct guest_channel *guest);
void guest_channel_prepare (const struct guest_channel *guest, struct pollfd *fd);
/* Moves a bounded amount, so that a guest that writes endlessly cannot block the loop. */
void guest_channel_move (struct guest_channel *guest, struct control_channel *channel);
