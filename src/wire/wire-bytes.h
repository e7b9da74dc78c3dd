/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes: the primitives of all messages. A buffer grows while a message is written; a cursor walks
 * over a received message. Integers are little-endian.
 *
 * Errors are sticky, so that a caller writes or reads a whole message and checks once.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Grows up to `limit` bytes; `failed` is set if memory or the limit is exhausted. */
struct fh_buffer
{
  uint8_t *data;
  size_t size;
  size_t capacity;
  size_t limit;
  bool failed;
};

void fh_buffer_init (struct fh_buffer *buffer, size_t limit);
void fh_buffer_clear (struct fh_buffer *buffer);
void fh_buffer_put_u8 (struct fh_buffer *buffer, uint8_t value);
void fh_buffer_put_u16 (struct fh_buffer *buffer, uint16_t value);
void fh_buffer_put_u32 (struct fh_buffer *buffer, uint32_t value);
void fh_buffer_put_u64 (struct fh_buffer *buffer, uint64_t value);
void fh_buffer_put_i32 (struct fh_buffer *buffer, int32_t value);
/* The size as u32, then the bytes. */
void fh_buffer_put_bytes (struct fh_buffer *buffer, const void *bytes, size_t size);
/* A NUL-terminated string as bytes without the NUL; NULL is written as "". */
void fh_buffer_put_string (struct fh_buffer *buffer, const char *string);
void fh_buffer_put_raw (struct fh_buffer *buffer, const void *bytes, size_t size);

/* Writes all bytes to a blocking descriptor. False with errno. */
bool fh_write_all (int fd, const void *bytes, size_t size);

/* Never reads past `size`: the first read that would sets `failed`, and all later ones return zero,
 * NULL or "". */
struct fh_cursor
{
  const uint8_t *data;
  size_t size;
  size_t at;
  bool failed;
};

void fh_cursor_init (struct fh_cursor *cursor, const void *data, size_t size);
uint8_t fh_cursor_u8 (struct fh_cursor *cursor);
uint16_t fh_cursor_u16 (struct fh_cursor *cursor);
uint32_t fh_cursor_u32 (struct fh_cursor *cursor);
uint64_t fh_cursor_u64 (struct fh_cursor *cursor);
int32_t fh_cursor_i32 (struct fh_cursor *cursor);
/* Borrowed from the message; NULL when failed. */
const uint8_t *fh_cursor_bytes (struct fh_cursor *cursor, size_t *size);
/* A new NUL-terminated copy, to be freed by the caller; NULL on failure. A string with a NUL inside
 * fails, because two readers could take it for different strings. */
char *fh_cursor_string (struct fh_cursor *cursor);
/* True if nothing failed and nothing is left. */
bool fh_cursor_done (const struct fh_cursor *cursor);

/* True for a relative path that does not lead out of its folder: at most `most_parts` names
 * separated by single slashes, none of them "." or "..", in at most `most_bytes`. */
bool fh_path_is_below (const char *path, size_t most_bytes, size_t most_parts);
