/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fake-conversation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct fh_frame_reader reader;
struct received received;

void
send_buffer (struct fh_buffer *buffer)
{
  for (size_t at = 0; at < buffer->size;)
    {
      ssize_t n = send (FH_WIRE_FD, buffer->data + at, buffer->size - at, MSG_NOSIGNAL);

      if (n <= 0)
        _exit (9);
      at += (size_t) n;
    }
  fh_buffer_clear (buffer);
}

void
send_bytes (uint8_t stream, const void *data, size_t size)
{
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, FH_FRAME_HEADER_SIZE + FH_FRAME_MAX_PAYLOAD);
  fh_output_encode (&(struct fh_output){ stream, 1000, data, size }, &buffer);
  send_buffer (&buffer);
}

void
send_text (const char *text)
{
  send_bytes (FH_WIRE_STDOUT, text, strlen (text));
}

void
send_guards (void)
{
  const struct fh_guard_report reports[] = {
    { FH_WIRE_GUARD_NETWORK, FH_WIRE_LEVEL_ACTIVE, "network namespace", "" },
    { FH_WIRE_GUARD_MEMORY, FH_WIRE_LEVEL_DEGRADED, "sampling", "no-cgroup" },
  };
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 4096);
  fh_guards_encode (reports, 2, &buffer);
  send_buffer (&buffer);
}

void
send_started (void)
{
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 64);
  fh_frame_put (&buffer, FH_FRAME_STARTED, NULL, 0);
  send_buffer (&buffer);
}

void
send_usage (uint64_t memory)
{
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 256);
  fh_usage_encode (&(struct fh_usage){ 1000, 2000, memory, 3 }, &buffer);
  send_buffer (&buffer);
}

void
send_failed (uint8_t status, const char *step, int error)
{
  struct fh_finished finished = {
    .status = status,
    .exit_code = -1,
    .signal = -1,
    .step = step,
    .error = error,
  };
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 4096);
  fh_finished_encode (&finished, &buffer);
  send_buffer (&buffer);
}

void
send_finished (uint8_t status, uint8_t cause, int exit_code, int number, const char *step)
{
  struct fh_finished finished = {
    .status = status,
    .cause = cause,
    .exit_code = exit_code,
    .signal = number,
    .wall_us = 12345,
    .memory_peak = 1 << 20,
    .step = step,
    .error = *step ? 1 : 0,
  };
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 4096);
  fh_finished_encode (&finished, &buffer);
  send_buffer (&buffer);
}

bool
take (struct fh_frame *frame)
{
  for (;;)
    {
      int got = fh_frame_reader_next (&reader, frame);
      size_t room;
      uint8_t *space;
      ssize_t n;

      if (got != 0)
        return got > 0;
      space = fh_frame_reader_space (&reader, &room);
      n = recv (FH_WIRE_FD, space, room, 0);
      if (n <= 0)
        return false;
      fh_frame_reader_filled (&reader, (size_t) n);
    }
}

static void
keep_input (const struct fh_frame *frame)
{
  received.input = realloc (received.input, received.input_size + frame->size);
  if (received.input == NULL)
    _exit (8);
  memcpy (received.input + received.input_size, frame->payload, frame->size);
  received.input_size += frame->size;
}

/* Returns the kind of the frame that ended it. */
static unsigned int
receive_until (enum fh_frame_kind last)
{
  struct fh_frame frame = { 0 };

  while (take (&frame) && frame.kind != last && frame.kind != FH_FRAME_RUN)
    {
      struct fh_file_piece piece;

      if (frame.kind == FH_FRAME_POLICY)
        received.policy = fh_policy_decode (frame.payload, frame.size);
      else if (frame.kind == FH_FRAME_FILE &&
               fh_file_piece_decode (&piece, frame.payload, frame.size))
        {
          snprintf (received.file, sizeof received.file, "%s", piece.path);
          received.file_size += piece.size;
          received.pieces++;
          free (piece.path);
        }
      else if (frame.kind == FH_FRAME_INPUT)
        keep_input (&frame);
    }
  if (received.policy == NULL)
    _exit (8);
  if (frame.kind == FH_FRAME_RUN)
    {
      received.messages_size = frame.size < sizeof received.messages ? frame.size : 0;
      memcpy (received.messages, frame.payload, received.messages_size);
    }
  return frame.kind;
}

void
receive_all (void)
{
  receive_until (FH_FRAME_RUN);
}

bool
receive_run (void)
{
  return receive_until (FH_FRAME_RUN) == FH_FRAME_RUN;
}

bool
receive_preparation (void)
{
  return receive_until (FH_FRAME_PREPARE) == FH_FRAME_PREPARE;
}

void
wait_for_stop (void)
{
  struct fh_frame frame;

  while (take (&frame) && frame.kind != FH_FRAME_STOP)
    ;
}

void
send_attempt (uint32_t id, uint8_t verdict, const char *object)
{
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 4096);
  fh_attempt_encode (
      &(struct fh_attempt){
          .id = id,
          .count = 2,
          .guard = FH_WIRE_GUARD_NETWORK,
          .verdict = verdict,
          .error = 101,
          .time_us = 1500,
          .layer = "network namespace",
          .operation = "connect",
          .object = object,
          .command = "python3",
      },
      &buffer);
  send_buffer (&buffer);
}

bool
conversation_begin (void)
{
  return fh_frame_reader_init (&reader);
}

void
send_file (const char *path, uint64_t announced, const char *bytes)
{
  const struct fh_result_file file = {
    .path = (char *) path,
    .flags = FH_RESULT_HAS_CONTENT,
    .size = announced,
  };
  struct fh_buffer buffer;

  fh_buffer_init (&buffer, 4096);
  fh_result_file_encode (&file, &buffer);
  fh_frame_put (&buffer, FH_FRAME_RESULT_PIECE, bytes, strlen (bytes));
  send_buffer (&buffer);
}
