/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sandbox that stays: when its program has ended, another one is started in it. */
#include "descriptor.h"
#include "supervisor-private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Appends strings, each with its NUL. False if there is no room for all. */
static bool
put_strings (struct init_next *next, size_t *size, char *const *strings, uint16_t *n)
{
  for (*n = 0; strings[*n] != NULL; (*n)++)
    {
      const size_t length = strlen (strings[*n]) + 1;

      if (length > sizeof next->strings - *size || *n == INIT_NEXT_STRINGS)
        return false;
      memcpy (next->strings + *size, strings[*n], length);
      *size += length;
    }
  return true;
}

/* Sends the message with these descriptors. Returns 0 or a negative errno. */
static int
send_next (struct supervisor *self, const struct init_next *next, size_t size, const int fds[3])
{
  union
  {
    struct cmsghdr header;
    char space[CMSG_SPACE (3 * sizeof (int))];
  } attachment = { 0 };
  struct iovec data = { (void *) next, offsetof (struct init_next, strings) + size };
  struct msghdr header = {
    .msg_iov = &data,
    .msg_iovlen = 1,
    .msg_control = &attachment,
    .msg_controllen = sizeof attachment,
  };

  attachment.header = (struct cmsghdr){
    .cmsg_len = CMSG_LEN (3 * sizeof (int)),
    .cmsg_level = SOL_SOCKET,
    .cmsg_type = SCM_RIGHTS,
  };
  memcpy (CMSG_DATA (&attachment.header), fds, 3 * sizeof (int));
  return sendmsg (self->sandbox.status, &header, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* Opens the writing end of an output. What earlier programs have left may still write there; if
 * nothing can, the pipe was closed, and there is a new one. Only the guest keeps that end, so that
 * the end of its last holder is seen. Returns the descriptor or -1. */
static int
open_output (struct supervisor *self, int i)
{
  struct output_pump *pump = &self->output[i];
  char path[32];
  int ends[2];

  if (pump->fd >= 0)
    {
      snprintf (path, sizeof path, "/proc/self/fd/%d", pump->fd);
      return open (path, O_WRONLY | O_CLOEXEC);
    }
  if (pipe2 (ends, O_CLOEXEC) < 0)
    return -1;
  fcntl (ends[0], F_SETFL, O_NONBLOCK);
  self->sandbox.output[i] = ends[0];
  output_pump_init (pump, ends[0], (enum fh_wire_stream) pump->stream, self->policy->output_bytes);
  return ends[1];
}

/* The guest gets these, but for our end of its input. */
struct pipes
{
  struct supervisor *self;
  int fds[3];
  int input;
};

/* The guest's user opens them, if it has one of its own, and can reopen them then through
 * /dev/stdout. */
static int
open_pipes (void *data)
{
  struct pipes *pipes = data;
  int input[2];

  for (int i = 0; i < 2; i++)
    {
      pipes->fds[1 + i] = open_output (pipes->self, i);
      if (pipes->fds[1 + i] < 0)
        return -errno;
    }
  if (pipe2 (input, O_CLOEXEC) < 0)
    return -errno;
  pipes->fds[0] = input[0];
  pipes->input = input[1];
  return fcntl (input[1], F_SETFL, O_NONBLOCK) < 0 ? -errno : 0;
}

static int
send_with_pipes (struct supervisor *self, const struct init_next *next, size_t size)
{
  struct pipes pipes = { self, { -1, -1, -1 }, -1 };
  int error = self->sandbox.users >= 0 ? guest_user_call (self->sandbox.users, open_pipes, &pipes)
                                       : open_pipes (&pipes);

  if (error == 0)
    error = send_next (self, next, size, pipes.fds);
  for (int i = 0; i < 3; i++)
    fh_clear_fd (&pipes.fds[i]);
  self->sandbox.input = pipes.input;
  return error;
}

int
supervisor_start_next (struct supervisor *self)
{
  static struct init_next next;
  const struct fh_program *program = self->request->program;
  size_t size = 0;

  guest_channel_init (&self->guest, -1);
  next.request = INIT_NEXT;
  next.has_channel = program->has_channel;
  if (!put_strings (&next, &size, program->argv, &next.n_argv) ||
      !put_strings (&next, &size, program->env, &next.n_env))
    return -E2BIG;
  self->listener.scene.has_begun = self->listener.scene.kills_itself = false;
  self->is_waiting = false;
  self->left_us = NEVER;
  return send_with_pipes (self, &next, size);
}

bool
supervisor_take_channel (struct supervisor *self, int channel)
{
  if (channel < 0)
    return false;
  guest_channel_init (&self->guest, channel);
  return spawn_prepare_channel (channel);
}
