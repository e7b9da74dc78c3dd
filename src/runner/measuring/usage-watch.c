/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "usage-watch.h"

#include "clock.h"
#include "descriptor.h"
#include "numbers.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Most runs have ended by then. */
#define FIRST_LOOK_US     30000
#define LONGEST_PAUSE_US  50000
#define SHORTEST_PAUSE_US 2000
/* Between two cells, see usage_watch_rest. */
#define LONGEST_REST_US 5000000

/* The fastest that a guest with several processes can fill memory: 8 GiB/s, in bytes per
 * microsecond. */
#define FASTEST_GROWTH 8192

/* Between two looks that have to agree. */
#define SUSPICION_PAUSE_US 3000

#define LOSING_PAUSE_US 5000 /* while CPU time gets lost between looks */

/* What the supervisor does for any program, once and per look. */
#define FREE_US      10000
#define FREE_LOOK_US 300

#define SIZE_PER_PAGE_TABLE 512 /* one entry of 8 bytes per page of 4096 */
/* The most that a page of 4096 can take of page tables: where two that are far from all others lie
 * on both sides of a border, each has a page of the three lowest levels. */
#define TABLES_PER_SIZE 3

/* True if the control group counts all that is watched. */
static bool
is_counted (const struct fh_policy *policy, const struct cgroup *cgroup)
{
  return cgroup->counts_memory && cgroup->counts_processes &&
         (cgroup->limits_memory || policy->memory_bytes == 0);
}

void
usage_watch_prepare (const struct fh_policy *policy, const struct cgroup *cgroup, pid_t parent)
{
  if (!is_counted (policy, cgroup))
    cpu_time_begin_to_count_all (parent);
}

void
usage_watch_init (struct usage_watch *watch,
                  const struct fh_policy *policy,
                  const struct cgroup *cgroup)
{
  *watch = (struct usage_watch){
    .policy = policy,
    .cgroup = cgroup,
    .is_counted = is_counted (policy, cgroup),
    .table.proc = -1,
    .scratch = { -1, -1, -1, -1 },
    .next_us = UINT64_MAX,
  };
  kernel_objects_init (&watch->objects, policy, watch->is_counted);
}

void
usage_watch_end (struct usage_watch *watch)
{
  fh_clear_fd (&watch->table.proc);
  for (int i = 0; i < USAGE_SCRATCH; i++)
    fh_clear_fd (&watch->scratch[i]);
  kernel_objects_end (&watch->objects);
  process_table_clear (&watch->table);
  watch->next_us = UINT64_MAX;
}

/* All swapped memory of the computer is an upper bound for the sandbox's. */
static uint64_t
most_in_swap (void)
{
  struct sysinfo info;

  return sysinfo (&info) < 0 ? 0 : (info.totalswap - info.freeswap) * (uint64_t) info.mem_unit;
}

/* Shared memory and program files count for each process in `resident`. Only if that sum comes near
 * the limit, measure exactly: what is told as near is a reason to believe a program that fails. */
static bool
may_be_near_limit (struct usage_watch *watch, uint64_t scratch, uint64_t *resident)
{
  const uint64_t near = watch->policy->memory_bytes / 10 * 9;
  uint64_t hidden = most_in_swap ();
  uint64_t size = 0;

  *resident = scratch;
  for (size_t i = 0; i < watch->table.n; i++)
    {
      const struct process *process = &watch->table.processes[i];

      if (process_is_init (&watch->table, process->pid) || process->uses_parents_memory)
        continue;
      *resident += process->resident_bytes;
      size += process->size_bytes;
    }
  hidden += size / SIZE_PER_PAGE_TABLE;
  if (near > 0 && *resident + hidden <= near && *resident + hidden + size * TABLES_PER_SIZE > near)
    *resident += memory_meter_read_tables (&watch->table);
  return near > 0 && *resident + hidden > near;
}

static struct scratch_usage
usage_of_all (const struct usage_watch *watch)
{
  return usage_of_scratch (watch->scratch, USAGE_SCRATCH);
}

/* Memory that belongs to no process. */
static uint64_t
held_by_kernel (const struct usage_watch *watch)
{
  return watch->objects.sockets.bytes + watch->objects.other_bytes + watch->used.inode_bytes;
}

static bool
has_opaque (const struct process_table *table)
{
  bool has = false;

  for (size_t i = 0; i < table->n; i++)
    has = has || table->processes[i].is_opaque;
  return has;
}

static enum usage_verdict
check_memory (struct usage_watch *watch)
{
  const uint64_t limit = watch->policy->memory_bytes;
  const bool was_suspect = watch->is_suspect;
  uint64_t held;

  watch->used = usage_of_all (watch);
  held = held_by_kernel (watch);
  watch->is_suspect = false;
  if (may_be_near_limit (watch, watch->used.bytes + held, &watch->memory))
    {
      memory_meter_measure (&watch->meter, &watch->table, watch->used.bytes, without (limit, held));
      watch->memory = watch->meter.bytes + held;
      watch->is_suspect = watch->memory > limit;
    }
  if (limit > 0 && has_opaque (&watch->table) && !watch->is_suspect)
    {
      /* Processes that are about to end can look like that for a moment. */
      watch->is_suspect = true;
      return was_suspect ? USAGE_UNSEEN : USAGE_WITHIN_LIMITS;
    }
  if (watch->is_suspect && !was_suspect && watch->memory / 2 < limit)
    return USAGE_WITHIN_LIMITS;
  watch->memory_peak = larger (watch->memory, watch->memory_peak);
  if (!watch->is_suspect)
    return USAGE_WITHIN_LIMITS;
  if (watch->used.bytes + watch->used.inode_bytes > watch->memory / 2)
    return USAGE_OVER_DISK;
  if (watch->objects.sockets.bytes > watch->memory / 2)
    return USAGE_OVER_SOCKETS;
  return watch->meter.is_guess ? USAGE_PERHAPS_OVER_MEMORY : USAGE_OVER_MEMORY;
}

void
usage_watch_settle (struct usage_watch *watch)
{
  const uint64_t used = clock_own_cpu_us () - watch->begun_cpu_us - watch->others_cpu_us;
  const uint64_t is_free = FREE_US + watch->looks * FREE_LOOK_US;

  if (watch->begun_cpu_us > 0 && used > is_free + watch->served_us)
    watch->served_us = used - is_free;
}

uint64_t
usage_watch_cpu_us (const struct usage_watch *watch)
{
  const uint64_t before = watch->before_user_us + watch->before_system_us + watch->before_served_us;

  return watch->cpu.user_us + watch->cpu.system_us + watch->served_us - before;
}

static bool
is_over_cpu (struct usage_watch *watch)
{
  uint64_t limit_ms = watch->policy->cpu_ms;

  if (limit_ms == 0 && watch->is_resting)
    limit_ms = watch->policy->wall_ms;
  usage_watch_settle (watch);
  return limit_ms > 0 && usage_watch_cpu_us (watch) / 1000 >= limit_ms;
}

static uint64_t
pause_until_next_check (const struct usage_watch *watch, uint64_t cost)
{
  const struct fh_policy *policy = watch->policy;
  const uint64_t limit = policy->memory_bytes;
  uint64_t pause = LONGEST_PAUSE_US;

  if (watch->is_counted)
    return pause;
  if (limit > 0)
    pause = smaller (pause, without (limit, watch->memory) / FASTEST_GROWTH);
  /* A process limit that was reached only counts if it is seen. */
  if (policy->processes > 0 && watch->threads >= policy->processes / 2 && watch->threads > 1)
    pause = SHORTEST_PAUSE_US;
  if (policy->cpu_ms > 0 && watch->cpu.is_losing)
    pause = smaller (pause, LOSING_PAUSE_US);
  if (policy->cpu_ms > 0 && watch->cpu.may_be_more)
    pause = smaller (pause, LOSING_PAUSE_US);
  pause = larger (pause, SHORTEST_PAUSE_US);
  if (watch->is_suspect)
    return SUSPICION_PAUSE_US;
  /* Bound the share of time that measuring takes. */
  cost *= watch->meter.is_in_round ? 1 : 4;
  return smaller (larger (pause, cost), LONGEST_PAUSE_US);
}

void
usage_watch_begin_late (struct usage_watch *watch, uint64_t cpu_us)
{
  struct cgroup_usage usage = { 0 };

  if (watch->is_counted)
    cgroup_measure (watch->cgroup, &usage);
  /* A forked run has used some before it was in the group. */
  cpu_time_begin (&watch->cpu,
                  watch->is_counted ? usage.cpu_user_us + usage.cpu_system_us : cpu_us);
  watch->begun_cpu_us = clock_own_cpu_us ();
  watch->next_us = clock_now_us () + FIRST_LOOK_US;
}

void
usage_watch_begin_rest (struct usage_watch *watch)
{
  watch->is_resting = true;
  watch->before_user_us = watch->cpu.user_us;
  watch->before_system_us = watch->cpu.system_us;
  watch->before_served_us = watch->served_us;
}

void
usage_watch_begin_again (struct usage_watch *watch)
{
  usage_watch_begin_rest (watch);
  watch->is_resting = false;
  watch->memory_peak = watch->memory;
  watch->threads_peak = watch->threads;
  watch->was_full = usage_of_all (watch).is_full;
  watch->next_us = smaller (watch->next_us, clock_now_us () + FIRST_LOOK_US);
}

void
usage_watch_begin_next (struct usage_watch *watch)
{
  watch->memory = 0;
  watch->threads = 0;
  usage_watch_begin_again (watch);
}

void
usage_watch_begin (struct usage_watch *watch, int proc, int scratch, uint64_t setup_cpu_us)
{
  uint64_t pause = pause_until_next_check (watch, 0);
  struct stat status;

  if (fstat (scratch, &status) == 0)
    watch->meter.scratch = status.st_dev;
  watch->table.proc = proc;
  watch->scratch[0] = scratch;
  cpu_time_begin (&watch->cpu, setup_cpu_us);
  watch->begun_cpu_us = clock_own_cpu_us ();
  watch->next_us = clock_now_us () + smaller (pause, FIRST_LOOK_US);
}

void
usage_watch_add_scratch (struct usage_watch *watch, const char *path)
{
  fh_autofd int fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct statfs filesystem;
  struct stat status;
  int place = 1;

  while (place < USAGE_SCRATCH && watch->scratch[place] >= 0)
    place++;
  if (fd >= 0 && place < USAGE_SCRATCH && fstatfs (fd, &filesystem) == 0 &&
      filesystem.f_type == TMPFS_MAGIC && fstat (fd, &status) == 0 &&
      status.st_dev != watch->meter.scratch)
    watch->scratch[place] = fh_steal_fd (&fd);
  watch->was_full = usage_of_all (watch).is_full;
}

static bool
read_table (struct usage_watch *watch)
{
  const uint64_t cpu_us = clock_own_cpu_us ();
  const bool is_read = process_table_read (&watch->table);

  if (is_read)
    process_table_find_vforked (&watch->table);
  /* The number of other processes is not the program's doing. */
  if (watch->table.top != 0)
    watch->others_cpu_us += clock_own_cpu_us () - cpu_us;
  if (!is_read)
    return false;
  watch->threads = 0;
  for (size_t i = 0; i < watch->table.n; i++)
    {
      if (!process_is_init (&watch->table, watch->table.processes[i].pid))
        watch->threads += watch->table.processes[i].threads;
    }
  watch->threads_peak = (uint32_t) larger (watch->threads, watch->threads_peak);
  cpu_time_count (&watch->cpu, &watch->table);
  return true;
}

static void
take_count (struct usage_watch *watch)
{
  struct cgroup_usage usage = { 0 };

  cgroup_measure (watch->cgroup, &usage);
  watch->memory = usage.memory;
  watch->memory_peak = larger (usage.memory, watch->memory_peak);
  watch->threads = usage.processes;
  watch->threads_peak = (uint32_t) larger (watch->threads, watch->threads_peak);
  cpu_time_subtract (watch->cpu.setup_us, &usage.cpu_user_us, &usage.cpu_system_us);
  watch->cpu.user_us = usage.cpu_user_us;
  watch->cpu.system_us = usage.cpu_system_us;
}

static enum usage_verdict
check_count (struct usage_watch *watch)
{
  enum usage_verdict verdict;

  take_count (watch);
  verdict = kernel_objects_measure (&watch->objects, &watch->table);
  watch->next_us = clock_now_us () + LONGEST_PAUSE_US;
  return is_over_cpu (watch) ? USAGE_OVER_CPU : verdict;
}

/* If two looks running could not count, it counts as over the first limit that is set. */
static enum usage_verdict
suspect_all (struct usage_watch *watch)
{
  const struct fh_policy *policy = watch->policy;
  const bool was_suspect = watch->is_suspect;

  watch->is_suspect = true;
  watch->next_us = clock_now_us () + SUSPICION_PAUSE_US;
  if (!was_suspect)
    return USAGE_WITHIN_LIMITS;
  if (policy->memory_bytes > 0)
    return USAGE_UNSEEN;
  if (policy->cpu_ms > 0)
    return USAGE_OVER_CPU;
  return policy->processes > 0 ? USAGE_OVER_PROCESSES : USAGE_WITHIN_LIMITS;
}

enum usage_verdict
usage_watch_check (struct usage_watch *watch)
{
  enum usage_verdict verdict, objects;
  uint64_t begun = clock_now_us ();
  uint64_t ended;

  watch->looks++;
  if (watch->is_counted)
    return check_count (watch);
  if (!read_table (watch))
    return suspect_all (watch);
  objects = kernel_objects_measure (&watch->objects, &watch->table);
  verdict = check_memory (watch);
  if (verdict == USAGE_WITHIN_LIMITS)
    verdict = objects;
  if (verdict == USAGE_WITHIN_LIMITS && is_over_cpu (watch))
    verdict = USAGE_OVER_CPU;
  if (verdict == USAGE_WITHIN_LIMITS && watch->policy->processes > 0 &&
      !watch->cgroup->limits_processes && watch->threads > watch->policy->processes)
    verdict = USAGE_OVER_PROCESSES;
  ended = clock_now_us ();
  watch->next_us = ended + pause_until_next_check (watch, ended - begun);
  return verdict;
}

void
usage_watch_rest (struct usage_watch *watch)
{
  const uint64_t cpu_us = watch->cpu.user_us + watch->cpu.system_us;
  const bool has_rested = watch->is_counted && cpu_us == watch->rest_cpu_us;

  watch->rest_cpu_us = cpu_us;
  watch->rest_us =
      has_rested ? smaller (2 * watch->rest_us + LONGEST_PAUSE_US, LONGEST_REST_US) : 0;
  if (watch->rest_us > 0)
    watch->next_us = clock_now_us () + watch->rest_us;
}

void
usage_watch_check_last (struct usage_watch *watch)
{
  uint64_t resident;

  if (watch->is_counted)
    {
      take_count (watch);
      return;
    }
  if (!read_table (watch))
    return;
  cpu_time_settle (&watch->cpu);
  watch->used = usage_of_all (watch);
  if (!may_be_near_limit (watch, watch->used.bytes + held_by_kernel (watch), &resident))
    watch->memory_peak = larger (resident, watch->memory_peak);
}

void
usage_watch_count_main (struct usage_watch *watch)
{
  watch->threads_peak = (uint32_t) larger (watch->threads + 1, watch->threads_peak);
}

/* Exact, unlike the samples. */
static void
take_outcome (const struct usage_watch *watch,
              const struct cgroup_outcome *outcome,
              struct fh_finished *finished)
{
  struct cgroup_usage usage = { 0 };

  if (watch->cgroup->leaf >= 0)
    cgroup_measure (watch->cgroup, &usage);
  if (usage.cpu_user_us + usage.cpu_system_us > 0)
    {
      cpu_time_subtract (watch->cpu.setup_us, &usage.cpu_user_us, &usage.cpu_system_us);
      finished->cpu_user_us = usage.cpu_user_us;
      finished->cpu_system_us = usage.cpu_system_us;
    }
  if (outcome->memory_peak > 0)
    finished->memory_peak = outcome->memory_peak;
  if (outcome->processes_peak > 0)
    finished->processes_peak = outcome->processes_peak;
}

void
usage_watch_conclude (const struct usage_watch *watch,
                      const struct rusage *rusage,
                      const struct cgroup_outcome *outcome,
                      struct fh_finished *finished)
{
  uint64_t user = clock_timeval_us (&rusage->ru_utime);
  uint64_t system = clock_timeval_us (&rusage->ru_stime);

  cpu_time_subtract (watch->cpu.setup_us, &user, &system);
  finished->cpu_user_us = larger (user, watch->cpu.user_us);
  finished->cpu_system_us = larger (system, watch->cpu.system_us);
  finished->memory_peak = larger ((uint64_t) rusage->ru_maxrss * 1024, watch->memory_peak);
  finished->processes_peak = watch->threads_peak > 0 ? watch->threads_peak : 1;
  take_outcome (watch, outcome, finished);
  finished->cpu_user_us -= smaller (watch->before_user_us, finished->cpu_user_us);
  finished->cpu_system_us -= smaller (watch->before_system_us, finished->cpu_system_us);
  finished->cpu_system_us += watch->served_us - watch->before_served_us;
}

bool
usage_watch_saw_process_limit (const struct usage_watch *watch)
{
  return watch->policy->processes > 0 && watch->threads_peak >= watch->policy->processes;
}

bool
usage_watch_disk_is_full (const struct usage_watch *watch)
{
  /* If it was full before, an earlier run in the same container filled it. */
  return watch->policy->disk_bytes > 0 && usage_of_all (watch).is_full && !watch->was_full;
}
