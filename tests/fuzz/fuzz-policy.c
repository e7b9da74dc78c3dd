/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A policy or a piece of a file that is accepted means exactly the bytes it came in. */
#include "fuzz-target.h"
#include "wire-policy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void
check_same_bytes (struct fh_buffer *frame, const uint8_t *data, size_t size)
{
  assert (!frame->failed);
  assert (frame->size == FH_FRAME_HEADER_SIZE + size);
  assert (memcmp (frame->data + FH_FRAME_HEADER_SIZE, data, size) == 0);
}

static void
try_policy (const uint8_t *data, size_t size)
{
  struct fh_policy *policy = fh_policy_decode (data, size);
  struct fh_buffer frame;

  if (policy == NULL)
    return;
  assert (policy->argv[0] != NULL || (policy->flags & FH_POLICY_PROBE));
  assert ((policy->flags & ~(uint32_t) FH_POLICY_ALL_FLAGS) == 0);
  assert (policy->tier <= FH_WIRE_TIER_CONTAINER && policy->watch <= FH_WIRE_WATCH_FILES);
  assert ((policy->without & ~(uint32_t) FH_POLICY_SWITCHES) == 0);
  for (size_t i = 0; policy->allow_hosts[i] != NULL; i++)
    assert (i < FH_POLICY_MAX_HOSTS && !(policy->flags & FH_POLICY_NO_SOCKETS));
  assert (policy->open_files <= FH_POLICY_MAX_OPEN_FILES);
  assert (policy->n_binds <= FH_POLICY_MAX_BINDS);
  for (size_t i = 0; i < policy->n_binds; i++)
    assert (policy->binds[i].source[0] == '/' && policy->binds[i].target[0] == '/');
  assert (policy->cwd[0] == '\0' ||
          (policy->cwd[0] == '/' && strstr (policy->cwd, "/../") == NULL));
  fh_buffer_init (&frame, 2 * FH_FRAME_MAX_PAYLOAD);
  fh_policy_encode (policy, &frame);
  check_same_bytes (&frame, data, size);
  fh_buffer_clear (&frame);
  fh_policy_free (policy);
}

static void
try_file_piece (const uint8_t *data, size_t size)
{
  struct fh_file_piece piece;
  struct fh_buffer frame;

  if (!fh_file_piece_decode (&piece, data, size))
    return;
  assert (piece.path[0] != '\0' && piece.path[0] != '/' && strlen (piece.path) <= FH_FILE_PATH_MAX);
  assert (strncmp (piece.path, "../", 3) != 0 && strstr (piece.path, "/../") == NULL);
  fh_buffer_init (&frame, 2 * FH_FRAME_MAX_PAYLOAD);
  fh_file_piece_encode (&piece, &frame);
  check_same_bytes (&frame, data, size);
  fh_buffer_clear (&frame);
  free (piece.path);
}

static void
try_program (const uint8_t *data, size_t size)
{
  struct fh_program *program = fh_program_decode (data, size);

  if (program != NULL)
    assert (program->argv[0][0] == '/');
  fh_program_free (program);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  if (size == 0 || size > FH_FRAME_MAX_PAYLOAD)
    return 0;
  if (data[0] & 1)
    try_file_piece (data + 1, size - 1);
  else
    try_policy (data + 1, size - 1);
  try_program (data + 1, size - 1);
  return 0;
}
