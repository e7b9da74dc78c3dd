/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "process-table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void
process_table_clear (struct process_table *table)
{
  free (table->processes);
  free (table->before);
  table->processes = table->before = NULL;
  table->n = table->n_before = table->capacity = table->capacity_before = 0;
}

static bool
add (uint32_t pid, void *data)
{
  struct process_table *table = data;

  if (table->n == table->capacity)
    {
      size_t capacity = table->capacity == 0 ? 64 : 2 * table->capacity;
      struct process *processes = realloc (table->processes, capacity * sizeof *processes);

      if (processes == NULL)
        return false;
      table->processes = processes;
      table->capacity = capacity;
    }
  errno = 0;
  if (process_read (table->proc, pid, &table->processes[table->n]))
    {
      table->n++;
      return true;
    }
  /* It is gone or not ours, unless this process is out of resources. */
  return errno != EMFILE && errno != ENFILE && errno != ENOMEM;
}

static int
compare (const void *a, const void *b)
{
  const struct process *one = a;
  const struct process *other = b;

  return one->pid < other->pid ? -1 : one->pid > other->pid;
}

static struct process *
find (struct process *processes, size_t n, uint32_t pid)
{
  const struct process key = { .pid = pid };

  return n == 0 ? NULL : bsearch (&key, processes, n, sizeof *processes, compare);
}

struct process *
process_table_find (const struct process_table *table, uint32_t pid)
{
  return find (table->processes, table->n, pid);
}

/* After the ids have wrapped around, a child's can be lower than its parent's. */
static bool
belongs (const struct process_table *table, const struct process *process)
{
  for (size_t i = 0; process != NULL && i <= table->n; i++)
    {
      if (process->pid == table->top)
        return true;
      process = process_table_find (table, process->parent);
    }
  return false;
}

/* First decide for all, then remove. */
static void
leave_out_others (struct process_table *table)
{
  size_t n = 0;

  for (size_t i = 0; i < table->n; i++)
    table->processes[i].is_of_others = !belongs (table, &table->processes[i]);
  for (size_t i = 0; i < table->n; i++)
    {
      if (!table->processes[i].is_of_others)
        table->processes[n++] = table->processes[i];
    }
  table->n = n;
}

static void
remember (struct process *process, const struct process *before)
{
  if (process->cpu_user_us >= before->cpu_user_us)
    process->new_user_us = process->cpu_user_us - before->cpu_user_us;
  if (process->cpu_system_us >= before->cpu_system_us)
    process->new_system_us = process->cpu_system_us - before->cpu_system_us;
  process->written_bytes = before->written_bytes;
  /* execve replaced its memory. */
  if (memcmp (process->image, before->image, sizeof process->image) == 0 &&
      !before->uses_parents_memory)
    {
      process->memory = before->memory;
      process->mappings = before->mappings;
    }
}

/* Both lists are sorted. */
static void
remember_all (struct process_table *table)
{
  size_t at = 0;

  for (size_t i = 0; i < table->n; i++)
    {
      struct process *process = &table->processes[i];

      while (at < table->n_before && table->before[at].pid < process->pid)
        at++;
      if (at < table->n_before && table->before[at].pid == process->pid &&
          table->before[at].started == process->started)
        remember (process, &table->before[at]);
    }
}

bool
process_table_read_again (const struct process_table *table, struct process *process)
{
  const struct process *before;
  struct process now;

  if (!process_read (table->proc, process->pid, &now))
    return false;
  before = find (table->before, table->n_before, now.pid);
  if (before != NULL && before->started == now.started)
    remember (&now, before);
  *process = now;
  return true;
}

bool
process_table_read (struct process_table *table)
{
  struct process *oldest = table->before;
  size_t capacity = table->capacity_before;

  table->before = table->processes;
  table->n_before = table->n;
  table->capacity_before = table->capacity;
  table->processes = oldest;
  table->n = 0;
  table->capacity = capacity;
  if (!process_for_each (table->proc, &table->first, add, table))
    return false;
  if (table->n > 0)
    qsort (table->processes, table->n, sizeof *table->processes, compare);
  if (table->top != 0)
    leave_out_others (table);
  remember_all (table);
  return true;
}

uint32_t
process_table_count (struct process_table *table)
{
  uint32_t n = 0;

  if (!process_table_read (table))
    return 0;
  for (size_t i = 0; i < table->n; i++)
    n += !process_is_init (table, table->processes[i].pid) &&
         !process_is_dead (&table->processes[i]);
  return n;
}
