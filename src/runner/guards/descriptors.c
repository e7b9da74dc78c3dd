/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "descriptors.h"

#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* True if this process can have as many descriptors. Raises the limit as far as possible, because
 * it also limits how many descriptors the user may have in flight for this process to send one,
 * unix (7). */
static bool
raise_own_limit (int n)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) < 0)
    return false;
  limit.rlim_cur = limit.rlim_max;
  return limit.rlim_max >= (rlim_t) n && setrlimit (RLIMIT_NOFILE, &limit) == 0;
}

/* First copy the descriptors out of the way, so that no target number holds one that is still
 * needed. */
int
descriptors_apply (struct setup *setup)
{
  const int from[] = {
    setup->status,   setup->stdio[0],      setup->stdio[1],
    setup->stdio[2], setup->guest_channel, setup->plan->sealed_program,
  };
  const int with_channel = setup->guest_channel >= 0 ? 5 : 4;
  const int n = setup->plan->sealed_program >= 0 ? SETUP_PROGRAM_FD + 2 : with_channel;
  const int first = raise_own_limit (SETUP_STATUS_FD + n) ? SETUP_STATUS_FD : SETUP_LOW_STATUS_FD;

  for (int i = 0; i < n; i++)
    {
      int fd = fcntl (from[i], F_DUPFD_CLOEXEC, first + i);

      /* fcntl (2) fails with EINVAL above the limit. */
      if (fd < 0)
        return errno == EINVAL ? -EMFILE : -errno;
      if (fd != first + i)
        return -EBUSY;
    }
  if (close_range (0, (unsigned int) first - 1, 0) < 0)
    return -errno;
  for (int i = 1; i < n; i++)
    {
      if (dup2 (first + i, i - 1) < 0)
        return -errno;
    }
  if (close_range ((unsigned int) first + 1, ~0U, 0) < 0)
    return -errno;
  setup->status = first;
  return 0;
}

int
descriptors_open_handles (struct setup *setup)
{
  setup->proc_folder = openat (setup->proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (setup->proc_folder < 0)
    return -errno;
  setup->root_handle = open ("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
  return setup->root_handle < 0 ? -errno : 0;
}

int
lifeline_apply (struct setup *setup)
{
  struct pollfd peer = { .fd = setup->status };

  if (prctl (PR_SET_PDEATHSIG, SIGKILL) < 0)
    return -errno;
  /* The runner may have died before the call above; then its end of the socket is closed. */
  if (poll (&peer, 1, 0) > 0 && (peer.revents & POLLHUP))
    return -ECHILD;
  return 0;
}

/* Init must not die with the runner, because it has to kill the others first: it sees the status
 * socket close. */
int
orphans_apply (struct setup *setup)
{
  return prctl (PR_SET_CHILD_SUBREAPER, 1) < 0 ? -errno : 0;
}

int
descriptors_hand_over (unsigned int last, bool is_forked)
{
  const struct sigaction by_default = { .sa_handler = SIG_DFL };
  sigset_t none;

  /* execve keeps ignored signals, and the runner's parent may have ignored some. SIGKILL, SIGSTOP
   * and glibc's own two fail with EINVAL, which is fine. A forked interpreter has set its own. */
  for (int signal = 1; signal < NSIG && !is_forked; signal++)
    sigaction (signal, &by_default, NULL);
  sigemptyset (&none);
  if (sigprocmask (SIG_SETMASK, &none, NULL) < 0)
    return -errno;
  if (close_range (last + 1, ~0U, is_forked ? 0 : CLOSE_RANGE_CLOEXEC) < 0)
    return -errno;
  return 0;
}
