/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "usage-watch.h"

#include "clock.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Most runs are over before that. */
#define FIRST_LOOK_US     30000
#define LONGEST_PAUSE_US  50000
#define SHORTEST_PAUSE_US 2000

/* What a guest with several processes can be expected to fill at most, 8 GiB/s, in bytes per
 * microsecond. */
#define FASTEST_GROWTH 8192

/* Between two looks that have to agree. */
#define SUSPICION_PAUSE_US 3000

/* While somebody's CPU time gets lost between looks. */
#define LOSING_PAUSE_US 5000

/* One entry of 8 bytes for every page of 4096. */
#define SIZE_PER_PAGE_TABLE 512

void
usage_watch_init (struct usage_watch *watch,
                  const struct fh_policy *policy,
                  const struct cgroup *cgroup)
{
  *watch = (struct usage_watch){
    .policy = policy,
    .cgroup = cgroup,
    .is_counted = cgroup->counts_memory && cgroup->counts_processes &&
                  (cgroup->limits_memory || policy->memory_bytes == 0),
    .table.proc = -1,
    .scratch = -1,
    .more_scratch = { -1, -1, -1 },
    .next_us = UINT64_MAX,
  };
}

void
usage_watch_end (struct usage_watch *watch)
{
  if (watch->table.proc >= 0)
    close (watch->table.proc);
  if (watch->scratch >= 0)
    close (watch->scratch);
  for (int i = 0; i < USAGE_MORE_SCRATCH; i++)
    {
      if (watch->more_scratch[i] >= 0)
        close (watch->more_scratch[i]);
      watch->more_scratch[i] = -1;
    }
  watch->table.proc = watch->scratch = -1;
  process_table_clear (&watch->table);
  watch->next_us = UINT64_MAX;
}

/* What the kernel has swapped out altogether is more than the sandbox can have there. */
static uint64_t
most_in_swap (void)
{
  struct sysinfo info;

  return sysinfo (&info) < 0 ? 0 : (info.totalswap - info.freeswap) * (uint64_t) info.mem_unit;
}

/* Memory that several processes share counts for each, and so do program files. Only when that is
 * too much is it worth to know better. Sets `memory`. */
static bool
may_be_over_memory (struct usage_watch *watch, uint64_t scratch)
{
  uint64_t resident = scratch;
  uint64_t hidden = most_in_swap ();

  for (size_t i = 0; i < watch->table.n; i++)
    {
      const struct process *process = &watch->table.processes[i];

      if (process_is_init (&watch->table, process->pid) || process->borrows_memory)
        continue;
      resident += process->resident_bytes;
      hidden += process->size_bytes / SIZE_PER_PAGE_TABLE;
    }
  watch->memory = resident;
  return watch->policy->memory_bytes > 0 && resident + hidden > watch->policy->memory_bytes;
}

/* `is_full`: one of them is. */
static uint64_t
usage_of_all (const struct usage_watch *watch, bool *is_full)
{
  uint64_t bytes = usage_of_scratch (watch->scratch, is_full);

  for (int i = 0; i < USAGE_MORE_SCRATCH; i++)
    {
      bool is_one_full;

      bytes += usage_of_scratch (watch->more_scratch[i], &is_one_full);
      *is_full = *is_full || is_one_full;
    }
  return bytes;
}

static enum usage_verdict
look_at_memory (struct usage_watch *watch)
{
  const uint64_t limit = watch->policy->memory_bytes;
  const bool was_suspect = watch->is_suspect;
  bool is_full;

  watch->scratch_bytes = usage_of_all (watch, &is_full);
  watch->is_suspect = false;
  if (may_be_over_memory (watch, watch->scratch_bytes))
    {
      memory_meter_look (&watch->meter, &watch->table, watch->scratch_bytes, limit);
      watch->memory = watch->meter.bytes;
      watch->is_suspect = watch->memory > limit;
    }
  if (watch->is_suspect && !was_suspect && watch->memory / 2 < limit)
    return USAGE_WITHIN_LIMITS;
  if (watch->memory > watch->memory_peak)
    watch->memory_peak = watch->memory;
  if (!watch->is_suspect)
    return USAGE_WITHIN_LIMITS;
  if (watch->scratch_bytes > watch->memory / 2)
    return USAGE_OVER_DISK;
  return watch->meter.is_guess ? USAGE_PERHAPS_OVER_MEMORY : USAGE_OVER_MEMORY;
}

static bool
is_over_cpu (const struct usage_watch *watch)
{
  const uint64_t limit_ms = watch->policy->cpu_ms;

  return limit_ms > 0 && (watch->cpu.user_us + watch->cpu.system_us) / 1000 >= limit_ms;
}

static uint64_t
smaller (uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static uint64_t
larger (uint64_t a, uint64_t b)
{
  return a > b ? a : b;
}

static uint64_t
pause_until_next_look (const struct usage_watch *watch, uint64_t cost)
{
  const struct fh_policy *policy = watch->policy;
  const uint64_t limit = policy->memory_bytes;
  uint64_t pause = LONGEST_PAUSE_US;

  if (watch->is_counted)
    return pause;
  if (limit > 0)
    pause = smaller (pause, limit > watch->memory ? (limit - watch->memory) / FASTEST_GROWTH : 0);
  /* Whether the process limit was reached is only known if it is seen. */
  if (policy->processes > 0 && watch->threads >= policy->processes / 2 && watch->threads > 1)
    pause = SHORTEST_PAUSE_US;
  if (policy->cpu_ms > 0 && watch->cpu.is_losing)
    pause = smaller (pause, LOSING_PAUSE_US);
  if (policy->cpu_ms > 0 && watch->cpu.may_be_more)
    pause = smaller (pause, LOSING_PAUSE_US);
  if (pause < SHORTEST_PAUSE_US)
    pause = SHORTEST_PAUSE_US;
  if (watch->is_suspect)
    return SUSPICION_PAUSE_US;
  /* Looking must not become what the computer is busy with. */
  cost *= watch->meter.is_in_round ? 1 : 4;
  return smaller (pause > cost ? pause : cost, LONGEST_PAUSE_US);
}

void
usage_watch_begin (struct usage_watch *watch, int proc, int scratch, uint64_t setup_cpu_us)
{
  uint64_t pause = pause_until_next_look (watch, 0);
  struct stat status;

  if (fstat (scratch, &status) == 0)
    watch->meter.scratch = status.st_dev;
  watch->table.proc = proc;
  watch->scratch = scratch;
  watch->cpu.setup_us = setup_cpu_us;
  watch->next_us = clock_now_us () + (pause < FIRST_LOOK_US ? pause : FIRST_LOOK_US);
}

void
usage_watch_add_scratch (struct usage_watch *watch, const char *path)
{
  const int fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  struct statfs filesystem;
  struct stat status;
  int place = 0;

  while (place < USAGE_MORE_SCRATCH && watch->more_scratch[place] >= 0)
    place++;
  if (fd >= 0 && place < USAGE_MORE_SCRATCH && fstatfs (fd, &filesystem) == 0 &&
      filesystem.f_type == TMPFS_MAGIC && fstat (fd, &status) == 0 &&
      status.st_dev != watch->meter.scratch)
    watch->more_scratch[place] = fd;
  else if (fd >= 0)
    close (fd);
  usage_of_all (watch, &watch->was_full);
}

static bool
read_table (struct usage_watch *watch)
{
  if (!process_table_read (&watch->table))
    return false;
  watch->threads = 0;
  for (size_t i = 0; i < watch->table.n; i++)
    {
      if (!process_is_init (&watch->table, watch->table.processes[i].pid))
        watch->threads += watch->table.processes[i].threads;
    }
  if (watch->threads > watch->threads_peak)
    watch->threads_peak = watch->threads;
  cpu_time_count (&watch->cpu, &watch->table);
  return true;
}

/* Takes the time that setting up has cost off, most of which was the kernel's. */
static void
share_cpu (const struct cgroup_usage *usage, uint64_t setup_us, uint64_t *user, uint64_t *system)
{
  const uint64_t total = usage->cpu_user_us + usage->cpu_system_us;

  *system = usage->cpu_system_us > setup_us ? usage->cpu_system_us - setup_us : 0;
  *user = total > setup_us ? total - setup_us - *system : 0;
}

static void
take_count (struct usage_watch *watch)
{
  struct cgroup_usage usage = { 0 };

  cgroup_measure (watch->cgroup, &usage);
  watch->memory = usage.memory;
  watch->memory_peak = larger (usage.memory, watch->memory_peak);
  watch->threads = usage.processes;
  if (watch->threads > watch->threads_peak)
    watch->threads_peak = watch->threads;
  share_cpu (&usage, watch->cpu.setup_us, &watch->cpu.user_us, &watch->cpu.system_us);
}

static enum usage_verdict
look_at_count (struct usage_watch *watch)
{
  take_count (watch);
  watch->next_us = clock_now_us () + LONGEST_PAUSE_US;
  return is_over_cpu (watch) ? USAGE_OVER_CPU : USAGE_WITHIN_LIMITS;
}

enum usage_verdict
usage_watch_look (struct usage_watch *watch)
{
  enum usage_verdict verdict;
  uint64_t begun = clock_now_us ();
  uint64_t ended;

  if (watch->is_counted)
    return look_at_count (watch);
  if (!read_table (watch))
    {
      watch->next_us = begun + LONGEST_PAUSE_US;
      return USAGE_WITHIN_LIMITS;
    }
  verdict = look_at_memory (watch);
  if (verdict == USAGE_WITHIN_LIMITS && is_over_cpu (watch))
    verdict = USAGE_OVER_CPU;
  if (verdict == USAGE_WITHIN_LIMITS && watch->policy->processes > 0 &&
      !watch->cgroup->limits_processes && watch->threads > watch->policy->processes)
    verdict = USAGE_OVER_PROCESSES;
  ended = clock_now_us ();
  watch->next_us = ended + pause_until_next_look (watch, ended - begun);
  return verdict;
}

void
usage_watch_look_last (struct usage_watch *watch)
{
  bool is_full;

  if (watch->is_counted)
    {
      take_count (watch);
      return;
    }
  if (!read_table (watch))
    return;
  cpu_time_settle (&watch->cpu);
  if (!may_be_over_memory (watch, usage_of_all (watch, &is_full)) &&
      watch->memory > watch->memory_peak)
    watch->memory_peak = watch->memory;
}

void
usage_watch_count_main (struct usage_watch *watch)
{
  if (watch->threads + 1 > watch->threads_peak)
    watch->threads_peak = watch->threads + 1;
}

/* Better than what was measured from time to time. */
static void
take_outcome (const struct usage_watch *watch,
              const struct cgroup_outcome *outcome,
              struct fh_finished *finished)
{
  struct cgroup_usage usage = { 0 };

  if (watch->cgroup->box >= 0)
    cgroup_measure (watch->cgroup, &usage);
  if (usage.cpu_user_us + usage.cpu_system_us > 0)
    share_cpu (&usage, watch->cpu.setup_us, &finished->cpu_user_us, &finished->cpu_system_us);
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
  uint64_t system = clock_timeval_us (&rusage->ru_stime);

  system = system > watch->cpu.setup_us ? system - watch->cpu.setup_us : 0;
  finished->cpu_user_us = larger (clock_timeval_us (&rusage->ru_utime), watch->cpu.user_us);
  finished->cpu_system_us = larger (system, watch->cpu.system_us);
  finished->memory_peak = larger ((uint64_t) rusage->ru_maxrss * 1024, watch->memory_peak);
  finished->processes_peak = watch->threads_peak > 0 ? watch->threads_peak : 1;
  take_outcome (watch, outcome, finished);
}

bool
usage_watch_saw_process_limit (const struct usage_watch *watch)
{
  return watch->policy->processes > 0 && watch->threads_peak >= watch->policy->processes;
}

bool
usage_watch_disk_is_full (const struct usage_watch *watch)
{
  bool is_full = false;

  if (watch->policy->disk_bytes > 0)
    usage_of_all (watch, &is_full);
  /* An earlier run in the same container has done that then. */
  return is_full && !watch->was_full;
}

uint64_t
usage_of_scratch (int folder, bool *is_full)
{
  struct statfs status;

  if (fstatfs (folder, &status) < 0)
    {
      *is_full = false;
      return 0;
    }
  *is_full = status.f_bfree == 0 || (status.f_files > 0 && status.f_ffree == 0);
  return (status.f_blocks - status.f_bfree) * (uint64_t) status.f_bsize;
}
