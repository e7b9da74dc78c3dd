/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "request.h"

#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool
stays_open (const struct request *request)
{
  return request->policy != NULL && request->policy->flags & FH_POLICY_INPUT_STAYS;
}

/* A policy for a container would protect nothing outside of one. */
static bool
handle_policy (struct request *request, const struct fh_frame *frame)
{
  if (request->policy != NULL)
    return false;
  request->policy = fh_policy_decode (frame->payload, frame->size);
  request->input.is_open = stays_open (request);
  request->stays = request->policy != NULL && request->policy->flags & FH_POLICY_STAYS;
  return request->policy != NULL &&
         request->is_inside == (request->policy->tier == FH_WIRE_TIER_CONTAINER);
}

/* Each cell has limits of time of its own, unless that guard is switched off. */
static bool
take_cell_limits (struct request *request, const struct fh_frame *frame)
{
  struct fh_policy *policy = request->policy;
  struct fh_cursor cursor;

  fh_cursor_init (&cursor, frame->payload, frame->size);
  policy->wall_ms = fh_cursor_u64 (&cursor);
  policy->cpu_ms = fh_cursor_u64 (&cursor);
  request->is_complete = fh_cursor_done (&cursor) && !((policy->wall_ms | policy->cpu_ms) > 0 &&
                                                       policy->without & 1u << FH_WIRE_GUARD_TIME);
  return request->is_complete;
}

static bool
handle_run (struct request *request, const struct fh_frame *frame)
{
  if (request->policy->kind == FH_POLICY_KEPT)
    return take_cell_limits (request, frame);
  if (request->is_next && request->program == NULL)
    return false;
  if (frame->size > 0 && (request->messages = malloc (frame->size)) == NULL)
    return false;
  if (frame->size > 0)
    memcpy (request->messages, frame->payload, frame->size);
  request->messages_size = frame->size;
  request->is_complete = true;
  return true;
}

/* A workspace that others share has its own files put back afterwards, which is done for regular
 * ones. */
static bool
may_have (const struct fh_policy *policy, const struct fh_file_piece *piece)
{
  if (policy->flags & FH_POLICY_SHARED_WORKSPACE &&
      (piece->is_in_tmp || piece->kind == FH_FILE_LINK))
    return false;
  return piece->kind != FH_FILE_REMOVED || (policy->flags & FH_POLICY_PROJECT && !piece->is_in_tmp);
}

static bool
handle_program (struct request *request, const struct fh_frame *frame)
{
  if (!request->is_next || request->program != NULL)
    return false;
  request->program = fh_program_decode (frame->payload, frame->size);
  request->stays = request->program != NULL && request->program->stays;
  return request->program != NULL;
}

static bool
handle_file (struct request *request, const struct fh_frame *frame)
{
  struct fh_file_piece piece;

  if (!fh_file_piece_decode (&piece, frame->payload, frame->size))
    return false;
  if (may_have (request->policy, &piece) && (request->is_next || !piece.is_there) &&
      workspace_add (&request->workspace, &piece) == 0)
    return true;
  free (piece.path);
  return false;
}

/* Input that stays open is ended by an empty frame. One that was sent when a run had just ended
 * must not become that of the next one in the same sandbox. */
static bool
handle_input (struct request *request, const struct fh_frame *frame)
{
  const bool stays = stays_open (request);
  const bool has_many_runs =
      request->policy->kind == FH_POLICY_FORKED || request->policy->flags & FH_POLICY_STAYS;

  if (stays && has_many_runs && !request->is_complete)
    return true;
  if (!request->input.is_open && (stays || request->is_complete))
    return false;
  if (stays && frame->size == 0)
    request->input.is_open = false;
  return input_store_add (&request->input, frame->payload, frame->size);
}

bool
request_take (struct request *request, const struct fh_frame *frame)
{
  if (frame->kind == FH_FRAME_POLICY)
    return handle_policy (request, frame);
  if (request->policy == NULL)
    return false;
  if (frame->kind == FH_FRAME_INPUT)
    return handle_input (request, frame);
  if (request->is_complete)
    return false;
  if (frame->kind == FH_FRAME_RUN)
    return handle_run (request, frame);
  if (frame->kind == FH_FRAME_HAND_ON)
    return request->hands_on = frame->size == 0;
  if (frame->kind == FH_FRAME_PROGRAM)
    return handle_program (request, frame);
  return frame->kind == FH_FRAME_FILE && handle_file (request, frame);
}

/* The program is the last file. */
static char *
copy_name (const struct workspace *workspace)
{
  return workspace->n_files > 0 ? strdup (workspace->files[workspace->n_files - 1].name) : NULL;
}

void
request_begin_again (struct request *request)
{
  const bool is_next = request->policy != NULL && request->policy->flags & FH_POLICY_STAYS;
  const struct request kept = {
    .is_inside = request->is_inside,
    .policy = request->policy,
    .is_next = is_next,
    .earlier = is_next ? copy_name (&request->workspace) : NULL,
  };

  workspace_clear (&request->workspace);
  input_store_clear (&request->input);
  fh_program_free (request->program);
  free (request->earlier);
  free (request->messages);
  *request = kept;
  request->input.is_open = stays_open (request);
}

void
request_clear (struct request *request)
{
  request_begin_again (request);
  free (request->earlier);
  request->earlier = NULL;
  fh_policy_free (request->policy);
  request->policy = NULL;
}

/* Clears the buffer. */
static int
write_frame (int fd, struct fh_buffer *buffer)
{
  int error = buffer->failed ? -E2BIG : 0;

  if (error == 0 && !fh_write_all (fd, buffer->data, buffer->size))
    error = -errno;
  fh_buffer_clear (buffer);
  return error;
}

static int
write_file (int fd, const struct workspace_file *file)
{
  size_t at = 0;
  int error;

  do
    {
      const size_t left = file->size - at;
      const struct fh_file_piece piece = {
        .path = file->name,
        .kind = file->kind,
        .is_in_tmp = file->is_in_tmp,
        .mode = file->mode,
        .modified_us = file->modified_us,
        .data = file->data + at,
        .size = left < FH_FILE_PIECE_MAX ? left : FH_FILE_PIECE_MAX,
      };
      struct fh_buffer buffer;

      fh_buffer_init (&buffer, FH_FRAME_HEADER_SIZE + FH_FRAME_MAX_PAYLOAD);
      fh_file_piece_encode (&piece, &buffer);
      error = write_frame (fd, &buffer);
      at += piece.size;
    }
  while (error == 0 && at < file->size);
  return error;
}

int
request_write (const struct fh_policy *policy, const struct workspace *workspace)
{
  const int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
  fh_autofd int fd = memfd_create ("request", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  struct fh_buffer buffer;
  int error;

  if (fd < 0)
    return -errno;
  fh_buffer_init (&buffer, FH_FRAME_HEADER_SIZE + FH_FRAME_MAX_PAYLOAD);
  fh_policy_encode (policy, &buffer);
  error = write_frame (fd, &buffer);
  for (size_t i = 0; error == 0 && i < workspace->n_files; i++)
    error = write_file (fd, &workspace->files[i]);
  if (error == 0 && (fcntl (fd, F_ADD_SEALS, seals) < 0 || lseek (fd, 0, SEEK_SET) < 0))
    error = -errno;
  return error == 0 ? fh_steal_fd (&fd) : error;
}

bool
request_read (struct request *request, int fd)
{
  struct fh_frame_reader reader;
  struct fh_frame frame;
  bool is_complete = false;
  int result = 0;

  if (!fh_frame_reader_init (&reader))
    return false;
  while (result >= 0 && !is_complete)
    {
      size_t room;
      uint8_t *space;
      ssize_t size;

      while ((result = fh_frame_reader_next (&reader, &frame)) > 0)
        {
          if (!request_take (request, &frame))
            {
              fh_frame_reader_clear (&reader);
              return false;
            }
        }
      space = fh_frame_reader_space (&reader, &room);
      size = read (fd, space, room);
      is_complete = size == 0;
      if (size > 0)
        fh_frame_reader_filled (&reader, (size_t) size);
      else if (size < 0 && errno != EINTR)
        result = -1;
    }
  fh_frame_reader_clear (&reader);
  return is_complete && request->policy != NULL;
}
