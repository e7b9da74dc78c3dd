/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPU time of a whole sandbox, counted in three ways, none of which counts anything twice: what
 * living processes report for themselves and the children they reaped; what each process was seen
 * to use, no matter which one reaped it; and what the kernel counts for all that this process has
 * started, perf_event_open(2). A process whose parent ignores SIGCHLD is missing in the first
 * (wait(2)), and one that lives shorter than a tick in the second as well. Where the system forbids
 * the third, /proc/sys/kernel/perf_event_paranoid above 2, the result is a lower bound for
 * programs that do both.
 */
#pragma once

#include "process-table.h"

#include <sys/types.h>

struct cpu_time
{
  uint64_t setup_us; /* used before the program began, by init and a waiting interpreter */
  uint64_t base_us;  /* what the kernel had counted in all besides, at that time */

  uint64_t user_us; /* never decreases */
  uint64_t system_us;
  bool may_be_more; /* first sample of a larger number; the next one confirms it */
  bool is_losing;   /* some CPU time was lost between two samples */

  uint64_t seen_user_us;
  uint64_t seen_system_us;
  uint64_t sampled_user_us; /* by living processes, at the last sample */
  uint64_t sampled_system_us;
};

/* Makes the kernel count all processes that are started from now on by a child, or by this process
 * if `pid` is 0, if it may. For the first counter that is open on the computer it lets the caller
 * wait for 10 ms or more, so it is not asked where a control group counts. */
void cpu_time_begin_to_count_all (pid_t pid);
/* False if it may not, or was not asked. */
bool cpu_time_counts_all (void);
/* The program begins now, and `setup_us` was used so far. */
void cpu_time_begin (struct cpu_time *time, uint64_t setup_us);
/* Subtracts the time of setting up, first from the system's, which most of it was. */
void cpu_time_subtract (uint64_t setup_us, uint64_t *user_us, uint64_t *system_us);
void cpu_time_count (struct cpu_time *time, const struct process_table *table);
/* Last sample: accept it as it is. */
void cpu_time_settle (struct cpu_time *time);
