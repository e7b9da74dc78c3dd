/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel's counters of the leaf: exact, for living and dead processes, however short-lived.
 * Without a leaf nothing is known.
 */
#pragma once

#include "cgroup.h"

struct cgroup_usage
{
  uint64_t memory;    /* bytes; including kernel memory */
  uint32_t processes; /* threads count, ours do not */
  uint64_t cpu_user_us;
  uint64_t cpu_system_us;
};

struct cgroup_outcome
{
  uint64_t memory_peak;      /* 0 if unknown */
  uint32_t processes_peak;   /* 0 if unknown */
  uint64_t process_refusals; /* how often a new process was refused */
  bool was_over_memory;      /* the kernel killed because of the leaf's own limit */
};

/* Sets only what the leaf counts. */
void cgroup_measure (const struct cgroup *cgroup, struct cgroup_usage *usage);
void cgroup_conclude (const struct cgroup *cgroup, struct cgroup_outcome *outcome);
