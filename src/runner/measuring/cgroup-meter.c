/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cgroup-meter.h"

#include "kernel-file.h"

#include <stdlib.h>
#include <string.h>

/* A file that holds one number. */
static uint64_t
read_number (const struct cgroup *cgroup, const char *name)
{
  char text[32];

  if (!kernel_file_read (cgroup->box, name, text, sizeof text))
    return 0;
  return strtoull (text, NULL, 10);
}

/* A file of lines, each a name, a blank and a number. */
static uint64_t
find_number (const char *text, const char *name)
{
  const size_t length = strlen (name);

  for (const char *line = text; line != NULL; line = strchr (line, '\n'))
    {
      if (*line == '\n')
        line++;
      if (strncmp (line, name, length) == 0 && line[length] == ' ')
        return strtoull (line + length + 1, NULL, 10);
    }
  return 0;
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

  if (cgroup->box < 0)
    return;
  if (cgroup->counts_memory)
    usage->memory = read_number (cgroup, "memory.current");
  if (cgroup->counts_processes)
    usage->processes = count_guests (cgroup, "pids.current");
  if (kernel_file_read (cgroup->box, "cpu.stat", text, sizeof text))
    {
      usage->cpu_user_us = find_number (text, "user_usec");
      usage->cpu_system_us = find_number (text, "system_usec");
    }
}

/* The kernel also kills in a box when the whole computer, or a group above, has run out of memory.
 * Only when it was the box's own limit was there an "oom" in the box before. */
static bool
was_over_memory (const char *events)
{
  return find_number (events, "oom") > 0 &&
         (find_number (events, "oom_kill") > 0 || find_number (events, "oom_group_kill") > 0);
}

void
cgroup_conclude (const struct cgroup *cgroup, struct cgroup_outcome *outcome)
{
  char text[2048];

  *outcome = (struct cgroup_outcome){ 0 };
  if (cgroup->box < 0)
    return;
  if (cgroup->counts_memory)
    outcome->memory_peak = read_number (cgroup, "memory.peak");
  if (cgroup->counts_processes)
    outcome->processes_peak = count_guests (cgroup, "pids.peak");
  if (cgroup->limits_memory && kernel_file_read (cgroup->box, "memory.events", text, sizeof text))
    outcome->was_over_memory = was_over_memory (text);
  if (cgroup->limits_processes && kernel_file_read (cgroup->box, "pids.events", text, sizeof text))
    outcome->was_over_processes = find_number (text, "max") > 0;
}
