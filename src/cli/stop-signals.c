/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stop-signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* A self-pipe with one byte per signal: a main loop can watch it, and so can the poll() that waits
 * for a slow reader of our output. */
static int pipe_fds[2] = { -1, -1 };
/* Nobody reads this one, so that it says for good that a signal has come. */
static int end_fd = -1;
static gboolean interrupts_end = TRUE;

static void
note_signal (int number)
{
  const guint64 one = 1;
  int saved = errno;
  unsigned char byte = (unsigned char) number;

  if ((number != SIGINT || interrupts_end) && write (end_fd, &one, sizeof one) < 0)
    errno = saved;
  /* If the pipe is full, there are signals enough in it. */
  if (write (pipe_fds[1], &byte, 1) < 0)
    errno = saved;
  errno = saved;
}

/* A handler is set instead of SIG_IGN, which child processes would inherit. */
static void
ignore_signal (int number)
{
}

static void
set_handler (int number, void (*handler) (int))
{
  struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };

  sigemptyset (&action.sa_mask);
  sigaction (number, &action, NULL);
}

void
fh_stop_signals_catch (void)
{
  if (pipe_fds[0] >= 0 || pipe2 (pipe_fds, O_CLOEXEC | O_NONBLOCK) != 0)
    return;
  end_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  set_handler (SIGINT, note_signal);
  set_handler (SIGTERM, note_signal);
  set_handler (SIGHUP, note_signal);
  set_handler (SIGPIPE, ignore_signal);
}

void
fh_stop_signals_catch_interrupts (void)
{
  interrupts_end = FALSE;
  fh_stop_signals_catch ();
}

int
fh_stop_signals_get_fd (void)
{
  return pipe_fds[0];
}

int
fh_stop_signals_get_end_fd (void)
{
  return end_fd;
}

int
fh_stop_signals_take (void)
{
  unsigned char byte;

  return pipe_fds[0] >= 0 && read (pipe_fds[0], &byte, 1) == 1 ? byte : 0;
}
