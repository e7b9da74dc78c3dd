/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The guest channel: what the Python inside a sandbox (data/guest) and those outside say to one
 * another, on a stream socket that the program has as its descriptor 3.
 *
 *   u32 size of the message · u8 kind · the rest of the message
 *
 * A policy carries the first message complete with its size, and the runner writes it as it is.
 * Whatever comes from the inside is chosen by the program under guard: it may be a hint for the
 * reader of a result, never more. A message over FH_GUEST_MESSAGE_MAX ends the conversation.
 */
#pragma once

#define FH_GUEST_MESSAGE_MAX (64u * 1024)

enum fh_guest_message
{
  /* inwards: run a file as __main__. The path and the arguments, separated by NUL. */
  FH_GUEST_RUN = 1,

  /* outwards: the program ends because of a MemoryError that it did not catch. Empty. */
  FH_GUEST_OUT_OF_MEMORY = 16,
};
