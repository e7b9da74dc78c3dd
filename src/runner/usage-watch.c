/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "usage-watch.h"

#include "clock.h"

#include <unistd.h>

/* Most runs are over before that. */
#define FIRST_LOOK_US     30000
#define LONGEST_PAUSE_US  50000
#define SHORTEST_PAUSE_US 2000

/* What a guest with several processes can be expected to fill at most, 8 GiB/s, in bytes per
 * microsecond. */
#define FASTEST_GROWTH 8192

/* Processes that share memory may stop sharing it without anything else growing. */
#define EXACT_PAUSE_US 100000

void
usage_watch_init (struct usage_watch *watch, const struct fh_policy *policy)
{
  *watch = (struct usage_watch){
    .policy = policy,
    .source.proc = -1,
    .scratch = -1,
    .next_us = UINT64_MAX,
  };
}

void
usage_watch_end (struct usage_watch *watch)
{
  if (watch->source.proc >= 0)
    close (watch->source.proc);
  if (watch->scratch >= 0)
    close (watch->scratch);
  watch->source.proc = watch->scratch = -1;
  watch->next_us = UINT64_MAX;
}

static bool
needs_exact (const struct usage_watch *watch, uint64_t quick, uint64_t now)
{
  const uint64_t limit = watch->policy->memory_bytes;

  if (quick <= limit)
    return false;
  if (watch->exact_again_us == 0 || now >= watch->exact_again_us)
    return true;
  /* The exact size grows no faster than the quick one, unless sharing ends. */
  return quick > watch->exact_quick && quick - watch->exact_quick >= limit - watch->exact;
}

/* What is resident is quick to read but counts memory that several processes share several times,
 * and program files as well. Only when that is too much is it worth to know better. */
static bool
is_over_memory (struct usage_watch *watch, const struct usage *usage, uint64_t now)
{
  const uint64_t limit = watch->policy->memory_bytes;
  bool is_full;
  uint64_t scratch = usage_of_scratch (watch->scratch, &is_full);
  uint64_t quick = usage->resident_bytes + scratch;

  watch->memory = quick;
  if (limit == 0 || quick <= limit)
    return false;
  if (needs_exact (watch, quick, now))
    {
      watch->exact = usage_exact_memory (&watch->source, scratch, usage->processes > 1);
      watch->exact_quick = quick;
      watch->exact_again_us =
          clock_now_us () + (usage->processes > 1 ? EXACT_PAUSE_US : SHORTEST_PAUSE_US);
    }
  watch->memory = watch->exact;
  return watch->exact > limit;
}

/* While a child is being waited for, its time can be seen twice, once as its own and once as its
 * parent's: only a second look at once makes it certain. */
static bool
is_over_cpu (struct usage_watch *watch, const struct usage *usage)
{
  const uint64_t limit_ms = watch->policy->cpu_ms;
  bool was_over = watch->is_over_cpu;

  watch->cpu_user_us = usage->cpu_user_us;
  watch->cpu_system_us =
      usage->cpu_system_us > watch->setup_cpu_us ? usage->cpu_system_us - watch->setup_cpu_us : 0;
  watch->is_over_cpu =
      limit_ms > 0 && (watch->cpu_user_us + watch->cpu_system_us) / 1000 >= limit_ms;
  return watch->is_over_cpu && was_over;
}

static uint64_t
pause_until_next_look (const struct usage_watch *watch, uint64_t cost)
{
  const uint64_t limit = watch->policy->memory_bytes;
  uint64_t pause = LONGEST_PAUSE_US;

  if (limit > 0)
    {
      pause = limit > watch->memory ? (limit - watch->memory) / FASTEST_GROWTH : 0;
      if (pause > LONGEST_PAUSE_US)
        pause = LONGEST_PAUSE_US;
    }
  /* Whether the process limit was reached is only known if it is seen. */
  if (watch->policy->processes > 0 && watch->threads >= watch->policy->processes / 2 &&
      watch->threads > 1)
    pause = SHORTEST_PAUSE_US;
  if (watch->is_over_cpu || pause < SHORTEST_PAUSE_US)
    pause = SHORTEST_PAUSE_US;
  /* Looking must not become what the computer is busy with. */
  return pause > 4 * cost ? pause : 4 * cost;
}

void
usage_watch_begin (struct usage_watch *watch, int proc, int scratch, uint64_t setup_cpu_us)
{
  uint64_t pause = pause_until_next_look (watch, 0);

  watch->source.proc = proc;
  watch->scratch = scratch;
  watch->setup_cpu_us = setup_cpu_us;
  watch->next_us = clock_now_us () + (pause < FIRST_LOOK_US ? pause : FIRST_LOOK_US);
}

enum usage_verdict
usage_watch_look (struct usage_watch *watch)
{
  enum usage_verdict verdict = USAGE_WITHIN_LIMITS;
  uint64_t begun = clock_now_us ();
  struct usage usage;
  uint64_t ended;

  if (!usage_sample (&watch->source, &usage))
    {
      watch->next_us = begun + LONGEST_PAUSE_US;
      return verdict;
    }
  if (watch->policy->processes > 0 && usage.threads > watch->policy->processes)
    verdict = USAGE_OVER_PROCESSES;
  if (is_over_cpu (watch, &usage))
    verdict = USAGE_OVER_CPU;
  if (is_over_memory (watch, &usage, begun))
    verdict = USAGE_OVER_MEMORY;
  if (watch->memory > watch->memory_peak)
    watch->memory_peak = watch->memory;
  watch->threads = usage.threads;
  if (usage.threads > watch->threads_peak)
    watch->threads_peak = usage.threads;
  ended = clock_now_us ();
  watch->next_us = ended + pause_until_next_look (watch, ended - begun);
  return verdict;
}

void
usage_watch_count_main (struct usage_watch *watch)
{
  if (watch->threads + 1 > watch->threads_peak)
    watch->threads_peak = watch->threads + 1;
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

  if (watch->policy->disk_bytes > 0 && watch->scratch >= 0)
    usage_of_scratch (watch->scratch, &is_full);
  return is_full;
}
