/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire-result-file.h"

#include "wire-policy.h"

#include <stdlib.h>
#include <string.h>

void
fh_result_file_encode (const struct fh_result_file *file, struct fh_buffer *buffer)
{
  size_t frame = fh_frame_begin (buffer, FH_FRAME_RESULT_FILE);

  fh_buffer_put_string (buffer, file->path);
  fh_buffer_put_u8 (buffer, file->kind);
  fh_buffer_put_u32 (buffer, file->flags);
  fh_buffer_put_u32 (buffer, file->mode);
  fh_buffer_put_u64 (buffer, file->modified_us);
  fh_buffer_put_u64 (buffer, file->size);
  fh_frame_end (buffer, frame);
}

/* Paths in /tmp are only told for another run, to which nothing special can be handed on. */
static bool
has_right_flags (const struct fh_result_file *file)
{
  const uint32_t others = file->flags & ~(uint32_t) FH_RESULT_IS_IN_TMP;
  const bool has_content = file->flags & FH_RESULT_HAS_CONTENT;

  if ((file->flags & ~(uint32_t) FH_RESULT_ALL_FLAGS) != 0)
    return false;
  switch (file->kind)
    {
    case FH_WIRE_RESULT_REGULAR:
      return !has_content || file->size <= FH_HANDED_ON_MAX;
    case FH_WIRE_RESULT_LINK:
      return has_content ? file->size > 0 && file->size <= FH_FILE_LINK_MAX : file->size == 0;
    case FH_WIRE_RESULT_SPECIAL:
      return !has_content && others == file->flags;
    default:
      return file->kind <= FH_WIRE_RESULT_FOLDER && others == 0 && file->size == 0;
    }
}

bool
fh_result_file_decode (struct fh_result_file *file, const void *payload, size_t size)
{
  struct fh_cursor cursor;
  uint32_t mode;

  fh_cursor_init (&cursor, payload, size);
  file->path = fh_cursor_string (&cursor);
  file->kind = fh_cursor_u8 (&cursor);
  file->flags = fh_cursor_u32 (&cursor);
  mode = fh_cursor_u32 (&cursor);
  file->modified_us = fh_cursor_u64 (&cursor);
  file->size = fh_cursor_u64 (&cursor);
  file->mode = (uint16_t) mode;
  if (fh_cursor_done (&cursor) &&
      fh_path_is_below (file->path, FH_RESULT_PATH_MAX, FH_RESULT_DEPTH_MAX + 1) &&
      mode <= FH_FILE_MODE_MAX && file->modified_us <= FH_FILE_TIME_MAX && has_right_flags (file))
    return true;
  free (file->path);
  file->path = NULL;
  return false;
}

void
fh_results_end_encode (const struct fh_results_end *end, struct fh_buffer *buffer)
{
  size_t frame = fh_frame_begin (buffer, FH_FRAME_RESULTS_END);

  fh_buffer_put_u32 (buffer, end->n_left_out);
  fh_buffer_put_u8 (buffer, end->is_incomplete);
  fh_buffer_put_u8 (buffer, end->is_partly_handed_on);
  fh_frame_end (buffer, frame);
}

bool
fh_results_end_decode (struct fh_results_end *end, const void *payload, size_t size)
{
  struct fh_cursor cursor;
  uint8_t is_incomplete;
  uint8_t is_partly_handed_on;

  fh_cursor_init (&cursor, payload, size);
  end->n_left_out = fh_cursor_u32 (&cursor);
  is_incomplete = fh_cursor_u8 (&cursor);
  is_partly_handed_on = fh_cursor_u8 (&cursor);
  end->is_incomplete = is_incomplete == 1;
  end->is_partly_handed_on = is_partly_handed_on == 1;
  return fh_cursor_done (&cursor) && is_incomplete <= 1 && is_partly_handed_on <= 1;
}
