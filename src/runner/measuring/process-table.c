/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "process-table.h"

#include "syscalls.h"
#include "vfork.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* struct linux_dirent64, which no header gives. */
struct entry
{
  uint64_t inode;
  int64_t offset;
  uint16_t size;
  uint8_t type;
  char name[];
};

void
process_table_clear (struct process_table *table)
{
  free (table->processes);
  free (table->before);
  table->processes = table->before = NULL;
  table->n = table->n_before = table->capacity = table->capacity_before = 0;
}

bool
process_read (const struct process_table *table,
              uint32_t pid,
              const char *file,
              char *text,
              size_t capacity)
{
  char path[64];
  ssize_t size;
  int fd;

  snprintf (path, sizeof path, "%u/%s", pid, file);
  fd = openat (table->proc, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  size = read (fd, text, capacity - 1);
  close (fd);
  text[size > 0 ? size : 0] = '\0';
  return size > 0;
}

bool
process_read_stat (const struct process_table *table, uint32_t pid, struct process *process)
{
  const uint64_t tick_us = 1000000 / (uint64_t) sysconf (_SC_CLK_TCK);
  uint64_t fields[29] = { 0 };
  char text[1024];
  char *at;

  /* Fields as numbered in proc(5), beginning after the command's name, which can hold anything;
   * the last parenthesis ends it. */
  if (!process_read (table, pid, "stat", text, sizeof text) || (at = strrchr (text, ')')) == NULL ||
      strlen (at) < 4)
    return false;
  *process = (struct process){ .pid = pid, .state = at[2] };
  at += 3;
  for (int field = 4; field < 29; field++)
    fields[field] = strtoull (at, &at, 10);
  process->parent = (uint32_t) fields[4];
  process->cpu_user_us = process->new_user_us = fields[14] * tick_us;
  process->cpu_system_us = process->new_system_us = fields[15] * tick_us;
  process->children_user_us = fields[16] * tick_us;
  process->children_system_us = fields[17] * tick_us;
  process->threads = (uint32_t) fields[20];
  process->started = fields[22];
  process->size_bytes = fields[23];
  process->resident_bytes = fields[24] * (uint64_t) sysconf (_SC_PAGESIZE);
  process->image[0] = fields[26];
  process->image[1] = fields[28];
  process->is_new = true;
  return true;
}

static bool
add (struct process_table *table, uint32_t pid)
{
  if (table->n == table->capacity)
    {
      size_t capacity = table->capacity == 0 ? 64 : 2 * table->capacity;
      struct process *processes = realloc (table->processes, capacity * sizeof *processes);

      if (processes == NULL)
        return false;
      table->processes = processes;
      table->capacity = capacity;
    }
  if (process_read_stat (table, pid, &table->processes[table->n]))
    table->n++;
  return true;
}

/* The processes follow some sixty files in /proc. Where they begin does not change, so that those
 * are read over only once. */
static bool
read_all (struct process_table *table)
{
  static _Alignas(uint64_t) char entries[32 * 1024];
  int64_t offset = table->first;
  ssize_t size;

  if (lseek (table->proc, table->first, SEEK_SET) < 0)
    return false;
  while ((size = sys_getdents64 (table->proc, entries, sizeof entries)) > 0)
    {
      for (ssize_t at = 0; at < size;)
        {
          const struct entry *entry = (const struct entry *) (const void *) (entries + at);
          const bool is_process = isdigit ((unsigned char) entry->name[0]);
          const uint32_t pid = is_process ? (uint32_t) strtoul (entry->name, NULL, 10) : 0;

          if (is_process && !add (table, pid))
            return false;
          if (pid == PROCESS_INIT)
            table->first = offset;
          offset = entry->offset;
          at += entry->size;
        }
    }
  return size == 0;
}

static int
compare (const void *a, const void *b)
{
  const struct process *one = a;
  const struct process *other = b;

  return one->pid < other->pid ? -1 : one->pid > other->pid;
}

struct process *
process_table_find (const struct process_table *table, uint32_t pid)
{
  const struct process key = { .pid = pid };

  return table->n == 0
             ? NULL
             : bsearch (&key, table->processes, table->n, sizeof *table->processes, compare);
}

/* The numbers of those that came before the first process can be higher than its own. */
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

/* Whether one belongs is found out before any is taken out. */
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
  /* After an execve its memory is another. */
  if (memcmp (process->image, before->image, sizeof process->image) != 0)
    return;
  process->memory = before->memory;
  process->is_new = before->borrows_memory;
}

/* Both looks are in order. */
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
  if (!read_all (table))
    return false;
  if (table->n > 0)
    qsort (table->processes, table->n, sizeof *table->processes, compare);
  if (table->top != 0)
    leave_out_others (table);
  vfork_find_borrowers (table);
  remember_all (table);
  return true;
}
