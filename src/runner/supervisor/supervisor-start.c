/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "inside-paths.h"
#include "plan.h"
#include "supervisor-private.h"

#include <errno.h>
#include <limits.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

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
  supervisor_watch_disk (self);
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
  step = spawn (&plan, NULL, &self->sandbox);
  if (step == NULL || self->cgroup.leaf < 0)
    return step;
  cgroup_give_up (&self->cgroup, "cgroup-refused");
  plan_clear (&plan);
  step = make_plan (self, &plan);
  return step != NULL ? step : spawn (&plan, NULL, &self->sandbox);
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

int
supervisor_write_files (struct supervisor *self)
{
  /* The files have to belong to the guest's user. */
  const int error = self->sandbox.users >= 0
                        ? guest_user_call (self->sandbox.users, write_files, self)
                        : write_files (self);

  drop_files (self);
  return error;
}

void
supervisor_hand_over (struct supervisor *self)
{
  static const char word = INIT_BEGIN;
  const int error = supervisor_write_files (self);

  if (error < 0)
    {
      verdict_fault (&self->verdict, FH_WIRE_SETUP_FAILED, "files", -error);
      supervisor_kill (self);
      return;
    }
  self->timeout_us = clock_now_us () + PHASE_TIMEOUT_US;
  send (self->sandbox.status, &word, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void
supervisor_begin_program (struct supervisor *self, uint64_t at_us)
{
  struct request *request = self->request;
  const int error =
      inside_paths_translate (self->plan, &request->messages, &request->messages_size);

  if (error < 0)
    {
      verdict_fault (&self->verdict, FH_WIRE_SETUP_FAILED, "memory", -error);
      supervisor_kill (self);
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
