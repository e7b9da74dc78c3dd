/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "process-table.h"

#include "clock.h"
#include "kernel-file.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

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

/* Reads one process of the table again. False when it is gone. */
static bool
read_again (const struct process_table *table, struct process *process)
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

/* A parent may be reported as waiting only a moment after its child was seen. */
#define TRIES 3

/* Threads per process that are read. */
#define MAX_THREADS 128

/* Time per look to compare memory. */
#define BUDGET_US 20000

/* What a process may allocate or free between two readings. */
#define SLACK ((uint64_t) 256 << 10)

/* fork looks like vfork, and a child could use that to hide its memory behind its parent's: so the
 * call that the parent waits in, as reported by the kernel, decides; clone(2), syscall(2). */
static bool
is_vfork (const char *text)
{
  const uint64_t flags = CLONE_VM | CLONE_VFORK;
  char *at;
  long number = strtol (text, &at, 10);

  if (at == text)
    return false;
#ifdef SYS_vfork
  if (number == SYS_vfork)
    return true;
#endif
  return number == SYS_clone && (strtoull (at, NULL, 16) & flags) == flags;
}

struct count
{
  int proc;
  struct process process; /* a copy, read through each of its threads */
  unsigned int seen;
  unsigned int waiting;
};

/* Where a thread waits for the child that uses its memory, by the names of different kernels, to
 * which a compiler may append. Of a guest with its own user id only its own user may read the call,
 * but this is told. It sleeps for other reasons elsewhere. */
static bool
is_vfork_place (const char *text)
{
  static const char *const places[] = { "kernel_clone", "_do_fork", "wait_for_vfork_done" };
  bool is_one = false;

  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
    is_one = is_one || strncmp (text, places[i], strlen (places[i])) == 0;
  return is_one;
}

/* False for a thread of which it is not known: then no child is taken to use its memory. */
static bool
is_waiting (int proc, const struct process *process)
{
  char text[1024];

  if (process_read_file (proc, process, "syscall", text, sizeof text))
    return is_vfork (text);
  return process_read_file (proc, process, "wchan", text, sizeof text) && is_vfork_place (text);
}

static bool
count_thread (uint32_t thread, void *data)
{
  struct count *count = data;

  count->process.thread = thread;
  count->waiting += is_waiting (count->proc, &count->process);
  return ++count->seen < MAX_THREADS;
}

/* Counts the threads of this process that wait in vfork. */
static unsigned int
count_waiting (const struct process_table *table, uint32_t pid)
{
  struct count count = { .proc = table->proc };

  if (!process_read (table->proc, pid, &count.process))
    return 0;
  if (count.process.threads <= 1)
    return is_waiting (table->proc, &count.process);
  process_for_each_thread (table->proc, pid, count_thread, &count);
  return count.waiting;
}

static bool
has_same_image (const struct process *one, const struct process *other)
{
  const uint64_t difference = one->resident_bytes > other->resident_bytes
                                  ? one->resident_bytes - other->resident_bytes
                                  : other->resident_bytes - one->resident_bytes;

  return one->image[0] == other->image[0] && one->image[1] == other->image[1] &&
         difference <= one->resident_bytes / 16;
}

/* The counted parts of a process's memory, memory-meter.c. */
#define N_PARTS 4
struct parts
{
  uint64_t bytes[N_PARTS];
};

static bool
read_parts (const struct process_table *table, const struct process *process, struct parts *parts)
{
  static const char *const keys[N_PARTS - 1] = { "Pss_Anon", "Pss_Shmem", "SwapPss" };
  char text[4096];

  if (!process_read_file (table->proc, process, "smaps_rollup", text, sizeof text))
    return false;
  for (int i = 0; i < N_PARTS - 1; i++)
    parts->bytes[i] = kernel_file_bytes (text, keys[i]);
  if (!process_read_file (table->proc, process, "status", text, sizeof text))
    return false;
  parts->bytes[N_PARTS - 1] = kernel_file_bytes (text, "VmPTE");
  return true;
}

/* A forked child looks like one by vfork as long as it has as much memory, even if that is only
 * mapped files or shared with many. Sizes never prove that memory is one; but a waiting thread does
 * prove that some process uses its memory, as seccomp-rules.h refuses to wait for any other. That
 * one counts in full if another is chosen, so choosing the wrong one must not hide anything: each
 * counted part has to be at most as large as the parent's. A process that cannot be read in time
 * has memory of its own. */
static bool
has_same_parts (const struct process_table *table,
                const struct process *process,
                const struct process *parent,
                uint64_t deadline)
{
  struct parts one, other;

  if (clock_now_us () >= deadline || !read_parts (table, process, &one) ||
      !read_parts (table, parent, &other))
    return false;
  for (int i = 0; i < N_PARTS; i++)
    {
      if (one.bytes[i] > other.bytes[i] + other.bytes[i] / 16 + SLACK)
        return false;
    }
  return true;
}

/* At most as many as there are waiting threads. */
static bool
is_vfork_child (const struct process_table *table,
                struct process *process,
                const struct process *parent,
                uint64_t deadline)
{
  for (int i = 0; i < TRIES; i++)
    {
      if (count_waiting (table, parent->pid) > parent->vfork_children &&
          has_same_parts (table, process, parent, deadline))
        return true;
      /* It may have executed just now. */
      if (!read_again (table, process))
        {
          process->resident_bytes = process->size_bytes = 0;
          return false;
        }
      if (!has_same_image (process, parent))
        return false;
    }
  return false;
}

void
process_table_find_vforked (struct process_table *table)
{
  const uint64_t deadline = clock_now_us () + BUDGET_US;

  for (size_t i = 0; i < table->n; i++)
    {
      struct process *process = &table->processes[i];
      struct process *parent;

      if (process_is_init (table, process->pid) || process_is_init (table, process->parent))
        continue;
      parent = process_table_find (table, process->parent);
      if (parent == NULL || !has_same_image (process, parent))
        continue;
      process->uses_parents_memory = is_vfork_child (table, process, parent, deadline);
      parent->vfork_children += process->uses_parents_memory;
    }
}
