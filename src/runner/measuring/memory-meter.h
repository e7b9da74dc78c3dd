/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory meter: how much the processes of a sandbox really use together. Memory mapped from
 * files does not count, because the kernel can drop it.
 *
 * After execve a process owns all of its anonymous memory, which is quick to read. After fork,
 * processes share some until one of them writes; only the kernel knows how much (proc(5),
 * smaps_rollup), and reading it takes milliseconds per process. So they are read in rounds, a few
 * per look, and the result of a round holds until the next one, plus growth since. What is
 * uncertain is left out. The sum can only be too high by what a process has just freed by ending or
 * by execve, and the next look corrects that.
 */
#pragma once

#include "process-table.h"

#include <sys/types.h>

struct memory_meter
{
  dev_t scratch; /* the sandbox's tmpfs */
  bool is_in_round;
  bool is_confirming; /* over the limit; since then everything is measured again */
  uint64_t round_cost_us;
  uint64_t round_blocked_us; /* time spent waiting for processes */
  uint64_t next_round_us;
  unsigned int slow_reads;

  /* Results of the last look. */
  uint64_t bytes;
  bool is_guess; /* reading takes too long: shared memory may have been counted several times */
};

/* Reads from the status of each process how much its page tables take, and returns the sum in
 * bytes. */
uint64_t memory_meter_read_tables (struct process_table *table);
/* How much of a process's shared memory is certainly not in the file system `scratch`. Memory that
 * several processes can share is either in a file, which is in the sandbox's tmpfs and counted
 * there, or anonymous, mmap (2), MAP_ANONYMOUS. */
uint64_t shared_mappings_without_file (int proc,
                                       const struct process *process,
                                       dev_t scratch,
                                       uint64_t shared_bytes);
/* Measures, for a few milliseconds at most unless a single process takes longer. Stops as soon as
 * `bytes` is over the limit. `scratch_bytes` is the use of the sandbox's tmpfs, whose files may
 * also be mapped and count once; if they cannot be told from other shared memory, the larger of the
 * two counts. */
void memory_meter_measure (struct memory_meter *meter,
                           struct process_table *table,
                           uint64_t scratch_bytes,
                           uint64_t limit);
