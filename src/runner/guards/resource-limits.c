/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "resource-limits.h"

#include "kernel-file.h"
#include "process-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#define MIB ((uint64_t) 1 << 20)

/* A process that the system runs short of memory for should be one of the sandbox's. In a container
 * of limited memory the choice is between the guest and the runner, which has to tell of it. */
#define OOM_SCORE_ADJUSTMENT        "800"
#define OOM_SCORE_ADJUSTMENT_INSIDE "1000"

/* Smallest, first and largest size: the largest is what other kinds of sockets get, socket (7). */
#define TCP_BUFFER "4096 131072 212992"

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
  int error = kernel_file_write (setup->proc, "sys/user/max_inotify_instances", "16");

  if (error == 0)
    error = kernel_file_write (setup->proc, "sys/user/max_inotify_watches", "4096");
  return error;
}

/* Of the sandbox's own network. Buffers of TCP grow by themselves, up to many MiB where a computer
 * is set up for fast networks, and no process is charged for what they hold. */
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

  /* The order is no accident: this process is about to become unreadable even to itself. */
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

/* Nobody without privileges can go above the limit that the runner itself lives under. */
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

/* Counted per user namespace: one more for the sandbox's first process. Without a namespace the
 * user's other processes count as well, those that he has now; in a container that would be all
 * over the computer, and the engine has a limit of its own. Beside the control group's own limit it
 * would only keep that one from being told of. */
static void
add_process_limit (struct plan *plan)
{
  uint64_t limit = (uint64_t) plan->policy->processes + 1;
  int proc;

  if (plan->policy->processes == 0 || plan->cgroup->limits_processes ||
      plan->policy->tier == FH_WIRE_TIER_CONTAINER)
    return;
  if (plan_is_shared (plan) && (proc = open ("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC)) >= 0)
    {
      limit += process_tree_tasks_of (proc, geteuid ());
      close (proc);
    }
  add (plan, RLIMIT_NPROC, limit, limit);
}

static void
plan_rlimits (struct plan *plan)
{
  const struct fh_policy *policy = plan->policy;
  const uint64_t memory = policy->memory_bytes;

  add (plan, RLIMIT_CORE, 0, 0);
  add (plan, RLIMIT_NOFILE, SETUP_MAX_FILES, SETUP_MAX_FILES);
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
      /* RLIMIT_DATA is what makes malloc fail in time; programs reserve far more address space
       * than they use, so RLIMIT_AS only bounds the page tables. */
      uint64_t space = memory < UINT64_MAX / 16 ? 16 * memory : memory;

      add (plan, RLIMIT_DATA, memory, memory);
      add (plan,
           RLIMIT_AS,
           space > 4096 * MIB ? space : 4096 * MIB,
           space > 4096 * MIB ? space : 4096 * MIB);
    }
  /* Behind the supervisor's own count, which is exact and covers the whole tree. */
  if (policy->cpu_ms > 0)
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

      /* Files lie in memory and count there as well. A write that fails is the better end. */
      if (policy->memory_bytes > 0 && policy->memory_bytes < size)
        size = policy->memory_bytes;
      snprintf (plan->scratch_size, sizeof plan->scratch_size, "%" PRIu64, size);
      snprintf (plan->scratch_inodes,
                sizeof plan->scratch_inodes,
                "%" PRIu64,
                clamp (policy->disk_bytes / 8192, 4096, 262144));
    }
}
