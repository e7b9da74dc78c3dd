/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The guest channel: what the Python inside a sandbox (data/guest) and those outside say to one
 * another, on a stream socket that the program has as its descriptor 3.
 *
 *   u32 size of the message · u8 kind · the rest of the message
 *
 * A policy carries what is said inwards complete with its sizes, and the runner writes it as it is:
 * the interpreter guard's message, if there is one, and then the program's.
 * Whatever comes from the inside is chosen by the program under guard: it may be a hint for the
 * reader of a result, never more. A message over FH_GUEST_MESSAGE_MAX ends the conversation.
 */
#pragma once

#define FH_GUEST_MESSAGE_MAX (64u * 1024)

enum fh_guest_message
{
  /* inwards: run a file as __main__. The path and the arguments, separated by NUL. */
  FH_GUEST_RUN = 1,

  /* inwards: what the interpreter guard is to do, words separated by NUL: "report" (tell the lines
   * of the source), "functions" (take the dangerous ones away), "imports=" and the names of modules
   * separated by commas, "operations=" and the most that may be executed. */
  FH_GUEST_GUARDS = 2,

  /* outwards: the program ends because of a MemoryError that it did not catch. Empty. */
  FH_GUEST_OUT_OF_MEMORY = 16,

  /* outwards: something that the program is about to do, or was kept from by the interpreter guard:
   * u8 enum fh_wire_verdict · u32 line of the program's source, or 0 · operation · NUL · object.
   * Without an operation it only says on which line something was done that a guard sees itself. */
  FH_GUEST_ATTEMPT = 17,
};
