/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spawn.h"

#include "bubblewrap.h"
#include "init-message.h"
#include "init.h"
#include "namespaces.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIPE_SIZE (1024 * 1024)

/* A message on the guest channel can be as large as a frame. */
#define CHANNEL_SIZE (2 * FH_FRAME_MAX_PAYLOAD)

/* Both ends of everything, first ours, then the sandbox's. */
struct ends
{
  int status[2];
  int input[2];
  int output[2][2];
};

static void
close_side (struct ends *ends, int side)
{
  int *const fds[] = {
    &ends->status[side],
    &ends->input[side],
    &ends->output[0][side],
    &ends->output[1][side],
  };

  for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++)
    {
      if (*fds[i] >= 0)
        close (*fds[i]);
      *fds[i] = -1;
    }
}

/* Only our end is non-blocking; the guest gets what a program expects. A pipe that the user's
 * other runs have left no room for stays at its ordinary size. */
static bool
make_pipe (int pair[2], bool from_guest)
{
  int fds[2];

  if (pipe2 (fds, O_CLOEXEC) < 0)
    return false;
  pair[0] = fds[from_guest ? 0 : 1];
  pair[1] = fds[from_guest ? 1 : 0];
  if (from_guest)
    fcntl (pair[0], F_SETPIPE_SZ, PIPE_SIZE);
  return fcntl (pair[0], F_SETFL, O_NONBLOCK) == 0;
}

static bool
make_ends (struct ends *ends)
{
  return socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends->status) == 0 &&
         fcntl (ends->status[0], F_SETFL, O_NONBLOCK) == 0 && make_pipe (ends->input, false) &&
         make_pipe (ends->output[0], true) && make_pipe (ends->output[1], true);
}

/* Init's first word brings our end of the guest channel. False with errno when init could not make
 * one, or is gone. */
static bool
receive_channel (int status, int *channel)
{
  const int size = CHANNEL_SIZE;
  struct pollfd fd = { .fd = status, .events = POLLIN };
  struct init_message message = { 0 };
  int fds[N_INIT_DESCRIPTORS];

  while (poll (&fd, 1, -1) < 0 && errno == EINTR)
    continue;
  if (!init_message_receive (status, &message, fds) || message.kind != INIT_CHANNEL || fds[0] < 0)
    {
      errno = message.kind == INIT_FAULT ? message.fault.error : EPIPE;
      return false;
    }
  *channel = fds[0];
  setsockopt (*channel, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  return fcntl (*channel, F_SETFL, O_NONBLOCK) == 0;
}

/* clone3 does not say which of the namespaces it could not make. Almost always it is the user
 * namespace, without which none of the others can be made either. */
static const char *
name_of_refused_namespace (void)
{
  struct clone_args args = { .flags = CLONE_NEWUSER, .exit_signal = SIGCHLD };
  int error = errno;
  pid_t pid = sys_clone3 (&args);

  if (pid == 0)
    _exit (0);
  if (pid > 0)
    waitpid (pid, NULL, 0);
  else
    error = errno;
  errno = error;
  return pid < 0 ? "user-namespace" : "namespaces";
}

static void
become_init (const struct plan *plan, const struct ends *ends)
{
  struct setup setup;

  /* The setup writes files of its own in /proc, which only then are its own; it ends with the
   * opposite. */
  if (plan_is_shared (plan))
    prctl (PR_SET_DUMPABLE, 1);
  setup_init (&setup, plan);
  setup.status = ends->status[1];
  setup.stdio[0] = ends->input[1];
  setup.stdio[1] = ends->output[0][1];
  setup.stdio[2] = ends->output[1][1];
  init_main (&setup);
}

/* Leaves errno as it was. */
static void
abandon (struct spawned *spawned)
{
  int error = errno;

  sys_pidfd_send_signal (spawned->pidfd, SIGKILL);
  waitpid (spawned->pid, NULL, __WALL);
  close (spawned->pidfd);
  if (spawned->guest_channel >= 0)
    close (spawned->guest_channel);
  errno = error;
}

static void
become_bubblewrap (const struct bubblewrap *bubblewrap, const struct ends *ends)
{
  const int stdio[] = { ends->input[1], ends->output[0][1], ends->output[1][1] };

  bubblewrap_exec (bubblewrap, ends->status[1], stdio);
  _exit (1);
}

/* Makes init, or what will make it. */
static bool
make_process (const struct plan *plan,
              const struct bubblewrap *bubblewrap,
              const struct ends *ends,
              struct spawned *spawned)
{
  struct clone_args args = {
    .flags = CLONE_PIDFD | CLONE_CLEAR_SIGHAND,
    .pidfd = (uint64_t) (uintptr_t) &spawned->pidfd,
    .exit_signal = SIGCHLD,
  };

  if (plan->policy->tier == FH_WIRE_TIER_CONTAINER)
    {
      spawned->pid = sys_clone_with_pidfd (&spawned->pidfd);
      if (spawned->pid == 0)
        become_init (plan, ends);
      return spawned->pid > 0;
    }
  if (!spawned->is_shared && bubblewrap == NULL)
    args.flags |= NAMESPACES_CLONE_FLAGS;
  if (!plan->has_own_network)
    args.flags &= ~(uint64_t) CLONE_NEWNET;
  /* Born there, it cannot use anything that is not counted. */
  if (plan->cgroup->box >= 0)
    {
      args.flags |= CLONE_INTO_CGROUP;
      args.cgroup = (uint64_t) plan->cgroup->box;
    }
  spawned->pid = sys_clone3 (&args);
  if (spawned->pid == 0 && bubblewrap != NULL)
    become_bubblewrap (bubblewrap, ends);
  if (spawned->pid == 0)
    become_init (plan, ends);
  return spawned->pid > 0;
}

/* Hears init's first word. Closes the sandbox's ends. */
static const char *
hear_init (const struct plan *plan, struct ends *ends, struct spawned *spawned)
{
  close_side (ends, 1);
  if (!(plan->policy->flags & FH_POLICY_GUEST_CHANNEL) ||
      receive_channel (ends->status[0], &spawned->guest_channel))
    return NULL;
  abandon (spawned);
  return "pipes";
}

/* The stage is killed, not bwrap: that one then ends when everything inside is dead. */
static const char *
start_bubblewrap (const struct plan *plan, struct ends *ends, struct spawned *spawned)
{
  struct bubblewrap bubblewrap;
  const char *step = "bubblewrap";
  int error = -bubblewrap_init (&bubblewrap, plan);

  if (error == 0 && !make_process (plan, &bubblewrap, ends, spawned))
    error = errno;
  if (error == 0)
    {
      spawned->stage = bubblewrap_wait_for_stage (&bubblewrap, spawned->pid);
      spawned->errors = bubblewrap.errors[0];
      bubblewrap.errors[0] = -1;
      if (spawned->stage >= 0)
        step = hear_init (plan, ends, spawned);
      else
        abandon (spawned);
      error = step != NULL ? bubblewrap_error (spawned->errors) : 0;
    }
  bubblewrap_clear (&bubblewrap);
  errno = error;
  return error == 0 ? NULL : "bubblewrap";
}

static const char *
start_init (const struct plan *plan, struct ends *ends, struct spawned *spawned)
{
  spawned->is_shared = plan_is_shared (plan);
  spawned->is_first = plan->policy->tier == FH_WIRE_TIER_CONTAINER && getpid () == 1;
  if (spawned->is_shared && prctl (PR_SET_CHILD_SUBREAPER, 1) < 0)
    return "orphans";
  /* The guest may have the same user and must not be able to look into this process. */
  if (spawned->is_shared && prctl (PR_SET_DUMPABLE, 0) < 0)
    return "process";
  if (!make_process (plan, NULL, ends, spawned))
    return spawned->is_shared ? "process" : name_of_refused_namespace ();
  return hear_init (plan, ends, spawned);
}

const char *
spawn (const struct plan *plan, struct spawned *spawned)
{
  struct ends ends = { { -1, -1 }, { -1, -1 }, { { -1, -1 }, { -1, -1 } } };
  const char *step = "pipes";

  spawned->guest_channel = spawned->stage = spawned->errors = -1;
  if (make_ends (&ends) && plan->policy->tier == FH_WIRE_TIER_BUBBLEWRAP)
    step = start_bubblewrap (plan, &ends, spawned);
  else if (ends.output[1][1] >= 0)
    step = start_init (plan, &ends, spawned);
  if (step != NULL)
    {
      int error = errno;

      close_side (&ends, 0);
      close_side (&ends, 1);
      errno = error;
      return step;
    }
  spawned->status = ends.status[0];
  spawned->input = ends.input[0];
  spawned->output[0] = ends.output[0][0];
  spawned->output[1] = ends.output[1][0];
  return NULL;
}
