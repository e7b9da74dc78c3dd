/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "clock.h"
#include "descriptor.h"
#include "init-message.h"
#include "open-below.h"
#include "plan.h"
#include "process-tree.h"
#include "result-files.h"
#include "supervisor-private.h"
#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* At most so many files are looked at, to see whether they may be read. */
#define FEW_FILES 16

static int
open_proc (void)
{
  return open ("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Init comes last, because it knows its own children, whose ids cannot have been reused. */
void
sandbox_kill_anyhow (const struct spawned *sandbox)
{
  fh_autofd int proc = sandbox->is_shared && !sandbox->is_first ? open_proc () : -1;

  /* One signal to all processes, so that none can fork meanwhile or be too many to be found. */
  if (sandbox->is_first)
    kill (-1, SIGKILL);
  if (proc >= 0)
    process_tree_kill (proc, getpid (), sandbox->pid);
  if (sandbox->stage < 0 || sys_pidfd_send_signal (sandbox->stage, SIGKILL) < 0)
    sys_pidfd_send_signal (sandbox->pidfd, SIGKILL);
}

/* Kills all of a sandbox. With a pid namespace one signal to its first process does it. Without,
 * init is asked if it can (see landlock_scope); otherwise all descendants of this process are found
 * and killed. Orphans are adopted by init or, if that is dead, by this process. The first process
 * of a container sends one signal to all. Takes two seconds at most; the sandbox is dead when init
 * has been reaped and sandbox_reap has returned true. */
static void
sandbox_kill (const struct spawned *sandbox)
{
  if (!sandbox->has_scope || sandbox->is_first || !init_ask (sandbox->status, INIT_KILL))
    sandbox_kill_anyhow (sandbox);
}

bool
sandbox_reap (struct spawned *sandbox)
{
  fh_autofd int proc = -1;

  fh_clear_fd (&sandbox->stage);
  fh_clear_fd (&sandbox->errors);
  if (!sandbox->is_shared)
    return true;
  proc = open_proc ();
  return proc >= 0 && process_tree_end (proc);
}

/* What a program needs to write its last words; it is long for those who wait for an end. */
#define LAST_WORDS_US 200000
/* Before another run, what will end by itself is not told as left behind: helpers of an interpreter
 * end when it does, but not at once. */
#define LAST_STEPS_US 50000

/* The kernel does not report what processes used that it kills with init: read it first, unless
 * init has reaped all of them. */
static void
measure_before_killing (struct supervisor *self)
{
  if (self->phase != PHASE_RUNNING || (self->evidence.is_known && self->evidence.was_alone))
    return;
  usage_watch_check_last (&self->watch);
  if (self->evidence.is_known)
    usage_watch_count_main (&self->watch);
}

/* Whether anything inside has standard output or standard error open. */
static bool
has_writers (const struct supervisor *self)
{
  struct pollfd fds[2] = { { .fd = self->output[0].fd }, { .fd = self->output[1].fd } };

  clock_poll_until (fds, 2, 0);
  for (int i = 0; i < 2; i++)
    {
      if (fds[i].fd >= 0 && !(fds[i].revents & POLLHUP))
        return true;
    }
  return false;
}

/* Bytes in the pipes by now are the cell's; bytes that processes write which it left behind belong
 * to the next. */
void
supervisor_note_answer (struct supervisor *self)
{
  self->is_answered = true;
  if (self->ended_us == 0)
    self->ended_us = clock_now_us ();
  self->deadline_us = self->left_us = self->grace_us = NEVER;
  for (int i = 0; i < 2; i++)
    self->output_end[i] = self->output[i].total + output_pump_waiting (&self->output[i]);
}

/* Whatever else has happened to a program is a reason to end all that it has left. */
static bool
may_stay (const struct supervisor *self)
{
  return self->request->stays && self->phase == PHASE_RUNNING && !self->verdict.is_decided &&
         self->evidence.is_known && self->evidence.wait_status == 0;
}

void
supervisor_end_program (struct supervisor *self)
{
  if (!may_stay (self))
    {
      supervisor_kill (self);
      return;
    }
  self->is_lingering = false;
  if (!self->evidence.was_alone)
    self->n_quiet = process_table_count (&self->watch.table);
  supervisor_note_answer (self);
}

/* Shells do not wait for “> >(tee log)”, so its last lines come after the shell's end. All limits
 * but that of time go on. */
void
supervisor_linger (struct supervisor *self)
{
  const bool may_speak = has_writers (self);
  const uint64_t end = clock_now_us () + (may_speak ? LAST_WORDS_US : LAST_STEPS_US);

  if (self->evidence.was_alone || self->phase != PHASE_RUNNING ||
      (!may_speak && !self->request->hands_on))
    {
      supervisor_end_program (self);
      return;
    }
  measure_before_killing (self);
  self->is_lingering = true;
  self->deadline_us = self->left_us = NEVER;
  self->grace_us = end < self->grace_us ? end : self->grace_us;
}

void
supervisor_watch_left (struct supervisor *self)
{
  const uint64_t end = clock_now_us () + LAST_STEPS_US;

  if (!self->is_lingering || has_writers (self))
    return;
  if (!self->request->hands_on)
    supervisor_kill (self);
  else if (end < self->grace_us)
    self->grace_us = end;
}

void
supervisor_terminate (struct supervisor *self)
{
  self->is_terminated = true;
  self->deadline_us = self->left_us = NEVER;
  self->grace_us = clock_now_us () + LAST_WORDS_US;
  init_ask (self->sandbox.status, INIT_TERMINATE);
}

/* Counts what a program that has ended by itself has left running. */
static void
count_left (struct supervisor *self)
{
  if (!self->evidence.is_known || self->evidence.was_alone || self->verdict.is_decided)
    return;
  if (self->is_lingering && has_writers (self))
    self->n_left = process_table_count (&self->watch.table);
  else
    self->n_quiet = process_table_count (&self->watch.table);
}

void
supervisor_kill (struct supervisor *self)
{
  if (self->phase > PHASE_RUNNING)
    return;
  usage_watch_settle (&self->watch);
  /* The main process was measured when it ended. */
  if (self->is_lingering)
    usage_watch_check_last (&self->watch);
  else
    measure_before_killing (self);
  count_left (self);
  /* All at once if possible, so that none can fork meanwhile. */
  cgroup_kill (&self->cgroup);
  sandbox_kill (&self->sandbox);
  self->phase = PHASE_ENDING;
  self->timeout_us = clock_now_us () + PHASE_TIMEOUT_US;
  if (self->ended_us == 0)
    self->ended_us = clock_now_us ();
  input_pump_close (&self->input);
  supervisor_set_waiting (self, false);
}

void
supervisor_fail (struct supervisor *self, const char *step, int error)
{
  verdict_fault (&self->verdict, FH_WIRE_SETUP_FAILED, step, error);
  supervisor_kill (self);
}

void
supervisor_end_by (struct supervisor *self, enum fh_wire_status status, enum fh_wire_cause cause)
{
  verdict_decide (&self->verdict, status, cause);
  supervisor_kill (self);
}

void
supervisor_check_usage (struct supervisor *self)
{
  static const struct
  {
    enum fh_wire_status status;
    enum fh_wire_cause cause;
  } verdicts[] = {
    [USAGE_OVER_MEMORY] = { FH_WIRE_MEMORY, FH_WIRE_CAUSE_CERTAIN },
    [USAGE_PERHAPS_OVER_MEMORY] = { FH_WIRE_MEMORY, FH_WIRE_CAUSE_LIKELY },
    [USAGE_UNSEEN] = { FH_WIRE_MEMORY, FH_WIRE_CAUSE_UNSEEN },
    [USAGE_OVER_DISK] = { FH_WIRE_DISK_LIMIT, FH_WIRE_CAUSE_NONE },
    [USAGE_OVER_SOCKETS] = { FH_WIRE_MEMORY, FH_WIRE_CAUSE_SOCKETS },
    [USAGE_OVER_LOCKS] = { FH_WIRE_MEMORY, FH_WIRE_CAUSE_LOCKS },
    [USAGE_OVER_DESCRIPTORS] = { FH_WIRE_MEMORY, FH_WIRE_CAUSE_DESCRIPTORS },
    [USAGE_OVER_PIPES] = { FH_WIRE_MEMORY, FH_WIRE_CAUSE_PIPES },
    [USAGE_OVER_OPEN] = { FH_WIRE_MEMORY, FH_WIRE_CAUSE_OPEN },
    [USAGE_OVER_CPU] = { FH_WIRE_TIMED_OUT, FH_WIRE_CAUSE_CPU },
    [USAGE_OVER_PROCESSES] = { FH_WIRE_PROCESS_LIMIT, FH_WIRE_CAUSE_NONE },
  };
  enum usage_verdict verdict = usage_watch_check (&self->watch);

  if (supervisor_is_between_cells (self))
    usage_watch_rest (&self->watch);
  if (self->request->is_inside && container_cgroup_was_over_memory (&self->container))
    verdict = USAGE_OVER_MEMORY;
  /* Between two cells nothing is there to be interrupted: what the last one left behind runs. */
  if (verdict == USAGE_OVER_CPU && supervisor_is_kept (self) && self->phase == PHASE_RUNNING)
    supervisor_interrupt_cell (self, FH_WIRE_TIMED_OUT, FH_WIRE_CAUSE_CPU);
  else if (verdict != USAGE_WITHIN_LIMITS)
    supervisor_end_by (self, verdicts[verdict].status, verdicts[verdict].cause);
}

/* Whether the limit of a guard is what the end is about. */
static bool
is_the_end (enum fh_wire_guard guard, const struct fh_finished *finished)
{
  static const uint8_t statuses[FH_WIRE_N_GUARDS] = {
    [FH_WIRE_GUARD_PROCESSES] = FH_WIRE_PROCESS_LIMIT, [FH_WIRE_GUARD_MEMORY] = FH_WIRE_MEMORY,
    [FH_WIRE_GUARD_TIME] = FH_WIRE_TIMED_OUT,          [FH_WIRE_GUARD_DISK] = FH_WIRE_DISK_LIMIT,
    [FH_WIRE_GUARD_OUTPUT] = FH_WIRE_OUTPUT_LIMIT,
  };

  return statuses[guard] == finished->status;
}

/* `operation` says what the program did when it met the limit. */
static void
add (struct supervisor *self,
     const struct fh_finished *finished,
     enum fh_wire_guard guard,
     const char *layer,
     const char *operation,
     const char *object,
     int error)
{
  const struct fh_attempt attempt = {
    .guard = (uint8_t) guard,
    .verdict = FH_WIRE_LIMITED,
    .flags = is_the_end (guard, finished) ? FH_ATTEMPT_ENDED_RUN : 0,
    .error = error,
    .time_us = self->ended_us > self->started_us ? self->ended_us - self->started_us : 0,
    .layer = layer,
    .operation = operation,
    .object = object,
    .command = "",
  };

  attempt_list_add (&self->attempts, &attempt);
}

static void
add_disk (struct supervisor *self, const struct fh_finished *finished)
{
  if (self->evidence.disk_is_full)
    add (self, finished, FH_WIRE_GUARD_DISK, "tmpfs", "write", "", ENOSPC);
  else if (finished->status == FH_WIRE_DISK_LIMIT && finished->cause != FH_WIRE_CAUSE_LIKELY)
    add (self, finished, FH_WIRE_GUARD_DISK, "supervisor", "write", "", 0);
}

/* Only a control group counts the processes that it refuses, and the supervisor knows of those that
 * it ends: what may have been refused is no attempt. */
static void
add_processes (struct supervisor *self, const struct fh_finished *finished)
{
  if (self->evidence.was_refused_process)
    add (self, finished, FH_WIRE_GUARD_PROCESSES, "cgroup", "start a process", "", EAGAIN);
  else if (finished->status == FH_WIRE_PROCESS_LIMIT)
    add (self, finished, FH_WIRE_GUARD_PROCESSES, "supervisor", "start a process", "", 0);
}

/* Names what the program did that took too much kernel memory. */
static const char *
operation_of (uint8_t cause)
{
  static const char *const operations[] = {
    [FH_WIRE_CAUSE_SOCKETS] = "fill sockets",
    [FH_WIRE_CAUSE_LOCKS] = "lock files",
    [FH_WIRE_CAUSE_DESCRIPTORS] = "pass open files",
    [FH_WIRE_CAUSE_PIPES] = "open pipes",
    [FH_WIRE_CAUSE_OPEN] = "open files",
    [FH_WIRE_CAUSE_UNSEEN] = "hide a process",
    [FH_WIRE_CAUSE_PROCESSES] = NULL,
  };

  return operations[cause] != NULL ? operations[cause] : "use memory";
}

/* Adds an attempt for each limit that the program met. */
static void
add_limits (struct supervisor *self, const struct fh_finished *finished)
{
  if (!self->evidence.was_started)
    return;
  add_disk (self, finished);
  add_processes (self, finished);
  if (finished->status == FH_WIRE_MEMORY && finished->cause != FH_WIRE_CAUSE_SAID)
    add (self,
         finished,
         FH_WIRE_GUARD_MEMORY,
         finished->cause == FH_WIRE_CAUSE_CERTAIN && self->evidence.was_over_memory ? "cgroup"
                                                                                    : "supervisor",
         operation_of (finished->cause),
         "",
         0);
  if (finished->status == FH_WIRE_TIMED_OUT)
    add (self,
         finished,
         FH_WIRE_GUARD_TIME,
         finished->signal == SIGXCPU ? "rlimit" : "supervisor",
         finished->cause == FH_WIRE_CAUSE_CPU ? "use CPU time" : "run on",
         "",
         0);
  for (int i = 0; i < 2; i++)
    {
      if (self->output[i].over_limit)
        add (self,
             finished,
             FH_WIRE_GUARD_OUTPUT,
             "supervisor",
             "write to",
             i == 0 ? "standard output" : "standard error",
             0);
    }
}

static void
measure_end (const struct supervisor *self,
             const struct cgroup_outcome *outcome,
             struct fh_finished *finished)
{
  struct rusage rusage = self->rusage;

  if (!self->evidence.was_started)
    return;
  /* The kernel's figure may be that of an earlier program; of a forked run it is 0 if it may be
   * that of the interpreter. */
  if (self->policy->flags & FH_POLICY_STAYS ||
      (self->warm != NULL && rusage.ru_maxrss < self->main_peak_kib))
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
  add_limits (self, &finished);
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

static int
send_found_files (void *data)
{
  struct supervisor *self = data;

  return send_files (self, self->inside[INIT_WORKSPACE], self->inside[INIT_TMP]);
}

/* True if a folder has but a few files, which the user of this process may read, and no folders. */
static bool
may_be_read (int folder)
{
  DIR *entries = fh_open_entries (folder);
  const struct dirent *entry;
  bool may = entries != NULL;

  for (int i = 0; may && (entry = readdir (entries)) != NULL; i++)
    {
      const char *name = entry->d_name;

      if (strcmp (name, ".") != 0 && strcmp (name, "..") != 0)
        may = i < FEW_FILES && entry->d_type == DT_REG &&
              faccessat (dirfd (entries), name, R_OK, 0) == 0;
    }
  if (entries != NULL)
    closedir (entries);
  return may;
}

/* The files belong to the guest's own user id, if it has one, which no process has any more. Most
 * programs leave nothing that takes the rights of that user, and then the child that gets them is
 * spared. Nothing changes any more between this look and the next. */
static bool
needs_guest_user (const struct supervisor *self, bool is_dead)
{
  if (self->sandbox.users < 0)
    return false;
  return !is_dead || !may_be_read (self->inside[INIT_WORKSPACE]) ||
         (self->request->hands_on && !may_be_read (self->inside[INIT_TMP]));
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
    result = needs_guest_user (self, is_dead)
                 ? guest_user_call (self->sandbox.users, send_found_files, self)
                 : send_found_files (self);
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
