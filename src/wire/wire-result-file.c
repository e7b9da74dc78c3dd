/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire-result-file.h"

#include <stdlib.h>
#include <string.h>

void
fh_result_file_encode (const struct fh_result_file *file, struct fh_buffer *buffer)
{
  size_t frame = fh_frame_begin (buffer, FH_FRAME_RESULT_FILE);

  fh_buffer_put_string (buffer, file->path);
  fh_buffer_put_u8 (buffer, file->kind);
  fh_buffer_put_u32 (buffer, file->flags);
  fh_buffer_put_u64 (buffer, file->size);
  fh_frame_end (buffer, frame);
}

bool
fh_result_file_decode (struct fh_result_file *file, const void *payload, size_t size)
{
  struct fh_cursor cursor;

  fh_cursor_init (&cursor, payload, size);
  file->path = fh_cursor_string (&cursor);
  file->kind = fh_cursor_u8 (&cursor);
  file->flags = fh_cursor_u32 (&cursor);
  file->size = fh_cursor_u64 (&cursor);
  if (fh_cursor_done (&cursor) &&
      fh_path_is_below (file->path, FH_RESULT_PATH_MAX, FH_RESULT_DEPTH_MAX + 1) &&
      file->kind <= FH_WIRE_RESULT_FOLDER &&
      (file->kind < FH_WIRE_RESULT_GONE || (file->flags == 0 && file->size == 0)) &&
      (file->flags & ~(uint32_t) FH_RESULT_ALL_FLAGS) == 0 &&
      (!(file->flags & FH_RESULT_HAS_CONTENT) ||
       (file->kind == FH_WIRE_RESULT_REGULAR && file->size <= FH_RESULT_FILE_MAX)))
    return true;
  free (file->path);
  file->path = NULL;
  return false;
}

void
fh_result_piece_encode (const void *bytes, size_t size, struct fh_buffer *buffer)
{
  size_t frame = fh_frame_begin (buffer, FH_FRAME_RESULT_PIECE);

  fh_buffer_put_raw (buffer, bytes, size);
  fh_frame_end (buffer, frame);
}

void
fh_results_end_encode (const struct fh_results_end *end, struct fh_buffer *buffer)
{
  size_t frame = fh_frame_begin (buffer, FH_FRAME_RESULTS_END);

  fh_buffer_put_u32 (buffer, end->n_left_out);
  fh_buffer_put_u8 (buffer, end->is_incomplete);
  fh_frame_end (buffer, frame);
}

bool
fh_results_end_decode (struct fh_results_end *end, const void *payload, size_t size)
{
  struct fh_cursor cursor;
  uint8_t is_incomplete;

  fh_cursor_init (&cursor, payload, size);
  end->n_left_out = fh_cursor_u32 (&cursor);
  is_incomplete = fh_cursor_u8 (&cursor);
  end->is_incomplete = is_incomplete == 1;
  return fh_cursor_done (&cursor) && is_incomplete <= 1;
}
