/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runner-client.h"

#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int
spawn (const char *runner, int socket, pid_t *pid)
{
  const char *const argv[] = { runner, NULL };
  const char *const env[] = { "PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8", NULL };
  posix_spawn_file_actions_t actions;
  int error;

  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2 (&actions, socket, FH_WIRE_FD);
  error = posix_spawn (pid, runner, &actions, NULL, (char *const *) argv, (char *const *) env);
  posix_spawn_file_actions_destroy (&actions);
  return -error;
}

static int
send_buffer (int socket, struct fh_buffer *buffer)
{
  int error = 0;

  if (buffer->failed)
    error = -EMSGSIZE;
  else if (send (socket, buffer->data, buffer->size, MSG_NOSIGNAL) != (ssize_t) buffer->size)
    error = -EPIPE;
  fh_buffer_clear (buffer);
  return error;
}

/* The interpreter is ready long before this. */
#define REST_US 100000

static void
put_program (const struct runner_program *program, struct fh_buffer *buffer)
{
  struct fh_file_piece piece = { .path = (char *) program->name,
                                 .data = (const uint8_t *) program->content,
                                 .size = strlen (program->content) };
  size_t frame;

  fh_file_piece_encode (&piece, buffer);
  frame = fh_frame_begin (buffer, FH_FRAME_RUN);
  fh_buffer_put_raw (buffer, program->messages, program->messages_size);
  fh_frame_end (buffer, frame);
}

/* The messages of one run fit into a socket's buffer, so that they need no reader meanwhile. */
static int
send_request (int socket,
              const struct fh_policy *policy,
              const struct runner_program *program,
              int64_t *begin)
{
  struct fh_buffer buffer;
  int error = 0;

  fh_buffer_init (&buffer, 64 * 1024);
  fh_policy_encode (policy, &buffer);
  if (program->is_prepared)
    {
      fh_frame_end (&buffer, fh_frame_begin (&buffer, FH_FRAME_PREPARE));
      error = send_buffer (socket, &buffer);
      usleep (REST_US);
      fh_buffer_init (&buffer, 64 * 1024);
      *begin = child_now_us ();
    }
  put_program (program, &buffer);
  if (error == 0)
    error = send_buffer (socket, &buffer);
  else
    fh_buffer_clear (&buffer);
  return error;
}

static int
take_frame (const struct fh_frame *frame, struct runner_run *run)
{
  struct fh_finished finished;
  struct fh_output output;

  if (frame->kind == FH_FRAME_OUTPUT)
    {
      if (!fh_output_decode (&output, frame->payload, frame->size))
        return -EPROTO;
      run->output += output.size;
    }
  else if (frame->kind == FH_FRAME_FINISHED)
    {
      if (!fh_finished_decode (&finished, frame->payload, frame->size))
        return -EPROTO;
      run->finished = true;
      run->status = finished.status;
      run->exit_code = finished.exit_code;
      strncpy (run->step, finished.step, sizeof run->step - 1);
      free ((char *) finished.step);
    }
  return 0;
}

/* Until the runner has gone, or until the run has ended if another will follow. */
static int
listen_until_end (int socket, struct fh_frame_reader *reader, bool is_last, struct runner_run *run)
{
  struct fh_frame frame;
  int more;

  while (is_last || !run->finished)
    {
      size_t room;
      uint8_t *space = fh_frame_reader_space (reader, &room);
      ssize_t n = read (socket, space, room);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return n < 0 ? -errno : 0;
      fh_frame_reader_filled (reader, (size_t) n);
      while ((more = fh_frame_reader_next (reader, &frame)) == 1)
        if (take_frame (&frame, run) != 0)
          return -EPROTO;
      if (more < 0)
        return -EPROTO;
    }
  return 0;
}

static int
converse (int socket,
          const struct fh_policy *policy,
          const struct runner_program *program,
          int64_t *begin,
          struct runner_run *run)
{
  struct fh_frame_reader reader;
  int error;

  if (!fh_frame_reader_init (&reader))
    return -ENOMEM;
  error = send_request (socket, policy, program, begin);
  if (error == 0)
    error = listen_until_end (socket, &reader, true, run);
  fh_frame_reader_clear (&reader);
  return error;
}

int
runner_run (const char *runner,
            const struct fh_policy *policy,
            const struct runner_program *program,
            struct runner_run *run)
{
  int64_t begin = child_now_us ();
  int pair[2];
  pid_t pid;
  int error;

  *run = (struct runner_run){ .exit_code = -1 };
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return -errno;
  error = spawn (runner, pair[1], &pid);
  close (pair[1]);
  if (error == 0)
    {
      error = converse (pair[0], policy, program, &begin, run);
      close (pair[0]);
      while (waitpid (pid, NULL, 0) < 0 && errno == EINTR)
        continue;
      run->time_us = child_now_us () - begin;
      return error == 0 && !run->finished ? -EPROTO : error;
    }
  close (pair[0]);
  return error;
}

int
runner_forked_start (struct runner_forked *forked,
                     const char *runner,
                     const struct fh_policy *policy)
{
  struct fh_buffer buffer;
  int pair[2];
  int error;

  *forked = (struct runner_forked){ .socket = -1 };
  if (!fh_frame_reader_init (&forked->reader))
    return -ENOMEM;
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
    return -errno;
  forked->socket = pair[0];
  error = spawn (runner, pair[1], &forked->pid);
  close (pair[1]);
  fh_buffer_init (&buffer, 64 * 1024);
  fh_policy_encode (policy, &buffer);
  fh_frame_end (&buffer, fh_frame_begin (&buffer, FH_FRAME_PREPARE));
  if (error == 0)
    return send_buffer (forked->socket, &buffer);
  fh_buffer_clear (&buffer);
  return error;
}

int
runner_forked_run (struct runner_forked *forked,
                   const struct runner_program *program,
                   struct runner_run *run)
{
  const int64_t begin = child_now_us ();
  struct fh_buffer buffer;
  int error;

  *run = (struct runner_run){ .exit_code = -1 };
  fh_buffer_init (&buffer, 64 * 1024);
  put_program (program, &buffer);
  error = send_buffer (forked->socket, &buffer);
  if (error == 0)
    error = listen_until_end (forked->socket, &forked->reader, false, run);
  run->time_us = child_now_us () - begin;
  return error == 0 && !run->finished ? -EPROTO : error;
}

void
runner_forked_end (struct runner_forked *forked)
{
  if (forked->socket >= 0)
    close (forked->socket);
  while (forked->pid > 0 && waitpid (forked->pid, NULL, 0) < 0 && errno == EINTR)
    continue;
  fh_frame_reader_clear (&forked->reader);
  *forked = (struct runner_forked){ .socket = -1 };
}
