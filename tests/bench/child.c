/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int64_t
child_now_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

uint64_t
child_drain (int fd)
{
  static char buffer[64 * 1024];
  uint64_t total = 0;
  ssize_t n;

  while ((n = read (fd, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR))
    total += n > 0 ? (uint64_t) n : 0;
  return total;
}

static int
spawn (const char *const argv[], const char *output, int write_end, pid_t *pid)
{
  posix_spawn_file_actions_t actions;
  int error;

  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (output != NULL)
    posix_spawn_file_actions_addopen (&actions, STDOUT_FILENO, output, O_WRONLY, 0);
  else
    posix_spawn_file_actions_adddup2 (&actions, write_end, STDOUT_FILENO);
  error = posix_spawnp (pid, argv[0], &actions, NULL, (char *const *) argv, environ);
  posix_spawn_file_actions_destroy (&actions);
  return -error;
}

int
child_run (const char *const argv[], const char *output, struct child_run *run)
{
  int64_t begin = child_now_us ();
  int ends[2];
  pid_t pid;
  int error;

  *run = (struct child_run){ 0 };
  if (pipe2 (ends, O_CLOEXEC) != 0)
    return -errno;
  error = spawn (argv, output, ends[1], &pid);
  close (ends[1]);
  if (error == 0)
    {
      run->output = child_drain (ends[0]);
      while (waitpid (pid, &run->status, 0) < 0 && errno == EINTR)
        continue;
      run->time_us = child_now_us () - begin;
    }
  close (ends[0]);
  return error;
}
