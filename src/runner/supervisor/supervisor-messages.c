/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "clock.h"
#include "guard-report.h"
#include "landlock.h"
#include "setup.h"
#include "supervisor-private.h"
#include "wire-proxy.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* Time to end by itself after the first stop frame; then it gets SIGTERM. */
#define GRACE_US 800000

/* Sorts the descriptors of a message into their places. False if some were lost, as this process
 * may not open so many. */
static bool
sort_descriptors (struct supervisor *self, uint32_t which, const int fds[N_INIT_DESCRIPTORS])
{
  size_t n = 0;

  for (uint32_t i = 0; i < N_INIT_DESCRIPTORS; i++)
    self->inside[i] = which & (UINT32_C (1) << i) ? fds[n++] : -1;
  return n == 0 || fds[n - 1] >= 0;
}

/* If the proxy fails to start, the sandbox is as closed as one without allowed hosts. */
static void
start_proxy (struct supervisor *self, struct init_ready *ready)
{
  const int listener = self->inside[INIT_PROXY];

  self->inside[INIT_PROXY] = -1;
  if (listener < 0)
    return;
  if (self->policy->flags & FH_POLICY_PROBE)
    close (listener);
  else if (!proxy_process_start (&self->proxy, self->policy->allow_hosts, listener))
    ready->descriptors &= ~(1u << INIT_PROXY);
}

static void
begin_to_listen (struct supervisor *self,
                 const struct init_ready *ready,
                 const struct container_evidence *evidence)
{
  struct attempt_scene scene = {
    .policy = self->policy,
    .list = &self->attempts,
    .root = self->inside[INIT_ROOT],
    .folder = tier_has_run_folder (self->plan->policy) ? &self->plan->folder : NULL,
    .filter = (enum seccomp_sandbox) ready->filter,
    .init = self->sandbox.pid,
    .proxy_port = self->proxy.pid >= 0 ? FH_PROXY_PORT : 0,
    .has_network = evidence != NULL && evidence->has_network,
    .has_file_rules = ready->landlock_abi > 0 && evidence == NULL,
    /* A fork executes nothing. */
    .has_begun = self->warm != NULL,
  };

  links_as_guest_init (&scene.as_guest, self->sandbox.users);
  seccomp_listener_init (&self->listener, self->inside[INIT_LISTENER], &scene);
}

static void
handle_fault (struct supervisor *self, const struct fault *fault)
{
  verdict_fault (&self->verdict,
                 fault->step == FAULT_STEP_EXEC ? FH_WIRE_NOT_STARTED : FH_WIRE_SETUP_FAILED,
                 fault_step_name (fault),
                 fault->error);
  supervisor_kill (self);
}

static void
tell_guards (struct supervisor *self)
{
  guard_report_encode (self->policy,
                       &self->ready,
                       &self->cgroup,
                       self->request->is_inside ? &self->found : NULL,
                       &self->control->pending);
}

void
supervisor_tell_guards (struct supervisor *self)
{
  if (self->is_ready && self->request->is_complete)
    tell_guards (self);
}

static void
handle_ready (struct supervisor *self,
              const struct init_message *message,
              const int fds[N_INIT_DESCRIPTORS])
{
  const bool is_inside = self->request->is_inside;
  struct init_ready ready = message->ready;

  if (!sort_descriptors (self, message->ready.descriptors, fds) ||
      (warm_interpreter_shares_network (self->warm) &&
       !warm_interpreter_add_network (self->warm, &ready, self->inside)))
    {
      handle_fault (self, &(struct fault){ FAULT_STEP_HAND_OVER, EMFILE });
      return;
    }
  supervisor_begin_to_watch (self, message->ready.cpu_us);
  dns_sink_init (&self->dns, self->inside[INIT_DNS]);
  if (self->sandbox.stage >= 0)
    disk_watch_begin_counting (&self->disk,
                               self->inside[INIT_WORKSPACE],
                               strtoull (self->plan->scratch_inodes, NULL, 10));
  if (self->sandbox.is_shared)
    self->watch.table.top = (uint32_t) self->sandbox.pid;
  self->sandbox.has_scope = message->ready.has_scope;
  start_proxy (self, &ready);
  if (is_inside)
    container_evidence_read (&self->found, self->inside[INIT_WORKSPACE]);
  begin_to_listen (self, &ready, is_inside ? &self->found : NULL);
  /* The run has the user of the warm interpreter. */
  if (self->warm != NULL)
    ready.has_own_user = self->sandbox.users >= 0;
  self->ready = ready;
  self->is_ready = true;
  if (self->policy->kind != FH_POLICY_SINGLE)
    supervisor_tell_guards (self);
  else
    tell_guards (self);
  if (self->policy->flags & FH_POLICY_PROBE)
    {
      self->evidence.is_known = true;
      supervisor_kill (self);
    }
}

/* The message counts even if the sandbox has just been killed: the program may already have written
 * something. */
static void
handle_started (struct supervisor *self, const struct init_message *message)
{
  if (!self->is_prepared)
    {
      supervisor_begin_program (self, message->begun_us);
      return;
    }
  if (self->phase != PHASE_SETTING_UP)
    return;
  self->phase = PHASE_WAITING;
  self->timeout_us = NEVER;
  if (self->request->is_complete)
    supervisor_hand_over (self);
}

static void
handle_begun (struct supervisor *self, const struct init_message *message)
{
  if (self->phase != PHASE_WAITING)
    return;
  usage_watch_begin_late (&self->watch, message->cpu_us);
  supervisor_begin_program (self, message->time_us);
}

/* Init stays for a moment, so that what the main process left behind can end or be measured. */
static void
handle_ended (struct supervisor *self, const struct init_message *message)
{
  /* The interpreter failed while it waited for this: what it wrote says why. */
  if (self->phase == PHASE_WAITING && (!supervisor_is_kept (self) || self->request->is_complete))
    supervisor_begin_program (self, message->time_us);
  self->evidence.is_known = true;
  self->evidence.wait_status = message->ended.wait_status;
  self->main_peak_kib = message->ended.peak_kib;
  self->ended_us = message->time_us;
  self->evidence.was_alone = message->is_alone;
  supervisor_linger (self);
}

bool
supervisor_handle_init (struct supervisor *self)
{
  struct init_message message;
  int fds[N_INIT_DESCRIPTORS];

  if (!init_message_receive (self->sandbox.status, &message, fds))
    return false;
  if (message.kind == INIT_READY)
    {
      handle_ready (self, &message, fds);
      return true;
    }
  if (message.kind == INIT_CHANNEL && supervisor_is_between_cells (self))
    {
      if (!supervisor_take_channel (self, fds[0]))
        handle_fault (self, &(struct fault){ FAULT_STEP_HAND_OVER, EMFILE });
      return true;
    }
  init_message_drop (fds);
  if (message.kind == INIT_FAULT)
    handle_fault (self, &message.fault);
  else if (message.kind == INIT_STARTED)
    handle_started (self, &message);
  else if (message.kind == INIT_BEGUN)
    handle_begun (self, &message);
  else if (message.kind == INIT_ENDED)
    handle_ended (self, &message);
  return true;
}

static void
handle_stop (struct supervisor *self)
{
  static const char request = INIT_INTERRUPT;

  /* A program that has already ended was not stopped. And between two runs the frame is about the
   * last. */
  if (self->phase > PHASE_RUNNING || self->is_answered ||
      ((self->policy->kind != FH_POLICY_SINGLE || self->cell > 0) && !self->request->is_complete))
    return;
  if (self->is_lingering)
    {
      supervisor_kill (self);
      return;
    }
  verdict_decide (&self->verdict, FH_WIRE_STOPPED, FH_WIRE_CAUSE_NONE);
  self->stops++;
  if (self->phase != PHASE_RUNNING || self->stops > 1 || self->is_terminated)
    {
      supervisor_kill (self);
      return;
    }
  if (supervisor_is_kept (self))
    {
      supervisor_interrupt_cell (self, FH_WIRE_STOPPED, FH_WIRE_CAUSE_NONE);
      return;
    }
  self->grace_us = clock_now_us () + GRACE_US;
  send (self->sandbox.status, &request, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void
start_next (struct supervisor *self)
{
  const char *step = "files";
  int error = supervisor_write_files (self);

  self->timeout_us = clock_now_us () + PHASE_TIMEOUT_US;
  if (error == 0)
    {
      step = "start";
      error = supervisor_start_next (self);
    }
  if (error == 0)
    return;
  verdict_fault (&self->verdict, FH_WIRE_SETUP_FAILED, step, -error);
  supervisor_kill (self);
}

static void
handle_run (struct supervisor *self)
{
  if (self->policy->kind != FH_POLICY_SINGLE || supervisor_is_between_cells (self))
    supervisor_tell_guards (self);
  if (supervisor_is_between_cells (self) && !supervisor_is_kept (self))
    start_next (self);
  else if (supervisor_is_between_cells (self))
    supervisor_begin_program (self, clock_now_us ());
  else if (self->phase == PHASE_WAITING)
    supervisor_hand_over (self);
}

void
supervisor_set_waiting (struct supervisor *self, bool is_waiting)
{
  const uint64_t now = clock_now_us ();

  if (self->is_waiting == is_waiting)
    return;
  self->is_waiting = is_waiting;
  if (is_waiting)
    self->waits_since_us = now;
  else
    self->waited_us += now - self->waits_since_us;
  if (self->phase == PHASE_RUNNING)
    supervisor_pause (self);
  fh_waiting_encode (is_waiting, &self->control->pending);
}

/* It may have crossed the end of the cell. */
static void
handle_reply (struct supervisor *self, const struct fh_frame *frame)
{
  if (self->phase == PHASE_RUNNING && !self->is_answered)
    guest_channel_reply (&self->guest, frame->payload, frame->size);
}

void
supervisor_handle_backend (struct supervisor *self)
{
  struct fh_frame frame;
  int result;

  control_channel_receive (self->control);
  while ((result = control_channel_next (self->control, &frame)) > 0)
    {
      const bool was_complete = self->request->is_complete;

      if (frame.kind == FH_FRAME_STOP)
        handle_stop (self);
      else if (frame.kind == FH_FRAME_REPLY && supervisor_is_kept (self))
        handle_reply (self, &frame);
      else if (!request_take (self->request, &frame))
        result = -1;
      else if (!was_complete && self->request->is_complete)
        handle_run (self);
      else if (frame.kind == FH_FRAME_INPUT && self->phase == PHASE_RUNNING)
        supervisor_set_waiting (self, false);
      if (result < 0)
        break;
    }
  if (result < 0)
    {
      self->is_protocol_broken = true;
      self->control->closed = true;
    }
  if (self->control->closed)
    supervisor_end_by (self, FH_WIRE_STOPPED, FH_WIRE_CAUSE_NONE);
}
