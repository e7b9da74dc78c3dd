/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The control group of a container, as its engine has made it, seen from inside: what it limits and
 * what the kernel has counted, in version 2 of cgroups (7) or in version 1. The runner is in there,
 * too, and in a container that is kept the counters go back to its beginning: what they say is
 * compared with what they said before the run.
 *
 * Nothing here can be relied on: an engine that was asked for a limit may not have set it, and may
 * not show the files.
 */
#pragma once

#include "cgroup-meter.h"

/* What the runner itself may take up of a limit of memory, besides the input that it keeps. */
#define CONTAINER_OWN_MEMORY ((uint64_t) 64 << 20)
/* The same for processes: itself, its init, the first process, and other runs' in a kept one. */
#define CONTAINER_OWN_PROCESSES 32

#define CONTAINER_NO_LIMIT UINT64_MAX

#define CONTAINER_CGROUP_FOLDER "/sys/fs/cgroup"

struct container_cgroup
{
  int memory; /* the folder with its files, or -1 */
  int pids;   /* the same */
  bool is_v1;
  uint64_t memory_limit; /* CONTAINER_NO_LIMIT: none, or not known */
  uint64_t swap_limit;   /* of swap alone */
  uint64_t processes_limit;

  /* Before the run. */
  uint64_t kills;    /* by the kernel, for want of memory */
  uint64_t hits;     /* of the limit of memory; 0 in version 1 */
  uint64_t refusals; /* of a new process */
  uint64_t peak;
};

/* `folder`: what is mounted at /sys/fs/cgroup. */
void container_cgroup_open (struct container_cgroup *container, const char *folder);
void container_cgroup_close (struct container_cgroup *container);
/* Sets what of the policy's limits is the kernel's to keep, and the reason if memory is not.
 * `input`: the size of what the runner keeps. */
void container_cgroup_grant (const struct container_cgroup *container,
                             const struct fh_policy *policy,
                             uint64_t input,
                             struct cgroup *cgroup);
/* True when the kernel has killed in the group because of the group's own limit. */
bool container_cgroup_was_over_memory (const struct container_cgroup *container);
void container_cgroup_conclude (const struct container_cgroup *container,
                                struct cgroup_outcome *outcome);
