/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The supervisor's parts, for its own files: supervisor.c is the loop, and handles what init and
 * the backend send; supervisor-start.c starts the sandbox and the program in it, and the next one
 * of a sandbox that stays, and has what differs in a container; supervisor-ending.c ends a run,
 * reports the limits it met and tells its files and its end; supervisor-cells.c serves the cells of
 * a kept sandbox.
 */
#pragma once

#include "attempt-list.h"
#include "attempt-outside.h"
#include "clock.h"
#include "container-cgroup.h"
#include "container-evidence.h"
#include "disk-watch.h"
#include "dns-sink.h"
#include "guest-channel.h"
#include "init-message.h"
#include "input-pump.h"
#include "input-wait.h"
#include "output-pump.h"
#include "proxy-process.h"
#include "result-files.h"
#include "seccomp-listener.h"
#include "spawn.h"
#include "supervisor.h"
#include "usage-watch.h"
#include "verdict.h"

/* Setting up, and dying of SIGKILL, take milliseconds. Both can hang on a file system whose server
 * is gone; then report what is known and stop waiting. */
#define PHASE_TIMEOUT_US 10000000
#define USAGE_PERIOD_US  100000

enum phase
{
  PHASE_SETTING_UP,
  PHASE_WAITING,
  PHASE_RUNNING,
  PHASE_ENDING,
  PHASE_DRAINING,
  PHASE_FINISHED,
};

struct supervisor
{
  const struct fh_policy *policy;
  struct plan *plan;
  struct control_channel *control;
  struct request *request;
  struct warm_interpreter *warm; /* which forks the run; or NULL */
  struct cgroup cgroup;
  struct container_cgroup container; /* if the runner is in one */
  struct container_evidence found;   /* the same */
  struct cgroup_outcome counted;     /* up to the end of the last cell */
  int shared_workspace;              /* its folder if it is shared; else -1 */
  struct timespec since;             /* later changes in there are the program's */
  struct spawned sandbox;
  int inside[N_INIT_DESCRIPTORS]; /* sent by init; -1 if there is none, or before */
  struct output_pump output[2];
  struct input_pump input;
  struct guest_channel guest;
  struct usage_watch watch;
  struct disk_watch disk;
  struct attempt_list attempts;
  struct dns_sink dns;
  struct proxy_process proxy;
  struct seccomp_listener listener;
  struct verdict verdict;
  struct verdict_evidence evidence;
  struct rusage rusage;    /* of everything inside that was reaped */
  int64_t main_peak_kib;   /* of the main process, or of a forked run, once that has ended */
  struct init_ready ready; /* what the guards of a forked run are worth */
  bool is_ready;
  enum phase phase;
  bool is_prepared; /* the sandbox was built before there was a program */
  bool is_protocol_broken;
  bool has_survivors; /* not everything inside could be killed */
  unsigned int stops;
  uint64_t started_us; /* 0 before */
  uint64_t ended_us;
  uint64_t deadline_us; /* wall clock; NEVER while a call waits for its reply or the program for a
                         * person: then */
  uint64_t left_us;     /* is what was left, for */
  uint64_t cpu_us;      /* CPU time from this on */
  uint64_t grace_us;    /* end of the time to end by itself: then comes SIGTERM, or SIGKILL */
  bool is_terminated;   /* SIGTERM was sent */
  bool is_lingering;    /* the main process has ended, others may still write output */
  uint32_t n_left;      /* processes that were ended though they could still have written output */
  uint32_t n_quiet;     /* processes that a program left behind, without its output */
  uint64_t timeout_us;  /* time limit of setting up, of beginning, or of the end */
  bool has_hung_up;     /* init closed its end of the status socket */
  uint32_t cell;        /* the number of the last cell of a kept sandbox, or program of one that
                         * stays; 0 before */
  bool is_asking;       /* the cell's message is on its way to the guest */
  bool is_answered;     /* the cell, or a program whose sandbox stays, has ended; its output is
                         * still read, up to: */
  uint64_t output_end[2];
  uint64_t silent_us;      /* the guest channel was closed: when that is not its end any more */
  struct sent_files *sent; /* by earlier cells; NULL: no files are sent, or there are no cells */
  uint64_t next_usage_us;
  uint64_t next_wait_us; /* when to look again whether the program waits for input */
  bool is_waiting;       /* it did, as was sent */
  uint64_t waits_since_us;
  uint64_t waited_us; /* before that */
};

/* Kills everything inside, once. */
void supervisor_kill (struct supervisor *self);
/* Does that, with the fault as the reason: a step, and an errno. */
void supervisor_fail (struct supervisor *self, const char *step, int error);
/* Kills all of a sandbox, if supervisor_kill has not helped. */
void sandbox_kill_anyhow (const struct spawned *sandbox);
/* After init has been reaped: closes what only killing needs; true if no process is left. */
bool sandbox_reap (struct spawned *sandbox);
/* Asks the program to end, and kills it soon after that. */
void supervisor_terminate (struct supervisor *self);
/* The main process has ended, others may be left: gives those that can still write output a moment.
 */
void supervisor_linger (struct supervisor *self);
/* Kills what is left once it has no output any more. */
void supervisor_watch_left (struct supervisor *self);
/* The same with a reason, which counts if it is the first. */
void
supervisor_end_by (struct supervisor *self, enum fh_wire_status status, enum fh_wire_cause cause);
/* Measures usage, and ends the run if it is too much. */
void supervisor_check_usage (struct supervisor *self);
/* Builds the sandbox. Returns NULL, or with errno the step that failed. */
const char *supervisor_start (struct supervisor *self);
/* Gives its files to an interpreter that waits; INIT_BEGUN follows. */
void supervisor_hand_over (struct supervisor *self);
/* The program has been running since `at_us`. */
void supervisor_begin_program (struct supervisor *self, uint64_t at_us);
/* Tells the files and the end of the run, or of the cell. */
void supervisor_tell_end (struct supervisor *self);
/* Time since the run or cell has begun, or 0. */
uint64_t supervisor_run_time_us (const struct supervisor *self);

bool supervisor_is_kept (const struct supervisor *self);
/* True if a kept sandbox waits for its next cell; what earlier ones left may go on in it. */
bool supervisor_is_between_cells (const struct supervisor *self);
/* Once the sandbox is there. False if out of memory. */
bool supervisor_keep (struct supervisor *self);
/* While a cell waits for the reply to a call, or a program for what a person types, only the CPU
 * time that it takes meanwhile counts against its limit of wall time. */
void supervisor_pause (struct supervisor *self);
/* Whether that is used up. */
bool supervisor_is_late_in_pause (const struct supervisor *self);
/* Sends the message of a cell to the guest. */
void supervisor_ask_cell (struct supervisor *self);
/* Once all of it was sent: before the guest is read again, which may have answered already. */
void supervisor_note_asked (struct supervisor *self);
/* Ends the cell if that succeeds soon, or everything. */
void supervisor_interrupt_cell (struct supervisor *self,
                                enum fh_wire_status status,
                                enum fh_wire_cause cause);
/* Ends the cell if the guest has answered, or has broken the guest channel. */
void supervisor_watch_cell (struct supervisor *self);
/* Notes that the cell has ended, or the program of a sandbox that stays. */
void supervisor_note_answer (struct supervisor *self);

/* The main process has ended, and what it has left had its moment: kills all, unless the sandbox
 * stays. */
void supervisor_end_program (struct supervisor *self);
/* Starts the next program of a sandbox that stays, once its files are written. INIT_STARTED
 * follows, and INIT_CHANNEL before it. */
void supervisor_start_next (struct supervisor *self);
/* Takes our end of its guest channel; false if that was lost (-1) or is none. */
bool supervisor_take_channel (struct supervisor *self, int channel);

/* Sent once all guards are set up: what each guard of this sandbox consists of and whether it is at
 * full strength. `container` is NULL outside of one. */
void guard_report_encode (const struct fh_policy *policy,
                          const struct init_ready *ready,
                          const struct cgroup *cgroup,
                          const struct container_evidence *container,
                          struct fh_buffer *buffer);
/* Prepares what the sandbox is made in. */
void supervisor_enter (struct supervisor *self);
/* Once init is ready. */
void supervisor_begin_to_watch (struct supervisor *self, uint64_t setup_cpu_us);
/* Takes what was sent out of a shared workspace again, if the program is dead. Idempotent. */
void supervisor_clear_workspace (struct supervisor *self);
/* Undoes supervisor_enter. */
void supervisor_leave (struct supervisor *self);
/* Tells whether the program waits for input, if that has changed. */
void supervisor_set_waiting (struct supervisor *self, bool is_waiting);
