/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "memory-meter.h"

#include "clock.h"
#include "descriptor.h"
#include "kernel-file.h"
#include "numbers.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* More mappings than this take too long to read. */
#define MAX_MAPPINGS 4096

/* In proc(5)'s maps: shared memory without a file. */
#define NO_FILE "/dev/zero (deleted)\n"

struct sizes
{
  uint64_t scratch;
  uint64_t no_file;
};

static bool
ends_with (const char *line, const char *end)
{
  const size_t size = strlen (line);
  const size_t end_size = strlen (end);

  return size >= end_size && strcmp (line + size - end_size, end) == 0;
}

static void
add_mapping (struct sizes *sizes, const char *line, dev_t scratch)
{
  uint64_t start, end;
  unsigned int device[2];
  char kind;

  if (sscanf (line,
              "%" SCNx64 "-%" SCNx64 " %*3c%c %*x %x:%x",
              &start,
              &end,
              &kind,
              &device[0],
              &device[1]) != 5)
    return;
  if (makedev (device[0], device[1]) == scratch)
    sizes->scratch += end - start;
  else if (kind == 's' && ends_with (line, NO_FILE))
    sizes->no_file += end - start;
}

static bool
measure (int proc, const struct process *process, dev_t scratch, struct sizes *sizes)
{
  char line[4096 + 128];
  unsigned int n = 0;
  fh_autofd int fd = process_open (proc, process, "maps", O_RDONLY);
  FILE *file = fd >= 0 ? fdopen (fd, "r") : NULL;

  if (file == NULL)
    return false;
  fh_steal_fd (&fd);
  while (n <= MAX_MAPPINGS && fgets (line, sizeof line, file) != NULL)
    {
      add_mapping (sizes, line, scratch);
      n++;
    }
  fclose (file);
  return n <= MAX_MAPPINGS;
}

uint64_t
shared_mappings_without_file (int proc,
                              const struct process *process,
                              dev_t scratch,
                              uint64_t shared_bytes)
{
  struct sizes sizes = { 0 };
  uint64_t rest;

  if (!measure (proc, process, scratch, &sizes) || shared_bytes <= sizes.scratch)
    return 0;
  rest = shared_bytes - sizes.scratch;
  return rest < sizes.no_file ? rest : sizes.no_file;
}

/* Time per look for shared memory. */
#define BUDGET_US 4000

/* Rounds take at most a third of the time. */
#define SHORTEST_PAUSE_US 10000
#define LONGEST_PAUSE_US  250000

/* A process can make a reader wait, with tens of thousands of mappings that change all the time.
 * Bound it, as the runner has other duties. */
#define SLOW_READ_US   100000
#define MAX_SLOW_READS 3

/* Many processes that delay a little each would keep a round from ever reaching the ones that
 * matter. Thirty processes with 30 000 mappings each, forking on a busy computer, stay below
 * this. */
#define SLOW_ROUND_US 2000000

/* A process is read so often, because each thread that ends meanwhile spoils the reading. */
#define TRIES 16

static bool
counts (const struct process_table *table, const struct process *process)
{
  return !process_is_init (table, process->pid) && !process->uses_parents_memory;
}

/* False if the process is gone or about to be, or opaque: without memory its status says nothing
 * about it. */
static bool
read_status (const struct process_table *table, struct process *process, char *text, size_t size)
{
  for (int i = 0; i < TRIES && !process->is_opaque; i++)
    {
      if (process_read_file (table->proc, process, "status", text, size) &&
          strstr (text, "\nRssAnon:") != NULL)
        return true;
      if (!process_read_again (table->proc, process))
        return false;
    }
  process->is_opaque = true;
  return false;
}

/* Sets zero and returns false if it cannot be read. */
static bool
read_own (const struct process_table *table, struct process *process)
{
  struct process_memory *memory = &process->memory;
  char text[4096];

  memory->own = memory->tables = memory->shared = 0;
  if (process->size_bytes == 0 || !read_status (table, process, text, sizeof text))
    return false;
  memory->tables = kernel_file_bytes (text, "VmPTE");
  memory->own =
      kernel_file_bytes (text, "RssAnon") + kernel_file_bytes (text, "VmSwap") + memory->tables;
  memory->shared = kernel_file_bytes (text, "RssShmem");
  return true;
}

uint64_t
memory_meter_read_tables (struct process_table *table)
{
  uint64_t bytes = 0;

  for (size_t i = 0; i < table->n; i++)
    {
      if (counts (table, &table->processes[i]) && read_own (table, &table->processes[i]))
        bytes += table->processes[i].memory.tables;
    }
  return bytes;
}

static int
compare_images (const void *a, const void *b)
{
  const struct process *const *one = a;
  const struct process *const *other = b;

  return memcmp ((*one)->image, (*other)->image, sizeof (*one)->image);
}

/* fork shares memory and execve ends that: a process that has an image alone shares nothing, and
 * its memory is known. */
static void
find_alone (struct process_table *table)
{
  struct process **order = calloc (table->n + 1, sizeof (struct process *));
  size_t n = 0;

  if (order == NULL)
    return;
  for (size_t i = 0; i < table->n; i++)
    {
      if (counts (table, &table->processes[i]))
        order[n++] = &table->processes[i];
    }
  if (n > 0)
    qsort (order, n, sizeof order[0], compare_images);
  for (size_t i = 0; i < n; i++)
    {
      order[i]->memory.is_alone = (i == 0 || compare_images (&order[i - 1], &order[i]) != 0) &&
                                  (i + 1 == n || compare_images (&order[i + 1], &order[i]) != 0);
    }
  free (order);
}

/* What it has when it is first seen may still be another's, and so may what it got since the fork
 * while there was no need to measure. */
static void
begin_with (struct process_memory *memory)
{
  memory->part.own = 0;
  memory->part.own_then = memory->own;
  memory->is_known = true;
}

/* Returns the most that all of them can take together. */
static uint64_t
read_all (struct process_table *table)
{
  uint64_t most = 0;

  for (size_t i = 0; i < table->n; i++)
    {
      struct process *process = &table->processes[i];

      process->memory.is_alone = false;
      if (!counts (table, process))
        continue;
      if (read_own (table, process) && !process->memory.is_known)
        begin_with (&process->memory);
      most += process->memory.own + process->memory.shared;
    }
  find_alone (table);
  for (size_t i = 0; i < table->n; i++)
    {
      struct process_memory *memory = &table->processes[i].memory;

      if (memory->is_alone)
        memory->part.own = memory->part.own_then = memory->own;
    }
  return most;
}

/* Growth is new memory, not shared yet. */
static uint64_t
grown (const struct process_share *share, uint64_t now)
{
  return without (share->own + now, share->own_then);
}

/* The least that all take together: according to the last round, or to this one so far. */
static uint64_t
least (const struct process_table *table, uint64_t scratch_bytes)
{
  uint64_t last = 0;
  uint64_t current = 0;
  uint64_t one = 0;
  uint64_t shared = scratch_bytes;
  uint64_t last_shared = 0;
  uint64_t current_shared = 0;
  uint64_t last_without_file = scratch_bytes;
  uint64_t current_without_file = scratch_bytes;

  for (size_t i = 0; i < table->n; i++)
    {
      const struct process_memory *memory = &table->processes[i].memory;

      if (!counts (table, &table->processes[i]))
        continue;
      one = larger (one, memory->own);
      last += grown (&memory->part, memory->own);
      if (memory->is_alone)
        current += memory->own;
      else if (memory->is_fresh)
        current += grown (&memory->fresh, memory->own);
      shared = larger (shared, memory->shared);
      last_shared += smaller (memory->part.shared, memory->shared);
      last_without_file += smaller (memory->part.without_file, memory->shared);
      if (!memory->is_fresh)
        continue;
      current_shared += memory->fresh.shared;
      current_without_file += memory->fresh.without_file;
    }
  shared = larger (shared, larger (last_shared, current_shared));
  shared = larger (shared, larger (last_without_file, current_without_file));
  return larger (one, larger (last, current)) + shared;
}

static void
begin_round (struct memory_meter *meter, struct process_table *table, uint64_t scratch_bytes)
{
  size_t n = 0;

  for (size_t i = 0; i < table->n; i++)
    n += counts (table, &table->processes[i]);
  for (size_t i = 0; i < table->n; i++)
    {
      struct process_memory *memory = &table->processes[i].memory;

      memory->is_fresh = false;
      memory->is_in_round =
          counts (table, &table->processes[i]) &&
          (!memory->is_alone || ((n > 1 || scratch_bytes > 0) && memory->shared > 0));
    }
  meter->is_in_round = true;
  meter->round_cost_us = meter->round_blocked_us = 0;
}

static void
end_round (struct memory_meter *meter, struct process_table *table, uint64_t now)
{
  uint64_t pause = 2 * meter->round_cost_us;

  for (size_t i = 0; i < table->n; i++)
    {
      struct process_memory *memory = &table->processes[i].memory;

      if (memory->is_in_round)
        memory->part = memory->fresh;
      memory->is_in_round = memory->is_fresh = false;
    }
  meter->next_round_us = now + smaller (larger (pause, SHORTEST_PAUSE_US), LONGEST_PAUSE_US);
  meter->is_in_round = false;
}

/* Oldest first: when a process ends, its part goes to those it shared with, and children usually
 * die before their parents. */
static struct process *
next_in_round (struct process_table *table)
{
  struct process *next = NULL;

  for (size_t i = 0; i < table->n; i++)
    {
      struct process *process = &table->processes[i];

      if (process->memory.is_in_round && !process->memory.is_fresh &&
          (next == NULL || process->started < next->started))
        next = process;
    }
  return next;
}

/* How long this process has waited for something other than a processor; a busy computer does not
 * count. */
static uint64_t
time_blocked_us (void)
{
  uint64_t running, ready;
  uint64_t now = clock_now_us ();
  FILE *file = fopen ("/proc/self/schedstat", "re");

  if (file == NULL)
    return 0;
  if (fscanf (file, "%" SCNu64 " %" SCNu64, &running, &ready) != 2)
    now = running = ready = 0;
  fclose (file);
  return now - (running + ready) / 1000;
}

static void
count_slow (struct memory_meter *meter, uint64_t blocked_us)
{
  const bool is_known = blocked_us < UINT64_MAX / 2;

  meter->round_blocked_us += is_known ? blocked_us : 0;
  if (is_known && blocked_us > SLOW_READ_US)
    meter->slow_reads++;
  else if (meter->slow_reads > 0 && meter->slow_reads <= MAX_SLOW_READS)
    meter->slow_reads--;
}

static void
measure_shared (struct memory_meter *meter,
                const struct process_table *table,
                struct process *process)
{
  struct process_memory *memory = &process->memory;
  uint64_t blocked = time_blocked_us ();
  char text[2048];
  bool is_read = process_read_file (table->proc, process, "smaps_rollup", text, sizeof text);

  count_slow (meter, time_blocked_us () - blocked);
  /* What it allocated meanwhile may be included already. */
  read_own (table, process);
  memory->is_fresh = true;
  memory->fresh = (struct process_share){
    .own = memory->own,
    .shared = memory->shared,
    .own_then = memory->own,
  };
  if (!is_read)
    return;
  memory->fresh.own =
      kernel_file_bytes (text, "Pss_Anon") + kernel_file_bytes (text, "SwapPss") + memory->tables;
  memory->fresh.shared = kernel_file_bytes (text, "Pss_Shmem");
  if (memory->fresh.shared > 0)
    memory->fresh.without_file =
        shared_mappings_without_file (table->proc, process, meter->scratch, memory->fresh.shared);
}

static void
continue_round (struct memory_meter *meter,
                struct process_table *table,
                uint64_t scratch_bytes,
                uint64_t limit)
{
  const uint64_t begun = clock_now_us ();
  uint64_t now = begun;

  do
    {
      struct process *process = next_in_round (table);

      if (process == NULL)
        {
          end_round (meter, table, now);
          break;
        }
      measure_shared (meter, table, process);
      now = clock_now_us ();
    }
  while (now - begun < BUDGET_US && least (table, scratch_bytes) <= limit);
  meter->round_cost_us += now - begun;
}

/* Shared memory may have become files since it was measured, and those are counted elsewhere. */
static void
begin_to_confirm (struct memory_meter *meter, struct process_table *table)
{
  for (size_t i = 0; i < table->n; i++)
    {
      table->processes[i].memory.part.without_file = 0;
      table->processes[i].memory.is_fresh = false;
    }
  meter->is_in_round = false;
  meter->next_round_us = 0;
  meter->is_confirming = true;
}

void
memory_meter_measure (struct memory_meter *meter,
                      struct process_table *table,
                      uint64_t scratch_bytes,
                      uint64_t limit)
{
  const uint64_t most = read_all (table) + scratch_bytes;

  meter->is_guess = false;
  meter->bytes = least (table, scratch_bytes);
  if (meter->bytes > limit && !meter->is_confirming)
    begin_to_confirm (meter, table);
  if (most <= limit)
    meter->is_confirming = false;
  if (most <= limit || meter->bytes > limit)
    return;
  if (meter->slow_reads > MAX_SLOW_READS ||
      (meter->is_in_round && meter->round_blocked_us > SLOW_ROUND_US))
    {
      meter->is_guess = true;
      meter->bytes = most;
      return;
    }
  if (!meter->is_in_round && clock_now_us () >= meter->next_round_us)
    begin_round (meter, table, scratch_bytes);
  if (!meter->is_in_round)
    return;
  continue_round (meter, table, scratch_bytes, limit);
  meter->bytes = least (table, scratch_bytes);
  if (!meter->is_in_round && meter->bytes <= limit)
    meter->is_confirming = false;
}
