/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames: the units of the conversation between a backend and its runner.
 *
 *   u32 size of the payload · u16 kind · u16 zero · payload
 *
 * A frame over FH_FRAME_MAX_PAYLOAD, or one whose reserved field is not zero, is a protocol error
 * that ends the conversation.
 */
#pragma once

#include "wire-bytes.h"

/* Raised whenever a message changes its layout; a runner refuses a policy of another version. */
#define FH_WIRE_VERSION 16

/* The socket to the backend. */
#define FH_WIRE_FD 3

#define FH_FRAME_HEADER_SIZE 8
#define FH_FRAME_MAX_PAYLOAD (256u * 1024)

/* Maximum size of the program's standard input, which the runner stores. */
#define FH_INPUT_MAX ((size_t) 256 << 20)

/* A forked sandbox (FH_POLICY_FORKED) serves many runs, one after the other: POLICY, PREPARE, then
 * for each run FILE and INPUT, RUN, and as the answer the frames of a single run, GUARDS to
 * FINISHED. The next run's frames may be sent once FINISHED has come; end of file ends the sandbox.
 * A STOP without a run is ignored, as it may have crossed FINISHED.
 *
 * A kept sandbox (FH_POLICY_KEPT) serves cells in the same way, but one interpreter runs them all.
 * INPUT is the message for the guest, wire-guest.h, and RUN has the time limits of the cell: u64
 * wall_ms · u64 cpu_ms, 0 for none. The first STOP interrupts the cell, as the end of its time
 * does, and the interpreter stays if the guest answers soon; otherwise everything is killed. A
 * REPLY without a cell is ignored too.
 *
 * A sandbox that stays (FH_POLICY_STAYS) serves a single run. When its program has ended by itself
 * with 0, FINISHED says whether the sandbox is still there, with what the program has left running
 * in it. Then FILE, HAND_ON, PROGRAM and RUN start another program in it, as a run of its own. If
 * the sandbox ends before that, another FINISHED says why.
 *
 * RETIRED never comes between GUARDS and FINISHED, and nothing follows it: a run that was asked for
 * meanwhile has to be run elsewhere. If the interpreter cannot stay, a FINISHED that says
 * why comes before it, even if no RUN was sent. */
enum fh_frame_kind
{
  /* backend to runner: POLICY, then PREPARE if the run is to wait, then any number of FILE and
   * INPUT, then RUN; with FH_POLICY_INPUT_STAYS further INPUT after that, and in a forked sandbox
   * and one that stays only after that: what comes before is about the run that has ended, and is
   * ignored */
  FH_FRAME_POLICY = 1,  /* exactly once: wire-policy.h */
  FH_FRAME_FILE = 2,    /* a piece of a file for the workspace, wire-policy.h */
  FH_FRAME_RUN = 3,     /* run what was sent; the messages for the guest, wire-guest.h */
  FH_FRAME_STOP = 4,    /* empty, at any time: the first interrupts, the second kills */
  FH_FRAME_INPUT = 5,   /* a piece of the program's standard input; in all at most FH_INPUT_MAX.
                           With FH_POLICY_INPUT_STAYS an empty one ends it, and none follows */
  FH_FRAME_PREPARE = 6, /* empty: build the sandbox, and start the interpreter in it, which waits
                           for RUN. For policies of which fh_policy_can_wait says so */
  FH_FRAME_REPLY = 7,   /* to a cell: one message for the guest, without its size */
  FH_FRAME_HAND_ON = 8, /* empty, before RUN: what the program leaves is for another run, so tell
                           also links' targets, empty folders and /tmp, wire-result-file.h */
  FH_FRAME_PROGRAM = 9, /* the next program of a sandbox that stays, before RUN: wire-policy.h */

  /* runner to backend: wire-event.h */
  FH_FRAME_GUARDS = 16,
  FH_FRAME_STARTED = 17, /* empty */
  FH_FRAME_OUTPUT = 18,
  FH_FRAME_USAGE = 19,
  FH_FRAME_GUEST = 20, /* a message that the program wrote on the guest channel, without its size;
                          hostile */
  FH_FRAME_FINISHED = 21, /* always the last of a run */
  FH_FRAME_ATTEMPT = 22,  /* wire-attempt.h */
  FH_FRAME_ATTEMPTS_DROPPED = 23,
  FH_FRAME_RESULT_FILE = 24,  /* wire-result-file.h */
  FH_FRAME_RESULT_PIECE = 25, /* bytes of that file */
  FH_FRAME_RESULTS_END = 26,
  FH_FRAME_RETIRED = 27, /* empty: a forked or kept sandbox takes no more runs */
  FH_FRAME_WAITING = 28, /* u8, whether the program waits for input, when that has changed. Only
                            with FH_POLICY_INPUT_STAYS, and only where the runner can see it */
};

struct fh_frame
{
  uint16_t kind;
  const uint8_t *payload; /* borrowed from the reader until its next call */
  uint32_t size;
};

/* Collects received bytes and splits them into frames. Memory is bounded by one frame. */
struct fh_frame_reader
{
  uint8_t *buffer;
  size_t start;
  size_t end;
  bool failed;
};

/* False if out of memory. */
bool fh_frame_reader_init (struct fh_frame_reader *reader);
void fh_frame_reader_clear (struct fh_frame_reader *reader);
/* Returns where to read the next bytes to; *room is not 0 if all complete frames were taken. */
uint8_t *fh_frame_reader_space (struct fh_frame_reader *reader, size_t *room);
void fh_frame_reader_filled (struct fh_frame_reader *reader, size_t size);
/* 1: *frame is set. 0: more bytes are needed. -1: not this protocol; final. */
int fh_frame_reader_next (struct fh_frame_reader *reader, struct fh_frame *frame);

/* Begins a frame at the end of `buffer`; returns its offset for fh_frame_end. */
size_t fh_frame_begin (struct fh_buffer *buffer, enum fh_frame_kind kind);
/* Completes the frame; sets the buffer's `failed` if the payload is too large. */
void fh_frame_end (struct fh_buffer *buffer, size_t offset);
/* Writes a whole frame of a payload, whose size may be 0. */
void
fh_frame_put (struct fh_buffer *buffer, enum fh_frame_kind kind, const void *payload, size_t size);
