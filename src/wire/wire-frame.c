/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire-frame.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY (FH_FRAME_HEADER_SIZE + FH_FRAME_MAX_PAYLOAD)

bool
fh_frame_reader_init (struct fh_frame_reader *reader)
{
  *reader = (struct fh_frame_reader){ .buffer = malloc (CAPACITY) };
  return reader->buffer != NULL;
}

void
fh_frame_reader_clear (struct fh_frame_reader *reader)
{
  free (reader->buffer);
  *reader = (struct fh_frame_reader){ 0 };
}

uint8_t *
fh_frame_reader_space (struct fh_frame_reader *reader, size_t *room)
{
  if (reader->start > 0)
    {
      memmove (reader->buffer, reader->buffer + reader->start, reader->end - reader->start);
      reader->end -= reader->start;
      reader->start = 0;
    }
  *room = CAPACITY - reader->end;
  return reader->buffer + reader->end;
}

void
fh_frame_reader_filled (struct fh_frame_reader *reader, size_t size)
{
  reader->end += size;
}

int
fh_frame_reader_next (struct fh_frame_reader *reader, struct fh_frame *frame)
{
  size_t available = reader->end - reader->start;
  struct fh_cursor header;
  uint32_t size;
  uint16_t kind;

  if (reader->failed)
    return -1;
  if (available < FH_FRAME_HEADER_SIZE)
    return 0;
  fh_cursor_init (&header, reader->buffer + reader->start, FH_FRAME_HEADER_SIZE);
  size = fh_cursor_u32 (&header);
  kind = fh_cursor_u16 (&header);
  if (size > FH_FRAME_MAX_PAYLOAD || fh_cursor_u16 (&header) != 0)
    {
      reader->failed = true;
      return -1;
    }
  if (available - FH_FRAME_HEADER_SIZE < size)
    return 0;
  frame->kind = kind;
  frame->size = size;
  frame->payload = reader->buffer + reader->start + FH_FRAME_HEADER_SIZE;
  reader->start += FH_FRAME_HEADER_SIZE + size;
  return 1;
}

size_t
fh_frame_begin (struct fh_buffer *buffer, enum fh_frame_kind kind)
{
  size_t offset = buffer->size;

  fh_buffer_put_u32 (buffer, 0);
  fh_buffer_put_u16 (buffer, (uint16_t) kind);
  fh_buffer_put_u16 (buffer, 0);
  return offset;
}

void
fh_frame_end (struct fh_buffer *buffer, size_t offset)
{
  size_t size;

  if (buffer->failed)
    return;
  size = buffer->size - offset - FH_FRAME_HEADER_SIZE;
  if (size > FH_FRAME_MAX_PAYLOAD)
    {
      buffer->failed = true;
      return;
    }
  for (int i = 0; i < 4; i++)
    buffer->data[offset + i] = (uint8_t) (size >> (8 * i));
}

void
fh_frame_put (struct fh_buffer *buffer, enum fh_frame_kind kind, const void *payload, size_t size)
{
  size_t offset = fh_frame_begin (buffer, kind);

  fh_buffer_put_raw (buffer, payload, size);
  fh_frame_end (buffer, offset);
}
