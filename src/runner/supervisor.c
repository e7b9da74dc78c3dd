/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "supervisor.h"

#include "clock.h"
#include "guard-report.h"
#include "guest-channel.h"
#include "init-message.h"
#include "input-pump.h"
#include "output-pump.h"
#include "spawn.h"
#include "syscalls.h"
#include "usage-watch.h"
#include "verdict.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* After the first stop frame the program has this long to end by itself. */
#define GRACE_US        1000000
#define USAGE_PERIOD_US 100000
#define PIECES_AT_ONCE  4
#define NEVER           UINT64_MAX

enum phase
{
  PHASE_SETTING_UP,
  PHASE_RUNNING,
  PHASE_ENDING,
  PHASE_DRAINING,
  PHASE_FINISHED,
};

enum poll_slot
{
  POLL_STATUS,
  POLL_INIT,
  POLL_CONTROL,
  POLL_OUTPUT,
  POLL_INPUT = POLL_OUTPUT + 2,
  POLL_GUEST = POLL_INPUT + 2,
  N_POLL_SLOTS,
};

struct supervisor
{
  const struct fh_policy *policy;
  struct control_channel *control;
  struct spawned sandbox;
  struct output_pump output[2];
  struct input_pump input;
  struct guest_channel guest;
  struct usage_watch watch;
  struct verdict verdict;
  struct verdict_evidence evidence;
  struct rusage rusage; /* of everything that ran inside, as far as it was waited for */
  uint64_t setup_cpu_us;
  enum phase phase;
  bool is_protocol_broken;
  unsigned int stops;
  uint64_t started_us; /* 0 before */
  uint64_t ended_us;
  uint64_t deadline_us; /* wall clock */
  uint64_t grace_us;    /* the end of patience after a stop */
  uint64_t next_usage_us;
};

/* The kernel forgets what those used that it kills together with init: it is read before, unless
 * the main process, which init has waited for, was alone. */
static void
look_before_killing (struct supervisor *self)
{
  const bool was_alone = self->watch.threads_peak <= 1 && self->evidence.wait_status == 0;

  if (self->phase != PHASE_RUNNING || (self->evidence.is_known && was_alone))
    return;
  usage_watch_look_last (&self->watch);
  if (self->evidence.is_known)
    usage_watch_count_main (&self->watch);
}

static void
kill_sandbox (struct supervisor *self)
{
  if (self->phase > PHASE_RUNNING)
    return;
  look_before_killing (self);
  sys_pidfd_send_signal (self->sandbox.pidfd, SIGKILL);
  self->phase = PHASE_ENDING;
  if (self->ended_us == 0)
    self->ended_us = clock_now_us ();
  input_pump_close (&self->input);
}

static void
end_by (struct supervisor *self, enum fh_wire_status status, enum fh_wire_cause cause)
{
  verdict_decide (&self->verdict, status, cause);
  kill_sandbox (self);
}

static uint64_t
time_since_start (const struct supervisor *self)
{
  return self->started_us == 0 ? 0 : clock_now_us () - self->started_us;
}

static void
hear_ready (struct supervisor *self, const struct init_message *message, const int fds[2])
{
  self->setup_cpu_us = message->ready.cpu_us;
  usage_watch_begin (&self->watch, fds[0], fds[1], message->ready.cpu_us);
  guard_report_encode (self->policy, &message->ready, &self->control->pending);
  if (self->policy->flags & FH_POLICY_PROBE)
    {
      self->evidence.is_known = true;
      kill_sandbox (self);
    }
}

/* Also heard when the sandbox has just been killed: the program may have got as far as writing. */
static void
hear_started (struct supervisor *self, const struct init_message *message)
{
  if (self->phase == PHASE_SETTING_UP)
    self->phase = PHASE_RUNNING;
  self->evidence.was_started = true;
  self->started_us = message->time_us;
  self->next_usage_us = message->time_us + USAGE_PERIOD_US;
  if (self->policy->wall_ms > 0 && self->policy->wall_ms < NEVER / 2000)
    self->deadline_us = message->time_us + self->policy->wall_ms * 1000;
  fh_started_encode (&self->control->pending);
}

/* Init stays for a moment, so that what the main process left behind can still be counted. */
static void
hear_ended (struct supervisor *self, const struct init_message *message)
{
  self->evidence.is_known = true;
  self->evidence.wait_status = message->wait_status;
  self->ended_us = message->time_us;
  kill_sandbox (self);
}

static void
hear_fault (struct supervisor *self, const struct fault *fault)
{
  verdict_fault (&self->verdict,
                 fault->step == FAULT_STEP_EXEC ? FH_WIRE_NOT_STARTED : FH_WIRE_SETUP_FAILED,
                 fault_step_name (fault),
                 fault->error);
  kill_sandbox (self);
}

/* False when there is no more. */
static bool
hear_init (struct supervisor *self)
{
  struct init_message message;
  int fds[2];

  if (!init_message_receive (self->sandbox.status, &message, fds))
    return false;
  if (message.kind == INIT_FAULT)
    hear_fault (self, &message.fault);
  else if (message.kind == INIT_READY)
    hear_ready (self, &message, fds);
  else if (message.kind == INIT_STARTED)
    hear_started (self, &message);
  else if (message.kind == INIT_ENDED)
    hear_ended (self, &message);
  return true;
}

static void
hear_stop (struct supervisor *self)
{
  static const char request = INIT_INTERRUPT;

  /* A program that has already ended was not stopped. */
  if (self->phase > PHASE_RUNNING)
    return;
  verdict_decide (&self->verdict, FH_WIRE_STOPPED, FH_WIRE_CAUSE_NONE);
  self->stops++;
  if (self->phase != PHASE_RUNNING || self->stops > 1)
    {
      kill_sandbox (self);
      return;
    }
  self->grace_us = clock_now_us () + GRACE_US;
  send (self->sandbox.status, &request, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static void
hear_backend (struct supervisor *self)
{
  struct fh_frame frame;
  int result;

  control_channel_receive (self->control);
  while ((result = control_channel_next (self->control, &frame)) > 0)
    {
      if (frame.kind == FH_FRAME_STOP)
        hear_stop (self);
      else
        result = -1;
      if (result < 0)
        break;
    }
  if (result < 0)
    {
      self->is_protocol_broken = true;
      self->control->closed = true;
    }
  if (self->control->closed)
    end_by (self, FH_WIRE_STOPPED, FH_WIRE_CAUSE_NONE);
}

/* True when both streams were read until there was nothing more. */
static bool
move_output (struct supervisor *self)
{
  uint64_t time_us = time_since_start (self);
  bool is_empty = true;

  for (int i = 0; i < 2; i++)
    {
      bool moved = true;

      for (int j = 0; j < PIECES_AT_ONCE && moved; j++)
        moved = !control_channel_is_slow (self->control) &&
                output_pump_move (&self->output[i], self->control, time_us);
      if (moved || control_channel_is_slow (self->control))
        is_empty = false;
      if (self->output[i].over_limit)
        end_by (self, FH_WIRE_OUTPUT_LIMIT, FH_WIRE_CAUSE_NONE);
    }
  return is_empty;
}

static void
send_usage (struct supervisor *self, uint64_t now)
{
  struct fh_usage usage = {
    .wall_us = now - self->started_us,
    .cpu_us = self->watch.cpu.user_us + self->watch.cpu.system_us,
    .memory_bytes = self->watch.memory,
    .processes = self->watch.threads,
  };

  self->next_usage_us = now + USAGE_PERIOD_US;
  if (control_channel_has_room (self->control))
    fh_usage_encode (&usage, &self->control->pending);
}

static void
look (struct supervisor *self)
{
  switch (usage_watch_look (&self->watch))
    {
    case USAGE_OVER_MEMORY:
      end_by (self, FH_WIRE_MEMORY, FH_WIRE_CAUSE_CERTAIN);
      break;
    case USAGE_PERHAPS_OVER_MEMORY:
      end_by (self, FH_WIRE_MEMORY, FH_WIRE_CAUSE_LIKELY);
      break;
    case USAGE_OVER_CPU:
      end_by (self, FH_WIRE_TIMED_OUT, FH_WIRE_CAUSE_CPU);
      break;
    case USAGE_OVER_PROCESSES:
      end_by (self, FH_WIRE_PROCESS_LIMIT, FH_WIRE_CAUSE_NONE);
      break;
    case USAGE_WITHIN_LIMITS:
      break;
    }
}

static void
keep_limits (struct supervisor *self)
{
  uint64_t now = clock_now_us ();

  if (self->phase != PHASE_RUNNING)
    return;
  if (now >= self->deadline_us)
    end_by (self, FH_WIRE_TIMED_OUT, FH_WIRE_CAUSE_WALL);
  else if (now >= self->grace_us)
    kill_sandbox (self);
  if (self->phase == PHASE_RUNNING && now >= self->watch.next_us)
    look (self);
  if (self->phase == PHASE_RUNNING && now >= self->next_usage_us)
    send_usage (self, now);
}

/* Everything inside is dead now; what is left is in the pipes. */
static void
bury_init (struct supervisor *self)
{
  while (hear_init (self))
    continue;
  if (wait4 (self->sandbox.pid, NULL, __WALL, &self->rusage) < 0 && errno == EINTR)
    return;
  kill_sandbox (self);
  close (self->sandbox.pidfd);
  self->sandbox.pidfd = -1;
  self->phase = PHASE_DRAINING;
}

/* With all writers dead, empty pipes stay empty. Waiting for their end instead would be wrong: a
 * descriptor that the guest sent into a socket of its own can keep a pipe open for a while. */
static void
drain (struct supervisor *self)
{
  guest_channel_move (&self->guest, self->control);
  if (self->control->closed || move_output (self))
    self->phase = PHASE_FINISHED;
}

static void
prepare_poll (struct supervisor *self, struct pollfd fds[N_POLL_SLOTS])
{
  const bool may_read = !control_channel_is_slow (self->control);
  const bool is_alive = self->phase < PHASE_DRAINING;
  const short control_events =
      control_channel_pending (self->control) > 0 ? POLLIN | POLLOUT : POLLIN;

  fds[POLL_STATUS] =
      (struct pollfd){ .fd = is_alive ? self->sandbox.status : -1, .events = POLLIN };
  fds[POLL_INIT] = (struct pollfd){ .fd = self->sandbox.pidfd, .events = POLLIN };
  fds[POLL_CONTROL] = (struct pollfd){ .fd = self->control->closed ? -1 : self->control->fd,
                                       .events = control_events };
  for (int i = 0; i < 2; i++)
    fds[POLL_OUTPUT + i] =
        (struct pollfd){ .fd = may_read ? self->output[i].fd : -1, .events = POLLIN };
  input_pump_prepare (&self->input, &fds[POLL_INPUT]);
  guest_channel_prepare (&self->guest, &fds[POLL_GUEST]);
}

/* The times are of CLOCK_BOOTTIME, whereas ppoll counts without the time a computer sleeps; as it
 * never waits longer than until the next look at usage, that makes no difference. */
static void
wait_for_something (const struct supervisor *self, struct pollfd fds[N_POLL_SLOTS])
{
  const uint64_t times[] = { self->deadline_us,
                             self->grace_us,
                             self->watch.next_us,
                             self->next_usage_us };
  uint64_t now = clock_now_us ();
  uint64_t next = NEVER;
  struct timespec timeout = { 0 };

  for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
    {
      if (times[i] < next)
        next = times[i];
    }
  if (next > now)
    {
      timeout.tv_sec = (time_t) ((next - now) / 1000000);
      timeout.tv_nsec = (long) ((next - now) % 1000000) * 1000;
    }
  /* While draining only a backend that takes nothing is waited for. */
  ppoll (fds, N_POLL_SLOTS, next == NEVER || self->phase != PHASE_RUNNING ? NULL : &timeout, NULL);
}

/* Init's word comes first, so that a program that ended in time is not found to be late. */
static void
turn (struct supervisor *self)
{
  struct pollfd fds[N_POLL_SLOTS];

  prepare_poll (self, fds);
  wait_for_something (self, fds);
  if (fds[POLL_STATUS].revents)
    {
      while (hear_init (self))
        continue;
    }
  if (fds[POLL_CONTROL].revents)
    hear_backend (self);
  move_output (self);
  input_pump_move (&self->input, &fds[POLL_INPUT]);
  if (fds[POLL_GUEST].revents)
    guest_channel_move (&self->guest, self->control);
  keep_limits (self);
  if (fds[POLL_INIT].revents)
    bury_init (self);
  if (self->phase == PHASE_DRAINING)
    drain (self);
  control_channel_flush (self->control);
}

static uint64_t
larger (uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

static void
measure_end (struct supervisor *self, struct fh_finished *finished)
{
  uint64_t user = clock_timeval_us (&self->rusage.ru_utime);
  uint64_t system = clock_timeval_us (&self->rusage.ru_stime);
  uint64_t largest = (uint64_t) self->rusage.ru_maxrss * 1024;

  if (!self->evidence.was_started)
    return;
  finished->wall_us = self->ended_us > self->started_us ? self->ended_us - self->started_us : 0;
  system = system > self->setup_cpu_us ? system - self->setup_cpu_us : 0;
  finished->cpu_user_us = larger (user, self->watch.cpu.user_us);
  finished->cpu_system_us = larger (system, self->watch.cpu.system_us);
  finished->memory_peak = larger (largest, self->watch.memory_peak);
  finished->processes_peak = self->watch.threads_peak > 0 ? self->watch.threads_peak : 1;
  finished->stdout_bytes = self->output[0].total;
  finished->stderr_bytes = self->output[1].total;
}

static void
send_finished (struct supervisor *self)
{
  struct fh_finished finished = { .step = "" };

  measure_end (self, &finished);
  self->evidence.memory_peak = finished.memory_peak;
  self->evidence.says_out_of_memory = self->guest.is_out_of_memory;
  self->evidence.disk_is_full = usage_watch_disk_is_full (&self->watch);
  self->evidence.saw_process_limit = usage_watch_saw_process_limit (&self->watch);
  verdict_conclude (&self->verdict, &self->evidence, &finished);
  fh_finished_encode (&finished, &self->control->pending);
  control_channel_drain (self->control);
}

static void
send_refusal (struct control_channel *control, const char *step, int error)
{
  struct fh_finished finished = { .exit_code = -1, .signal = -1, .error = error, .step = step };

  finished.status = strcmp (step, "exec") == 0 ? FH_WIRE_NOT_STARTED : FH_WIRE_SETUP_FAILED;
  fh_finished_encode (&finished, &control->pending);
  control_channel_drain (control);
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
  input_pump_init (&self->input, STDIN_FILENO, self->sandbox.input);
  guest_channel_init (&self->guest,
                      self->sandbox.guest_channel,
                      policy->guest_message,
                      policy->guest_message_size);
  usage_watch_init (&self->watch, policy);
  self->evidence.policy = policy;
  self->deadline_us = self->grace_us = self->next_usage_us = NEVER;
}

bool
supervisor_run (struct control_channel *control,
                const struct fh_policy *policy,
                struct workspace *workspace)
{
  static struct supervisor self;
  static struct plan plan;
  const char *step;

  self = (struct supervisor){ .policy = policy, .control = control };
  step = plan_init (&plan, policy, workspace);
  if (step == NULL)
    step = spawn (&plan, &self.sandbox);
  workspace_clear (workspace);
  if (step != NULL)
    {
      send_refusal (control, step, errno);
      return true;
    }
  begin (&self);
  while (self.phase != PHASE_FINISHED)
    turn (&self);
  send_finished (&self);
  usage_watch_end (&self.watch);
  return !self.is_protocol_broken && !control->pending.failed;
}
