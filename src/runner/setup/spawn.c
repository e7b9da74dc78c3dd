/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spawn.h"

#include "bubblewrap.h"
#include "descriptor.h"
#include "ends.h"
#include "init-message.h"
#include "init.h"
#include "namespaces.h"
#include "setup.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A message on the guest channel can be as large as a frame. */
#define CHANNEL_SIZE (2 * FH_FRAME_MAX_PAYLOAD)

bool
spawn_prepare_channel (int channel)
{
  const int size = CHANNEL_SIZE;

  setsockopt (channel, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  return fcntl (channel, F_SETFL, O_NONBLOCK) == 0;
}

const char *
spawn_receive_channel (int status, int *channel)
{
  const struct fault not_taken = { FAULT_STEP_HAND_OVER, EMFILE };
  struct pollfd fd = { .fd = status, .events = POLLIN };
  struct init_message message = { 0 };
  int fds[N_INIT_DESCRIPTORS];

  while (poll (&fd, 1, -1) < 0 && errno == EINTR)
    continue;
  if (!init_message_receive (status, &message, fds))
    message.kind = 0;
  if (message.kind == INIT_CHANNEL && fds[0] < 0)
    message = (struct init_message){ .kind = INIT_FAULT, .fault = not_taken };
  if (message.kind != INIT_CHANNEL)
    {
      errno = message.kind == INIT_FAULT ? message.fault.error : EPIPE;
      return message.kind == INIT_FAULT ? fault_step_name (&message.fault) : "pipes";
    }
  *channel = fds[0];
  return spawn_prepare_channel (*channel) ? NULL : "pipes";
}

/* clone3 does not say which namespace was refused. Usually it is the user namespace, which the
 * others depend on. */
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

static _Noreturn void
become_init (const struct plan *plan, const struct spawn_entry *entry, const struct ends *ends)
{
  struct setup setup;

  /* A process that is not dumpable cannot write its own files in /proc, which setting up does. Its
   * last step makes it not dumpable again. */
  if (tier_is_shared (plan->policy))
    prctl (PR_SET_DUMPABLE, 1);
  setup_init (&setup, plan);
  setup.status = ends->status[1];
  setup.stdio[0] = ends->input[1];
  setup.stdio[1] = ends->output[0][1];
  setup.stdio[2] = ends->output[1][1];
  if (entry != NULL)
    entry->main (&setup);
  init_main (&setup);
}

/* Keeps errno. */
static void
abandon (struct spawned *spawned)
{
  int error = errno;

  sys_pidfd_send_signal (spawned->pidfd, SIGKILL);
  waitpid (spawned->pid, NULL, __WALL);
  close (spawned->pidfd);
  fh_clear_fd (&spawned->guest_channel);
  fh_clear_fd (&spawned->users);
  errno = error;
}

static void
become_bubblewrap (const struct bubblewrap *bubblewrap, const struct ends *ends)
{
  const int stdio[] = { ends->input[1], ends->output[0][1], ends->output[1][1] };

  bubblewrap_exec (bubblewrap, ends->status[1], stdio);
  _exit (1);
}

/* Makes init, or bubblewrap, which makes it. */
static bool
make_process (const struct plan *plan,
              const struct spawn_entry *entry,
              const struct bubblewrap *bubblewrap,
              const struct ends *ends,
              struct spawned *spawned)
{
  struct clone_args args = {
    .flags = CLONE_PIDFD | CLONE_CLEAR_SIGHAND,
    .pidfd = (uint64_t) (uintptr_t) &spawned->pidfd,
    .exit_signal = SIGCHLD,
  };

  if (spawned->is_shared && plan->cgroup->leaf < 0)
    {
      spawned->pid = sys_clone_with_pidfd (&spawned->pidfd);
      if (spawned->pid == 0)
        become_init (plan, entry, ends);
      return spawned->pid > 0;
    }
  if (!spawned->is_shared && bubblewrap == NULL)
    args.flags |= NAMESPACES_CLONE_FLAGS;
  /* Clone into the group, so that nothing it uses goes uncounted. */
  if (plan->cgroup->leaf >= 0)
    {
      args.flags |= CLONE_INTO_CGROUP;
      args.cgroup = (uint64_t) plan->cgroup->leaf;
    }
  spawned->pid = sys_clone3 (&args);
  if (spawned->pid == 0 && bubblewrap != NULL)
    become_bubblewrap (bubblewrap, ends);
  if (spawned->pid == 0)
    become_init (plan, entry, ends);
  return spawned->pid > 0;
}

/* Waits for init's first message, if it sends one. Closes the sandbox's ends. */
static const char *
wait_for_init (const struct plan *plan,
               const struct spawn_entry *entry,
               struct ends *ends,
               struct spawned *spawned)
{
  const char *step = NULL;

  ends_close (ends, 1);
  if (entry != NULL)
    step = entry->wait (ends->status[0], entry->data);
  else if (plan->policy->flags & FH_POLICY_GUEST_CHANNEL)
    step = spawn_receive_channel (ends->status[0], &spawned->guest_channel);
  if (step != NULL)
    abandon (spawned);
  return step;
}

/* A stage that fails at once may be gone before it is found, but it has said why. NULL with the old
 * errno if it has not. */
static const char *
read_last_words (int status)
{
  const char *step = NULL;
  struct init_message message;
  int fds[N_INIT_DESCRIPTORS];
  int error = errno;

  while (init_message_receive (status, &message, fds))
    {
      init_message_drop (fds);
      if (message.kind == INIT_FAULT)
        {
          step = fault_step_name (&message.fault);
          error = message.fault.error;
        }
    }
  errno = error;
  return step;
}

/* Later only the stage is killed: bwrap exits when everything inside is dead. */
static const char *
start_bubblewrap (const struct plan *plan, struct ends *ends, struct spawned *spawned)
{
  struct bubblewrap bubblewrap;
  const char *step = "bubblewrap";
  int error = -bubblewrap_init (&bubblewrap, plan);

  if (error == 0 && !make_process (plan, NULL, &bubblewrap, ends, spawned))
    error = errno;
  if (error == 0)
    {
      spawned->stage = bubblewrap_wait_for_stage (&bubblewrap, spawned->pid);
      spawned->errors = bubblewrap.errors[0];
      bubblewrap.errors[0] = -1;
      if (spawned->stage >= 0)
        step = wait_for_init (plan, NULL, ends, spawned);
      else
        {
          abandon (spawned);
          errno = EPIPE;
          step = read_last_words (ends->status[0]);
          step = step != NULL ? step : "bubblewrap";
        }
      error = step != NULL ? errno : 0;
      /* No message from init: use bwrap's error. */
      if (step != NULL && error == EPIPE)
        {
          step = "bubblewrap";
          error = bubblewrap_error (spawned->errors);
        }
    }
  bubblewrap_clear (&bubblewrap);
  errno = error;
  return error == 0 ? NULL : step;
}

/* False with errno if init must be killed. Its process id cannot have been reused: it has not been
 * waited for. */
static bool
map_users (const struct plan *plan, const struct ends *ends, struct spawned *spawned)
{
  char path[32];
  int error = guest_user_map (&plan->guest_user, spawned->pid);

  errno = -error;
  if (error < 0)
    return false;
  snprintf (path, sizeof path, "/proc/%d/ns/user", (int) spawned->pid);
  spawned->users = open (path, O_RDONLY | O_CLOEXEC);
  /* If init failed meanwhile, it has reported that itself. */
  if (spawned->users >= 0)
    init_ask (ends->status[0], INIT_USERS_MAPPED);
  return spawned->users >= 0;
}

static const char *
start_init (const struct plan *plan,
            const struct spawn_entry *entry,
            struct ends *ends,
            struct spawned *spawned)
{
  spawned->is_shared = tier_is_shared (plan->policy);
  spawned->is_first = (plan->policy->tier == FH_WIRE_TIER_CONTAINER && getpid () == 1) ||
                      plan->policy->tier == FH_WIRE_TIER_PORTAL;
  if (spawned->is_shared && prctl (PR_SET_CHILD_SUBREAPER, 1) < 0)
    return "orphans";
  /* The guest may be the same user and must not be able to inspect this process. */
  if (spawned->is_shared && prctl (PR_SET_DUMPABLE, 0) < 0)
    return "process";
  if (!make_process (plan, entry, NULL, ends, spawned))
    return spawned->is_shared ? "process" : name_of_refused_namespace ();
  if (plan->guest_user.is_own && !map_users (plan, ends, spawned))
    {
      abandon (spawned);
      return "user-namespace-map";
    }
  return wait_for_init (plan, entry, ends, spawned);
}

static const char *
try_to_spawn (const struct plan *plan, const struct spawn_entry *entry, struct spawned *spawned)
{
  struct ends ends = ENDS_NONE;
  const char *step = "pipes";

  spawned->guest_channel = spawned->users = spawned->stage = spawned->errors = -1;
  if (ends_make (&ends) && plan->policy->tier == FH_WIRE_TIER_BUBBLEWRAP)
    step = start_bubblewrap (plan, &ends, spawned);
  else if (ends.output[1][1] >= 0)
    step = start_init (plan, entry, &ends, spawned);
  if (step != NULL)
    {
      int error = errno;

      ends_close (&ends, 0);
      ends_close (&ends, 1);
      errno = error;
      return step;
    }
  spawned->status = ends.status[0];
  spawned->input = ends.input[0];
  spawned->output[0] = ends.output[0][0];
  spawned->output[1] = ends.output[1][0];
  return NULL;
}

void
spawn_close (struct spawned *spawned)
{
  int *const fds[] = {
    &spawned->pidfd,     &spawned->users,     &spawned->status,        &spawned->input,
    &spawned->output[0], &spawned->output[1], &spawned->guest_channel,
  };

  for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++)
    fh_clear_fd (fds[i]);
}

/* Whether the system allows a user id of the guest's own shows only when it is tried. If not, start
 * again without. */
const char *
spawn (struct plan *plan, const struct spawn_entry *entry, struct spawned *spawned)
{
  const char *step = try_to_spawn (plan, entry, spawned);

  if (step == NULL || !plan->guest_user.is_own)
    return step;
  plan->guest_user.is_own = false;
  return try_to_spawn (plan, entry, spawned);
}
