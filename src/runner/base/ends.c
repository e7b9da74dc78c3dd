/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ends.h"

#include "descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

void
ends_close (struct ends *ends, int side)
{
  int *const fds[] = {
    &ends->status[side],
    &ends->input[side],
    &ends->output[0][side],
    &ends->output[1][side],
  };

  for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++)
    fh_clear_fd (fds[i]);
}

/* Only our end is non-blocking, as programs expect. The usual pipe size is enough: what a stopped
 * program has left in it must be drained before the end is reported. */
static bool
make_pipe (int pair[2], bool from_guest)
{
  int fds[2];

  if (pipe2 (fds, O_CLOEXEC) < 0)
    return false;
  pair[0] = fds[from_guest ? 0 : 1];
  pair[1] = fds[from_guest ? 1 : 0];
  return fcntl (pair[0], F_SETFL, O_NONBLOCK) == 0;
}

bool
ends_make (struct ends *ends)
{
  return socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends->status) == 0 &&
         fcntl (ends->status[0], F_SETFL, O_NONBLOCK) == 0 && make_pipe (ends->input, false) &&
         make_pipe (ends->output[0], true) && make_pipe (ends->output[1], true);
}
