/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "process.h"

#include "descriptor.h"
#include "kernel-file.h"
#include "syscalls.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Process 1 is listed first in any /proc, if it is visible. */
#define FIRST_PID 1

/* Threads may take turns so fast that each has ended before it can be read. */
#define TRIES       16
#define MAX_THREADS 4096

/* "PID/FILE" or "PID/task/THREAD/FILE", which is never another process's. */
static void
write_path (char path[64], uint32_t pid, uint32_t thread, const char *file)
{
  if (thread == pid)
    snprintf (path, 64, "%u/%s", pid, file);
  else
    snprintf (path, 64, "%u/task/%u/%s", pid, thread, file);
}

/* Reads one thread's status; the main thread's has the sums of all. */
static bool
read_stat (int proc, uint32_t pid, uint32_t thread, struct process *process)
{
  const uint64_t tick_us = 1000000 / (uint64_t) sysconf (_SC_CLK_TCK);
  uint64_t fields[29] = { 0 };
  const struct process key = { .pid = pid, .thread = thread };
  char text[1024];
  char *at;

  /* Field numbers as in proc(5), after the command's name, which can hold anything; the last
   * parenthesis ends it. */
  if (!process_read_file (proc, &key, "stat", text, sizeof text) ||
      (at = strrchr (text, ')')) == NULL || strlen (at) < 4)
    return false;
  *process = (struct process){ .pid = pid, .thread = thread, .state = at[2] };
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
  return true;
}

struct search
{
  int proc;
  struct process *process;
  bool has_found;
  bool has_news;
  uint32_t ended[MAX_THREADS];
  size_t n_ended;
};

static bool
is_ended (const struct search *search, uint32_t thread)
{
  for (size_t i = 0; i < search->n_ended; i++)
    {
      if (search->ended[i] == thread)
        return true;
    }
  return false;
}

/* A thread without an address space has ended, or is about to. */
static bool
try_thread (uint32_t thread, void *data)
{
  struct search *search = data;
  struct process *process = search->process;
  struct process status;

  if (is_ended (search, thread))
    return true;
  search->has_news = true;
  if (read_stat (search->proc, process->pid, thread, &status) && status.size_bytes > 0)
    {
      search->has_found = true;
      process->thread = thread;
      process->state = status.state;
      process->size_bytes = status.size_bytes;
      process->resident_bytes = status.resident_bytes;
      memcpy (process->image, status.image, sizeof process->image);
      return false;
    }
  if (search->n_ended == MAX_THREADS)
    return false;
  search->ended[search->n_ended++] = thread;
  return true;
}

/* New threads are made by living ones and listed after them. So when all listed threads have ended,
 * none is left that could hold anything. */
static void
find_speaker (int proc, struct process *process)
{
  static struct search search;

  search.proc = proc;
  search.process = process;
  search.has_found = false;
  search.n_ended = 0;
  for (int i = 0; i < TRIES; i++)
    {
      search.has_news = false;
      process_for_each_thread (proc, process->pid, try_thread, &search);
      if (search.has_found || !search.has_news)
        return;
    }
  process->is_opaque = true;
}

bool
process_read (int proc, uint32_t pid, struct process *process)
{
  if (!read_stat (proc, pid, pid, process))
    return false;
  if (process->size_bytes == 0 && process->threads > 1)
    find_speaker (proc, process);
  return true;
}

bool
process_read_again (int proc, struct process *process)
{
  struct process now;

  if (!process_read (proc, process->pid, &now) || now.started != process->started)
    return false;
  process->thread = now.thread;
  process->is_opaque = now.is_opaque;
  return now.size_bytes > 0;
}

bool
process_is_dead (const struct process *process)
{
  return strchr ("ZX", process->state) != NULL && process->threads <= 1;
}

bool
process_thread_lives (int proc, const struct process *process)
{
  struct process status;

  return read_stat (proc, process->pid, process->thread, &status) && status.size_bytes > 0;
}

bool
process_is_closed (int proc, const struct process *process)
{
  return errno != ENOENT && errno != ESRCH && process_thread_lives (proc, process);
}

int
process_open (int proc, const struct process *process, const char *file, int flags)
{
  char path[64];

  write_path (path, process->pid, process->thread, file);
  return openat (proc, path, flags | O_CLOEXEC);
}

bool
process_read_file (int proc,
                   const struct process *process,
                   const char *file,
                   char *text,
                   size_t capacity)
{
  char path[64];

  write_path (path, process->pid, process->thread, file);
  return kernel_file_read (proc, path, text, capacity);
}

/* Calls `take` for all names that are numbers. */
static bool
take_numbers (int folder,
              char *entries,
              size_t capacity,
              int64_t *first,
              process_take take,
              void *data)
{
  int64_t offset = *first;
  ssize_t size;

  while ((size = sys_getdents64 (folder, entries, capacity)) > 0)
    {
      for (ssize_t at = 0; at < size;)
        {
          const struct dirent64 *entry = (const struct dirent64 *) (const void *) (entries + at);
          const bool is_number = isdigit ((unsigned char) entry->d_name[0]);
          const uint32_t number = is_number ? (uint32_t) strtoul (entry->d_name, NULL, 10) : 0;

          if (is_number && !take (number, data))
            return false;
          if (number == FIRST_PID)
            *first = offset;
          offset = entry->d_off;
          at += entry->d_reclen;
        }
    }
  return size == 0;
}

/* Some sixty files come before the processes in /proc. Their offset does not change, so read over
 * them only once. */
bool
process_for_each (int proc, int64_t *first, process_take take, void *data)
{
  static _Alignas(uint64_t) char entries[32 * 1024];
  int64_t start = first != NULL ? *first : 0;

  if (lseek (proc, start, SEEK_SET) < 0 ||
      !take_numbers (proc, entries, sizeof entries, &start, take, data))
    return false;
  if (first != NULL)
    *first = start;
  return true;
}

bool
process_for_each_thread (int proc, uint32_t pid, process_take take, void *data)
{
  _Alignas(uint64_t) char entries[2048];
  int64_t first = 0;
  char path[64];
  fh_autofd int folder = -1;

  snprintf (path, sizeof path, "%u/task", pid);
  folder = openat (proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return folder >= 0 && take_numbers (folder, entries, sizeof entries, &first, take, data);
}
