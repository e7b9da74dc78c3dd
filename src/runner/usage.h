/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Usage: what all processes of a sandbox use together, read from the sandbox's own /proc. That
 * shows them and nobody else, under numbers that mean nothing outside, so there is no race with
 * numbers used again.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct usage
{
  uint64_t resident_bytes; /* sum of what is resident; shared memory counts for each process */
  uint64_t cpu_user_us;    /* of those alive and those that were waited for */
  uint64_t cpu_system_us;
  uint32_t processes;
  uint32_t threads; /* of all processes */
};

struct usage_source
{
  int proc;      /* a folder opened for reading */
  int64_t first; /* where in it the processes begin, 0 before that is known */
};

/* The sandbox's own pid 1 counts only for CPU time, where
 * orphans end up. False when nothing could be read. */
bool usage_sample (struct usage_source *source, struct usage *usage);

/* What the processes really take. Memory mapped from files does not count, because the kernel can
 * drop it. `scratch_bytes` is what lies in the sandbox's tmpfs, which may also be mapped and then
 * counts once. With `is_shared`, memory that several processes share counts once as well (proc(5),
 * smaps_rollup); that is slow, tens of milliseconds for a gigabyte. */
uint64_t usage_exact_memory (struct usage_source *source, uint64_t scratch_bytes, bool is_shared);

/* Bytes in use in the filesystem of this folder; `is_full`: nothing more can be written. */
uint64_t usage_of_scratch (int folder, bool *is_full);
