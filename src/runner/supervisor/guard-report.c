/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu-time.h"
#include "landlock.h"
#include "setup.h"
#include "supervisor-private.h"
#include "wire-event.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* The size of a filesystem may be rounded up by one page, which has 64 KiB at the most. */
#define PAGE 65536

static struct fh_guard_report
row_of (enum fh_wire_guard guard, const char *layers)
{
  return (struct fh_guard_report){ guard, FH_WIRE_LEVEL_ACTIVE, layers, "" };
}

static void
degrade (struct fh_guard_report *row, const char *reason)
{
  row->level = FH_WIRE_LEVEL_DEGRADED;
  row->reason = reason;
}

static void
switch_off (struct fh_guard_report *row, const char *reason)
{
  *row = (struct fh_guard_report){ row->guard, FH_WIRE_LEVEL_OFF, "", reason };
}

static void
report_container_filesystem (struct fh_guard_report *row, const struct container_evidence *evidence)
{
  *row = row_of (FH_WIRE_GUARD_FILESYSTEM, "mount namespace, read-only image");
  row->reason = "container";
  if (!evidence->has_read_only_root)
    {
      row->layers = "mount namespace";
      degrade (row, "writable-image");
    }
  if (evidence->writable_folders > 0)
    degrade (row, "shared-folder");
}

/* The engine was not asked for what the policy switches off. */
static void
report_container_network (struct fh_guard_report *row,
                          const struct fh_policy *policy,
                          const struct init_ready *ready,
                          const struct container_evidence *evidence)
{
  const bool has_sink = ready->descriptors & 1u << INIT_DNS;
  const bool is_switched_off = policy->without & 1u << FH_WIRE_GUARD_NETWORK;

  *row = row_of (FH_WIRE_GUARD_NETWORK, "network namespace, loopback only, socket families");
  if (policy->flags & FH_POLICY_NO_SOCKETS)
    row->layers = "network namespace, no sockets";
  else if (has_sink)
    row->layers = "network namespace, loopback only, DNS sink, socket families";
  if (evidence->has_network || is_switched_off)
    {
      if (!(policy->flags & FH_POLICY_NO_SOCKETS))
        row->layers = "network namespace, socket families";
      degrade (row, "network-allowed");
    }
  if (is_switched_off)
    {
      row->level = FH_WIRE_LEVEL_OFF;
      row->reason = "switched-off";
    }
}

static void
report_container_processes (struct fh_guard_report *row,
                            const struct fh_policy *policy,
                            const struct cgroup *cgroup)
{
  *row = row_of (FH_WIRE_GUARD_PROCESSES, "pid namespace, cgroup pids.max");
  if (cgroup->limits_processes)
    return;
  row->layers = "pid namespace";
  if (policy->processes > 0)
    degrade (row, "not-granted");
}

static void
report_container_system_calls (struct fh_guard_report *row,
                               const struct init_ready *ready,
                               const struct container_evidence *evidence)
{
  if (evidence->has_filter)
    row->layers = ready->descriptors & 1u << INIT_LISTENER
                      ? "seccomp filter, one architecture, reports, engine's filter"
                      : "seccomp filter, one architecture, engine's filter";
}

/* The runner has given up what it was given, for the guest; but it was asked for without. */
static void
report_container_privileges (struct fh_guard_report *row, const struct container_evidence *evidence)
{
  *row = row_of (FH_WIRE_GUARD_PRIVILEGES, "no capabilities, no new privileges");
  if (evidence->has_user_namespace)
    row->layers = "user namespace, no capabilities, no new privileges";
  if (evidence->is_root && !evidence->has_user_namespace)
    degrade (row, "root");
  if (evidence->capabilities != 0 || !evidence->has_no_new_privileges)
    degrade (row, "capabilities");
}

static void
report_container_disk (struct fh_guard_report *row,
                       const struct fh_policy *policy,
                       const struct container_evidence *evidence)
{
  if (policy->disk_bytes == 0)
    return;
  *row = row_of (FH_WIRE_GUARD_DISK, "sized tmpfs, file size limit");
  if (evidence->space <= policy->disk_bytes + PAGE)
    return;
  if (policy->flags & FH_POLICY_SHARED_WORKSPACE)
    {
      row->layers = "file size limit, looking";
      degrade (row, "shared-folder");
      return;
    }
  row->layers = "file size limit";
  degrade (row, "not-granted");
}

/* In a container the guards are the engine's, and are reported as found: replaces their rows. */
static void
report_container (struct fh_guard_report guards[FH_WIRE_N_GUARDS],
                  const struct fh_policy *policy,
                  const struct init_ready *ready,
                  const struct cgroup *cgroup,
                  const struct container_evidence *evidence)
{
  report_container_filesystem (&guards[FH_WIRE_GUARD_FILESYSTEM], evidence);
  report_container_network (&guards[FH_WIRE_GUARD_NETWORK], policy, ready, evidence);
  report_container_processes (&guards[FH_WIRE_GUARD_PROCESSES], policy, cgroup);
  report_container_system_calls (&guards[FH_WIRE_GUARD_SYSTEM_CALLS], ready, evidence);
  report_container_privileges (&guards[FH_WIRE_GUARD_PRIVILEGES], evidence);
  report_container_disk (&guards[FH_WIRE_GUARD_DISK], policy, evidence);
}

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
      *guard =
          row_of (FH_WIRE_GUARD_FILESYSTEM, "Flatpak's private root, Landlock, system call filter");
      if (policy->flags & FH_POLICY_OLD_PORTAL)
        degrade (guard, "old-flatpak");
      return;
    }
  if (tier_is_shared (policy))
    {
      *guard = row_of (FH_WIRE_GUARD_FILESYSTEM, "Landlock, system call filter");
      degrade (guard, "landlock-only");
      return;
    }
  *guard = row_of (FH_WIRE_GUARD_FILESYSTEM, "private root, read-only system folders, Landlock");
  if (policy->flags & FH_POLICY_PROJECT)
    {
      guard->layers = "private root, read-only system folders, overlay of the project, Landlock";
      guard->reason = "project";
    }
  else if (policy->flags & FH_POLICY_PROBE && policy->tier == FH_WIRE_TIER_NAMESPACES &&
           !setup_was_skipped (ready->skipped, "project-overlay"))
    guard->layers = "private root, read-only system folders, overlays for projects, Landlock";
  if (setup_was_skipped (ready->skipped, "separate-folders"))
    degrade (guard, "shared-sockets");
  if (ready->landlock_abi >= LANDLOCK_FULL_ABI)
    return;
  degrade (guard, ready->landlock_abi == 0 ? "no-landlock" : "old-landlock");
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
  *guard = row_of (FH_WIRE_GUARD_NETWORK, "network namespace, no sockets, Landlock rules for TCP");
  degrade (guard, shared_network_reason (policy, "in-flatpak"));
  if (policy->without & 1u << FH_WIRE_GUARD_NETWORK)
    {
      switch_off (guard, "in-flatpak");
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
      *guard = row_of (FH_WIRE_GUARD_NETWORK, "socket families");
      if (ready->landlock_abi >= LANDLOCK_SCOPE_ABI)
        guard->layers = "socket families, Landlock scope of abstract sockets";
      guard->level = FH_WIRE_LEVEL_OFF;
      guard->reason = "switched-off";
      return;
    }
  if (tier_is_shared (policy))
    {
      *guard = row_of (FH_WIRE_GUARD_NETWORK, "no sockets, Landlock rules for TCP");
      degrade (guard, shared_network_reason (policy, "no-namespaces"));
      return;
    }
  if (policy->flags & FH_POLICY_NO_SOCKETS)
    {
      *guard = row_of (FH_WIRE_GUARD_NETWORK, "network namespace, no sockets");
      return;
    }
  while (policy->allow_hosts[hosts] != NULL)
    hosts++;
  size = snprintf (layers,
                   sizeof layers,
                   "network namespace, loopback only%s, socket families",
                   has_sink ? ", DNS sink" : "");
  *guard = row_of (FH_WIRE_GUARD_NETWORK, layers);
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
    degrade (guard, "no-dns-sink");
  if (hosts > 0 && !has_proxy)
    degrade (guard, "no-proxy");
}

/* It refuses just as much without reports. What Flatpak's filter refuses as well never gets as far
 * as ours, which could report it. */
static void
report_system_calls (struct fh_guard_report *guard,
                     const struct fh_policy *policy,
                     const struct init_ready *ready)
{
  *guard = row_of (FH_WIRE_GUARD_SYSTEM_CALLS, "seccomp filter, one architecture");
  if (policy->tier == FH_WIRE_TIER_PORTAL)
    degrade (guard, "in-flatpak");
  if (policy->watch == FH_WIRE_WATCH_OFF)
    return;
  if (ready->descriptors & 1u << INIT_LISTENER)
    guard->layers = "seccomp filter, one architecture, reports";
  else
    degrade (guard, ready->listener_error == EINVAL ? "old-kernel" : "no-listener");
}

static void
report_processes (struct fh_guard_report *guard,
                  const struct fh_policy *policy,
                  const struct init_ready *ready,
                  const struct cgroup *cgroup)
{
  if (policy->tier == FH_WIRE_TIER_PORTAL)
    {
      *guard = row_of (FH_WIRE_GUARD_PROCESSES, "pid namespace, no signals, process limit");
      if (ready->has_scope)
        guard->layers = "pid namespace, Landlock scope of signals, process limit";
      degrade (guard, "in-flatpak");
      return;
    }
  if (tier_is_shared (policy))
    {
      *guard = row_of (FH_WIRE_GUARD_PROCESSES, "Landlock scope of signals, limit for the user");
      if (cgroup->limits_processes)
        guard->layers = "Landlock scope of signals, cgroup pids.max";
      if (ready->landlock_abi < LANDLOCK_SCOPE_ABI)
        guard->layers = cgroup->limits_processes ? "no signals, cgroup pids.max"
                                                 : "no signals, limit for the user";
      degrade (guard, "no-namespaces");
      return;
    }
  *guard = row_of (FH_WIRE_GUARD_PROCESSES, "pid namespace, process limit");
  if (policy->processes == 0)
    guard->layers = "pid namespace";
  else if (cgroup->limits_processes)
    guard->layers = "pid namespace, cgroup pids.max";
  /* The kernel does not limit root's processes. */
  else if (geteuid () == 0)
    degrade (guard, "root");
  if (setup_was_skipped (ready->skipped, "core-handler"))
    degrade (guard, "core-handler");
}

static void
report_memory (struct fh_guard_report *guard,
               const struct fh_policy *policy,
               const struct cgroup *cgroup)
{
  *guard = row_of (FH_WIRE_GUARD_MEMORY, "cgroup memory.max, no swap");
  if (!cgroup->limits_memory)
    guard->layers = "data limit, sampling";
  else if (!cgroup->limits_swap)
    guard->layers = "cgroup memory.max";
  if (cgroup->reason[0] != '\0')
    degrade (guard, cgroup->reason);
  if (policy->memory_bytes == 0)
    switch_off (guard, "");
}

static void
report_time (struct fh_guard_report *guard,
             const struct fh_policy *policy,
             const struct cgroup *cgroup)
{
  const bool is_counted = cgroup->counts_memory && cgroup->counts_processes;

  *guard = row_of (FH_WIRE_GUARD_TIME, "wall clock, CPU time of all processes");
  if (policy->cpu_ms == 0)
    guard->layers = "wall clock";
  if (policy->wall_ms == 0)
    guard->layers = "CPU time of all processes";
  if (policy->cpu_ms > 0 && !is_counted && !cpu_time_counts_all ())
    degrade (guard, "cpu-sampled");
  if (policy->wall_ms == 0 && policy->cpu_ms == 0)
    switch_off (guard, "");
}

static void
report_privileges (struct fh_guard_report *guard,
                   const struct fh_policy *policy,
                   const struct init_ready *ready)
{
  *guard = row_of (FH_WIRE_GUARD_PRIVILEGES,
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
      degrade (guard, "no-namespaces");
    }
  else if (setup_was_skipped (ready->skipped, "keyring"))
    degrade (guard, "no-keyring");
}

static void
report_disk (struct fh_guard_report *guard, const struct fh_policy *policy)
{
  *guard = row_of (FH_WIRE_GUARD_DISK, "sized tmpfs, file size limit");
  if (policy->tier == FH_WIRE_TIER_BUBBLEWRAP)
    degrade (guard, "no-inode-limit");
  if (tier_is_shared (policy))
    {
      guard->layers = "file size limit, looking";
      degrade (guard, "watched");
    }
  if (policy->disk_bytes == 0)
    switch_off (guard, "");
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
        switch_off (&guards[i], "switched-off");
      else if (policy->tier == FH_WIRE_TIER_UNPROTECTED && !(kept & 1u << i))
        switch_off (&guards[i], "unprotected");
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
  *output = row_of (FH_WIRE_GUARD_OUTPUT, "pipes, byte count per stream");
  if (policy->output_bytes == 0)
    switch_off (output, "");
  guards[FH_WIRE_GUARD_ENVIRONMENT] =
      row_of (FH_WIRE_GUARD_ENVIRONMENT, "built environment, no inherited descriptors");
  if (policy->kind == FH_POLICY_FORKED)
    guards[FH_WIRE_GUARD_ENVIRONMENT].reason = "forked";
  if (container != NULL)
    report_container (guards, policy, ready, cgroup, container);
  apply_wishes (guards, policy);
  fh_guards_encode (guards, FH_WIRE_N_GUARDS, buffer);
}
