/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A container's control group as its engine made it, seen from inside: its limits and counters, in
 * version 2 of cgroups (7) or version 1. The runner is in the group, too, and in a kept container
 * the counters began with the container: they are compared with their values before the run.
 *
 * Nothing here can be relied on: an engine may not have set a limit that it was asked for, and may
 * not show the files.
 */
#pragma once

#include "cgroup.h"

/* Memory that the runner itself may need, besides the stored input. */
#define CONTAINER_OWN_MEMORY ((uint64_t) 64 << 20)
/* The runner, its init, the first process, and other runs in a kept container. */
#define CONTAINER_OWN_PROCESSES 32

#define CONTAINER_NO_LIMIT UINT64_MAX

#define CONTAINER_CGROUP_FOLDER "/sys/fs/cgroup"

struct container_cgroup
{
  int memory; /* folder of the memory controller, or -1 */
  int pids;   /* of the pids controller, or -1 */
  bool is_v1;
  uint64_t memory_limit; /* CONTAINER_NO_LIMIT: none or unknown */
  uint64_t swap_limit;   /* of swap alone */
  uint64_t processes_limit;

  /* Values before the run. */
  uint64_t kills;    /* out-of-memory kills */
  uint64_t hits;     /* of the memory limit; 0 in version 1 */
  uint64_t refusals; /* of new processes */
  uint64_t peak;
};

/* `folder`: what is mounted at /sys/fs/cgroup. */
void container_cgroup_open (struct container_cgroup *container, const char *folder);
void container_cgroup_close (struct container_cgroup *container);
/* Sets which limits of the policy the kernel enforces, and the reason if it does not limit memory.
 * `input`: size of the stored input. */
void container_cgroup_grant (const struct container_cgroup *container,
                             const struct fh_policy *policy,
                             uint64_t input,
                             struct cgroup *cgroup);
/* True if the kernel killed in the group because of the group's own limit. */
bool container_cgroup_was_over_memory (const struct container_cgroup *container);
void container_cgroup_conclude (const struct container_cgroup *container,
                                struct cgroup_outcome *outcome);
