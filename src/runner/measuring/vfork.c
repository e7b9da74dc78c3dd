/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vfork.h"

#include "clock.h"
#include "kernel-file.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

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
      if (!process_table_read_again (table, process))
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
vfork_find_children (struct process_table *table)
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
