/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the kernel has counted in a box: exactly, for the living and the dead, however short they
 * lived. Without a box nothing is known.
 */
#pragma once

#include "cgroup.h"

struct cgroup_usage
{
  uint64_t memory;    /* bytes; what the kernel holds for the processes included */
  uint32_t processes; /* threads count, ours do not */
  uint64_t cpu_user_us;
  uint64_t cpu_system_us;
};

struct cgroup_outcome
{
  uint64_t memory_peak;    /* 0 when the kernel does not tell */
  uint32_t processes_peak; /* the same */
  bool was_over_memory;    /* the kernel killed because of the box's own limit */
  bool was_over_processes; /* a new process was refused */
};

/* Only those fields are set that the box counts. */
void cgroup_measure (const struct cgroup *cgroup, struct cgroup_usage *usage);
void cgroup_conclude (const struct cgroup *cgroup, struct cgroup_outcome *outcome);
