/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "input-wait.h"

#include "clock.h"
#include "descriptor.h"
#include "kernel-file.h"
#include "syscalls.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Threads and descriptors; a guest that has more is not looked through. */
#define MAX_SEEN 256
/* How long a look may take. */
#define PATIENCE_US 1000000

struct search
{
  int proc;
  uint32_t first;         /* processes before that are not the sandbox's */
  char pipe[64];          /* its name */
  struct process process; /* with the thread that is looked at */
  unsigned int seen;
  bool has_found;
};

/* By its name, pipe(7): to ask for more could take long, if the file is that of a server. */
static bool
is_input (struct search *search, unsigned long fd)
{
  char path[64], name[64];
  ssize_t size;

  search->seen++;
  snprintf (path, sizeof path, "%u/fd/%lu", search->process.pid, fd);
  size = readlinkat (search->proc, path, name, sizeof name);
  return size > 0 && (size_t) size == strlen (search->pipe) &&
         memcmp (name, search->pipe, (size_t) size) == 0;
}

/* Lines such as "tfd:        0 events:       19 data: …", proc_pid_fdinfo(5). */
static bool
watches_input (struct search *search, unsigned long fd)
{
  char path[64], text[4096];

  snprintf (path, sizeof path, "%u/fdinfo/%lu", search->process.pid, fd);
  if (!kernel_file_read (search->proc, path, text, sizeof text))
    return false;
  for (const char *line = text; search->seen < MAX_SEEN && (line = strstr (line, "tfd:")) != NULL;
       line++)
    {
      unsigned long watched;
      unsigned int events;

      if (sscanf (line, "tfd: %lu events: %x", &watched, &events) == 2 && events & EPOLLIN &&
          is_input (search, watched))
        return true;
    }
  return false;
}

/* The number of the call and its arguments, proc_pid_syscall(5); "running" if there is none. */
static bool
waits_in (struct search *search, const char *text)
{
  char *at;
  const long number = strtol (text, &at, 10);
  const unsigned long fd = strtoul (at, NULL, 16);

  if (at == text)
    return false;
  switch (number)
    {
    case SYS_read:
    case SYS_readv:
      return is_input (search, fd);
#ifdef SYS_epoll_wait
    case SYS_epoll_wait:
#endif
    case SYS_epoll_pwait:
    case SYS_epoll_pwait2:
      return watches_input (search, fd);
    default:
      return false;
    }
}

static bool
look_at_thread (uint32_t thread, void *data)
{
  struct search *search = data;
  char text[256];

  search->process.thread = thread;
  search->has_found =
      process_read_file (search->proc, &search->process, "syscall", text, sizeof text) &&
      waits_in (search, text);
  return !search->has_found && ++search->seen < MAX_SEEN;
}

static bool
look_at_process (uint32_t pid, void *data)
{
  struct search *search = data;

  if (pid < search->first)
    return true;
  search->process.pid = pid;
  process_for_each_thread (search->proc, pid, look_at_thread, search);
  return !search->has_found && search->seen < MAX_SEEN;
}

static bool
search_all (struct process_table *table, const struct stat *pipe)
{
  struct search search = { .proc = table->proc, .first = table->top };

  snprintf (search.pipe, sizeof search.pipe, "pipe:[%lu]", (unsigned long) pipe->st_ino);
  process_for_each (table->proc, &table->first, look_at_process, &search);
  return search.has_found;
}

/* Only a process of another user's namespace may read what its user does. */
static bool
search_as_guest (struct process_table *table, const struct stat *pipe, int users)
{
  return (users < 0 || setns (users, CLONE_NEWUSER) == 0) && search_all (table, pipe);
}

/* False while the child goes on. Others may have waited for it, so its number says nothing. */
static bool
has_ended (int pidfd, bool *has_found)
{
  siginfo_t end = { 0 };
  const bool is_gone = waitid (P_PIDFD, (id_t) pidfd, &end, WEXITED | WNOHANG) < 0;

  *has_found = end.si_pid != 0 && end.si_code == CLD_EXITED && end.si_status == 0;
  return is_gone || end.si_pid != 0;
}

/* The child's answer; false, and no end of the child, if that takes too long. */
static bool
wait_for_answer (int pidfd, bool *has_found)
{
  struct pollfd end = { .fd = pidfd, .events = POLLIN };

  clock_poll_until (&end, 1, clock_now_us () + PATIENCE_US);
  if (has_ended (pidfd, has_found))
    return true;
  sys_pidfd_send_signal (pidfd, SIGKILL);
  return false;
}

/* A child looks, as that can take for ever: an epoll instance is locked while its events are
 * written, and the guest may want them in memory of a file whose server does not answer. */
bool
input_wait_is_there (struct process_table *table, int pipe, int users)
{
  static int child = -1; /* a pidfd: it did not answer in time */
  struct stat status;
  bool found = false;
  pid_t pid;

  if (table->proc < 0 || fstat (pipe, &status) < 0 || (child >= 0 && !has_ended (child, &found)))
    return false;
  fh_clear_fd (&child);
  pid = sys_clone_with_pidfd (&child);
  if (pid == 0)
    _exit (search_as_guest (table, &status, users) ? 0 : 1);
  if (pid < 0)
    child = -1;
  if (pid < 0 || !wait_for_answer (child, &found))
    return false;
  fh_clear_fd (&child);
  return found;
}
