/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard-report.h"

#include "setup.h"
#include "wire-event.h"

#include <unistd.h>

/* The first ABI with the right to truncate: below it a file can be emptied that may only be read,
 * were it not for the read-only mounts. */
#define LANDLOCK_FULL_ABI 3

/* The first ABI that keeps a process from the abstract sockets of others, unix (7). */
#define LANDLOCK_SCOPE_ABI 6

static struct fh_guard_report
report (enum fh_wire_guard guard, const char *layers)
{
  return (struct fh_guard_report){ guard, FH_WIRE_LEVEL_ACTIVE, layers, "" };
}

static void
degrade (struct fh_guard_report *guard, const char *reason)
{
  guard->level = FH_WIRE_LEVEL_DEGRADED;
  guard->reason = reason;
}

static void
switch_off (struct fh_guard_report *guard)
{
  *guard = (struct fh_guard_report){ guard->guard, FH_WIRE_LEVEL_OFF, "", "" };
}

static void
report_filesystem (struct fh_guard_report *guard, const struct init_ready *ready)
{
  *guard = report (FH_WIRE_GUARD_FILESYSTEM, "private root, read-only system folders, Landlock");
  if (ready->landlock_abi >= LANDLOCK_FULL_ABI)
    return;
  degrade (guard, ready->landlock_abi == 0 ? "no-landlock" : "old-landlock");
  if (ready->landlock_abi == 0)
    guard->layers = "private root, read-only system folders";
}

static void
report_network (struct fh_guard_report *guard,
                const struct fh_policy *policy,
                const struct init_ready *ready)
{
  /* What still holds: a few kinds of sockets, and none that the host names without a file. */
  if (policy->without & 1u << FH_WIRE_GUARD_NETWORK)
    {
      *guard = report (FH_WIRE_GUARD_NETWORK, "socket families");
      if (ready->landlock_abi >= LANDLOCK_SCOPE_ABI)
        guard->layers = "socket families, Landlock scope of abstract sockets";
      guard->level = FH_WIRE_LEVEL_OFF;
      guard->reason = "switched-off";
      return;
    }
  *guard =
      report (FH_WIRE_GUARD_NETWORK, "network namespace, loopback only, DNS sink, socket families");
  if (ready->descriptors & 1u << INIT_DNS)
    return;
  degrade (guard, "no-dns-sink");
  guard->layers = "network namespace, loopback only, socket families";
}

static void
report_processes (struct fh_guard_report *guard,
                  const struct fh_policy *policy,
                  const struct cgroup *cgroup)
{
  *guard = report (FH_WIRE_GUARD_PROCESSES, "pid namespace, process limit");
  if (policy->processes == 0)
    guard->layers = "pid namespace";
  else if (cgroup->limits_processes)
    guard->layers = "pid namespace, cgroup pids.max";
  /* The kernel does not count root's processes. */
  else if (geteuid () == 0)
    degrade (guard, "root");
}

static void
report_memory (struct fh_guard_report *guard,
               const struct fh_policy *policy,
               const struct cgroup *cgroup)
{
  *guard = report (FH_WIRE_GUARD_MEMORY, "cgroup memory.max, no swap");
  if (!cgroup->limits_memory)
    guard->layers = "data limit, sampling";
  else if (!cgroup->limits_swap)
    guard->layers = "cgroup memory.max";
  if (cgroup->reason[0] != '\0')
    degrade (guard, cgroup->reason);
  if (policy->memory_bytes == 0)
    switch_off (guard);
}

static void
report_time (struct fh_guard_report *guard, const struct fh_policy *policy)
{
  *guard = report (FH_WIRE_GUARD_TIME, "wall clock, CPU time of all processes");
  if (policy->cpu_ms == 0)
    guard->layers = "wall clock";
  if (policy->wall_ms == 0)
    guard->layers = "CPU time of all processes";
  if (policy->wall_ms == 0 && policy->cpu_ms == 0)
    switch_off (guard);
}

void
guard_report_encode (const struct fh_policy *policy,
                     const struct init_ready *ready,
                     const struct cgroup *cgroup,
                     struct fh_buffer *buffer)
{
  struct fh_guard_report guards[FH_WIRE_N_GUARDS];
  struct fh_guard_report *disk = &guards[FH_WIRE_GUARD_DISK];
  struct fh_guard_report *output = &guards[FH_WIRE_GUARD_OUTPUT];
  struct fh_guard_report *privileges = &guards[FH_WIRE_GUARD_PRIVILEGES];

  report_filesystem (&guards[FH_WIRE_GUARD_FILESYSTEM], ready);
  report_network (&guards[FH_WIRE_GUARD_NETWORK], policy, ready);
  report_processes (&guards[FH_WIRE_GUARD_PROCESSES], policy, cgroup);
  guards[FH_WIRE_GUARD_SYSTEM_CALLS] =
      report (FH_WIRE_GUARD_SYSTEM_CALLS, "seccomp filter, one architecture");
  *privileges = report (FH_WIRE_GUARD_PRIVILEGES,
                        "user namespace, no capabilities, no new privileges, own keyring");
  if (setup_was_skipped (ready->skipped, "keyring"))
    degrade (privileges, "no-keyring");
  report_memory (&guards[FH_WIRE_GUARD_MEMORY], policy, cgroup);
  report_time (&guards[FH_WIRE_GUARD_TIME], policy);
  *disk = report (FH_WIRE_GUARD_DISK, "sized tmpfs, file size limit");
  if (policy->disk_bytes == 0)
    switch_off (disk);
  *output = report (FH_WIRE_GUARD_OUTPUT, "pipes, byte count per stream");
  if (policy->output_bytes == 0)
    switch_off (output);
  guards[FH_WIRE_GUARD_ENVIRONMENT] =
      report (FH_WIRE_GUARD_ENVIRONMENT, "built environment, no inherited descriptors");
  fh_guards_encode (guards, FH_WIRE_N_GUARDS, buffer);
}
