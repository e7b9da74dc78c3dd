/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "guard-report.h"

#include "container-report.h"
#include "cpu-time.h"
#include "guard-row.h"
#include "landlock.h"
#include "setup.h"
#include "wire-event.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* The first ABI with the right to truncate: below it, only the read-only mounts keep the guest from
 * emptying a file that it may read. */
#define LANDLOCK_FULL_ABI 3

static void
report_filesystem (struct fh_guard_report *guard,
                   const struct fh_policy *policy,
                   const struct init_ready *ready)
{
  if (policy->tier == FH_WIRE_TIER_PORTAL)
    {
      *guard = guard_row (FH_WIRE_GUARD_FILESYSTEM,
                          "Flatpak's private root, Landlock, system call filter");
      if (policy->flags & FH_POLICY_OLD_PORTAL)
        guard_row_degrade (guard, "old-flatpak");
      return;
    }
  if (tier_is_shared (policy))
    {
      *guard = guard_row (FH_WIRE_GUARD_FILESYSTEM, "Landlock, system call filter");
      guard_row_degrade (guard, "landlock-only");
      return;
    }
  *guard = guard_row (FH_WIRE_GUARD_FILESYSTEM, "private root, read-only system folders, Landlock");
  if (policy->flags & FH_POLICY_PROJECT)
    {
      guard->layers = "private root, read-only system folders, overlay of the project, Landlock";
      guard->reason = "project";
    }
  else if (policy->flags & FH_POLICY_PROBE && policy->tier == FH_WIRE_TIER_NAMESPACES &&
           !setup_was_skipped (ready->skipped, "project-overlay"))
    guard->layers = "private root, read-only system folders, overlays for projects, Landlock";
  if (setup_was_skipped (ready->skipped, "separate-folders"))
    guard_row_degrade (guard, "shared-sockets");
  if (ready->landlock_abi >= LANDLOCK_FULL_ABI)
    return;
  guard_row_degrade (guard, ready->landlock_abi == 0 ? "no-landlock" : "old-landlock");
  if (ready->landlock_abi == 0)
    guard->layers = "private root, read-only system folders";
}

/* Without namespaces of our own there is no proxy: it reaches the program by one of them. */
static const char *
shared_network_reason (const struct fh_policy *policy, const char *usual)
{
  return policy->allow_hosts[0] != NULL ? "no-way-to-hosts" : usual;
}

/* The app itself has no network that it could pass on. */
static void
report_portal_network (struct fh_guard_report *guard, const struct fh_policy *policy)
{
  *guard =
      guard_row (FH_WIRE_GUARD_NETWORK, "network namespace, no sockets, Landlock rules for TCP");
  guard_row_degrade (guard, shared_network_reason (policy, "in-flatpak"));
  if (policy->without & 1u << FH_WIRE_GUARD_NETWORK)
    {
      guard_row_switch_off (guard, "in-flatpak");
      guard->layers = "network namespace";
    }
}

static void
report_network (struct fh_guard_report *guard,
                const struct fh_policy *policy,
                const struct init_ready *ready)
{
  static char layers[128];
  const bool has_sink = ready->descriptors & 1u << INIT_DNS;
  const bool has_proxy = ready->descriptors & 1u << INIT_PROXY;
  size_t hosts = 0;
  int size;

  if (policy->tier == FH_WIRE_TIER_PORTAL)
    {
      report_portal_network (guard, policy);
      return;
    }
  /* What still holds: few socket families, and no abstract sockets of the host. */
  if (policy->without & 1u << FH_WIRE_GUARD_NETWORK)
    {
      *guard = guard_row (FH_WIRE_GUARD_NETWORK, "socket families");
      if (ready->landlock_abi >= LANDLOCK_SCOPE_ABI)
        guard->layers = "socket families, Landlock scope of abstract sockets";
      guard->level = FH_WIRE_LEVEL_OFF;
      guard->reason = "switched-off";
      return;
    }
  if (tier_is_shared (policy))
    {
      *guard = guard_row (FH_WIRE_GUARD_NETWORK, "no sockets, Landlock rules for TCP");
      guard_row_degrade (guard, shared_network_reason (policy, "no-namespaces"));
      return;
    }
  if (policy->flags & FH_POLICY_NO_SOCKETS)
    {
      *guard = guard_row (FH_WIRE_GUARD_NETWORK, "network namespace, no sockets");
      return;
    }
  while (policy->allow_hosts[hosts] != NULL)
    hosts++;
  size = snprintf (layers,
                   sizeof layers,
                   "network namespace, loopback only%s, socket families",
                   has_sink ? ", DNS sink" : "");
  *guard = guard_row (FH_WIRE_GUARD_NETWORK, layers);
  if (hosts > 0 && has_proxy)
    {
      snprintf (layers + size,
                sizeof layers - (size_t) size,
                ", proxy for %zu %s",
                hosts,
                hosts == 1 ? "host" : "hosts");
      guard->reason = "allowed-hosts";
    }
  if (!has_sink)
    guard_row_degrade (guard, "no-dns-sink");
  if (hosts > 0 && !has_proxy)
    guard_row_degrade (guard, "no-proxy");
}

/* It refuses just as much without reports. What Flatpak's filter refuses as well never gets as far
 * as ours, which could report it. */
static void
report_system_calls (struct fh_guard_report *guard,
                     const struct fh_policy *policy,
                     const struct init_ready *ready)
{
  *guard = guard_row (FH_WIRE_GUARD_SYSTEM_CALLS, "seccomp filter, one architecture");
  if (policy->tier == FH_WIRE_TIER_PORTAL)
    guard_row_degrade (guard, "in-flatpak");
  if (policy->watch == FH_WIRE_WATCH_OFF)
    return;
  if (ready->descriptors & 1u << INIT_LISTENER)
    guard->layers = "seccomp filter, one architecture, reports";
  else
    guard_row_degrade (guard, ready->listener_error == EINVAL ? "old-kernel" : "no-listener");
}

static void
report_processes (struct fh_guard_report *guard,
                  const struct fh_policy *policy,
                  const struct init_ready *ready,
                  const struct cgroup *cgroup)
{
  if (policy->tier == FH_WIRE_TIER_PORTAL)
    {
      *guard = guard_row (FH_WIRE_GUARD_PROCESSES, "pid namespace, no signals, process limit");
      if (ready->has_scope)
        guard->layers = "pid namespace, Landlock scope of signals, process limit";
      guard_row_degrade (guard, "in-flatpak");
      return;
    }
  if (tier_is_shared (policy))
    {
      *guard = guard_row (FH_WIRE_GUARD_PROCESSES, "Landlock scope of signals, limit for the user");
      if (cgroup->limits_processes)
        guard->layers = "Landlock scope of signals, cgroup pids.max";
      if (ready->landlock_abi < LANDLOCK_SCOPE_ABI)
        guard->layers = cgroup->limits_processes ? "no signals, cgroup pids.max"
                                                 : "no signals, limit for the user";
      guard_row_degrade (guard, "no-namespaces");
      return;
    }
  *guard = guard_row (FH_WIRE_GUARD_PROCESSES, "pid namespace, process limit");
  if (policy->processes == 0)
    guard->layers = "pid namespace";
  else if (cgroup->limits_processes)
    guard->layers = "pid namespace, cgroup pids.max";
  /* The kernel does not limit root's processes. */
  else if (geteuid () == 0)
    guard_row_degrade (guard, "root");
  if (setup_was_skipped (ready->skipped, "core-handler"))
    guard_row_degrade (guard, "core-handler");
}

static void
report_memory (struct fh_guard_report *guard,
               const struct fh_policy *policy,
               const struct cgroup *cgroup)
{
  *guard = guard_row (FH_WIRE_GUARD_MEMORY, "cgroup memory.max, no swap");
  if (!cgroup->limits_memory)
    guard->layers = "data limit, sampling";
  else if (!cgroup->limits_swap)
    guard->layers = "cgroup memory.max";
  if (cgroup->reason[0] != '\0')
    guard_row_degrade (guard, cgroup->reason);
  if (policy->memory_bytes == 0)
    guard_row_switch_off (guard, "");
}

static void
report_time (struct fh_guard_report *guard,
             const struct fh_policy *policy,
             const struct cgroup *cgroup)
{
  const bool is_counted = cgroup->counts_memory && cgroup->counts_processes;

  *guard = guard_row (FH_WIRE_GUARD_TIME, "wall clock, CPU time of all processes");
  if (policy->cpu_ms == 0)
    guard->layers = "wall clock";
  if (policy->wall_ms == 0)
    guard->layers = "CPU time of all processes";
  if (policy->cpu_ms > 0 && !is_counted && !cpu_time_counts_all ())
    guard_row_degrade (guard, "cpu-sampled");
  if (policy->wall_ms == 0 && policy->cpu_ms == 0)
    guard_row_switch_off (guard, "");
}

static void
report_privileges (struct fh_guard_report *guard,
                   const struct fh_policy *policy,
                   const struct init_ready *ready)
{
  *guard = guard_row (FH_WIRE_GUARD_PRIVILEGES,
                      "user namespace, no capabilities, no new privileges, own keyring");
  if (ready->has_own_user)
    {
      guard->layers =
          "user namespace, own user number, no capabilities, no new privileges, own keyring";
      guard->reason = "own-user";
    }
  if (policy->tier == FH_WIRE_TIER_PORTAL)
    guard->layers = "user namespace, no capabilities, no new privileges";
  else if (tier_is_shared (policy))
    {
      guard->layers = "no capabilities, no new privileges";
      guard_row_degrade (guard, "no-namespaces");
    }
  else if (setup_was_skipped (ready->skipped, "keyring"))
    guard_row_degrade (guard, "no-keyring");
}

static void
report_disk (struct fh_guard_report *guard, const struct fh_policy *policy)
{
  *guard = guard_row (FH_WIRE_GUARD_DISK, "sized tmpfs, file size limit");
  if (policy->tier == FH_WIRE_TIER_BUBBLEWRAP)
    guard_row_degrade (guard, "no-inode-limit");
  if (tier_is_shared (policy))
    {
      guard->layers = "file size limit, looking";
      guard_row_degrade (guard, "watched");
    }
  if (policy->disk_bytes == 0)
    guard_row_switch_off (guard, "");
}

/* Overrides what was reported above for guards that are switched off. */
static void
apply_wishes (struct fh_guard_report guards[FH_WIRE_N_GUARDS], const struct fh_policy *policy)
{
  const uint32_t kept = 1u << FH_WIRE_GUARD_TIME | 1u << FH_WIRE_GUARD_OUTPUT;
  const uint32_t reported_above = 1u << FH_WIRE_GUARD_NETWORK;

  for (unsigned int i = 0; i < FH_WIRE_N_GUARDS; i++)
    {
      if (policy->without & ~reported_above & 1u << i)
        guard_row_switch_off (&guards[i], "switched-off");
      else if (policy->tier == FH_WIRE_TIER_UNPROTECTED && !(kept & 1u << i))
        guard_row_switch_off (&guards[i], "unprotected");
    }
}

void
guard_report_encode (const struct fh_policy *policy,
                     const struct init_ready *ready,
                     const struct cgroup *cgroup,
                     const struct container_evidence *container,
                     struct fh_buffer *buffer)
{
  struct fh_guard_report guards[FH_WIRE_N_GUARDS];
  struct fh_guard_report *output = &guards[FH_WIRE_GUARD_OUTPUT];

  report_filesystem (&guards[FH_WIRE_GUARD_FILESYSTEM], policy, ready);
  report_network (&guards[FH_WIRE_GUARD_NETWORK], policy, ready);
  report_processes (&guards[FH_WIRE_GUARD_PROCESSES], policy, ready, cgroup);
  report_system_calls (&guards[FH_WIRE_GUARD_SYSTEM_CALLS], policy, ready);
  report_privileges (&guards[FH_WIRE_GUARD_PRIVILEGES], policy, ready);
  report_memory (&guards[FH_WIRE_GUARD_MEMORY], policy, cgroup);
  report_time (&guards[FH_WIRE_GUARD_TIME], policy, cgroup);
  report_disk (&guards[FH_WIRE_GUARD_DISK], policy);
  *output = guard_row (FH_WIRE_GUARD_OUTPUT, "pipes, byte count per stream");
  if (policy->output_bytes == 0)
    guard_row_switch_off (output, "");
  guards[FH_WIRE_GUARD_ENVIRONMENT] =
      guard_row (FH_WIRE_GUARD_ENVIRONMENT, "built environment, no inherited descriptors");
  if (policy->kind == FH_POLICY_FORKED)
    guards[FH_WIRE_GUARD_ENVIRONMENT].reason = "forked";
  if (container != NULL)
    container_report (guards, policy, ready, cgroup, container);
  apply_wishes (guards, policy);
  fh_guards_encode (guards, FH_WIRE_N_GUARDS, buffer);
}
