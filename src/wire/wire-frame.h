/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames: how messages follow one another on the socket between a backend and its runner.
 *
 *   u32 size of the payload · u16 kind · u16 zero · payload
 *
 * A frame over FH_FRAME_MAX_PAYLOAD, or one whose reserved field is not zero, ends the
 * conversation: whoever sent it is not speaking this protocol.
 */
#pragma once

#include "wire-bytes.h"

/* Raised whenever a message changes its layout; a runner refuses a policy of another version. */
#define FH_WIRE_VERSION 4

/* The descriptor on which a runner finds its backend. */
#define FH_WIRE_FD 3

#define FH_FRAME_HEADER_SIZE 8
#define FH_FRAME_MAX_PAYLOAD (256u * 1024)

enum fh_frame_kind
{
  /* backend to runner, in this order */
  FH_FRAME_POLICY = 1, /* once, first: wire-policy.h */
  FH_FRAME_FILE = 2,   /* any number: a piece of a file for the workspace, wire-policy.h */
  FH_FRAME_START = 3,  /* empty: everything was sent, run it */
  FH_FRAME_STOP = 4,   /* empty, at any time: the first one asks, the second one kills */
  FH_FRAME_INPUT = 5,  /* any number, before START: bytes of the program's standard input, for a
                          runner whose own is taken, up to FH_INPUT_MAX: wire-container.h */

  /* runner to backend: wire-event.h */
  FH_FRAME_GUARDS = 16,
  FH_FRAME_STARTED = 17,
  FH_FRAME_OUTPUT = 18,
  FH_FRAME_USAGE = 19,
  FH_FRAME_GUEST = 20,
  FH_FRAME_FINISHED = 21, /* always the last one */
  FH_FRAME_ATTEMPT = 22,  /* wire-attempt.h */
  FH_FRAME_ATTEMPTS_DROPPED = 23,
  FH_FRAME_RESULT_FILE = 24, /* wire-result-file.h */
  FH_FRAME_RESULT_PIECE = 25,
  FH_FRAME_RESULTS_END = 26,
};

struct fh_frame
{
  uint16_t kind;
  const uint8_t *payload; /* borrowed from the reader until its next call */
  uint32_t size;
};

/* Collects bytes as they arrive and cuts them into frames. Memory is bounded by one frame. */
struct fh_frame_reader
{
  uint8_t *buffer;
  size_t start;
  size_t end;
  bool failed;
};

/* False when there is no memory. */
bool fh_frame_reader_init (struct fh_frame_reader *reader);
void fh_frame_reader_clear (struct fh_frame_reader *reader);
/* Where the next bytes may be read to; *room is never 0 after every complete frame was taken. */
uint8_t *fh_frame_reader_space (struct fh_frame_reader *reader, size_t *room);
void fh_frame_reader_filled (struct fh_frame_reader *reader, size_t size);
/* 1: *frame was filled in. 0: more bytes are needed. -1: not our protocol, for good. */
int fh_frame_reader_next (struct fh_frame_reader *reader, struct fh_frame *frame);

/* Begins a frame at the end of `buffer`; returns its offset for fh_frame_end. */
size_t fh_frame_begin (struct fh_buffer *buffer, enum fh_frame_kind kind);
/* Completes the frame; a payload over the limit marks the buffer as failed. */
void fh_frame_end (struct fh_buffer *buffer, size_t offset);
