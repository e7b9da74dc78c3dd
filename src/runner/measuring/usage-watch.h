/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The usage watch: measures a running sandbox and says when it exceeds its memory or CPU time. It
 * looks every 50 ms, or every 2 ms close to the memory limit. Two looks have to agree, unless the
 * excess is large.
 *
 * With a control group the kernel counts and limits memory: then this only reads its counters.
 */
#pragma once

#include "cgroup.h"
#include "cpu-time.h"
#include "disk-watch.h"
#include "kernel-objects.h"
#include "memory-meter.h"
#include "process-table.h"
#include "wire-event.h"
#include "wire-policy.h"

#include <sys/resource.h>

/* A container can have several tmpfs. */
#define USAGE_SCRATCH 4

struct usage_watch
{
  const struct fh_policy *policy;
  const struct cgroup *cgroup;
  bool is_counted;            /* by the kernel, completely */
  struct process_table table; /* `proc` is -1 until usage_watch_begin */
  struct cpu_time cpu;
  struct memory_meter meter;
  struct kernel_objects objects;
  int scratch[USAGE_SCRATCH]; /* folders in memory, or -1 */
  bool was_full;              /* one of them was, before the program began */
  uint64_t next_us;           /* next look; UINT64_MAX: never */

  struct scratch_usage used; /* in these folders */
  uint64_t memory;
  uint64_t memory_peak;
  bool is_suspect; /* the last look found too much memory, or could not see everything */

  /* CPU time that the supervisor spends on the program, mostly answering calls and forwarding
   * output, counts as the program's, beyond what every run costs. */
  uint64_t looks;
  uint64_t begun_cpu_us;
  uint64_t others_cpu_us; /* spent on processes outside of the sandbox */
  uint64_t served_us;     /* at the last look, beyond that cost */
  uint32_t threads;
  uint32_t threads_peak;

  bool is_resting;         /* no cell runs */
  uint64_t before_user_us; /* what earlier cells used */
  uint64_t before_system_us;
  uint64_t before_served_us;
  uint64_t rest_us; /* between the last two looks, if nothing ran */
  uint64_t rest_cpu_us;
};

/* Makes the kernel count the CPU time of a sandbox of which nothing was started yet, if the control
 * group does not count all that is watched. `parent`: the child of this process that starts it, or
 * 0 for this process. */
void
usage_watch_prepare (const struct fh_policy *policy, const struct cgroup *cgroup, pid_t parent);
void usage_watch_init (struct usage_watch *watch,
                       const struct fh_policy *policy,
                       const struct cgroup *cgroup);
/* Takes both descriptors. */
void usage_watch_begin (struct usage_watch *watch, int proc, int scratch, uint64_t setup_cpu_us);
/* The program begins only now, and `cpu_us` was used so far, if no control group counts that. */
void usage_watch_begin_late (struct usage_watch *watch, uint64_t cpu_us);
/* Another cell begins in the same sandbox: CPU time and the largest numbers count from here. */
void usage_watch_begin_again (struct usage_watch *watch);
/* The same for another program, which has nothing of the last one. */
void usage_watch_begin_next (struct usage_watch *watch);
/* A cell has ended: until the next one begins, what it left behind may use as much CPU time as a
 * cell, or if that is not limited, as much as the longest cell on one processor. */
void usage_watch_begin_rest (struct usage_watch *watch);
/* Counts the files at `path` as well, if it is another tmpfs. */
void usage_watch_add_scratch (struct usage_watch *watch, const char *path);
void usage_watch_end (struct usage_watch *watch);
/* Measures, and sets the time of the next look. What two looks running could not see counts as too
 * much. */
enum usage_verdict usage_watch_check (struct usage_watch *watch);
/* After a look between two cells: the next can wait, if the kernel keeps the limits by itself and
 * nothing has run since the last look. */
void usage_watch_rest (struct usage_watch *watch);
/* The last look before everything is killed: reads only what is quick to read. */
void usage_watch_check_last (struct usage_watch *watch);
/* Charges the supervisor's own CPU time for the last time, as the program has ended. */
void usage_watch_settle (struct usage_watch *watch);
/* The program's CPU time as seen so far, in microseconds. */
uint64_t usage_watch_cpu_us (const struct usage_watch *watch);
/* Adds the main process to the last look, as it ended just before. */
void usage_watch_count_main (struct usage_watch *watch);
/* Fills in CPU time, memory and processes. `rusage` is init's: all reaped processes, to the
 * microsecond. `outcome` has the control group's counters. */
void usage_watch_conclude (const struct usage_watch *watch,
                           const struct rusage *rusage,
                           const struct cgroup_outcome *outcome,
                           struct fh_finished *finished);
/* True if as many processes and threads as allowed were seen at one time. */
bool usage_watch_saw_process_limit (const struct usage_watch *watch);
/* True if the sandbox cannot write any more. */
bool usage_watch_disk_is_full (const struct usage_watch *watch);
