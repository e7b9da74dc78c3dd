/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kept-container.h"

#include "descriptor.h"
#include "process-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Sticky, like /tmp. */
#define MODE 01777

static bool
open_folder (const char *path)
{
  fh_autofd int fd = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  bool ok = fd >= 0 && fchmod (fd, MODE) == 0;

  if (!ok)
    perror (path);
  return ok;
}

int
kept_container_open (char *const paths[])
{
  bool ok = true;

  for (size_t i = 0; paths[i] != NULL; i++)
    ok = open_folder (paths[i]) && ok;
  return ok ? 0 : 1;
}

/* How often to look for processes that were reparented while alive: no signal reports them. */
#define PAUSE_S 2

/* True for the engine's signals: a sender outside the container has no process id inside. */
static bool
is_end (const siginfo_t *info)
{
  return (info->si_signo == SIGTERM || info->si_signo == SIGINT) &&
         (info->si_pid == 0 || getpid () != 1);
}

int
kept_container_wait (void)
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
      process_tree_end (proc);
    }
}
