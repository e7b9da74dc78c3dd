/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sandbox-kill.h"

#include "init-message.h"
#include "process-tree.h"
#include "syscalls.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* True when nobody but `spared` is left. */
static bool
kill_descendants (pid_t spared)
{
  int proc = open ("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  bool is_dead;

  if (proc < 0)
    return false;
  is_dead = process_tree_kill (proc, getpid (), spared);
  close (proc);
  return is_dead;
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

/* Init comes last, because it knows its own children and nobody else can be mistaken for one. */
void
sandbox_kill_anyhow (const struct spawned *sandbox)
{
  /* All at one moment: nobody can make others meanwhile, nor be too many to be found. */
  if (sandbox->is_first)
    kill (-1, SIGKILL);
  else if (sandbox->is_shared)
    kill_descendants (sandbox->pid);
  if (sandbox->stage < 0 || sys_pidfd_send_signal (sandbox->stage, SIGKILL) < 0)
    sys_pidfd_send_signal (sandbox->pidfd, SIGKILL);
}

bool
sandbox_bury (struct spawned *sandbox)
{
  bool is_dead;

  if (sandbox->stage >= 0)
    close (sandbox->stage);
  if (sandbox->errors >= 0)
    close (sandbox->errors);
  sandbox->stage = sandbox->errors = -1;
  if (!sandbox->is_shared)
    return true;
  is_dead = kill_descendants (0);
  while (waitpid (-1, NULL, WNOHANG | __WALL) > 0)
    continue;
  return is_dead;
}
