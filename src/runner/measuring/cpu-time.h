/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPU time of a whole sandbox, counted in two ways, neither of which counts anything twice: what
 * living processes report for themselves and the children they reaped; and what each process was
 * seen to use, no matter which one reaped it. A process whose parent ignores SIGCHLD appears only
 * in the second (wait(2)).
 */
#pragma once

#include "process-table.h"

struct cpu_time
{
  uint64_t setup_us; /* used before the program began, by init and a waiting interpreter */

  uint64_t user_us; /* never decreases */
  uint64_t system_us;
  bool may_be_more; /* first sample of a larger number; the next one confirms it */
  bool is_losing;   /* some CPU time was lost between two samples */

  uint64_t seen_user_us;
  uint64_t seen_system_us;
  uint64_t sampled_user_us; /* by living processes, at the last sample */
  uint64_t sampled_system_us;
};

/* Subtracts the time of setting up, first from the system's, which most of it was. */
void cpu_time_subtract (uint64_t setup_us, uint64_t *user_us, uint64_t *system_us);
void cpu_time_count (struct cpu_time *time, const struct process_table *table);
/* Last sample: accept it as it is. */
void cpu_time_settle (struct cpu_time *time);
