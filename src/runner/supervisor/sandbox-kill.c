/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sandbox-kill.h"

#include "descriptor.h"
#include "init-message.h"
#include "process-tree.h"
#include "syscalls.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

static int
open_proc (void)
{
  return open ("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

void
sandbox_kill (const struct spawned *sandbox)
{
  static const char request = INIT_KILL;

  if (sandbox->has_scope && !sandbox->is_first &&
      send (sandbox->status, &request, 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1)
    return;
  sandbox_kill_anyhow (sandbox);
}

/* Init comes last, because it knows its own children, whose ids cannot have been reused. */
void
sandbox_kill_anyhow (const struct spawned *sandbox)
{
  fh_autofd int proc = sandbox->is_shared && !sandbox->is_first ? open_proc () : -1;

  /* One signal to all processes, so that none can fork meanwhile or be too many to be found. */
  if (sandbox->is_first)
    kill (-1, SIGKILL);
  if (proc >= 0)
    process_tree_kill (proc, getpid (), sandbox->pid);
  if (sandbox->stage < 0 || sys_pidfd_send_signal (sandbox->stage, SIGKILL) < 0)
    sys_pidfd_send_signal (sandbox->pidfd, SIGKILL);
}

bool
sandbox_reap (struct spawned *sandbox)
{
  fh_autofd int proc = -1;

  fh_clear_fd (&sandbox->stage);
  fh_clear_fd (&sandbox->errors);
  if (!sandbox->is_shared)
    return true;
  proc = open_proc ();
  return proc >= 0 && process_tree_end (proc);
}
