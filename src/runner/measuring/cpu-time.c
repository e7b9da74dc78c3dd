/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu-time.h"

static uint64_t
without (uint64_t time, uint64_t setup_us)
{
  return time > setup_us ? time - setup_us : 0;
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
  time->may_be_more = without (sampled, time->setup_us) > time->user_us + time->system_us;
}

void
cpu_time_settle (struct cpu_time *time)
{
  raise_to (time, time->sampled_user_us, time->sampled_system_us);
}
