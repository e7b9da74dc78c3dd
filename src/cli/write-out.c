/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "write-out.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

#include "stop-signals.h"

/* How long a reader may take nothing after a signal. */
#define LAST_OUTPUT_MS 500
/* The same after the end of the input. It is longer, because answers to what was asked for before
 * are normal then. */
#define ALONE_MS 5000

static int input_fd = -1;

void
fh_write_out_watch_input (void)
{
  input_fd = STDIN_FILENO;
}

/* 0 when there is room, or an errno. */
static int
wait_for_room (int fd)
{
  gboolean must_end = FALSE;
  gboolean is_alone = FALSE;

  for (;;)
    {
      struct pollfd fds[] = {
        { .fd = fd, .events = POLLOUT },
        { .fd = must_end ? -1 : fh_stop_signals_get_end_fd (), .events = POLLIN },
        { .fd = must_end || is_alone ? -1 : input_fd, .events = POLLRDHUP },
      };
      const int n = poll (fds,
                          G_N_ELEMENTS (fds),
                          must_end   ? LAST_OUTPUT_MS
                          : is_alone ? ALONE_MS
                                     : -1);

      if (n < 0 && errno != EINTR)
        return errno;
      if (n < 0)
        continue;
      if (n == 0)
        return must_end ? ECANCELED : ETIMEDOUT;
      if (fds[0].revents != 0)
        return 0;
      must_end |= fds[1].revents != 0;
      is_alone |= fds[2].revents != 0;
    }
}

gboolean
fh_write_out (int fd, const void *bytes, gsize size)
{
  const char *at = bytes;

  while (size > 0)
    {
      const int failure = wait_for_room (fd);
      gssize n;

      if (failure != 0)
        {
          errno = failure;
          return FALSE;
        }
      /* A pipe that has room has it for this much. */
      n = write (fd, at, MIN (size, PIPE_BUF));
      if (n < 0 && errno != EINTR && errno != EAGAIN)
        return FALSE;
      at += MAX (n, 0);
      size -= (gsize) MAX (n, 0);
    }
  return TRUE;
}
