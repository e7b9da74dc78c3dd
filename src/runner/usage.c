/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "usage.h"

#include "syscalls.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>

#define FIRST_PROCESS 1

/* Calls `visit` for every process. */
typedef void (*visit_process) (int proc, const char *pid, void *data);

/* struct linux_dirent64, which no header gives. */
struct entry
{
  uint64_t inode;
  int64_t offset;
  uint16_t size;
  uint8_t type;
  char name[];
};

/* The processes follow some sixty files in /proc. Where they begin does not change, so that those
 * are read over only once. */
static bool
for_each_process (struct usage_source *source, visit_process visit, void *data)
{
  static _Alignas(uint64_t) char entries[32 * 1024];
  int64_t offset = source->first;
  ssize_t size;

  if (lseek (source->proc, source->first, SEEK_SET) < 0)
    return false;
  while ((size = sys_getdents64 (source->proc, entries, sizeof entries)) > 0)
    {
      for (ssize_t at = 0; at < size;)
        {
          const struct entry *entry = (const struct entry *) (const void *) (entries + at);

          if (isdigit ((unsigned char) entry->name[0]))
            visit (source->proc, entry->name, data);
          if (atoi (entry->name) == FIRST_PROCESS)
            source->first = offset;
          offset = entry->offset;
          at += entry->size;
        }
    }
  return size == 0;
}

/* Reads a file of one process as text; false when the process is gone. */
static bool
read_text (int proc, const char *pid, const char *file, char *text, size_t capacity)
{
  char path[64];
  ssize_t size;
  int fd;

  snprintf (path, sizeof path, "%s/%s", pid, file);
  fd = openat (proc, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  size = read (fd, text, capacity - 1);
  close (fd);
  text[size > 0 ? size : 0] = '\0';
  return size > 0;
}

struct sample
{
  struct usage *usage;
  uint64_t page_size;
  uint64_t tick_us;
};

/* Fields as numbered in proc(5), beginning after the command's name, which can hold anything; the
 * last parenthesis ends it. */
static void
visit_stat (int proc, const char *pid, void *data)
{
  struct sample *sample = data;
  struct usage *usage = sample->usage;
  char text[1024];
  uint64_t fields[25] = { 0 };
  char *at;

  if (!read_text (proc, pid, "stat", text, sizeof text) || (at = strrchr (text, ')')) == NULL)
    return;
  at = strchr (at + 2, ' '); /* the state, a letter */
  for (int field = 4; at != NULL && field < 25; field++)
    fields[field] = strtoull (at, &at, 10);
  usage->cpu_user_us += (fields[14] + fields[16]) * sample->tick_us;
  usage->cpu_system_us += (fields[15] + fields[17]) * sample->tick_us;
  if (atoi (pid) == FIRST_PROCESS)
    return;
  usage->processes++;
  usage->threads += (uint32_t) fields[20];
  usage->resident_bytes += fields[24] * sample->page_size;
}

bool
usage_sample (struct usage_source *source, struct usage *usage)
{
  struct sample sample = {
    .usage = usage,
    .page_size = (uint64_t) sysconf (_SC_PAGESIZE),
    .tick_us = 1000000 / (uint64_t) sysconf (_SC_CLK_TCK),
  };

  *usage = (struct usage){ 0 };
  return for_each_process (source, visit_stat, &sample);
}

struct exact
{
  bool is_shared;
  uint64_t own;
  uint64_t shared;
};

static uint64_t
value_of (const char *text, const char *key)
{
  const char *line = strstr (text, key);

  return line != NULL ? strtoull (line + strlen (key), NULL, 10) * 1024 : 0;
}

static void
visit_memory (int proc, const char *pid, void *data)
{
  struct exact *exact = data;
  char text[2048];

  if (atoi (pid) == FIRST_PROCESS)
    return;
  if (exact->is_shared && read_text (proc, pid, "smaps_rollup", text, sizeof text))
    {
      exact->own += value_of (text, "\nPss_Anon:");
      exact->shared += value_of (text, "\nPss_Shmem:");
    }
  else if (read_text (proc, pid, "status", text, sizeof text))
    {
      exact->own += value_of (text, "\nRssAnon:");
      exact->shared += value_of (text, "\nRssShmem:");
    }
}

uint64_t
usage_exact_memory (struct usage_source *source, uint64_t scratch_bytes, bool is_shared)
{
  struct exact exact = { .is_shared = is_shared };

  for_each_process (source, visit_memory, &exact);
  return exact.own + (exact.shared > scratch_bytes ? exact.shared : scratch_bytes);
}

uint64_t
usage_of_scratch (int folder, bool *is_full)
{
  struct statfs status;

  if (fstatfs (folder, &status) < 0)
    {
      *is_full = false;
      return 0;
    }
  *is_full = status.f_bfree == 0 || (status.f_files > 0 && status.f_ffree == 0);
  return (status.f_blocks - status.f_bfree) * (uint64_t) status.f_bsize;
}
