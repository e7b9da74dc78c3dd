/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The usage watch: measures a running sandbox often enough, and says when it is over its limit of
 * memory or CPU time. Far from the limits it looks every 50 ms, close to the memory limit every
 * 2 ms. Two looks have to agree before it says that there is too much, unless it is far too much.
 *
 * What the kernel counts and limits in a control group need not be looked for: then this only
 * reads the kernel's count.
 */
#pragma once

#include "cgroup-meter.h"
#include "cpu-time.h"
#include "memory-meter.h"
#include "process-table.h"
#include "wire-event.h"
#include "wire-policy.h"

#include <sys/resource.h>

enum usage_verdict
{
  USAGE_WITHIN_LIMITS,
  USAGE_OVER_MEMORY,
  USAGE_PERHAPS_OVER_MEMORY, /* could not be measured in time */
  USAGE_OVER_DISK,           /* over its memory, most of which is files */
  USAGE_OVER_CPU,
  USAGE_OVER_PROCESSES, /* where the kernel lets it have more, as it does root */
};

/* Where a container has more than one filesystem in memory. */
#define USAGE_MORE_SCRATCH 3

struct usage_watch
{
  const struct fh_policy *policy;
  const struct cgroup *cgroup;
  bool is_counted;            /* by the kernel, all of it */
  struct process_table table; /* `proc` is -1 until usage_watch_begin */
  struct cpu_time cpu;
  struct memory_meter meter;
  int scratch;
  int more_scratch[USAGE_MORE_SCRATCH]; /* other folders in memory, or -1 */
  bool was_full;                        /* one of them, before the program began */
  uint64_t next_us;                     /* when to look again; UINT64_MAX: never */

  uint64_t scratch_bytes;
  uint64_t memory;
  uint64_t memory_peak;
  bool is_suspect; /* the last look found too much memory */
  uint32_t threads;
  uint32_t threads_peak;
};

void usage_watch_init (struct usage_watch *watch,
                       const struct fh_policy *policy,
                       const struct cgroup *cgroup);
/* Takes over both descriptors. */
void usage_watch_begin (struct usage_watch *watch, int proc, int scratch, uint64_t setup_cpu_us);
/* Counts what lies at `path` as well, if that is another filesystem in memory. */
void usage_watch_add_scratch (struct usage_watch *watch, const char *path);
void usage_watch_end (struct usage_watch *watch);
/* Looks, and sets the time of the next look. */
enum usage_verdict usage_watch_look (struct usage_watch *watch);
/* The last look, before everything is killed: takes only what is quick to have. */
void usage_watch_look_last (struct usage_watch *watch);
/* Adds the main process to what the last look saw, because it ended only just before. */
void usage_watch_count_main (struct usage_watch *watch);
/* Fills in CPU time, memory and processes. `rusage` is that of the sandbox's first process: all who
 * were waited for, to the microsecond. `outcome` is what the kernel tells of the control group. */
void usage_watch_conclude (const struct usage_watch *watch,
                           const struct rusage *rusage,
                           const struct cgroup_outcome *outcome,
                           struct fh_finished *finished);
/* True when as many processes and threads as are allowed have been seen at one time. */
bool usage_watch_saw_process_limit (const struct usage_watch *watch);
/* True when the sandbox has nothing left to write on. */
bool usage_watch_disk_is_full (const struct usage_watch *watch);
/* Bytes in use in the filesystem of this folder; `is_full`: nothing more can be written. */
uint64_t usage_of_scratch (int folder, bool *is_full);
