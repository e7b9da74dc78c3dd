/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "container-report.h"

#include "guard-row.h"

/* The size of a filesystem may be rounded up by one page, which has 64 KiB at the most. */
#define PAGE 65536

static void
report_filesystem (struct fh_guard_report *row, const struct container_evidence *evidence)
{
  *row = guard_row (FH_WIRE_GUARD_FILESYSTEM, "mount namespace, read-only image");
  row->reason = "container";
  if (!evidence->has_read_only_root)
    {
      row->layers = "mount namespace";
      guard_row_degrade (row, "writable-image");
    }
  if (evidence->writable_folders > 0)
    guard_row_degrade (row, "shared-folder");
}

/* The engine was not asked for what the policy switches off. */
static void
report_network (struct fh_guard_report *row,
                const struct fh_policy *policy,
                const struct init_ready *ready,
                const struct container_evidence *evidence)
{
  const bool has_sink = ready->descriptors & 1u << INIT_DNS;
  const bool is_switched_off = policy->without & 1u << FH_WIRE_GUARD_NETWORK;

  *row = guard_row (FH_WIRE_GUARD_NETWORK, "network namespace, loopback only, socket families");
  if (policy->flags & FH_POLICY_NO_SOCKETS)
    row->layers = "network namespace, no sockets";
  else if (has_sink)
    row->layers = "network namespace, loopback only, DNS sink, socket families";
  if (evidence->has_network || is_switched_off)
    {
      if (!(policy->flags & FH_POLICY_NO_SOCKETS))
        row->layers = "network namespace, socket families";
      guard_row_degrade (row, "network-allowed");
    }
  if (is_switched_off)
    {
      row->level = FH_WIRE_LEVEL_OFF;
      row->reason = "switched-off";
    }
}

static void
report_processes (struct fh_guard_report *row,
                  const struct fh_policy *policy,
                  const struct cgroup *cgroup)
{
  *row = guard_row (FH_WIRE_GUARD_PROCESSES, "pid namespace, cgroup pids.max");
  if (cgroup->limits_processes)
    return;
  row->layers = "pid namespace";
  if (policy->processes > 0)
    guard_row_degrade (row, "not-granted");
}

static void
report_system_calls (struct fh_guard_report *row,
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
report_privileges (struct fh_guard_report *row, const struct container_evidence *evidence)
{
  *row = guard_row (FH_WIRE_GUARD_PRIVILEGES, "no capabilities, no new privileges");
  if (evidence->has_user_namespace)
    row->layers = "user namespace, no capabilities, no new privileges";
  if (evidence->is_root && !evidence->has_user_namespace)
    guard_row_degrade (row, "root");
  if (evidence->capabilities != 0 || !evidence->has_no_new_privileges)
    guard_row_degrade (row, "capabilities");
}

static void
report_disk (struct fh_guard_report *row,
             const struct fh_policy *policy,
             const struct container_evidence *evidence)
{
  if (policy->disk_bytes == 0)
    return;
  *row = guard_row (FH_WIRE_GUARD_DISK, "sized tmpfs, file size limit");
  if (evidence->space <= policy->disk_bytes + PAGE)
    return;
  if (policy->flags & FH_POLICY_SHARED_WORKSPACE)
    {
      row->layers = "file size limit, looking";
      guard_row_degrade (row, "shared-folder");
      return;
    }
  row->layers = "file size limit";
  guard_row_degrade (row, "not-granted");
}

void
container_report (struct fh_guard_report guards[FH_WIRE_N_GUARDS],
                  const struct fh_policy *policy,
                  const struct init_ready *ready,
                  const struct cgroup *cgroup,
                  const struct container_evidence *evidence)
{
  report_filesystem (&guards[FH_WIRE_GUARD_FILESYSTEM], evidence);
  report_network (&guards[FH_WIRE_GUARD_NETWORK], policy, ready, evidence);
  report_processes (&guards[FH_WIRE_GUARD_PROCESSES], policy, cgroup);
  report_system_calls (&guards[FH_WIRE_GUARD_SYSTEM_CALLS], ready, evidence);
  report_privileges (&guards[FH_WIRE_GUARD_PRIVILEGES], evidence);
  report_disk (&guards[FH_WIRE_GUARD_DISK], policy, evidence);
}
