/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-keep.h"

#include "process-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How often it looks for those who were handed over while alive, of whom no signal tells. */
#define PAUSE_S 2

static void
reap (void)
{
  while (waitpid (-1, NULL, WNOHANG | __WALL) > 0)
    continue;
}

/* True for the engine's: what comes from outside of the container has no number inside. */
static bool
is_end (const siginfo_t *info)
{
  return (info->si_signo == SIGTERM || info->si_signo == SIGINT) &&
         (info->si_pid == 0 || getpid () != 1);
}

int
container_keep (void)
{
  const struct timespec pause = { .tv_sec = PAUSE_S };
  int proc;
  sigset_t signals;
  siginfo_t info;

  sigemptyset (&signals);
  sigaddset (&signals, SIGCHLD);
  sigaddset (&signals, SIGTERM);
  sigaddset (&signals, SIGINT);
  if (close_range (3, ~0U, 0) < 0 ||
      (proc = open ("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0 ||
      sigprocmask (SIG_BLOCK, &signals, NULL) < 0 || prctl (PR_SET_DUMPABLE, 0) < 0 ||
      prctl (PR_SET_CHILD_SUBREAPER, 1) < 0)
    {
      perror ("fumehood-runner");
      return 1;
    }
  while (true)
    {
      const int number = sigtimedwait (&signals, &info, &pause);

      if (number > 0 && is_end (&info))
        return 0;
      if (number < 0 && errno != EAGAIN && errno != EINTR)
        return 1;
      process_tree_kill (proc, getpid (), 0);
      reap ();
    }
}
