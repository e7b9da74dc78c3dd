/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire-bytes.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
fh_write_all (int fd, const void *bytes, size_t size)
{
  const uint8_t *data = bytes;

  while (size > 0)
    {
      ssize_t n = write (fd, data, size);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return false;
      data += n;
      size -= (size_t) n;
    }
  return true;
}

void
fh_buffer_init (struct fh_buffer *buffer, size_t limit)
{
  *buffer = (struct fh_buffer){ .limit = limit };
}

void
fh_buffer_clear (struct fh_buffer *buffer)
{
  free (buffer->data);
  *buffer = (struct fh_buffer){ .limit = buffer->limit };
}

static bool
make_room (struct fh_buffer *buffer, size_t extra)
{
  size_t capacity = buffer->capacity ? buffer->capacity : 256;
  uint8_t *data;

  if (buffer->failed || extra > buffer->limit - buffer->size)
    {
      buffer->failed = true;
      return false;
    }
  if (buffer->capacity - buffer->size >= extra)
    return true;
  while (capacity - buffer->size < extra)
    capacity = capacity > SIZE_MAX / 2 ? SIZE_MAX : capacity * 2;
  data = realloc (buffer->data, capacity);
  if (data == NULL)
    {
      buffer->failed = true;
      return false;
    }
  buffer->data = data;
  buffer->capacity = capacity;
  return true;
}

void
fh_buffer_put_raw (struct fh_buffer *buffer, const void *bytes, size_t size)
{
  if (size == 0 || !make_room (buffer, size))
    return;
  memcpy (buffer->data + buffer->size, bytes, size);
  buffer->size += size;
}

static void
put_integer (struct fh_buffer *buffer, uint64_t value, size_t width)
{
  uint8_t bytes[8];

  for (size_t i = 0; i < width; i++)
    bytes[i] = (uint8_t) (value >> (8 * i));
  fh_buffer_put_raw (buffer, bytes, width);
}

void
fh_buffer_put_u8 (struct fh_buffer *buffer, uint8_t value)
{
  put_integer (buffer, value, 1);
}

void
fh_buffer_put_u16 (struct fh_buffer *buffer, uint16_t value)
{
  put_integer (buffer, value, 2);
}

void
fh_buffer_put_u32 (struct fh_buffer *buffer, uint32_t value)
{
  put_integer (buffer, value, 4);
}

void
fh_buffer_put_u64 (struct fh_buffer *buffer, uint64_t value)
{
  put_integer (buffer, value, 8);
}

void
fh_buffer_put_i32 (struct fh_buffer *buffer, int32_t value)
{
  put_integer (buffer, (uint32_t) value, 4);
}

void
fh_buffer_put_bytes (struct fh_buffer *buffer, const void *bytes, size_t size)
{
  if (size > UINT32_MAX)
    {
      buffer->failed = true;
      return;
    }
  fh_buffer_put_u32 (buffer, (uint32_t) size);
  fh_buffer_put_raw (buffer, bytes, size);
}

void
fh_buffer_put_string (struct fh_buffer *buffer, const char *string)
{
  fh_buffer_put_bytes (buffer, string, string ? strlen (string) : 0);
}

void
fh_cursor_init (struct fh_cursor *cursor, const void *data, size_t size)
{
  *cursor = (struct fh_cursor){ .data = data, .size = size };
}

static const uint8_t *
take (struct fh_cursor *cursor, size_t size)
{
  const uint8_t *bytes;

  if (cursor->failed || size > cursor->size - cursor->at)
    {
      cursor->failed = true;
      return NULL;
    }
  bytes = cursor->data + cursor->at;
  cursor->at += size;
  return bytes;
}

static uint64_t
take_integer (struct fh_cursor *cursor, size_t width)
{
  const uint8_t *bytes = take (cursor, width);
  uint64_t value = 0;

  for (size_t i = 0; bytes != NULL && i < width; i++)
    value |= (uint64_t) bytes[i] << (8 * i);
  return value;
}

uint8_t
fh_cursor_u8 (struct fh_cursor *cursor)
{
  return (uint8_t) take_integer (cursor, 1);
}

uint16_t
fh_cursor_u16 (struct fh_cursor *cursor)
{
  return (uint16_t) take_integer (cursor, 2);
}

uint32_t
fh_cursor_u32 (struct fh_cursor *cursor)
{
  return (uint32_t) take_integer (cursor, 4);
}

uint64_t
fh_cursor_u64 (struct fh_cursor *cursor)
{
  return take_integer (cursor, 8);
}

int32_t
fh_cursor_i32 (struct fh_cursor *cursor)
{
  return (int32_t) (uint32_t) take_integer (cursor, 4);
}

const uint8_t *
fh_cursor_bytes (struct fh_cursor *cursor, size_t *size)
{
  uint32_t length = fh_cursor_u32 (cursor);
  const uint8_t *bytes = take (cursor, length);

  *size = bytes ? length : 0;
  return bytes;
}

char *
fh_cursor_string (struct fh_cursor *cursor)
{
  size_t size;
  const uint8_t *bytes = fh_cursor_bytes (cursor, &size);
  char *string;

  if (bytes == NULL || memchr (bytes, '\0', size) != NULL)
    {
      cursor->failed = true;
      return NULL;
    }
  string = malloc (size + 1);
  if (string == NULL)
    {
      cursor->failed = true;
      return NULL;
    }
  memcpy (string, bytes, size);
  string[size] = '\0';
  return string;
}

bool
fh_cursor_done (const struct fh_cursor *cursor)
{
  return !cursor->failed && cursor->at == cursor->size;
}

bool
fh_path_is_below (const char *path, size_t most_bytes, size_t most_parts)
{
  size_t parts = 0;

  if (strlen (path) > most_bytes)
    return false;
  for (const char *part = path;; part++)
    {
      const size_t length = strcspn (part, "/");

      if (length == 0 || length > NAME_MAX || ++parts > most_parts)
        return false;
      if (part[0] == '.' && (length == 1 || (length == 2 && part[1] == '.')))
        return false;
      part += length;
      if (*part == '\0')
        return true;
    }
}
