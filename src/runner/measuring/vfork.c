/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vfork.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A parent may become known as waiting only a moment after its child was seen. */
#define TRIES 3

/* Threads of one process that are looked at. */
#define MAX_THREADS 128

/* Fork leaves the same trace as vfork, which a child could use to hide its memory behind its
 * parent's: what the parent waits for is the kernel's own word, clone(2) and syscall(2). */
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

static unsigned int
count_in_threads (const struct process_table *table, uint32_t pid)
{
  char path[64];
  unsigned int n = 0;
  unsigned int seen = 0;
  struct dirent *entry;
  DIR *folder;
  int fd;

  snprintf (path, sizeof path, "%u/task", pid);
  fd = openat (table->proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return 0;
  folder = fdopendir (fd);
  if (folder == NULL)
    {
      close (fd);
      return 0;
    }
  while ((entry = readdir (folder)) != NULL && seen < MAX_THREADS)
    {
      char file[300];
      char text[256];

      if (entry->d_name[0] == '.')
        continue;
      seen++;
      snprintf (file, sizeof file, "task/%s/syscall", entry->d_name);
      if (process_read (table, pid, file, text, sizeof text) && is_vfork (text))
        n++;
    }
  closedir (folder);
  return n;
}

/* How many threads of this process wait in vfork. Where the kernel does not say, one that sleeps
 * without being open to signals is believed to. */
static unsigned int
count_waiting (const struct process_table *table, uint32_t pid)
{
  struct process process;
  char text[256];

  if (!process_read_stat (table, pid, &process))
    return 0;
  if (!process_read (table, pid, "syscall", text, sizeof text))
    return process.state == 'D' ? 1 : 0;
  return process.threads <= 1 ? is_vfork (text) : count_in_threads (table, pid);
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

/* Not more than there are waiting threads. */
static bool
is_borrower (const struct process_table *table,
             struct process *process,
             const struct process *parent)
{
  for (int i = 0; i < TRIES; i++)
    {
      struct process now;

      if (count_waiting (table, parent->pid) > parent->lends)
        return true;
      /* Perhaps it was one until just now. */
      if (!process_read_stat (table, process->pid, &now))
        {
          process->resident_bytes = process->size_bytes = 0;
          return false;
        }
      *process = now;
      if (!has_same_image (process, parent))
        return false;
    }
  return false;
}

void
vfork_find_borrowers (struct process_table *table)
{
  for (size_t i = 0; i < table->n; i++)
    {
      struct process *process = &table->processes[i];
      struct process *parent;

      if (process_is_init (table, process->pid) || process_is_init (table, process->parent))
        continue;
      parent = process_table_find (table, process->parent);
      if (parent == NULL || !has_same_image (process, parent))
        continue;
      process->borrows_memory = is_borrower (table, process, parent);
      parent->lends += process->borrows_memory;
    }
}
