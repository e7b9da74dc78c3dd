/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "descriptor.h"
#include "supervisor-private.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* From the interruption of a cell to the end of everything, which begins with SIGTERM. */
#define CELL_GRACE_US 1800000

/* A run may wait for a person for so long, in all, without using up its time. */
#define LONGEST_WAIT_US 3600000000
/* An interpreter that exits closes its channel a moment before it is gone. */
#define SILENCE_US 1000000

bool
supervisor_is_kept (const struct supervisor *self)
{
  return self->policy->kind == FH_POLICY_KEPT;
}

bool
supervisor_is_between_cells (const struct supervisor *self)
{
  return self->cell > 0 && self->phase == PHASE_WAITING;
}

uint64_t
supervisor_run_time_us (const struct supervisor *self)
{
  return self->started_us == 0 ? 0 : clock_now_us () - self->started_us;
}

/* The list of files is shared with the child that sends them. A cell has no standard input, as that
 * is one pipe for all. */
bool
supervisor_keep (struct supervisor *self)
{
  guest_channel_keep (&self->guest);
  fh_clear_fd (&self->sandbox.input);
  if (!(self->policy->flags & FH_POLICY_COLLECT))
    return true;
  self->sent =
      mmap (NULL, sizeof *self->sent, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (self->sent == MAP_FAILED)
    self->sent = NULL;
  return self->sent != NULL;
}

/* Until all of it was sent, nothing that the guest says can be about this cell. */
void
supervisor_ask_cell (struct supervisor *self)
{
  self->cell++;
  guest_channel_begin_cell (&self->guest);
  self->is_asking = false;
  input_pump_init (&self->input,
                   &self->request->input,
                   self->guest.fd < 0 ? -1 : fcntl (self->guest.fd, F_DUPFD_CLOEXEC, 0));
  if (self->cell > 1)
    usage_watch_begin_again (&self->watch);
}

void
supervisor_note_asked (struct supervisor *self)
{
  if (supervisor_is_kept (self) && self->phase == PHASE_RUNNING && self->input.to < 0)
    self->guest.cell = self->cell;
}

void
supervisor_interrupt_cell (struct supervisor *self,
                           enum fh_wire_status status,
                           enum fh_wire_cause cause)
{
  if (self->phase != PHASE_RUNNING || self->is_answered || self->grace_us != NEVER)
    return;
  verdict_decide (&self->verdict, status, cause);
  self->deadline_us = self->left_us = NEVER;
  self->grace_us = clock_now_us () + CELL_GRACE_US;
  init_ask (self->sandbox.status, INIT_INTERRUPT);
}

static uint64_t
cpu_in_pause_us (const struct supervisor *self)
{
  const uint64_t now = usage_watch_cpu_us (&self->watch);

  return now > self->cpu_us ? now - self->cpu_us : 0;
}

bool
supervisor_is_late_in_pause (const struct supervisor *self)
{
  return self->left_us != NEVER && cpu_in_pause_us (self) >= self->left_us;
}

static bool
waits_for_person (const struct supervisor *self, uint64_t now)
{
  return self->is_waiting && self->policy->flags & FH_POLICY_TYPED_INPUT &&
         self->waited_us + (now - self->waits_since_us) < LONGEST_WAIT_US;
}

/* A program could call in one thread and compute in another for ever, or call again and again. The
 * caller can always stop it. A program that only pretends to wait for a person gains no CPU time,
 * and an hour at the most. */
void
supervisor_pause (struct supervisor *self)
{
  const uint64_t now = clock_now_us ();
  const bool is_paused = self->guest.is_calling || waits_for_person (self, now);

  if (is_paused && self->deadline_us != NEVER)
    {
      self->left_us = self->deadline_us > now ? self->deadline_us - now : 0;
      usage_watch_check_last (&self->watch);
      self->cpu_us = usage_watch_cpu_us (&self->watch);
      self->deadline_us = NEVER;
    }
  else if (!is_paused && self->left_us != NEVER)
    {
      uint64_t used;

      usage_watch_check_last (&self->watch);
      used = cpu_in_pause_us (self);
      self->deadline_us = now + (self->left_us > used ? self->left_us - used : 0);
      self->left_us = NEVER;
    }
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

static bool
has_all_output (const struct supervisor *self)
{
  for (int i = 0; i < 2; i++)
    {
      if (self->output[i].total < self->output_end[i] && output_pump_waiting (&self->output[i]) > 0)
        return false;
    }
  return true;
}

static void
renew_attempts (struct supervisor *self)
{
  struct attempt_list *list = &self->attempts;

  if (list->kept == NULL || (list->n == 0 && list->dropped == 0 && list->later->n == 0))
    return;
  attempt_list_clear (list);
  if (attempt_list_init (list))
    return;
  verdict_fault (&self->verdict, FH_WIRE_INTERNAL, "memory", ENOMEM);
  supervisor_kill (self);
}

static void
wait_for_cell (struct supervisor *self)
{
  input_pump_close (&self->input);
  /* The next program gets another one. */
  if (!supervisor_is_kept (self))
    guest_channel_close (&self->guest);
  request_begin_again (self->request);
  self->verdict = (struct verdict){ 0 };
  self->evidence = (struct verdict_evidence){ .policy = self->policy };
  self->started_us = self->ended_us = 0;
  self->deadline_us = self->left_us = NEVER;
  self->grace_us = self->next_usage_us = self->timeout_us = NEVER;
  self->stops = 0;
  self->is_answered = self->is_terminated = false;
  self->n_left = self->n_quiet = 0;
  self->main_peak_kib = 0;
  for (int i = 0; i < 2; i++)
    output_pump_init (&self->output[i],
                      self->output[i].fd,
                      (enum fh_wire_stream) self->output[i].stream,
                      self->policy->output_bytes);
  self->phase = PHASE_WAITING;
  usage_watch_begin_rest (&self->watch);
  renew_attempts (self);
}

static void
end_cell (struct supervisor *self)
{
  usage_watch_settle (&self->watch);
  usage_watch_check_last (&self->watch);
  dns_sink_move (&self->dns, &self->attempts, supervisor_run_time_us (self));
  proxy_process_receive (&self->proxy, &self->attempts, supervisor_run_time_us (self));
  self->evidence.is_known = true;
  supervisor_tell_end (self);
  wait_for_cell (self);
}

void
supervisor_watch_cell (struct supervisor *self)
{
  if (self->phase != PHASE_RUNNING || self->is_lingering ||
      !(supervisor_is_kept (self) || self->is_answered))
    return;
  if (self->guest.has_answered && !self->is_answered)
    supervisor_note_answer (self);
  if (!self->is_answered)
    supervisor_pause (self);
  if (self->is_answered)
    {
      if (has_all_output (self))
        end_cell (self);
      return;
    }
  if (self->guest.fd < 0 && self->silent_us == NEVER)
    self->silent_us = clock_now_us () + SILENCE_US;
  if (self->guest.is_broken || clock_now_us () >= self->silent_us)
    supervisor_end_by (self, FH_WIRE_VIOLATION, FH_WIRE_CAUSE_CHANNEL);
}
