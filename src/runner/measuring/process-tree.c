/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "process-tree.h"

#include "clock.h"
#include "syscalls.h"

#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_PROCESSES 65536
#define PATIENCE_US   2000000
#define PAUSE_NS      1000000

struct member
{
  pid_t pid;
  pid_t parent;
  char state; /* as in proc(5) */
  uint64_t started;
  bool descends;
};

static struct member members[MAX_PROCESSES];
static size_t n_members;

/* struct linux_dirent64, which no header gives. */
struct entry
{
  uint64_t inode;
  int64_t offset;
  uint16_t size;
  uint8_t type;
  char name[];
};

static bool
read_file (int proc, pid_t pid, const char *name, char *text, size_t capacity)
{
  char path[32];
  ssize_t size;
  int fd;

  snprintf (path, sizeof path, "%d/%s", (int) pid, name);
  fd = openat (proc, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  size = read (fd, text, capacity - 1);
  close (fd);
  text[size > 0 ? size : 0] = '\0';
  return size > 0;
}

/* The name of a process can hold anything; the last parenthesis ends it. */
static bool
read_member (int proc, pid_t pid, struct member *member)
{
  char text[1024];
  char *at;

  if (!read_file (proc, pid, "stat", text, sizeof text) || (at = strrchr (text, ')')) == NULL ||
      strlen (at) < 4)
    return false;
  *member = (struct member){ .pid = pid, .state = at[2] };
  at += 3;
  member->parent = (pid_t) strtol (at, &at, 10);
  for (int field = 5; field < 22; field++)
    strtoull (at, &at, 10);
  member->started = strtoull (at, &at, 10);
  return true;
}

/* Calls `take` for every process there is. */
static void
for_each_process (int proc, void (*take) (int proc, pid_t pid, void *data), void *data)
{
  static _Alignas(uint64_t) char entries[32 * 1024];
  ssize_t size;

  if (lseek (proc, 0, SEEK_SET) < 0)
    return;
  while ((size = sys_getdents64 (proc, entries, sizeof entries)) > 0)
    {
      for (ssize_t at = 0; at < size;)
        {
          const struct entry *entry = (const struct entry *) (const void *) (entries + at);

          if (isdigit ((unsigned char) entry->name[0]))
            take (proc, (pid_t) strtol (entry->name, NULL, 10), data);
          at += entry->size;
        }
    }
}

static void
take_member (int proc, pid_t pid, void *data)
{
  if (n_members < MAX_PROCESSES && read_member (proc, pid, &members[n_members]))
    n_members++;
}

/* The kernel lists processes by number. */
static struct member *
find (pid_t pid)
{
  size_t low = 0;
  size_t high = n_members;

  while (low < high)
    {
      const size_t middle = low + (high - low) / 2;

      if (members[middle].pid < pid)
        low = middle + 1;
      else
        high = middle;
    }
  return low < n_members && members[low].pid == pid ? &members[low] : NULL;
}

static bool
descends (const struct member *member, pid_t top)
{
  for (size_t i = 0; member != NULL && i < n_members; i++)
    {
      if (member->descends || member->parent == top)
        return true;
      member = find (member->parent);
    }
  return false;
}

static void
read_tree (int proc, pid_t top)
{
  n_members = 0;
  for_each_process (proc, take_member, NULL);
  for (size_t i = 0; i < n_members; i++)
    members[i].descends = descends (&members[i], top);
}

/* Its number may have become another's since it was read; a handle stays with the one it was made
 * for. */
static void
send_signal (int proc, const struct member *member, int number)
{
  const struct rlimit none = { 0, 0 };
  struct member now;
  int pidfd = (int) syscall (SYS_pidfd_open, member->pid, 0);

  if (pidfd < 0)
    return;
  if (read_member (proc, member->pid, &now) && now.started == member->started)
    {
      prlimit (member->pid, RLIMIT_NPROC, &none, NULL);
      sys_pidfd_send_signal (pidfd, number);
    }
  close (pidfd);
}

/* Returns to how many it was sent. */
static size_t
signal_tree (int proc, pid_t top, pid_t spared, int number, const char *but_in_states)
{
  size_t n = 0;

  read_tree (proc, top);
  for (size_t i = 0; i < n_members; i++)
    {
      if (!members[i].descends || members[i].pid == spared ||
          strchr (but_in_states, members[i].state) != NULL)
        continue;
      send_signal (proc, &members[i], number);
      n++;
    }
  return n;
}

/* What is read one after the other is not true at one moment: who lost his parent meanwhile seems
 * to be nobody's. So nobody is left when nobody was found twice. */
bool
process_tree_kill (int proc, pid_t top, pid_t spared)
{
  const struct timespec pause = { .tv_nsec = PAUSE_NS };
  const uint64_t deadline = clock_now_us () + PATIENCE_US;
  int n_empty = 0;

  for (int i = 0; i < 8 && signal_tree (proc, top, spared, SIGSTOP, "TtZX") > 0; i++)
    continue;
  while ((n_empty = signal_tree (proc, top, spared, SIGKILL, "ZX") > 0 ? 0 : n_empty + 1) < 2)
    {
      if (clock_now_us () >= deadline)
        return false;
      nanosleep (&pause, NULL);
    }
  return true;
}

size_t
process_tree_count (int proc, pid_t top)
{
  size_t n = 0;

  read_tree (proc, top);
  for (size_t i = 0; i < n_members; i++)
    n += members[i].descends && strchr ("ZX", members[i].state) == NULL;
  return n;
}

struct tasks
{
  uid_t user;
  size_t n;
};

static void
count_tasks (int proc, pid_t pid, void *data)
{
  struct tasks *tasks = data;
  char text[4096];
  const char *user;
  const char *threads;

  if (!read_file (proc, pid, "status", text, sizeof text))
    return;
  user = strstr (text, "\nUid:");
  threads = strstr (text, "\nThreads:");
  if (user != NULL && threads != NULL && strtoul (user + 5, NULL, 10) == tasks->user)
    tasks->n += strtoul (threads + 9, NULL, 10);
}

size_t
process_tree_tasks_of (int proc, uid_t user)
{
  struct tasks tasks = { .user = user };

  for_each_process (proc, count_tasks, &tasks);
  return tasks.n;
}
