/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CPU time of a whole sandbox, counted in two ways, neither of which counts anything twice:
 * what the living say of themselves and of those they have waited for; and what each process was
 * seen to use while it lived, whoever waited for it. A process that nobody waits for because its
 * parent ignores SIGCHLD is only in the second (wait(2)).
 */
#pragma once

#include "process-table.h"

struct cpu_time
{
  uint64_t setup_us; /* what the sandbox's first process used before the guest began */

  uint64_t user_us; /* never less than at the look before */
  uint64_t system_us;
  bool may_be_more; /* a first look at a larger number; the next one will tell */
  bool is_losing;   /* somebody's time was lost between two looks */

  uint64_t seen_user_us;
  uint64_t seen_system_us;
  uint64_t told_user_us; /* by the living, at the last look */
  uint64_t told_system_us;
};

void cpu_time_count (struct cpu_time *time, const struct process_table *table);
/* There will be no other look: takes the last one for certain. */
void cpu_time_settle (struct cpu_time *time);
