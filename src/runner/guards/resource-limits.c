/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "resource-limits.h"

#include "descriptor.h"
#include "guest-user.h"
#include "kernel-file.h"
#include "process-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#define MIB ((uint64_t) 1 << 20)

/* If the system runs out of memory, prefer to kill the sandbox. In a container with limited memory,
 * prefer the guest over the runner, which has to report it. */
#define OOM_SCORE_ADJUSTMENT        "800"
#define OOM_SCORE_ADJUSTMENT_INSIDE "1000"

/* Smallest, initial and largest size, tcp (7). All connections are local, so more makes them no
 * faster; and the memory counts for the whole machine. */
#define TCP_BUFFER "4096 32768 32768"

/* With 0 the kernel still starts the program in the host's core_pattern, as root. With 1 it does
 * not, and as that is less than a page no file is written either. */
#define CORE_BYTES 1

_Static_assert(FH_POLICY_MAX_OPEN_FILES == SETUP_MAX_FILES,
               "the first process's descriptors are out of the guest's reach");

int
limits_forbid_namespaces (struct setup *setup)
{
  return kernel_file_write (setup->proc, "sys/user/max_user_namespaces", "0");
}

int
limits_set_pid_max (struct setup *setup)
{
  return kernel_file_write (setup->proc, "sys/kernel/pid_max", setup->plan->pid_max);
}

int
limits_set_watches (struct setup *setup)
{
  const struct plan *plan = setup->plan;
  /* Each keeps up to fs.inotify.max_queued_events, 8 MiB, that only a control group charges. */
  const bool is_charged = plan->cgroup->limits_memory || plan->policy->memory_bytes == 0;
  int error =
      kernel_file_write (setup->proc, "sys/user/max_inotify_instances", is_charged ? "16" : "2");

  if (error == 0)
    error = kernel_file_write (setup->proc, "sys/user/max_inotify_watches", "4096");
  return error;
}

/* TCP buffers grow by themselves, to many MiB on computers tuned for fast networks, and are charged
 * to no process. */
int
limits_set_socket_buffers (struct setup *setup)
{
  int error;

  /* Root would set them for the whole computer. */
  if (!setup->plan->has_own_network)
    return 0;
  error = kernel_file_write (setup->proc, "sys/net/ipv4/tcp_rmem", TCP_BUFFER);
  if (error == 0)
    error = kernel_file_write (setup->proc, "sys/net/ipv4/tcp_wmem", TCP_BUFFER);
  return error;
}

int
limits_forbid_core_dumps (struct setup *setup)
{
  const bool is_inside = setup->plan->policy->tier == FH_WIRE_TIER_CONTAINER;
  int error = kernel_file_write (setup->proc, "self/coredump_filter", "0");

  /* Order matters: this process is about to become unreadable even to itself. */
  if (error == 0)
    error = kernel_file_write (setup->proc,
                               "self/oom_score_adj",
                               is_inside ? OOM_SCORE_ADJUSTMENT_INSIDE : OOM_SCORE_ADJUSTMENT);
  return error;
}

int
limits_set_rlimits (struct setup *setup)
{
  for (size_t i = 0; i < setup->plan->n_rlimits; i++)
    {
      const struct plan_rlimit *entry = &setup->plan->rlimits[i];

      if (setrlimit ((unsigned int) entry->resource, &entry->limit) < 0)
        return -errno;
    }
  return 0;
}

int
limits_check_core_handler (struct setup *setup)
{
  char pattern[2] = "";
  struct rlimit limit;

  if (getrlimit (RLIMIT_CORE, &limit) < 0)
    return -errno;
  if (!kernel_file_read (setup->proc, "sys/kernel/core_pattern", pattern, sizeof pattern))
    return 0;
  if (pattern[0] == '@' || (pattern[0] == '|' && limit.rlim_cur != CORE_BYTES))
    return -EOPNOTSUPP;
  return 0;
}

int
limits_enter (const struct setup *setup)
{
  const uint32_t wanted = setup->plan->policy->open_files;
  const rlim_t most = wanted > 0 ? wanted : SETUP_MAX_FILES;
  struct rlimit limit;

  if (setup->plan->policy->tier == FH_WIRE_TIER_UNPROTECTED)
    return 0;
  if (getrlimit (RLIMIT_NOFILE, &limit) < 0)
    return -errno;
  if (limit.rlim_max > most)
    limit.rlim_max = most;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit (RLIMIT_NOFILE, &limit) < 0 ? -errno : 0;
}

/* Without privileges no limit can exceed the runner's own. */
static void
add (struct plan *plan, int resource, uint64_t value, uint64_t hard)
{
  struct plan_rlimit *entry = &plan->rlimits[plan->n_rlimits++];
  struct rlimit ours;

  *entry = (struct plan_rlimit){ resource, { value, hard } };
  if (getrlimit ((unsigned int) resource, &ours) < 0)
    return;
  if (entry->limit.rlim_max > ours.rlim_max)
    entry->limit.rlim_max = ours.rlim_max;
  if (entry->limit.rlim_cur > entry->limit.rlim_max)
    entry->limit.rlim_cur = entry->limit.rlim_max;
}

/* Counted per user namespace, and for those around it: one more for the sandbox's first process,
 * and another for a warm interpreter. Without a namespace the user's current processes count as
 * well, and so do those of his other runs, whose guests have numbers of their own. In a container
 * those of the whole computer would count, and the engine has its own limit. With pids.max set,
 * this limit would only prevent that one's reports. */
static void
add_process_limit (struct plan *plan)
{
  const bool is_warm = plan->policy->kind == FH_POLICY_FORKED;
  uint64_t limit = (uint64_t) plan->policy->processes + (is_warm ? 2 : 1);
  uid_t first;
  uid_t count;
  fh_autofd int proc = -1;

  if (plan->policy->processes == 0 || plan->cgroup->limits_processes ||
      plan->policy->tier == FH_WIRE_TIER_CONTAINER)
    return;
  if (tier_is_shared (plan->policy) &&
      (proc = open ("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) >= 0)
    {
      limit += process_tree_tasks_of (proc, geteuid (), 1);
      if (guest_user_find_range (&first, &count))
        limit += process_tree_tasks_of (proc, first, count);
    }
  add (plan, RLIMIT_NPROC, limit, limit);
}

static void
plan_rlimits (struct plan *plan)
{
  const struct fh_policy *policy = plan->policy;
  const uint64_t memory = policy->memory_bytes;
  const bool is_warm = policy->kind == FH_POLICY_FORKED;

  add (plan, RLIMIT_CORE, CORE_BYTES, CORE_BYTES);
  add (plan, RLIMIT_STACK, 8 * MIB, 8 * MIB);
  add (plan, RLIMIT_MEMLOCK, 64 * 1024, 64 * 1024);
  add (plan, RLIMIT_MSGQUEUE, 0, 0);
  add (plan, RLIMIT_SIGPENDING, 1024, 1024);
  add (plan, RLIMIT_RTPRIO, 0, 0);
  add (plan, RLIMIT_NICE, 0, 0);
  add_process_limit (plan);
  if (policy->disk_bytes > 0)
    add (plan, RLIMIT_FSIZE, policy->disk_bytes, policy->disk_bytes);
  if (memory > 0 && !plan->cgroup->limits_memory)
    {
      /* RLIMIT_DATA makes malloc fail in time; programs reserve far more address space than they
       * use, so RLIMIT_AS only bounds the page tables. */
      uint64_t space = memory < UINT64_MAX / 16 ? 16 * memory : memory;

      add (plan, RLIMIT_DATA, memory, memory);
      add (plan,
           RLIMIT_AS,
           space > 4096 * MIB ? space : 4096 * MIB,
           space > 4096 * MIB ? space : 4096 * MIB);
    }
  /* A fallback: the supervisor's own count is exact and covers the whole tree. */
  if (policy->cpu_ms > 0 && !is_warm)
    add (plan, RLIMIT_CPU, policy->cpu_ms / 1000 + 2, policy->cpu_ms / 1000 + 3);
}

static uint64_t
clamp (uint64_t value, uint64_t low, uint64_t high)
{
  return value < low ? low : value > high ? high : value;
}

void
limits_plan (struct plan *plan)
{
  const struct fh_policy *policy = plan->policy;

  plan_rlimits (plan);
  snprintf (plan->pid_max,
            sizeof plan->pid_max,
            "%" PRIu64,
            clamp ((uint64_t) policy->processes * 4, 4096, 4 * MIB));
  /* Every file and folder takes kernel memory besides its content. */
  if (policy->disk_bytes > 0)
    {
      uint64_t size = policy->disk_bytes;

      /* Files are in memory and count there as well, a quarter of the memory's if they are empty. A
       * failing write is better than a killed program. */
      if (policy->memory_bytes > 0 && policy->memory_bytes < size)
        size = policy->memory_bytes;
      snprintf (plan->scratch_size, sizeof plan->scratch_size, "%" PRIu64, size);
      snprintf (plan->scratch_inodes,
                sizeof plan->scratch_inodes,
                "%" PRIu64,
                clamp (size / 8192, 4096, 262144));
    }
}
