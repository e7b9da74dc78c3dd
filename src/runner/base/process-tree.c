/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "process-tree.h"

#include "clock.h"
#include "descriptor.h"
#include "kernel-file.h"
#include "process.h"
#include "syscalls.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_PROCESSES 65536
#define TIMEOUT_US    2000000
#define PAUSE_NS      1000000

struct member
{
  pid_t pid;
  pid_t parent;
  char state; /* as in proc(5) */
  bool is_dead;
  uint64_t started;
  bool descends;
};

static struct member members[MAX_PROCESSES];
static size_t n_members;

static bool
read_member (int proc, uint32_t pid, struct member *member)
{
  struct process process;

  if (!process_read (proc, pid, &process))
    return false;
  *member = (struct member){
    .pid = (pid_t) process.pid,
    .parent = (pid_t) process.parent,
    .state = process.state,
    .is_dead = process_is_dead (&process),
    .started = process.started,
  };
  return true;
}

static bool
take_member (uint32_t pid, void *data)
{
  const int *proc = data;

  if (n_members < MAX_PROCESSES && read_member (*proc, pid, &members[n_members]))
    n_members++;
  return true;
}

/* The kernel lists processes by id. */
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
  process_for_each (proc, NULL, take_member, &proc);
  for (size_t i = 0; i < n_members; i++)
    members[i].descends = descends (&members[i], top);
}

/* True if the id has not been reused. */
static bool
is_same (int proc, const struct member *member)
{
  struct member now;

  return read_member (proc, (uint32_t) member->pid, &now) && now.started == member->started;
}

/* Signals all threads. The id may have been reused since it was read; a pidfd stays with its
 * process. Limits need the id, but a stopped process keeps it. */
static void
send_signal (int proc, const struct member *member, int number)
{
  static const struct rlimit none = { 0, 0 };
  fh_autofd int pidfd = (int) syscall (SYS_pidfd_open, member->pid, 0);

  if (pidfd < 0)
    return;
  if (is_same (proc, member) && sys_pidfd_send_signal (pidfd, number) == 0 && number == SIGSTOP &&
      is_same (proc, member))
    prlimit (member->pid, RLIMIT_NPROC, &none, NULL);
}

/* Returns how many received it. */
static size_t
signal_tree (int proc, pid_t top, pid_t spared, int number, const char *but_in_states)
{
  size_t n = 0;

  read_tree (proc, top);
  for (size_t i = 0; i < n_members; i++)
    {
      if (!members[i].descends || members[i].pid == spared || members[i].is_dead ||
          strchr (but_in_states, members[i].state) != NULL)
        continue;
      send_signal (proc, &members[i], number);
      n++;
    }
  return n;
}

/* Processes are read one after the other, so one that just lost its parent can seem unrelated.
 * Hence two empty readings are required. */
bool
process_tree_kill (int proc, pid_t top, pid_t spared)
{
  const struct timespec pause = { .tv_nsec = PAUSE_NS };
  const uint64_t deadline = clock_now_us () + TIMEOUT_US;
  int n_empty = 0;

  for (int i = 0; i < 8 && signal_tree (proc, top, spared, SIGSTOP, "Tt") > 0; i++)
    continue;
  while ((n_empty = signal_tree (proc, top, spared, SIGKILL, "") > 0 ? 0 : n_empty + 1) < 2)
    {
      if (clock_now_us () >= deadline)
        return false;
      nanosleep (&pause, NULL);
    }
  return true;
}

bool
process_tree_end (int proc)
{
  const struct timespec pause = { .tv_nsec = PAUSE_NS };
  const uint64_t deadline = clock_now_us () + TIMEOUT_US;

  while (true)
    {
      pid_t pid;

      while ((pid = waitpid (-1, NULL, WNOHANG | __WALL)) > 0)
        continue;
      if (pid < 0 && errno == ECHILD)
        return true;
      if (clock_now_us () >= deadline || !process_tree_kill (proc, getpid (), 0))
        return false;
      nanosleep (&pause, NULL);
    }
}

struct tasks
{
  int proc;
  uid_t first_user;
  uid_t n_users;
  size_t n;
};

static bool
count_tasks (uint32_t pid, void *data)
{
  struct tasks *tasks = data;
  const struct process process = { .pid = pid, .thread = pid };
  char text[4096];

  if (process_read_file (tasks->proc, &process, "status", text, sizeof text) &&
      kernel_file_number (text, "Uid", UINT64_MAX) - tasks->first_user < tasks->n_users)
    tasks->n += kernel_file_number (text, "Threads", 0);
  return true;
}

size_t
process_tree_tasks_of (int proc, uid_t first, uid_t n)
{
  struct tasks tasks = { .proc = proc, .first_user = first, .n_users = n };

  process_for_each (proc, NULL, count_tasks, &tasks);
  return tasks.n;
}
