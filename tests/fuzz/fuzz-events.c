/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An event that is accepted means exactly the bytes it came in. The first byte is its kind. */
#include "fuzz-target.h"
#include "wire-attempt.h"
#include "wire-result-file.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static bool
recode_guards (const uint8_t *data, size_t size, struct fh_buffer *frame)
{
  struct fh_guard_report reports[FH_WIRE_N_GUARDS];
  int count = fh_guards_decode (reports, data, size);

  if (count < 0)
    return false;
  assert (count <= FH_WIRE_N_GUARDS);
  for (int i = 0; i < count; i++)
    assert (reports[i].guard < FH_WIRE_N_GUARDS && reports[i].level <= FH_WIRE_LEVEL_OFF);
  fh_guards_encode (reports, (size_t) count, frame);
  fh_guards_clear (reports, count);
  return true;
}

static bool
recode_finished (const uint8_t *data, size_t size, struct fh_buffer *frame)
{
  struct fh_finished finished;

  if (!fh_finished_decode (&finished, data, size))
    return false;
  assert (finished.status <= FH_WIRE_INTERNAL && finished.cause <= FH_WIRE_CAUSE_PROCESSES);
  fh_finished_encode (&finished, frame);
  free ((char *) finished.step);
  return true;
}

static bool
recode_attempt (const uint8_t *data, size_t size, struct fh_buffer *frame)
{
  struct fh_attempt attempt;

  if (!fh_attempt_decode (&attempt, data, size))
    return false;
  assert (attempt.id < FH_ATTEMPTS_MAX && attempt.count > 0);
  assert (attempt.guard < FH_WIRE_N_GUARDS && attempt.verdict <= FH_WIRE_OBSERVED);
  assert (strlen (attempt.object) <= FH_ATTEMPT_OBJECT_MAX);
  assert (strlen (attempt.command) <= FH_ATTEMPT_COMMAND_MAX);
  fh_attempt_encode (&attempt, frame);
  fh_attempt_clear (&attempt);
  return true;
}

static bool
recode_result_file (const uint8_t *data, size_t size, struct fh_buffer *frame)
{
  struct fh_result_file file;

  if (!fh_result_file_decode (&file, data, size))
    return false;
  assert (file.path[0] != '\0' && file.path[0] != '/' && strstr (file.path, "//") == NULL);
  assert (strlen (file.path) <= FH_RESULT_PATH_MAX);
  assert (strcmp (file.path, "..") != 0 && strncmp (file.path, "../", 3) != 0);
  assert (strstr (file.path, "/../") == NULL && strstr (file.path, "/./") == NULL);
  assert (file.kind <= FH_WIRE_RESULT_FOLDER);
  fh_result_file_encode (&file, frame);
  free (file.path);
  return true;
}

static bool
recode (uint8_t kind, const uint8_t *data, size_t size, struct fh_buffer *frame)
{
  struct fh_output output;
  struct fh_usage usage;
  struct fh_results_end end;
  uint64_t count;
  bool is_waiting;

  switch (kind)
    {
    case FH_FRAME_GUARDS:
      return recode_guards (data, size, frame);
    case FH_FRAME_FINISHED:
      return recode_finished (data, size, frame);
    case FH_FRAME_OUTPUT:
      if (!fh_output_decode (&output, data, size))
        return false;
      fh_output_encode (&output, frame);
      return true;
    case FH_FRAME_USAGE:
      if (!fh_usage_decode (&usage, data, size))
        return false;
      fh_usage_encode (&usage, frame);
      return true;
    case FH_FRAME_WAITING:
      if (!fh_waiting_decode (&is_waiting, data, size))
        return false;
      fh_waiting_encode (is_waiting, frame);
      return true;
    case FH_FRAME_ATTEMPT:
      return recode_attempt (data, size, frame);
    case FH_FRAME_ATTEMPTS_DROPPED:
      if (!fh_attempts_dropped_decode (&count, data, size))
        return false;
      fh_attempts_dropped_encode (count, frame);
      return true;
    case FH_FRAME_RESULT_FILE:
      return recode_result_file (data, size, frame);
    case FH_FRAME_RESULTS_END:
      if (!fh_results_end_decode (&end, data, size))
        return false;
      fh_results_end_encode (&end, frame);
      return true;
    default:
      return false;
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct fh_buffer frame;

  if (size == 0 || size > FH_FRAME_MAX_PAYLOAD)
    return 0;
  fh_buffer_init (&frame, 2 * FH_FRAME_MAX_PAYLOAD);
  if (recode (data[0], data + 1, size - 1, &frame))
    {
      assert (!frame.failed && frame.size == FH_FRAME_HEADER_SIZE + size - 1);
      assert (memcmp (frame.data + FH_FRAME_HEADER_SIZE, data + 1, size - 1) == 0);
    }
  fh_buffer_clear (&frame);
  return 0;
}
