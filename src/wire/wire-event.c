/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire-event.h"

#include <stdlib.h>
#include <string.h>

void
fh_guards_encode (const struct fh_guard_report *reports, size_t count, struct fh_buffer *buffer)
{
  size_t frame = fh_frame_begin (buffer, FH_FRAME_GUARDS);

  fh_buffer_put_u8 (buffer, (uint8_t) count);
  for (size_t i = 0; i < count; i++)
    {
      fh_buffer_put_u8 (buffer, reports[i].guard);
      fh_buffer_put_u8 (buffer, reports[i].level);
      fh_buffer_put_string (buffer, reports[i].layers);
      fh_buffer_put_string (buffer, reports[i].reason);
    }
  fh_frame_end (buffer, frame);
}

int
fh_guards_decode (struct fh_guard_report *reports, const void *payload, size_t size)
{
  struct fh_cursor cursor;
  int count;

  fh_cursor_init (&cursor, payload, size);
  count = fh_cursor_u8 (&cursor);
  if (cursor.failed || count > FH_WIRE_N_GUARDS)
    return -1;
  memset (reports, 0, sizeof *reports * (size_t) count);
  for (int i = 0; i < count; i++)
    {
      reports[i].guard = fh_cursor_u8 (&cursor);
      reports[i].level = fh_cursor_u8 (&cursor);
      reports[i].layers = fh_cursor_string (&cursor);
      reports[i].reason = fh_cursor_string (&cursor);
      if (reports[i].guard >= FH_WIRE_N_GUARDS || reports[i].level > FH_WIRE_LEVEL_OFF)
        cursor.failed = true;
    }
  if (fh_cursor_done (&cursor))
    return count;
  fh_guards_clear (reports, count);
  return -1;
}

void
fh_guards_clear (struct fh_guard_report *reports, int count)
{
  for (int i = 0; i < count; i++)
    {
      free ((char *) reports[i].layers);
      free ((char *) reports[i].reason);
    }
}

void
fh_output_encode (const struct fh_output *output, struct fh_buffer *buffer)
{
  size_t frame = fh_frame_begin (buffer, FH_FRAME_OUTPUT);

  fh_buffer_put_u8 (buffer, output->stream);
  fh_buffer_put_u64 (buffer, output->time_us);
  fh_buffer_put_raw (buffer, output->data, output->size);
  fh_frame_end (buffer, frame);
}

bool
fh_output_decode (struct fh_output *output, const void *payload, size_t size)
{
  struct fh_cursor cursor;

  fh_cursor_init (&cursor, payload, size);
  output->stream = fh_cursor_u8 (&cursor);
  output->time_us = fh_cursor_u64 (&cursor);
  if (cursor.failed || cursor.size - cursor.at > FH_OUTPUT_MAX ||
      (output->stream != FH_WIRE_STDOUT && output->stream != FH_WIRE_STDERR))
    return false;
  output->data = cursor.data + cursor.at;
  output->size = cursor.size - cursor.at;
  return true;
}

void
fh_usage_encode (const struct fh_usage *usage, struct fh_buffer *buffer)
{
  size_t frame = fh_frame_begin (buffer, FH_FRAME_USAGE);

  fh_buffer_put_u64 (buffer, usage->wall_us);
  fh_buffer_put_u64 (buffer, usage->cpu_us);
  fh_buffer_put_u64 (buffer, usage->memory_bytes);
  fh_buffer_put_u32 (buffer, usage->processes);
  fh_frame_end (buffer, frame);
}

bool
fh_usage_decode (struct fh_usage *usage, const void *payload, size_t size)
{
  struct fh_cursor cursor;

  fh_cursor_init (&cursor, payload, size);
  usage->wall_us = fh_cursor_u64 (&cursor);
  usage->cpu_us = fh_cursor_u64 (&cursor);
  usage->memory_bytes = fh_cursor_u64 (&cursor);
  usage->processes = fh_cursor_u32 (&cursor);
  return fh_cursor_done (&cursor);
}

void
fh_waiting_encode (bool is_waiting, struct fh_buffer *buffer)
{
  size_t frame = fh_frame_begin (buffer, FH_FRAME_WAITING);

  fh_buffer_put_u8 (buffer, is_waiting);
  fh_frame_end (buffer, frame);
}

bool
fh_waiting_decode (bool *is_waiting, const void *payload, size_t size)
{
  struct fh_cursor cursor;
  uint8_t value;

  fh_cursor_init (&cursor, payload, size);
  value = fh_cursor_u8 (&cursor);
  *is_waiting = value != 0;
  return fh_cursor_done (&cursor) && value <= 1;
}

void
fh_finished_encode (const struct fh_finished *finished, struct fh_buffer *buffer)
{
  size_t frame = fh_frame_begin (buffer, FH_FRAME_FINISHED);

  fh_buffer_put_u8 (buffer, finished->status);
  fh_buffer_put_u8 (buffer, finished->cause);
  fh_buffer_put_i32 (buffer, finished->exit_code);
  fh_buffer_put_i32 (buffer, finished->signal);
  fh_buffer_put_u64 (buffer, finished->wall_us);
  fh_buffer_put_u64 (buffer, finished->cpu_user_us);
  fh_buffer_put_u64 (buffer, finished->cpu_system_us);
  fh_buffer_put_u64 (buffer, finished->memory_peak);
  fh_buffer_put_u32 (buffer, finished->processes_peak);
  fh_buffer_put_u32 (buffer, finished->n_left);
  fh_buffer_put_u32 (buffer, finished->n_quiet);
  fh_buffer_put_u8 (buffer, finished->stays);
  fh_buffer_put_u64 (buffer, finished->stdout_bytes);
  fh_buffer_put_u64 (buffer, finished->stderr_bytes);
  fh_buffer_put_i32 (buffer, finished->error);
  fh_buffer_put_string (buffer, finished->step);
  fh_frame_end (buffer, frame);
}

bool
fh_finished_decode (struct fh_finished *finished, const void *payload, size_t size)
{
  struct fh_cursor cursor;
  uint8_t stays;
  char *step;

  fh_cursor_init (&cursor, payload, size);
  finished->status = fh_cursor_u8 (&cursor);
  finished->cause = fh_cursor_u8 (&cursor);
  finished->exit_code = fh_cursor_i32 (&cursor);
  finished->signal = fh_cursor_i32 (&cursor);
  finished->wall_us = fh_cursor_u64 (&cursor);
  finished->cpu_user_us = fh_cursor_u64 (&cursor);
  finished->cpu_system_us = fh_cursor_u64 (&cursor);
  finished->memory_peak = fh_cursor_u64 (&cursor);
  finished->processes_peak = fh_cursor_u32 (&cursor);
  finished->n_left = fh_cursor_u32 (&cursor);
  finished->n_quiet = fh_cursor_u32 (&cursor);
  stays = fh_cursor_u8 (&cursor);
  finished->stays = stays == 1;
  finished->stdout_bytes = fh_cursor_u64 (&cursor);
  finished->stderr_bytes = fh_cursor_u64 (&cursor);
  finished->error = fh_cursor_i32 (&cursor);
  step = fh_cursor_string (&cursor);
  if (fh_cursor_done (&cursor) && finished->status <= FH_WIRE_INTERNAL && stays <= 1 &&
      finished->cause <= FH_WIRE_CAUSE_PROCESSES)
    {
      finished->step = step;
      return true;
    }
  free (step);
  finished->step = NULL;
  return false;
}
