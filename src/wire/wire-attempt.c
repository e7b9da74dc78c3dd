/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire-attempt.h"

#include <stdlib.h>
#include <string.h>

void
fh_attempt_encode (const struct fh_attempt *attempt, struct fh_buffer *buffer)
{
  size_t frame = fh_frame_begin (buffer, FH_FRAME_ATTEMPT);

  fh_buffer_put_u32 (buffer, attempt->id);
  fh_buffer_put_u32 (buffer, attempt->count);
  fh_buffer_put_u8 (buffer, attempt->guard);
  fh_buffer_put_u8 (buffer, attempt->verdict);
  fh_buffer_put_u32 (buffer, attempt->flags);
  fh_buffer_put_i32 (buffer, attempt->error);
  fh_buffer_put_u64 (buffer, attempt->time_us);
  fh_buffer_put_u32 (buffer, attempt->process);
  fh_buffer_put_string (buffer, attempt->layer);
  fh_buffer_put_string (buffer, attempt->operation);
  fh_buffer_put_string (buffer, attempt->object);
  fh_buffer_put_string (buffer, attempt->command);
  fh_frame_end (buffer, frame);
}

static char *
take_string (struct fh_cursor *cursor, size_t longest)
{
  char *string = fh_cursor_string (cursor);

  if (string != NULL && strlen (string) > longest)
    cursor->failed = true;
  return string;
}

bool
fh_attempt_decode (struct fh_attempt *attempt, const void *payload, size_t size)
{
  struct fh_cursor cursor;

  fh_cursor_init (&cursor, payload, size);
  *attempt = (struct fh_attempt){ 0 };
  attempt->id = fh_cursor_u32 (&cursor);
  attempt->count = fh_cursor_u32 (&cursor);
  attempt->guard = fh_cursor_u8 (&cursor);
  attempt->verdict = fh_cursor_u8 (&cursor);
  attempt->flags = fh_cursor_u32 (&cursor);
  attempt->error = fh_cursor_i32 (&cursor);
  attempt->time_us = fh_cursor_u64 (&cursor);
  attempt->process = fh_cursor_u32 (&cursor);
  attempt->layer = take_string (&cursor, FH_ATTEMPT_OPERATION_MAX);
  attempt->operation = take_string (&cursor, FH_ATTEMPT_OPERATION_MAX);
  attempt->object = take_string (&cursor, FH_ATTEMPT_OBJECT_MAX);
  attempt->command = take_string (&cursor, FH_ATTEMPT_COMMAND_MAX);
  if (fh_cursor_done (&cursor) && attempt->id < FH_ATTEMPTS_MAX && attempt->count > 0 &&
      attempt->guard < FH_WIRE_N_GUARDS && attempt->verdict <= FH_WIRE_OBSERVED &&
      (attempt->flags & ~(uint32_t) FH_ATTEMPT_ALL_FLAGS) == 0)
    return true;
  fh_attempt_clear (attempt);
  return false;
}

void
fh_attempt_clear (struct fh_attempt *attempt)
{
  free ((char *) attempt->layer);
  free ((char *) attempt->operation);
  free ((char *) attempt->object);
  free ((char *) attempt->command);
  *attempt = (struct fh_attempt){ 0 };
}

void
fh_attempts_dropped_encode (uint64_t count, struct fh_buffer *buffer)
{
  size_t frame = fh_frame_begin (buffer, FH_FRAME_ATTEMPTS_DROPPED);

  fh_buffer_put_u64 (buffer, count);
  fh_frame_end (buffer, frame);
}

bool
fh_attempts_dropped_decode (uint64_t *count, const void *payload, size_t size)
{
  struct fh_cursor cursor;

  fh_cursor_init (&cursor, payload, size);
  *count = fh_cursor_u64 (&cursor);
  return fh_cursor_done (&cursor);
}
