/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-cgroup.h"

#include "descriptor.h"
#include "kernel-file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* With no limit, version 1 writes the largest number of whole pages. */
#define V1_NO_LIMIT ((uint64_t) 1 << 62)

static int
open_folder (int root, const char *name)
{
  return openat (root, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static uint64_t
read_limit (int folder, const char *name)
{
  /* It may be a word. */
  const uint64_t limit = kernel_file_read_number (folder, name, CONTAINER_NO_LIMIT);

  return limit >= V1_NO_LIMIT ? CONTAINER_NO_LIMIT : limit;
}

/* Reads a counter of a file with several. */
static uint64_t
read_event (int folder, const char *file, const char *name)
{
  char text[2048];

  if (folder < 0 || !kernel_file_read (folder, file, text, sizeof text))
    return 0;
  return kernel_file_number (text, name, 0);
}

static uint64_t
read_kills (const struct container_cgroup *container)
{
  if (container->is_v1)
    return read_event (container->memory, "memory.oom_control", "oom_kill");
  return read_event (container->memory, "memory.events", "oom_kill") +
         read_event (container->memory, "memory.events", "oom_group_kill");
}

/* The kernel also kills in a group if the whole computer is out of memory. Only if the group's own
 * limit was the reason, the limit was hit as well. */
static uint64_t
read_hits (const struct container_cgroup *container)
{
  return read_event (container->memory, "memory.events", "oom");
}

static uint64_t
read_peak (const struct container_cgroup *container)
{
  return kernel_file_read_number (container->memory,
                                  container->is_v1 ? "memory.max_usage_in_bytes" : "memory.peak",
                                  0);
}

/* Version 1 limits memory and swap together. */
static uint64_t
read_swap_limit (const struct container_cgroup *container)
{
  uint64_t both;

  if (!container->is_v1)
    return read_limit (container->memory, "memory.swap.max");
  both = read_limit (container->memory, "memory.memsw.limit_in_bytes");
  if (both == CONTAINER_NO_LIMIT || container->memory_limit == CONTAINER_NO_LIMIT)
    return CONTAINER_NO_LIMIT;
  return both > container->memory_limit ? both - container->memory_limit : 0;
}

/* Newer kernels no longer maintain version 1's counter of failures, but the peak shows them. Memory
 * is charged in batches, so the last batch may not have fit. */
static bool
has_met_limit (const struct container_cgroup *container)
{
  if (container->is_v1)
    return read_peak (container) >= container->memory_limit - container->memory_limit / 16;
  return read_hits (container) > container->hits;
}

void
container_cgroup_open (struct container_cgroup *container, const char *folder)
{
  fh_autofd int root = open (folder, O_PATH | O_DIRECTORY | O_CLOEXEC);

  *container = (struct container_cgroup){ .memory = -1, .pids = -1 };
  if (root >= 0)
    {
      container->is_v1 = faccessat (root, "cgroup.controllers", F_OK, 0) < 0;
      container->memory = open_folder (root, container->is_v1 ? "memory" : ".");
      container->pids = open_folder (root, container->is_v1 ? "pids" : ".");
    }
  container->memory_limit =
      read_limit (container->memory, container->is_v1 ? "memory.limit_in_bytes" : "memory.max");
  container->swap_limit = read_swap_limit (container);
  container->processes_limit = read_limit (container->pids, "pids.max");
  container->kills = read_kills (container);
  container->hits = read_hits (container);
  container->refusals = read_event (container->pids, "pids.events", "max");
  container->peak = read_peak (container);
}

void
container_cgroup_close (struct container_cgroup *container)
{
  fh_clear_fd (&container->memory);
  fh_clear_fd (&container->pids);
}

void
container_cgroup_grant (const struct container_cgroup *container,
                        const struct fh_policy *policy,
                        uint64_t input,
                        struct cgroup *cgroup)
{
  const uint64_t memory = policy->memory_bytes;
  const uint64_t own = CONTAINER_OWN_MEMORY + input;
  const bool has_limit = container->memory_limit != CONTAINER_NO_LIMIT;

  cgroup->limits_memory =
      memory > 0 && has_limit &&
      (container->memory_limit <= own || container->memory_limit - own <= memory);
  cgroup->limits_swap =
      cgroup->limits_memory && (container->swap_limit == 0 || !cgroup_has_swap ());
  cgroup->limits_processes =
      policy->processes > 0 &&
      container->processes_limit <= (uint64_t) policy->processes + CONTAINER_OWN_PROCESSES;
  cgroup->reason = "";
  if (memory > 0 && !cgroup->limits_memory)
    cgroup->reason = has_limit ? "container-larger" : "not-granted";
  else if (memory > 0 && !cgroup->limits_swap)
    cgroup->reason = "swap";
}

bool
container_cgroup_was_over_memory (const struct container_cgroup *container)
{
  return container->memory_limit != CONTAINER_NO_LIMIT &&
         read_kills (container) > container->kills && has_met_limit (container);
}

/* A peak from before the run does not count. */
void
container_cgroup_conclude (const struct container_cgroup *container, struct cgroup_outcome *outcome)
{
  const uint64_t peak = read_peak (container);

  *outcome = (struct cgroup_outcome){ 0 };
  outcome->was_over_memory = container_cgroup_was_over_memory (container);
  outcome->process_refusals =
      read_event (container->pids, "pids.events", "max") - container->refusals;
  if (peak > container->peak)
    outcome->memory_peak = peak;
}
