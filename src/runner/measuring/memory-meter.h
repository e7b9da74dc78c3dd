/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory meter: how much the processes of a sandbox really take together. Memory mapped from
 * files does not count, because the kernel can drop it.
 *
 * A process that came out of execve owns all its anonymous memory, and what it takes is quick to
 * read. Those that came out of fork share some of it until one of them writes; only the kernel
 * knows how much (proc(5), smaps_rollup), and asking takes milliseconds for each. So they are
 * asked in rounds, a few at each look, and what a round finds holds until the next one, plus what
 * has grown since. Whatever is not known for certain is left out. What can be too much is only
 * what somebody has just let go of, by ending or by execve, and the next look sees that.
 */
#pragma once

#include "process-table.h"

#include <sys/types.h>

struct memory_meter
{
  dev_t scratch; /* the sandbox's tmpfs */
  bool is_in_round;
  bool is_confirming; /* there was too much; since then everything is measured anew */
  uint64_t round_cost_us;
  uint64_t next_round_us;
  unsigned int slow_reads;

  /* Results of the last look. */
  uint64_t bytes;
  bool is_guess; /* asking takes too long: shared memory may have been counted several times */
};

/* Measures, for a few milliseconds at most unless a single process takes longer. Stops as soon as
 * `bytes` is over the limit. `scratch_bytes` is what lies in the sandbox's tmpfs, which may also
 * be mapped and then counts once; so where it cannot be told apart from other shared memory, the
 * larger of the two counts. */
void memory_meter_look (struct memory_meter *meter,
                        struct process_table *table,
                        uint64_t scratch_bytes,
                        uint64_t limit);
