/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The module that a warm Python loads, and in which it stays: for each byte INIT_FORK or
 * INIT_FORK_INSIDE of the supervisor it makes a child in namespaces of its own, which becomes a
 * run's init, whose child is the guest: only there the module's function returns. It speaks with
 * the supervisor, never with a guest, and serves one run at a time.
 *
 * It uses no header and no library of Python. From its point of view this is an extension module
 * that could not be initialized; bootstrap.py expects that. The hooks around fork are looked up in
 * the interpreter that loads it.
 */
#include "ends.h"
#include "init-message.h"
#include "init.h"
#include "kernel-file.h"
#include "namespaces.h"
#include "plan.h"
#include "request.h"
#include "setup.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma weak PyOS_BeforeFork
extern void PyOS_BeforeFork (void);
#pragma weak PyOS_AfterFork_Child
extern void PyOS_AfterFork_Child (void);

__attribute__ ((visibility ("default"))) void *PyInit_fumehood_fork (void);

/* Dies with the kernel's help: this is the first process of its namespace, so everything in there
 * dies as well. */
static _Noreturn void
end (int error)
{
  if (error != 0)
    init_message_send_fault (SETUP_STATUS_FD, FAULT_STEP_WARM, error);
  _exit (1);
}

static void
tell (struct init_message *message, const int fds[], size_t n)
{
  if (!init_message_send (SETUP_STATUS_FD, message, fds, n))
    end (errno);
}

/* Memory that a module shares with its children would be shared by all runs. "sh" is not set for
 * files that were opened for reading only; proc_pid_smaps (5). */
static int
check_mappings (void)
{
  FILE *maps = fopen ("/proc/self/smaps", "re");
  bool has_flags = false;
  bool has_shared = false;
  char *line = NULL;
  size_t size = 0;

  while (maps != NULL && getline (&line, &size, maps) > 0)
    {
      if (strncmp (line, "VmFlags:", strlen ("VmFlags:")) != 0)
        continue;
      has_flags = true;
      has_shared = has_shared || strstr (line, " sh ") != NULL;
    }
  free (line);
  if (maps != NULL)
    fclose (maps);
  if (has_shared)
    return ESTALE;
  return has_flags ? 0 : ENODATA;
}

/* Threads do not survive a fork, but the locks that they hold do. And a module's process could be
 * anything. */
static int
check_alone (void)
{
  char text[4096] = "";

  /* The interpreter is the first one; this could be a child that a module made. */
  if (getpid () != 1 || waitpid (-1, NULL, WNOHANG | __WALL) >= 0 || errno != ECHILD)
    return ECHILD;
  if (!kernel_file_read (AT_FDCWD, "/proc/self/status", text, sizeof text))
    return EIO;
  return kernel_file_number (text, "Threads", 0) == 1 ? check_mappings () : EBUSY;
}

/* The rest of descriptor 3 is the policy of the runs. The control group is the supervisor's; what
 * it limits is left to it. */
static int
prepare (struct plan *plan)
{
  static struct cgroup cgroup = CGROUP_NONE;
  static struct request request;
  int error = PyOS_BeforeFork == NULL || PyOS_AfterFork_Child == NULL ? ENOSYS : check_alone ();

  if (error == 0 && !request_read (&request, SETUP_GUEST_FD))
    error = EBADMSG;
  if (error == 0)
    cgroup.limits_memory = cgroup.limits_processes = request.policy->flags & FH_POLICY_SCOPE;
  if (error == 0 && plan_init (plan, request.policy, &request.workspace, &cgroup) != NULL)
    error = EINVAL;
  close (SETUP_GUEST_FD);
  close (SETUP_PROGRAM_FD);
  return error;
}

/* Waits for a byte of the supervisor, which it returns, or for the end of `child`, a pidfd, or -1.
 */
static char
wait_for_request (int child)
{
  struct pollfd fds[2] = {
    { .fd = SETUP_STATUS_FD, .events = POLLIN },
    { .fd = child, .events = POLLIN },
  };
  char request = '\0';

  for (;;)
    {
      if (poll (fds, 2, -1) < 0 && errno != EINTR)
        end (errno);
      if (fds[0].revents & (POLLHUP | POLLERR))
        end (0);
      if (fds[1].revents)
        return '\0';
      if (fds[0].revents & POLLIN)
        break;
    }
  /* One run at a time. */
  if (child >= 0 || recv (SETUP_STATUS_FD, &request, 1, MSG_DONTWAIT) != 1 ||
      (request != INIT_FORK && request != INIT_FORK_INSIDE))
    end (EPROTO);
  return request;
}

/* Returns in the guest. */
static void
become_run (const struct plan *plan, const struct ends *ends, bool keeps_network)
{
  struct setup setup;

  /* Its number is for this process's own. */
  close (SETUP_STATUS_FD);
  PyOS_BeforeFork ();
  setup_init (&setup, plan);
  setup.keeps_network = keeps_network;
  setup.status = ends->status[1];
  setup.stdio[0] = ends->input[1];
  setup.stdio[1] = ends->output[0][1];
  setup.stdio[2] = ends->output[1][1];
  init_fork (&setup);
  PyOS_AfterFork_Child ();
}

/* Returns its process id, 0 in the guest, and sets `pidfd`. */
static pid_t
fork_run (const struct plan *plan, bool keeps_network, int *pidfd)
{
  struct clone_args args = {
    /* It makes its own namespace of control groups once it has been moved into one. */
    .flags = CLONE_PIDFD | (NAMESPACES_CLONE_FLAGS & ~CLONE_NEWCGROUP),
    .pidfd = (uint64_t) (uintptr_t) pidfd,
    .exit_signal = SIGCHLD,
  };
  struct init_message message = { .kind = INIT_FORKED };
  struct ends ends = ENDS_NONE;
  pid_t pid;

  if (!ends_make (&ends))
    end (errno);
  pid = sys_clone3 (&args);
  if (pid < 0)
    end (errno);
  if (pid == 0)
    {
      become_run (plan, &ends, keeps_network);
      return 0;
    }
  ends_close (&ends, 1);
  tell (&message,
        (const int[N_INIT_FORKED]){
            [INIT_FORKED_PIDFD] = *pidfd,
            [INIT_FORKED_STATUS] = ends.status[0],
            [INIT_FORKED_INPUT] = ends.input[0],
            [INIT_FORKED_OUTPUT] = ends.output[0][0],
            [INIT_FORKED_ERROR] = ends.output[1][0],
        },
        N_INIT_FORKED);
  ends_close (&ends, 0);
  return pid;
}

/* With init everything in the run's namespace has died. */
static void
reap (pid_t pid, int pidfd)
{
  struct init_message message = { .kind = INIT_REAPED };

  wait_for_request (pidfd);
  if (wait4 (pid, NULL, __WALL, &message.usage) != pid)
    end (errno);
  close (pidfd);
  if (waitpid (-1, NULL, WNOHANG | __WALL) >= 0 || errno != ECHILD)
    end (ECHILD);
  tell (&message, NULL, 0);
}

void *
PyInit_fumehood_fork (void)
{
  static struct plan plan;
  struct init_message message = { .kind = INIT_WARM };
  int error = prepare (&plan);
  int pidfd = -1;
  char request;
  pid_t pid;

  if (error != 0)
    end (error);
  tell (&message, NULL, 0);
  while ((request = wait_for_request (-1)) != '\0')
    {
      pid = fork_run (&plan, request == INIT_FORK_INSIDE, &pidfd);
      if (pid == 0)
        break;
      reap (pid, pidfd);
    }
  return NULL;
}
