/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-folders.h"
#include "descriptor.h"
#include "inside-paths.h"
#include "plan.h"
#include "supervisor-private.h"
#include "wire-container.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static bool
is_in_memory (int folder)
{
  struct statfs status;

  return fstatfs (folder, &status) == 0 && status.f_type == TMPFS_MAGIC;
}

/* The clock of the kernel's file times. */
static void
enter_shared_workspace (struct supervisor *self)
{
  self->shared_workspace =
      open (FH_CONTAINER_WORKSPACE, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (self->shared_workspace < 0)
    return;
  /* The setup then fails for the same reason, before it touches the folder. */
  if (!container_folders_prove (self->policy, FH_CONTAINER_WORKSPACE, self->shared_workspace))
    {
      fh_clear_fd (&self->shared_workspace);
      return;
    }
  workspace_make_room (&self->request->workspace, self->shared_workspace);
  clock_gettime (CLOCK_REALTIME_COARSE, &self->since);
}

void
supervisor_enter (struct supervisor *self)
{
  self->shared_workspace = -1;
  self->cgroup = (struct cgroup) CGROUP_NONE;
  if (self->warm == NULL)
    cgroup_open (&self->cgroup, self->policy);
  if (!self->request->is_inside)
    return;
  container_cgroup_open (&self->container, CONTAINER_CGROUP_FOLDER);
  container_cgroup_grant (&self->container, self->policy, self->request->input.size, &self->cgroup);
  if (self->policy->flags & FH_POLICY_SHARED_WORKSPACE)
    enter_shared_workspace (self);
}

static void
watch_disk (struct supervisor *self)
{
  const uint64_t limit = self->policy->disk_bytes;

  if (self->shared_workspace >= 0 && !is_in_memory (self->shared_workspace))
    disk_watch_begin_growing (&self->disk, self->shared_workspace, limit);
  else
    disk_watch_begin (&self->disk, self->plan->folder.fd, limit);
}

/* All tmpfs that the usage watch counts; the first is the workspace. */
void
supervisor_begin_to_watch (struct supervisor *self, uint64_t setup_cpu_us)
{
  const int workspace = self->inside[INIT_WORKSPACE];
  const bool is_inside = self->request->is_inside;
  const bool has_scratch =
      is_inside ? workspace >= 0 && is_in_memory (workspace) : !self->sandbox.is_shared;

  usage_watch_begin (&self->watch,
                     self->inside[INIT_PROC],
                     has_scratch ? workspace : -1,
                     setup_cpu_us);
  kernel_objects_begin (&self->watch.objects, self->inside[INIT_SOCKETS]);
  if (warm_interpreter_shares_network (self->warm))
    self->watch.objects.sockets.ends = WARM_NETWORK_ENDS;
  if (is_inside)
    {
      usage_watch_add_scratch (&self->watch, FH_CONTAINER_TMP);
      usage_watch_add_scratch (&self->watch, "/dev/shm");
      usage_watch_add_scratch (&self->watch, FH_CONTAINER_HOME);
    }
}

void
supervisor_clear_workspace (struct supervisor *self)
{
  /* Nothing uses the workspace if nothing was started, or if all of it has ended. */
  const bool is_dead =
      self->phase != PHASE_FINISHED || (self->sandbox.pidfd < 0 && !self->has_survivors);

  if (self->shared_workspace < 0)
    return;
  if (is_dead)
    workspace_remove (&self->request->workspace, self->shared_workspace);
  fh_clear_fd (&self->shared_workspace);
}

void
supervisor_leave (struct supervisor *self)
{
  supervisor_clear_workspace (self);
  if (self->request->is_inside)
    container_cgroup_close (&self->container);
  cgroup_close (&self->cgroup);
}

/* The files are compared with what is found at the end. */
static void
drop_files (struct supervisor *self)
{
  if (!(self->policy->flags & (FH_POLICY_COLLECT | FH_POLICY_SHARED_WORKSPACE)))
    workspace_clear (&self->request->workspace);
}

static void
begin (struct supervisor *self)
{
  const struct fh_policy *policy = self->policy;

  output_pump_init (&self->output[0],
                    self->sandbox.output[0],
                    FH_WIRE_STDOUT,
                    policy->output_bytes);
  output_pump_init (&self->output[1],
                    self->sandbox.output[1],
                    FH_WIRE_STDERR,
                    policy->output_bytes);
  self->input.to = -1;
  guest_channel_init (&self->guest, self->sandbox.guest_channel);
  usage_watch_init (&self->watch, policy, &self->cgroup);
  watch_disk (self);
  dns_sink_init (&self->dns, -1);
  self->listener.fd = -1;
  links_as_guest_init (&self->listener.scene.as_guest, -1);
  self->proxy = PROXY_PROCESS_NONE;
  for (int i = 0; i < N_INIT_DESCRIPTORS; i++)
    self->inside[i] = -1;
  self->evidence.policy = policy;
  self->deadline_us = self->grace_us = self->next_usage_us = self->silent_us = NEVER;
  self->left_us = NEVER;
  self->timeout_us = clock_now_us () + PHASE_TIMEOUT_US;
}

/* Without reports no list is needed. */
static bool
prepare_attempts (struct supervisor *self)
{
  self->attempts.next_us = NEVER;
  return self->policy->watch == FH_WIRE_WATCH_OFF || attempt_list_init (&self->attempts);
}

/* A run without the control group that the guards name is none. */
static const char *
fork_run (struct supervisor *self)
{
  const char *step;

  self->plan = self->warm->plan;
  self->warm->is_doubtful = !cgroup_open_run (&self->cgroup, self->plan->cgroup, self->policy);
  if (self->warm->is_doubtful)
    return "control-group";
  step = warm_interpreter_fork (self->warm, &self->cgroup, &self->sandbox);
  if (step != NULL)
    cgroup_kill (&self->cgroup);
  return step;
}

static const char *
make_plan (struct supervisor *self, struct plan *plan)
{
  const char *step = plan_init (plan, self->policy, &self->request->workspace, &self->cgroup);

  plan->users_mask = self->request->users_mask;
  return step;
}

static const char *
start_sandbox (struct supervisor *self, struct plan *plan)
{
  usage_watch_prepare (self->policy, &self->cgroup, 0);
  return spawn (plan, NULL, &self->sandbox);
}

/* If nothing can be started in the control group, run without it. */
static const char *
build (struct supervisor *self)
{
  static struct plan plan;
  const char *step = make_plan (self, &plan);
  char proxy[PATH_MAX];

  self->plan = &plan;
  if (step == NULL && plan.has_proxy && !proxy_process_find (proxy, sizeof proxy))
    step = "proxy";
  if (step != NULL)
    return step;
  step = start_sandbox (self, &plan);
  if (step == NULL || self->cgroup.leaf < 0)
    return step;
  cgroup_give_up (&self->cgroup, "cgroup-refused");
  plan_clear (&plan);
  step = make_plan (self, &plan);
  return step != NULL ? step : start_sandbox (self, &plan);
}

const char *
supervisor_start (struct supervisor *self)
{
  const char *step = "memory";

  if (prepare_attempts (self))
    step = self->warm != NULL ? fork_run (self) : build (self);
  drop_files (self);
  if (step != NULL)
    return step;
  begin (self);
  if (supervisor_is_kept (self) && !supervisor_keep (self))
    verdict_fault (&self->verdict, FH_WIRE_SETUP_FAILED, "memory", ENOMEM);
  if (self->verdict.is_decided)
    supervisor_kill (self);
  return NULL;
}

static int
write_files (void *data)
{
  const struct supervisor *self = data;
  const char *earlier = self->request->earlier;

  /* It was no file of the workspace. If it has become one, it is among the others. */
  if (earlier != NULL && workspace_find (&self->request->workspace, earlier, false) == NULL)
    unlinkat (self->inside[INIT_WORKSPACE], earlier, 0);
  return workspace_write (&self->request->workspace,
                          self->inside[INIT_WORKSPACE],
                          self->inside[INIT_TMP],
                          self->request->is_next);
}

/* Writes the files of the request into the sandbox. Returns 0 or a negative errno. */
static int
write_all_files (struct supervisor *self)
{
  /* The files have to belong to the guest's user. */
  const int error = self->sandbox.users >= 0
                        ? guest_user_call (self->sandbox.users, write_files, self)
                        : write_files (self);

  drop_files (self);
  return error;
}

/* Appends strings, each with its NUL. False if there is no room for all. */
static bool
put_strings (struct init_next *next, size_t *size, char *const *strings, uint16_t *n)
{
  for (*n = 0; strings[*n] != NULL; (*n)++)
    {
      const size_t length = strlen (strings[*n]) + 1;

      if (length > sizeof next->strings - *size || *n == INIT_NEXT_STRINGS)
        return false;
      memcpy (next->strings + *size, strings[*n], length);
      *size += length;
    }
  return true;
}

/* Opens the writing end of an output. What earlier programs have left may still write there; if
 * nothing can, the pipe was closed, and there is a new one. Only the guest keeps that end, so that
 * the end of its last holder is seen. Returns the descriptor or -1. */
static int
open_output (struct supervisor *self, int i)
{
  struct output_pump *pump = &self->output[i];
  char path[32];
  int ends[2];

  if (pump->fd >= 0)
    {
      snprintf (path, sizeof path, "/proc/self/fd/%d", pump->fd);
      return open (path, O_WRONLY | O_CLOEXEC);
    }
  if (pipe2 (ends, O_CLOEXEC) < 0)
    return -1;
  fcntl (ends[0], F_SETFL, O_NONBLOCK);
  self->sandbox.output[i] = ends[0];
  output_pump_init (pump, ends[0], (enum fh_wire_stream) pump->stream, self->policy->output_bytes);
  return ends[1];
}

/* The guest gets these, but for our end of its input. */
struct pipes
{
  struct supervisor *self;
  int fds[3];
  int input;
};

/* The guest's user opens them, if it has one of its own, and can reopen them then through
 * /dev/stdout. */
static int
open_pipes (void *data)
{
  struct pipes *pipes = data;
  int input[2];

  for (int i = 0; i < 2; i++)
    {
      pipes->fds[1 + i] = open_output (pipes->self, i);
      if (pipes->fds[1 + i] < 0)
        return -errno;
    }
  if (pipe2 (input, O_CLOEXEC) < 0)
    return -errno;
  pipes->fds[0] = input[0];
  pipes->input = input[1];
  return fcntl (input[1], F_SETFL, O_NONBLOCK) < 0 ? -errno : 0;
}

static int
send_with_pipes (struct supervisor *self, const struct init_next *next, size_t size)
{
  struct pipes pipes = { self, { -1, -1, -1 }, -1 };
  int error = self->sandbox.users >= 0 ? guest_user_call (self->sandbox.users, open_pipes, &pipes)
                                       : open_pipes (&pipes);

  if (error == 0)
    error = message_send (self->sandbox.status,
                          next,
                          offsetof (struct init_next, strings) + size,
                          pipes.fds,
                          3,
                          0);
  for (int i = 0; i < 3; i++)
    fh_clear_fd (&pipes.fds[i]);
  self->sandbox.input = pipes.input;
  return error;
}

/* Returns 0 or a negative errno. */
static int
send_program (struct supervisor *self)
{
  static struct init_next next;
  const struct fh_program *program = self->request->program;
  size_t size = 0;

  guest_channel_init (&self->guest, -1);
  next.request = INIT_NEXT;
  next.has_channel = program->has_channel;
  if (!put_strings (&next, &size, program->argv, &next.n_argv) ||
      !put_strings (&next, &size, program->env, &next.n_env))
    return -E2BIG;
  self->listener.scene.has_begun = self->listener.scene.kills_itself = false;
  self->is_waiting = false;
  self->left_us = NEVER;
  return send_with_pipes (self, &next, size);
}

void
supervisor_start_next (struct supervisor *self)
{
  int error = write_all_files (self);

  self->timeout_us = clock_now_us () + PHASE_TIMEOUT_US;
  if (error < 0)
    supervisor_fail (self, "files", -error);
  else if ((error = send_program (self)) < 0)
    supervisor_fail (self, "start", -error);
}

bool
supervisor_take_channel (struct supervisor *self, int channel)
{
  if (channel < 0)
    return false;
  guest_channel_init (&self->guest, channel);
  return spawn_prepare_channel (channel);
}

void
supervisor_hand_over (struct supervisor *self)
{
  const int error = write_all_files (self);

  if (error < 0)
    {
      supervisor_fail (self, "files", -error);
      return;
    }
  self->timeout_us = clock_now_us () + PHASE_TIMEOUT_US;
  init_ask (self->sandbox.status, INIT_BEGIN);
}

void
supervisor_begin_program (struct supervisor *self, uint64_t at_us)
{
  struct request *request = self->request;
  const int error =
      inside_paths_translate (self->plan, &request->messages, &request->messages_size);

  if (error < 0)
    {
      supervisor_fail (self, "memory", -error);
      return;
    }
  if (self->phase < PHASE_RUNNING)
    {
      self->phase = PHASE_RUNNING;
      self->timeout_us = NEVER;
    }
  self->evidence.was_started = true;
  self->started_us = at_us;
  self->next_usage_us = at_us + USAGE_PERIOD_US;
  if (self->policy->wall_ms > 0 && self->policy->wall_ms < NEVER / 2000)
    self->deadline_us = at_us + self->policy->wall_ms * 1000;
  if (supervisor_is_kept (self))
    supervisor_ask_cell (self);
  else
    {
      if (self->policy->flags & FH_POLICY_STAYS && ++self->cell > 1)
        usage_watch_begin_next (&self->watch);
      guest_channel_greet (&self->guest, request->messages, request->messages_size);
      input_pump_init (&self->input, &request->input, self->sandbox.input);
    }
  fh_frame_put (&self->control->pending, FH_FRAME_STARTED, NULL, 0);
}
