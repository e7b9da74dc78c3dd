/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "clock.h"
#include "plan.h"
#include "result-files.h"
#include "supervisor-private.h"

#include <errno.h>

static void
measure_end (const struct supervisor *self,
             const struct cgroup_outcome *outcome,
             struct fh_finished *finished)
{
  struct rusage rusage = self->rusage;

  if (!self->evidence.was_started)
    return;
  /* The kernel's figure may be that of an earlier program. */
  if (self->policy->flags & FH_POLICY_STAYS)
    rusage.ru_maxrss = self->main_peak_kib;
  usage_watch_conclude (&self->watch, &rusage, outcome, finished);
  finished->wall_us = self->ended_us > self->started_us ? self->ended_us - self->started_us : 0;
  finished->stdout_bytes = self->output[0].total;
  finished->stderr_bytes = self->output[1].total;
  finished->n_left = self->n_left;
  finished->n_quiet = self->n_quiet;
  finished->stays = self->is_answered && self->request->stays && self->phase == PHASE_RUNNING;
}

/* The counters are those of all cells, and a peak that was there before is not this one's. */
static void
subtract_earlier_cells (struct supervisor *self, struct cgroup_outcome *outcome)
{
  const struct cgroup_outcome before = self->counted;

  self->counted = *outcome;
  outcome->process_refusals -= before.process_refusals;
  if (outcome->memory_peak <= before.memory_peak)
    outcome->memory_peak = 0;
  if (outcome->processes_peak <= before.processes_peak)
    outcome->processes_peak = 0;
}

static void
send_finished (struct supervisor *self)
{
  struct fh_finished finished = { .step = "" };
  struct cgroup_outcome outcome;

  if (self->request->is_inside)
    container_cgroup_conclude (&self->container, &outcome);
  else
    cgroup_conclude (&self->cgroup, &outcome);
  subtract_earlier_cells (self, &outcome);
  measure_end (self, &outcome, &finished);
  self->evidence.memory_is_counted = self->cgroup.limits_memory;
  self->evidence.was_over_memory = outcome.was_over_memory;
  self->evidence.memory_peak = finished.memory_peak;
  self->evidence.cpu_us = finished.cpu_user_us + finished.cpu_system_us;
  self->evidence.killed_itself = self->listener.scene.kills_itself;
  self->evidence.says_out_of_memory = self->guest.is_out_of_memory;
  /* A prepared interpreter may end before it is told what to run. A probe has none, and one that is
   * kept may end between two cells. */
  /* It may have ended before all of it was sent, of which the channel tells nothing then. */
  self->evidence.is_unread = self->guest.is_unread || self->guest.greeting_size > 0 ||
                             (!self->evidence.was_started && !supervisor_is_kept (self) &&
                              self->cell == 0 && !(self->policy->flags & FH_POLICY_PROBE));
  self->evidence.disk_is_full = usage_watch_disk_is_full (&self->watch);
  /* What was written since the last look. */
  if (!self->is_answered && self->disk.next_us != NEVER &&
      disk_watch_check (&self->disk, &self->watch.table))
    verdict_decide (&self->verdict, FH_WIRE_DISK_LIMIT, FH_WIRE_CAUSE_NONE);
  self->evidence.was_refused_process = outcome.process_refusals > 0;
  self->evidence.may_lack_processes =
      !self->cgroup.limits_processes && usage_watch_saw_process_limit (&self->watch);
  verdict_conclude (&self->verdict, &self->evidence, &finished);
  supervisor_add_limits (self, &finished);
  attempt_outside_settle (&self->attempts, self->policy);
  attempt_list_conclude (&self->attempts, self->control);
  /* As soon as it knows the result, the backend removes the folder around it or hands the user's
   * back, and may then exit. */
  if (self->policy->tier == FH_WIRE_TIER_PORTAL && !self->is_answered)
    plan_clear (self->plan);
  if (!self->is_answered)
    supervisor_clear_workspace (self);
  fh_finished_encode (&finished, &self->control->pending);
  control_channel_drain (self->control);
}

static int
send_files (struct supervisor *self, int workspace, int tmp)
{
  const struct timespec *since = self->shared_workspace >= 0 ? &self->since : NULL;
  const struct result_folders folders = { .workspace = workspace,
                                          .tmp = tmp,
                                          .below = self->plan->project };

  return result_files_send (self->control, &folders, self->request, since, self->sent) ? 0
                                                                                       : -EPROTO;
}

/* The files belong to the guest's own user id, if it has one, which no process has any more. */
static int
send_found_files (void *data)
{
  struct supervisor *self = data;

  return send_files (self, self->inside[INIT_WORKSPACE], self->inside[INIT_TMP]);
}

/* A program that is not known to be dead could still be writing, and two stops mean that the user
 * does not want to wait: collect nothing then. Of a cell that has answered, what is there now. */
static void
send_result_files (struct supervisor *self)
{
  const bool is_dead = self->sandbox.pidfd < 0 && !self->has_survivors;
  int result = -EPERM;

  if (!(self->policy->flags & FH_POLICY_COLLECT) || !self->evidence.was_started ||
      self->control->closed)
    return;
  if ((is_dead || self->is_answered) && self->stops < 2)
    result = self->sandbox.users < 0
                 ? send_found_files (self)
                 : guest_user_call (self->sandbox.users, send_found_files, self);
  if (result == -EPERM)
    result = send_files (self, -1, -1);
  if (result < 0)
    self->is_protocol_broken = true;
}

/* A run that was never asked for has no end. */
void
supervisor_tell_end (struct supervisor *self)
{
  if (self->warm != NULL && !self->request->is_complete)
    return;
  send_result_files (self);
  send_finished (self);
}
