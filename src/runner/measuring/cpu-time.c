/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu-time.h"

#include "clock.h"
#include "numbers.h"

#include <linux/perf_event.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Ticks that are not over, and helpers that go on, are no loss. */
#define UNKNOWN_US 50000

/* The kernel's count of a process and all that it starts, or -1. */
static int counter = -1;
/* It is that of this process, and not of a child. */
static bool counts_own;
/* This process and the helpers that it had reaped had used so much before. */
static uint64_t uncounted_us;

static uint64_t
own_us (void)
{
  struct rusage helpers;
  uint64_t us = clock_own_cpu_us ();

  if (getrusage (RUSAGE_CHILDREN, &helpers) == 0)
    us += clock_timeval_us (&helpers.ru_utime) + clock_timeval_us (&helpers.ru_stime);
  return us;
}

void
cpu_time_begin_to_count_all (pid_t pid)
{
  struct perf_event_attr attributes = {
    .type = PERF_TYPE_SOFTWARE,
    .size = sizeof attributes,
    .config = PERF_COUNT_SW_TASK_CLOCK,
    .inherit = 1,
    /* What everybody may ask for. Time is counted all the same. */
    .exclude_kernel = 1,
    .exclude_hv = 1,
  };
  const int last = counter;

  if (counter >= 0 && pid == 0)
    return;
  counter = (int) syscall (SYS_perf_event_open, &attributes, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
  counts_own = pid == 0;
  uncounted_us = own_us ();
  if (last >= 0)
    close (last);
}

bool
cpu_time_counts_all (void)
{
  return counter >= 0;
}

/* Without this process and the helpers that it has reaped, and so without the sandbox once its init
 * was reaped; 0 if the kernel does not count. */
static uint64_t
count_all (void)
{
  const uint64_t own = counts_own ? own_us () - uncounted_us : 0;
  uint64_t ns = 0;

  if (counter < 0 || read (counter, &ns, sizeof ns) != sizeof ns)
    return 0;
  return without (ns / 1000, own);
}

void
cpu_time_begin (struct cpu_time *time, uint64_t setup_us)
{
  const uint64_t all_us = count_all ();

  time->setup_us = setup_us;
  time->base_us = all_us > setup_us ? all_us - setup_us : 0;
}

void
cpu_time_subtract (uint64_t setup_us, uint64_t *user_us, uint64_t *system_us)
{
  const uint64_t left = without (*user_us + *system_us, setup_us);

  *system_us = without (*system_us, setup_us);
  *user_us = left - *system_us;
}

static void
raise_to (struct cpu_time *time, uint64_t user_us, uint64_t system_us)
{
  cpu_time_subtract (time->setup_us, &user_us, &system_us);
  if (user_us + system_us <= time->user_us + time->system_us)
    return;
  time->user_us = user_us;
  time->system_us = system_us;
}

/* Whether a process computed for its user or in the kernel is not known of those that are gone. */
static void
add_lost (struct cpu_time *time)
{
  const uint64_t all_us = without (without (count_all (), time->base_us), time->setup_us);
  const uint64_t known_us = time->user_us + time->system_us;

  if (all_us > known_us + UNKNOWN_US)
    time->user_us += all_us - known_us - UNKNOWN_US;
}

void
cpu_time_count (struct cpu_time *time, const struct process_table *table)
{
  const uint64_t before = time->sampled_user_us + time->sampled_system_us;
  uint64_t user_us = 0;
  uint64_t system_us = 0;
  uint64_t sampled;

  for (size_t i = 0; i < table->n; i++)
    {
      const struct process *process = &table->processes[i];

      user_us += process->cpu_user_us + process->children_user_us;
      system_us += process->cpu_system_us + process->children_system_us;
      time->seen_user_us += process->new_user_us;
      time->seen_system_us += process->new_system_us;
    }
  sampled = user_us + system_us;
  time->is_losing = sampled < before;
  raise_to (time, time->seen_user_us, time->seen_system_us);
  /* While a child is being reaped, its time can be seen twice, as its own and as its parent's: use
   * only what two samples agree on. */
  if (sampled < before)
    raise_to (time, user_us, system_us);
  else
    raise_to (time, time->sampled_user_us, time->sampled_system_us);
  time->sampled_user_us = user_us;
  time->sampled_system_us = system_us;
  add_lost (time);
  time->may_be_more = without (sampled, time->setup_us) > time->user_us + time->system_us;
}

void
cpu_time_settle (struct cpu_time *time)
{
  raise_to (time, time->sampled_user_us, time->sampled_system_us);
}
