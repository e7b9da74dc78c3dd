/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bubblewrap.h"
#include "clock.h"
#include "descriptor.h"
#include "guest-folder.h"
#include "landlock.h"
#include "plan.h"
#include "setup.h"
#include "supervisor-private.h"
#include "syscalls.h"
#include "wire-proxy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Time to end by itself after the first stop frame; then it gets SIGTERM. */
#define GRACE_US 800000

enum poll_slot
{
  POLL_STATUS,
  POLL_INIT,
  POLL_CONTROL,
  POLL_CONTROL_OUT,
  POLL_OUTPUT,
  POLL_INPUT = POLL_OUTPUT + 2,
  POLL_GUEST,
  POLL_DNS,
  POLL_PROXY,
  POLL_LISTENER,
  N_POLL_SLOTS,
};

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

/* Tells the guards of a forked run, as soon as it is ready and the backend has asked for it. */
static void
tell_guards_if_asked (struct supervisor *self)
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
    tell_guards_if_asked (self);
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
  /* The interpreter failed while it waited for this: what it wrote says why. A forked run that
   * ended before it was asked for does not count as begun: its files may have come already, and the
   * next run would start without them. */
  if (self->phase == PHASE_WAITING &&
      (self->policy->kind == FH_POLICY_SINGLE || self->request->is_complete))
    {
      supervisor_begin_program (self, message->time_us);
      /* What it was to run had not come, so that it has not read it. */
      if (!self->request->is_complete)
        self->guest.is_unread = true;
    }
  self->evidence.is_known = true;
  self->evidence.wait_status = message->ended.wait_status;
  self->main_peak_kib = message->ended.peak_kib;
  self->ended_us = message->time_us;
  self->evidence.was_alone = message->is_alone;
  supervisor_linger (self);
}

/* Handles one message of init; false if there is none. */
static bool
handle_init (struct supervisor *self)
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
  init_ask (self->sandbox.status, INIT_INTERRUPT);
}

static void
handle_run (struct supervisor *self)
{
  if (self->policy->kind != FH_POLICY_SINGLE || supervisor_is_between_cells (self))
    tell_guards_if_asked (self);
  if (supervisor_is_between_cells (self) && !supervisor_is_kept (self))
    supervisor_start_next (self);
  else if (supervisor_is_between_cells (self))
    supervisor_begin_program (self, clock_now_us ());
  else if (self->phase == PHASE_WAITING)
    supervisor_hand_over (self);
}

/* It may have crossed the end of the cell. */
static void
handle_reply (struct supervisor *self, const struct fh_frame *frame)
{
  if (self->phase == PHASE_RUNNING && !self->is_answered)
    guest_channel_reply (&self->guest, frame->payload, frame->size);
}

/* Handles all that the backend has sent. */
static void
handle_backend (struct supervisor *self)
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

#define PIECES_AT_ONCE 4
#define CALLS_AT_ONCE  64
#define NEWS_US        2000
/* Between two looks whether the program waits for input. */
#define WAIT_PERIOD_US 200000

/* The program may have written before process 1 has told of its start. To the backend, output of a
 * run that has not begun is that of another one. */
static bool
has_output (const struct supervisor *self)
{
  return self->request->is_complete && self->evidence.was_started;
}

/* Reads a line to its end before the other stream, whose bytes may have come after it: many
 * programs write a message to standard error in parts. True if both streams were read until they
 * were empty. */
static bool
move_output (struct supervisor *self)
{
  const uint64_t now_us = supervisor_run_time_us (self);
  const int first = self->output[1].is_in_line && !self->output[0].is_in_line;
  bool is_empty = true;

  if (!has_output (self))
    return true;
  for (int k = 0; k < 2; k++)
    {
      const int i = first ^ k;
      bool moved = true;

      for (int j = 0; j < PIECES_AT_ONCE && moved; j++)
        moved = !control_channel_is_slow (self->control) &&
                output_pump_move (&self->output[i], self->control, now_us);
      if (moved || control_channel_is_slow (self->control))
        is_empty = false;
      if (self->output[i].over_limit)
        supervisor_end_by (self, FH_WIRE_OUTPUT_LIMIT, FH_WIRE_CAUSE_NONE);
    }
  return is_empty;
}

static void
send_usage (struct supervisor *self, uint64_t now)
{
  struct fh_usage usage = {
    .wall_us = now - self->started_us,
    .cpu_us = usage_watch_cpu_us (&self->watch),
    .memory_bytes = self->watch.memory,
    .processes = self->watch.threads,
  };

  self->next_usage_us = now + USAGE_PERIOD_US;
  if (control_channel_has_room (self->control))
    fh_usage_encode (&usage, &self->control->pending);
}

/* Together with the usage, but not as often. */
static void
watch_input (struct supervisor *self, uint64_t now)
{
  bool is_waiting;

  if (self->phase != PHASE_RUNNING || now < self->next_wait_us || !self->request->input.is_open)
    return;
  self->next_wait_us = now + WAIT_PERIOD_US;
  is_waiting = input_pump_is_dry (&self->input) &&
               input_wait_is_there (&self->watch.table, self->input.to, self->sandbox.users);
  /* A program writes its question before it waits, but maybe after the last look at its output. */
  if (is_waiting)
    move_output (self);
  supervisor_set_waiting (self, is_waiting);
  /* A wait can have become too long meanwhile. */
  supervisor_pause (self);
}

static bool
is_limited (const struct supervisor *self)
{
  return self->phase == PHASE_RUNNING || supervisor_is_between_cells (self);
}

static void
keep_limits (struct supervisor *self)
{
  const uint64_t now = clock_now_us ();
  const bool is_late = now >= self->deadline_us || supervisor_is_late_in_pause (self);

  if (!is_limited (self))
    return;
  if (is_late && supervisor_is_kept (self))
    supervisor_interrupt_cell (self, FH_WIRE_TIMED_OUT, FH_WIRE_CAUSE_WALL);
  else if (is_late)
    {
      verdict_decide (&self->verdict, FH_WIRE_TIMED_OUT, FH_WIRE_CAUSE_WALL);
      supervisor_terminate (self);
    }
  else if (now >= self->grace_us && self->is_lingering)
    supervisor_end_program (self);
  else if (now >= self->grace_us && self->is_terminated)
    supervisor_kill (self);
  else if (now >= self->grace_us)
    supervisor_terminate (self);
  if (is_limited (self) && now >= self->watch.next_us)
    {
      supervisor_check_usage (self);
      watch_input (self, now);
    }
  if (is_limited (self) && now >= self->disk.next_us &&
      disk_watch_check (&self->disk, &self->watch.table))
    supervisor_end_by (self, FH_WIRE_DISK_LIMIT, FH_WIRE_CAUSE_NONE);
  if (self->phase == PHASE_RUNNING && now >= self->next_usage_us)
    send_usage (self, now);
}

static void
check_timeouts (struct supervisor *self)
{
  if (clock_now_us () < self->timeout_us)
    return;
  if (self->phase <= PHASE_WAITING)
    supervisor_fail (self, "timeout", ETIMEDOUT);
  else if (self->phase == PHASE_ENDING)
    {
      sandbox_kill_anyhow (&self->sandbox);
      self->phase = PHASE_DRAINING;
    }
}

/* Everything inside is dead now; the pipes may still have data. */
static void
reap_init (struct supervisor *self)
{
  while (handle_init (self))
    continue;
  dns_sink_move (&self->dns, &self->attempts, supervisor_run_time_us (self));
  if (self->warm != NULL)
    warm_interpreter_reap (self->warm, &self->rusage);
  else if (wait4 (self->sandbox.pid, NULL, __WALL, &self->rusage) < 0 && errno == EINTR)
    return;
  if (self->phase == PHASE_SETTING_UP && self->sandbox.stage >= 0)
    supervisor_fail (self, "bubblewrap", bubblewrap_error (self->sandbox.errors));
  else
    supervisor_kill (self);
  self->has_survivors = !sandbox_reap (&self->sandbox);
  fh_clear_fd (&self->sandbox.pidfd);
  dns_sink_close (&self->dns);
  seccomp_listener_close (&self->listener);
  proxy_process_end (&self->proxy, &self->attempts, supervisor_run_time_us (self));
  self->phase = PHASE_DRAINING;
}

/* With all writers dead, empty pipes stay empty. Waiting for end of file would be wrong: a
 * descriptor that the guest sent into its own socket can keep a pipe open for a while. */
static void
drain (struct supervisor *self)
{
  guest_channel_move (&self->guest, self->control);
  if (self->control->closed || move_output (self))
    self->phase = PHASE_FINISHED;
}

/* What a guest says between cells waits for the next; and a cell's message and replies to the one
 * before go one after the other. */
static void
prepare_cell (struct supervisor *self, struct pollfd fds[N_POLL_SLOTS])
{
  const bool is_slow = control_channel_is_slow (self->control);

  if (!self->is_asking && !guest_channel_has_replies (&self->guest))
    self->is_asking = true;
  if (!self->is_asking)
    fds[POLL_INPUT].fd = -1;
  if (self->phase == PHASE_WAITING || self->is_answered ||
      (self->phase == PHASE_RUNNING && is_slow))
    fds[POLL_GUEST].fd = -1;
}

static void
prepare_poll (struct supervisor *self, struct pollfd fds[N_POLL_SLOTS])
{
  const bool may_read =
      has_output (self) && self->phase != PHASE_ENDING && !control_channel_is_slow (self->control);
  const bool is_alive = self->phase < PHASE_DRAINING;
  const bool listens = is_alive && !self->has_hung_up;
  const bool is_heard = !self->control->closed;
  const bool has_words = is_heard && control_channel_pending (self->control) > 0;

  fds[POLL_STATUS] = (struct pollfd){ .fd = listens ? self->sandbox.status : -1, .events = POLLIN };
  fds[POLL_INIT] = (struct pollfd){ .fd = is_alive ? self->sandbox.pidfd : -1, .events = POLLIN };
  fds[POLL_CONTROL] = (struct pollfd){ .fd = is_heard ? self->control->in : -1, .events = POLLIN };
  fds[POLL_CONTROL_OUT] =
      (struct pollfd){ .fd = has_words ? self->control->out : -1, .events = POLLOUT };
  for (int i = 0; i < 2; i++)
    fds[POLL_OUTPUT + i] =
        (struct pollfd){ .fd = may_read ? self->output[i].fd : -1, .events = POLLIN };
  input_pump_prepare (&self->input, &fds[POLL_INPUT]);
  guest_channel_prepare (&self->guest, &fds[POLL_GUEST]);
  if (supervisor_is_kept (self))
    prepare_cell (self, fds);
  dns_sink_prepare (&self->dns, &fds[POLL_DNS]);
  seccomp_listener_prepare (&self->listener, is_alive, &fds[POLL_LISTENER]);
  proxy_process_prepare (&self->proxy, &fds[POLL_PROXY]);
}

/* While running, that is no later than the next check of usage. While draining, only a backend that
 * takes nothing causes a wait. */
static uint64_t
time_to_wake (const struct supervisor *self)
{
  const uint64_t times[] = { self->deadline_us,        self->grace_us,      self->watch.next_us,
                             self->disk.next_us,       self->next_usage_us, self->attempts.next_us,
                             self->dns.rests_until_us, self->silent_us };
  uint64_t first = self->phase < PHASE_DRAINING ? self->timeout_us : NEVER;

  for (size_t i = 0; i < sizeof times / sizeof times[0] && is_limited (self); i++)
    {
      if (times[i] < first)
        first = times[i];
    }
  return first;
}

/* True if a call waits for its answer, and nothing else happened or is due. */
static bool
only_a_call_waits (const struct pollfd fds[N_POLL_SLOTS], uint64_t wake)
{
  for (int i = 0; i < N_POLL_SLOTS; i++)
    {
      if ((i == POLL_LISTENER) != (fds[i].revents == POLLIN))
        return false;
    }
  return clock_now_us () < wake;
}

/* Waits until something happens. Answers calls meanwhile, as a program makes many and waits for
 * each; but only while nothing else is pending, and news are sent soon. */
static void
wait_for_events (struct supervisor *self, struct pollfd fds[N_POLL_SLOTS])
{
  uint64_t wake = time_to_wake (self);
  bool has_news = false;

  prepare_poll (self, fds);
  clock_poll_until (fds, N_POLL_SLOTS, wake);
  for (int i = 0; i < CALLS_AT_ONCE && only_a_call_waits (fds, wake); i++)
    {
      seccomp_listener_serve (&self->listener, fds[POLL_LISTENER].revents, self->started_us);
      if (!has_news && attempt_list_is_news (&self->attempts))
        {
          const uint64_t soon = clock_now_us () + NEWS_US;

          has_news = true;
          wake = soon < wake ? soon : wake;
        }
      clock_poll_until (fds, N_POLL_SLOTS, wake);
    }
}

/* Init's messages come first, so that a program that ended in time does not count as late. */
static void
turn (struct supervisor *self)
{
  struct pollfd fds[N_POLL_SLOTS];

  wait_for_events (self, fds);
  if (fds[POLL_STATUS].revents)
    {
      while (handle_init (self))
        continue;
      /* A closed socket would be reported again each turn. */
      self->has_hung_up = fds[POLL_STATUS].revents & POLLHUP;
    }
  if (fds[POLL_CONTROL].revents)
    handle_backend (self);
  /* A program that is being killed could go on writing for as long as it is read. */
  if (self->phase != PHASE_ENDING)
    move_output (self);
  if (!supervisor_is_kept (self) || self->is_asking)
    input_pump_move (&self->input, &fds[POLL_INPUT]);
  supervisor_note_asked (self);
  if (fds[POLL_GUEST].revents)
    guest_channel_move (&self->guest, self->control);
  if (fds[POLL_DNS].revents || self->dns.rests_until_us != NEVER)
    dns_sink_move (&self->dns, &self->attempts, supervisor_run_time_us (self));
  if (fds[POLL_LISTENER].revents)
    seccomp_listener_serve (&self->listener, fds[POLL_LISTENER].revents, self->started_us);
  if (fds[POLL_PROXY].revents)
    proxy_process_receive (&self->proxy, &self->attempts, supervisor_run_time_us (self));
  supervisor_watch_cell (self);
  supervisor_watch_left (self);
  keep_limits (self);
  check_timeouts (self);
  if (fds[POLL_INIT].revents)
    reap_init (self);
  if (self->phase == PHASE_DRAINING)
    drain (self);
  if (self->request->is_complete)
    attempt_list_send (&self->attempts, self->control);
  control_channel_flush (self->control);
  /* That the backend has gone may be seen first by writing; then it is no longer listened to. */
  if (self->control->closed)
    supervisor_end_by (self, FH_WIRE_STOPPED, FH_WIRE_CAUSE_NONE);
}

/* After an end like this the next run might not find everything as the first did. */
static bool
is_doubtful (const struct supervisor *self)
{
  return self->sandbox.pidfd >= 0 || self->has_survivors || !self->evidence.was_started ||
         self->evidence.is_unread || guest_folder_holds_copies () ||
         self->verdict.status == FH_WIRE_INTERNAL;
}

/* The answer to a request whose sandbox cannot be built: the step that failed, and errno. */
static void
refuse (struct control_channel *control, const char *step, int error)
{
  struct fh_finished finished = { .exit_code = -1, .signal = -1, .error = error, .step = step };

  finished.status = strcmp (step, "exec") == 0 ? FH_WIRE_NOT_STARTED : FH_WIRE_SETUP_FAILED;
  fh_finished_encode (&finished, &control->pending);
  control_channel_drain (control);
}

bool
supervisor_run (struct control_channel *control,
                struct request *request,
                struct warm_interpreter *warm)
{
  static struct supervisor self;
  const char *step;

  self = (struct supervisor){
    .policy = request->policy,
    .control = control,
    .request = request,
    .warm = warm,
    .is_prepared = !request->is_complete,
  };
  supervisor_enter (&self);
  step = supervisor_start (&self);
  if (step != NULL)
    {
      const int error = errno;

      if (self.plan != NULL && warm == NULL)
        plan_clear (self.plan);
      if (warm == NULL)
        refuse (control, step, error);
      attempt_list_clear (&self.attempts);
      supervisor_leave (&self);
      return true;
    }
  /* More frames may have been read together with the last one. */
  handle_backend (&self);
  while (self.phase != PHASE_FINISHED)
    turn (&self);
  dns_sink_close (&self.dns);
  proxy_process_end (&self.proxy, &self.attempts, supervisor_run_time_us (&self));
  supervisor_tell_end (&self);
  if (warm == NULL)
    plan_clear (self.plan);
  else
    {
      warm->is_doubtful = warm->is_doubtful || is_doubtful (&self);
      warm_interpreter_judge_network (warm,
                                      self.listener.is_heard,
                                      self.listener.has_let_sockets_through);
    }
  usage_watch_end (&self.watch);
  attempt_list_clear (&self.attempts);
  close (self.sandbox.status);
  fh_clear_fd (&self.inside[INIT_ROOT]);
  supervisor_leave (&self);
  return !self.is_protocol_broken && !control->pending.failed;
}

/* A run's own state is that of supervisor_run, which begins with nothing; what it left open is
 * closed here, whatever it is. */
static bool
serve_all (struct control_channel *control, struct request *request, struct warm_interpreter *warm)
{
  const unsigned int first = (unsigned int) warm_interpreter_last_descriptor (warm) + 1;
  bool is_good = true;

  while (is_good && !control->closed && warm_interpreter_is_good (warm))
    {
      is_good = supervisor_run (control, request, warm);
      request_begin_again (request);
      if (close_range (first, ~0U, 0) < 0)
        warm->is_doubtful = true;
    }
  return is_good;
}

bool
forked_runs_serve (struct control_channel *control, struct request *request)
{
  static struct warm_interpreter warm;
  static struct cgroup cgroup;
  static struct plan plan;
  const char *step;
  bool is_good = true;

  cgroup_open (&cgroup, request->policy);
  step = plan_init (&plan, request->policy, &request->workspace, &cgroup);
  if (step == NULL)
    step = warm_interpreter_start (&warm, &plan);
  if (step != NULL)
    refuse (control, step, errno);
  else
    {
      is_good = serve_all (control, request, &warm);
      warm_interpreter_end (&warm);
    }
  plan_clear (&plan);
  cgroup_close (&cgroup);
  if (is_good && !control->closed)
    {
      fh_frame_put (&control->pending, FH_FRAME_RETIRED, NULL, 0);
      control_channel_drain (control);
    }
  return is_good;
}
