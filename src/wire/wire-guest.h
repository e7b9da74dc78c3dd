/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The guest channel: messages between the Python code inside a sandbox (data/guest) and the
 * outside, on a stream socket that is the program's descriptor 3.
 *
 *   u32 size of the message · u8 kind · the rest of the message
 *
 * FH_FRAME_RUN has the messages for the guest, complete with their sizes, and the runner forwards
 * them as they are: the interpreter guard's, if there is one, and then the program's. Messages from
 * the guest are chosen by the program: good as a hint in a result, never as evidence. One over
 * FH_GUEST_MESSAGE_MAX ends the conversation.
 *
 * In a kept sandbox the messages come as FH_FRAME_INPUT, because a cell can be long: before the
 * first cell STACKS, GUARDS and SETUP, as far as there are any; then CELL. Cells are numbered from
 * 1 on. What has another number than the present cell's is ignored. To break these rules ends the
 * sandbox.
 */
#pragma once

#define FH_GUEST_MESSAGE_MAX (64u * 1024)

/* The largest answer or call, all pieces together; also the largest reply that is sent to the
 * guest. */
#define FH_GUEST_ANSWER_MAX (4u * 1024 * 1024)

/* Kind and number of the cell, before the JSON. */
#define FH_GUEST_CELL_HEAD 5

enum fh_guest_message
{
  /* to the guest: run a file as __main__. Path and arguments, separated by NUL */
  FH_GUEST_RUN = 1,

  /* to the guest: the interpreter guard's tasks, separated by NUL: "report" (report source lines),
   * "functions" (remove dangerous ones), "imports=" and the allowed modules separated by commas,
   * "operations=" and the maximum to execute */
  FH_GUEST_GUARDS = 2,

  /* to the guest: the same as RUN, but descriptor 4 has the program, FH_POLICY_SEALED_PROGRAM; the
   * path is its name only */
  FH_GUEST_RUN_SEALED = 3,

  /* to a warm interpreter, in a file: import these modules, as far as that is possible, and load
   * the module that forks, which is descriptor 4. Each fork gets its other messages through a
   * channel of its own. Names separated by NUL, or none */
  FH_GUEST_WARM = 4,

  /* to the guest: what one cell is to do: u32 number · JSON, see data/guest/session.py */
  FH_GUEST_CELL = 5,

  /* to the guest: what is done before its first cell: JSON, a list of the same */
  FH_GUEST_SETUP = 6,

  /* to the guest: a piece of the reply to a call: u32 number of the call · u8 whether another piece
   * follows · JSON. It may be an order instead, which the guest obeys and answers by another CALL
   * of that number, before it waits for the reply again */
  FH_GUEST_REPLY = 7,

  /* to the guest, before the others: the size of the stacks of new threads, in MiB as digits */
  FH_GUEST_STACKS = 8,

  /* to the guest, before RUN: functions of the program are called when it has run, by lines on its
   * standard input; data/guest/called.py */
  FH_GUEST_CALLED = 9,

  /* to the guest, before RUN: lines that only notebooks know are run as what they mean there;
   * data/guest/notebook.py */
  FH_GUEST_NOTEBOOK = 10,

  /* to the guest, before RUN: the value of each statement is printed, as at Python's prompt */
  FH_GUEST_TYPED = 11,

  /* from the guest: the program, or the cell, ends because of an uncaught MemoryError. What follows
   * does not matter */
  FH_GUEST_OUT_OF_MEMORY = 16,

  /* from the guest: something the program is about to do, or that the interpreter guard refused: u8
   * enum fh_wire_verdict · u32 line of the source, or 0 · operation · NUL · object. Without an
   * operation it only adds the line to what another guard sees */
  FH_GUEST_ATTEMPT = 17,

  /* from the guest, each with u32 the number of the cell · JSON: a piece of the next of the other
   * two; the cell calls a function of the user and waits for the reply; the cell has ended, and
   * this is its answer */
  FH_GUEST_MORE = 18,
  FH_GUEST_CALL = 19,
  FH_GUEST_ANSWER = 20,
};
