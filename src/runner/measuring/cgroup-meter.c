/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cgroup-meter.h"

#include "kernel-file.h"

#include <stdlib.h>
#include <string.h>

/* Reads one number. */
static uint64_t
read_number (const struct cgroup *cgroup, const char *name)
{
  char text[32];

  if (!kernel_file_read (cgroup->leaf, name, text, sizeof text))
    return 0;
  return strtoull (text, NULL, 10);
}

static uint32_t
count_guests (const struct cgroup *cgroup, const char *name)
{
  uint64_t all = read_number (cgroup, name);

  if (all > UINT32_MAX)
    return UINT32_MAX;
  return all > cgroup->own_processes ? (uint32_t) all - cgroup->own_processes : 0;
}

void
cgroup_measure (const struct cgroup *cgroup, struct cgroup_usage *usage)
{
  char text[2048];

  if (cgroup->leaf < 0)
    return;
  if (cgroup->counts_memory)
    usage->memory = read_number (cgroup, "memory.current");
  if (cgroup->counts_processes)
    usage->processes = count_guests (cgroup, "pids.current");
  if (kernel_file_read (cgroup->leaf, "cpu.stat", text, sizeof text))
    {
      usage->cpu_user_us = kernel_file_number (text, "user_usec", 0);
      usage->cpu_system_us = kernel_file_number (text, "system_usec", 0);
    }
}

/* The kernel also kills in the leaf if the whole computer, or a parent group, is out of memory. An
 * "oom" event of the leaf itself means its own limit. */
static bool
was_over_memory (const char *events)
{
  return kernel_file_number (events, "oom", 0) > 0 &&
         (kernel_file_number (events, "oom_kill", 0) > 0 ||
          kernel_file_number (events, "oom_group_kill", 0) > 0);
}

void
cgroup_conclude (const struct cgroup *cgroup, struct cgroup_outcome *outcome)
{
  char text[2048];

  *outcome = (struct cgroup_outcome){ 0 };
  if (cgroup->leaf < 0)
    return;
  if (cgroup->counts_memory)
    outcome->memory_peak = read_number (cgroup, "memory.peak");
  if (cgroup->counts_processes)
    outcome->processes_peak = count_guests (cgroup, "pids.peak");
  if (cgroup->limits_memory && kernel_file_read (cgroup->leaf, "memory.events", text, sizeof text))
    outcome->was_over_memory = was_over_memory (text);
  if (cgroup->limits_processes && kernel_file_read (cgroup->leaf, "pids.events", text, sizeof text))
    outcome->process_refusals = kernel_file_number (text, "max", 0);
}
